import type { CandidateFile } from '../../contract/incidents.ts'

/** What both axes draw, the one across and the one down; all times are milliseconds since the start. */
export interface AxisFacts {
  fromMs: number
  toMs: number
  startAtMs: number
  endMs: number
  /** the end without the minutes that were given; null where none were */
  plainEndMs: number | null
  deadlineMs: number
}

const MINUTE_MS = 60_000
/** Steps between the marks of a time axis, minutes. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 240]
/** As many marks have room. */
const MARKS = 9

/** Where the axis begins and ends: whole steps of the clock around the attempt. */
export function axisOf(attempt: NonNullable<CandidateFile['attempt']>, nowMs: number): AxisFacts {
  const startAtMs = Date.parse(attempt.startedAt)
  const endMs = Date.parse(attempt.submittedAt ?? new Date(nowMs).toISOString()) - startAtMs
  const deadlineMs = Date.parse(attempt.deadlineAt) - startAtMs
  const extraMs = (attempt.plannedSeconds + attempt.givenSeconds) * 1_000
  // Who handed in long before the end has no empty half of a picture.
  const lastMs = endMs > deadlineMs * 0.6 ? Math.max(endMs, deadlineMs) : endMs
  const stepMs = stepOf(lastMs)
  const fromMs = Math.floor(startAtMs / stepMs) * stepMs - startAtMs
  const toMs = Math.ceil((startAtMs + lastMs + 1) / stepMs) * stepMs - startAtMs
  return {
    ...{ fromMs, toMs, startAtMs, endMs, deadlineMs },
    plainEndMs: extraMs > 0 ? deadlineMs - extraMs : null,
  }
}

/** How an attempt that is over ended: whoever defends a verdict is asked for it first. */
export function endWords(
  attempt: Pick<NonNullable<CandidateFile['attempt']>, 'submitReason' | 'endedBySociety'>,
): string {
  if (attempt.submitReason === 'violations') return 'ended by strikes'
  if (attempt.submitReason === 'candidate') return 'handed in'
  return attempt.endedBySociety ? 'ended by an organiser' : 'time over'
}

function stepOf(lengthMs: number): number {
  const minutes = STEPS.find((step) => lengthMs / (step * MINUTE_MS) <= MARKS)
  return (minutes ?? 1_440) * MINUTE_MS
}

/** The moments that are named, milliseconds since the start. */
export function marksOf({ fromMs, toMs }: AxisFacts): number[] {
  const stepMs = stepOf(toMs - fromMs)
  const count = Math.floor((toMs - fromMs) / stepMs)
  return Array.from({ length: count + 1 }, (_, index) => fromMs + index * stepMs)
}

/** Places for words beside marks that stand close: pushed on so far that none are on each other. */
export function spread(words: readonly { place: number; height: number }[]): number[] {
  let free = Number.NEGATIVE_INFINITY
  return words.map(({ place, height }) => {
    const at = Math.max(place, free)
    free = at + height
    return at
  })
}
