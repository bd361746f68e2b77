import { Top } from '../console/top.tsx'

/** …/live */
export function Live() {
  return <Top title="Live" headline="Live" />
}
