import { Top } from '../console/top.tsx'

/** /organise/:society/log */
export function SocietyLog() {
  return <Top title="Log" headline="Log" />
}
