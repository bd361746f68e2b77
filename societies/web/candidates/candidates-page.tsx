import { Top } from '../console/top.tsx'

/** …/candidates: the list, their mails. */
export function Candidates() {
  return <Top title="Candidates" headline="Candidates" />
}
