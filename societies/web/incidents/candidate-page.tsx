import { Top } from '../console/top.tsx'

/** …/incidents/:candidate */
export function CandidateFile() {
  return <Top title="Candidate" headline="Candidate" />
}
