import { ABSENCE_KINDS, ACT_KINDS, MERGE_MS } from '../../../assessments/violations.ts'

/** What a page reported, as stored. */
export interface ReportedEvent {
  id: number
  kind: string
  atMs: number
  isViolation: boolean
  isVoided: boolean
  voidReason: string | null
}

const isAbsence = (kind: string) => (ABSENCE_KINDS as readonly string[]).includes(kind)
const isAct = (kind: string) => (ACT_KINDS as readonly string[]).includes(kind)

/**
 * For each event, in words, what counted and why (product 6.8, 7.5.7): the decision that was
 * made when it came in, and what organisers decided since.
 * @param events of one attempt, in the order in which they came in
 * @param exempt kinds that the candidate is exempt from now
 */
export function explainEvents(
  events: readonly ReportedEvent[],
  exempt: readonly string[],
): Map<number, string> {
  const sentences = new Map<number, string>()
  let strikes = 0
  let lastAbsence: ReportedEvent | undefined
  let lastAct: ReportedEvent | undefined
  for (const event of events) {
    const { kind, isViolation } = event
    if (isViolation && isAbsence(kind)) lastAbsence = event
    if (isViolation && isAct(kind)) lastAct = event
    if (!isAbsence(kind) && !isAct(kind)) {
      sentences.set(event.id, 'recorded, never counted')
    } else if (isViolation && event.isVoided) {
      sentences.set(event.id, `taken back: ${event.voidReason ?? ''}`)
    } else if (exempt.includes(kind)) {
      sentences.set(event.id, `not counted: the candidate is exempt from ${kind}`)
    } else if (isViolation) {
      strikes += 1
      sentences.set(event.id, `counted: strike ${strikes}`)
    } else {
      sentences.set(event.id, explainUncounted(event, isAbsence(kind) ? lastAbsence : lastAct))
    }
  }
  return sentences
}

function explainUncounted(event: ReportedEvent, counted: ReportedEvent | undefined): string {
  if (counted && isAbsence(event.kind))
    return `not counted: the same absence as event ${counted.id}`
  if (counted && event.atMs - counted.atMs < MERGE_MS) {
    return `not counted: the same act as event ${counted.id}, less than ${MERGE_MS / 1000} s before`
  }
  return 'not counted: the candidate was exempt from it when it came in'
}
