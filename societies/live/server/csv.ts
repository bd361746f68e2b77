import { writeCsv } from '../../../platform/server/csv/csv.ts'
import type { LiveCandidate } from '../contract.ts'
import { TROUBLE_WORDS } from '../trouble-words.ts'

const STATES: Readonly<Record<LiveCandidate['where'], string>> = {
  absent: 'not here',
  verified: 'signed in',
  running: 'inside',
  submitted: 'done',
}

const instant = (ms: number | null) => (ms === null ? '' : new Date(ms).toISOString())

const alertsOf = ({ marks }: LiveCandidate) =>
  marks.flatMap(({ trouble, seenBy }) => (seenBy === null ? [TROUBLE_WORDS[trouble]] : []))

const COLUMNS: [string, (one: LiveCandidate) => string | number][] = [
  ['name', ({ name }) => name ?? ''],
  ['username', ({ username }) => username],
  ['room', ({ room }) => room ?? ''],
  ['state', ({ where }) => STATES[where]],
  ['answered', ({ answered }) => answered],
  ['of', ({ total }) => total],
  ['last_save', ({ savedMs }) => instant(savedMs)],
  ['ends', ({ endsMs }) => instant(endsMs)],
  ['closed', ({ closedMs }) => instant(closedMs)],
  ['strikes', ({ strikes }) => strikes],
  ['strikes_taken_back', ({ takenBack }) => takenBack],
  ['to_look_at', (one) => alertsOf(one).join(', ')],
]

/** Candidates as CSV, safe from formulas (product 7.1.7). */
export const liveCsv = (candidates: readonly LiveCandidate[]): string =>
  writeCsv(
    COLUMNS.map(([name]) => name),
    candidates.map((one) => COLUMNS.map(([, cellOf]) => cellOf(one))),
  )
