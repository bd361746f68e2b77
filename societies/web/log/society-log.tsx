import { useSociety } from '../console/console.tsx'
import { LogView } from './log-view.tsx'

/** /organise/:society/log: who did what in the society (product 7.20). */
export function SocietyLog() {
  const { society } = useSociety()
  return <LogView place={{ society: society.id, code: null }} timeZone={society.timeZone} />
}
