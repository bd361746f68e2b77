import { Top } from '../console/top.tsx'

/** …/questions/check: the paper without keys, and the comparison. */
export function KeyCheck() {
  return <Top title="Blind key check" headline="Blind key check" />
}
