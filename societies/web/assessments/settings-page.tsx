import { Top } from '../console/top.tsx'

/** …/settings: window, duration, rules. */
export function AssessmentSettings() {
  return <Top title="Settings" headline="Settings" />
}
