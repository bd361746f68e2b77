import { Top } from '../console/top.tsx'

/** …/results */
export function Results() {
  return <Top title="Results" headline="Results" />
}
