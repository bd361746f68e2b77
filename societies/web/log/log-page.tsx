import { Top } from '../console/top.tsx'

/** …/log */
export function AssessmentLog() {
  return <Top title="Log" headline="Log" />
}
