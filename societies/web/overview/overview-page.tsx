import { Top } from '../console/top.tsx'

/** /organise/:society/assessments/:code: the checklist. */
export function Overview() {
  return <Top title="Overview" headline="Overview" />
}
