import { Top } from '../console/top.tsx'

/** /organise/:society/seasons */
export function Seasons() {
  return <Top title="Seasons" headline="Seasons" />
}
