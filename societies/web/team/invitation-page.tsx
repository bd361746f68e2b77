import { useTitle } from '../../../platform/web/ui/page.tsx'
import { Standing } from '../console/console.tsx'

/** /organise/invitations#token: what the link invites to, and one button. */
export function InvitationPage() {
  useTitle('Invitation')
  return (
    <Standing>
      <h1>Invitation</h1>
    </Standing>
  )
}
