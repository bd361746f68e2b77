import { Top } from '../console/top.tsx'

/** /organise/:society: the assessments by season. */
export function AssessmentsPage() {
  return <Top title="Assessments" headline="Assessments" />
}
