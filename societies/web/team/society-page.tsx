import { Top } from '../console/top.tsx'

/** /organise/:society/settings: name, zone, contact. */
export function SocietySettings() {
  return <Top title="Society" headline="Society" />
}
