import { Top } from '../console/top.tsx'

/** …/candidates/slips: one a candidate, to print. */
export function Slips() {
  return <Top title="Slips" headline="Slips" />
}
