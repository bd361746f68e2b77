import { Top } from '../console/top.tsx'

/** /organise/:society/team: members and invitations. */
export function Team() {
  return <Top title="Team" headline="Team" />
}
