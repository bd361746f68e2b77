import { writeCsv } from '../../../platform/server/csv/csv.ts'
import type { LiveCandidate } from '../../contract/live.ts'
import { TROUBLE_WORDS } from '../../day/trouble-words.ts'

const HEADER = [
  'name',
  'username',
  'room',
  'state',
  'answered',
  'of',
  'last_save',
  'ends',
  'closed',
  'strikes',
  'strikes_taken_back',
  'to_look_at',
] as const

const STATES: Readonly<Record<LiveCandidate['where'], string>> = {
  absent: 'not here',
  verified: 'signed in',
  running: 'inside',
  submitted: 'done',
}

const instant = (ms: number | null) => (ms === null ? '' : new Date(ms).toISOString())

/** Candidates as they stand, safe from formulas (product 7.1.7). */
export function liveCsv(candidates: readonly LiveCandidate[]): string {
  return writeCsv(
    HEADER,
    candidates.map((one) => [
      one.name ?? '',
      one.username,
      one.room ?? '',
      STATES[one.where],
      one.answered,
      one.total,
      instant(one.savedMs),
      instant(one.endsMs),
      instant(one.closedMs),
      one.strikes,
      one.takenBack,
      one.marks
        .filter(({ seenBy }) => seenBy === null)
        .map(({ trouble }) => TROUBLE_WORDS[trouble])
        .join(', '),
    ]),
  )
}
