import { Top } from '../console/top.tsx'

/** …/card */
export function HelpersCard() {
  return <Top title="Card for helpers" headline="Card for helpers" />
}
