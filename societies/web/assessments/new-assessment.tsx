import { Top } from '../console/top.tsx'

/** /organise/:society/new: empty, from a file or from last season. */
export function NewAssessment() {
  return <Top title="New assessment" headline="New assessment" />
}
