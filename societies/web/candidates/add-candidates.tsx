import { Top } from '../console/top.tsx'

/** …/candidates/add: what was pasted, line by line. */
export function AddCandidates() {
  return <Top title="Add candidates" headline="Add candidates" />
}
