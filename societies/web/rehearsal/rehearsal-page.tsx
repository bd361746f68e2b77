import { Top } from '../console/top.tsx'

/** …/rehearsal: who tried the computer; a simulated crowd. */
export function Rehearsal() {
  return <Top title="Rehearsal" headline="Rehearsal" />
}
