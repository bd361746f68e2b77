import { Top } from '../console/top.tsx'

/** …/analysis/:item */
export function RulingPage() {
  return <Top title="Ruling" headline="Ruling" />
}
