import { stateOf } from '../../assessment-state.ts'
import { keyReadingOf } from '../../questions/key-reading.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { useNowMs } from '../console/use-now.ts'

/** Whether one reads the keys of the assessment whose page this is, and from when on (product 7.7.4). */
export function useKeyReading() {
  const { society } = useSociety()
  const assessment = useAssessment()
  const nowMs = useNowMs(10_000)
  const state = stateOf(assessment, nowMs)
  return keyReadingOf(society.roles, assessment.code, state)
}
