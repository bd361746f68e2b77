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

/** What an event counted, and why. `event`: the one that counted for both. */
export type Verdict =
  | { verdict: 'never_counted' }
  | { verdict: 'counted'; strike: number }
  | { verdict: 'taken_back'; reason: string }
  | { verdict: 'exempt'; kind: string }
  | { verdict: 'same_absence'; event: number }
  | { verdict: 'same_act'; event: number }
  | { verdict: 'was_exempt' }

const isAbsence = (kind: string) => (ABSENCE_KINDS as readonly string[]).includes(kind)
const isAct = (kind: string) => (ACT_KINDS as readonly string[]).includes(kind)

/**
 * For each event what counted and why (product 6.8, 7.5.7): the decision that was made when it came in,
 * and what organisers decided since.
 * @param events of one attempt, in the order in which they came in
 * @param exempt kinds that the candidate is exempt from now
 */
export function judgeEvents(
  events: readonly ReportedEvent[],
  exempt: readonly string[],
): Map<number, Verdict> {
  const verdicts = new Map<number, Verdict>()
  let strikes = 0
  let lastAbsence: ReportedEvent | undefined
  let lastAct: ReportedEvent | undefined
  for (const event of events) {
    const { kind, isViolation } = event
    if (isViolation && isAbsence(kind)) lastAbsence = event
    if (isViolation && isAct(kind)) lastAct = event
    if (!isAbsence(kind) && !isAct(kind)) {
      verdicts.set(event.id, { verdict: 'never_counted' })
    } else if (isViolation && event.isVoided) {
      verdicts.set(event.id, { verdict: 'taken_back', reason: event.voidReason ?? '' })
    } else if (exempt.includes(kind)) {
      verdicts.set(event.id, { verdict: 'exempt', kind })
    } else if (isViolation) {
      strikes += 1
      verdicts.set(event.id, { verdict: 'counted', strike: strikes })
    } else {
      verdicts.set(event.id, judgeUncounted(event, isAbsence(kind) ? lastAbsence : lastAct))
    }
  }
  return verdicts
}

function judgeUncounted(event: ReportedEvent, counted: ReportedEvent | undefined): Verdict {
  if (counted && isAbsence(event.kind)) return { verdict: 'same_absence', event: counted.id }
  if (counted && event.atMs - counted.atMs < MERGE_MS) {
    return { verdict: 'same_act', event: counted.id }
  }
  return { verdict: 'was_exempt' }
}
