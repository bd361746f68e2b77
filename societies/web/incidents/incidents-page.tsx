import { Top } from '../console/top.tsx'

/** …/incidents */
export function Incidents() {
  return <Top title="Incidents" headline="Incidents" />
}
