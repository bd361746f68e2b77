import { useAssessment, useSociety } from '../console/console.tsx'
import { LogView } from './log-view.tsx'

/** …/log: who did what with the assessment (product 7.20). */
export function AssessmentLog() {
  const { society } = useSociety()
  const { code, timeZone } = useAssessment()
  return <LogView place={{ society: society.id, code }} timeZone={timeZone} />
}
