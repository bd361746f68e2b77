import { Top } from '../console/top.tsx'

/** …/analysis */
export function Analysis() {
  return <Top title="Analysis" headline="Analysis" />
}
