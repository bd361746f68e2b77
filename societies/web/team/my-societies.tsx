import { useTitle } from '../../../platform/web/ui/page.tsx'
import { Standing } from '../console/console.tsx'

/** /organise: one's societies, or how one begins. */
export function MySocieties() {
  useTitle('Your societies')
  return (
    <Standing>
      <h1>Your societies</h1>
    </Standing>
  )
}
