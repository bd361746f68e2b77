import { describe, expect, it } from 'vitest'
import { findingsOf } from '../../../assessments/attempt-history.ts'
import { isIncident } from '../../../assessments/attempt-log.ts'
import { logOf, savedAt, type Told } from '../../../tests/rig/history/log.ts'
import { companyOf, type Presence } from './list.ts'
import { momentsOf } from './moments.ts'

const START = new Date('2026-03-02T09:00:00Z')
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36'

const event = (kind: string, atMs: number, more: Partial<Told> = {}): Told => ({
  kind,
  atMs,
  ...more,
})
const saved = (atMs: number, item: number, choice: string, revision: number) =>
  savedAt(atMs, [item, choice, revision, atMs])

function momentsIn(events: Told[], seesAnswers = true) {
  const numbers = new Map([11, 12, 13, 14].map((item, index) => [item, index + 1]))
  const log = logOf(events, { numbers, endMs: null })
  return momentsOf(log, {
    incidents: findingsOf(log).filter(isIncident),
    late: [],
    seesAnswers,
    startedAt: START,
    timeOf: (at) => at.toISOString().slice(11, 19),
  }).map(({ at, text }) => `${(at.getTime() - START.getTime()) / 1_000} ${text}`)
}

describe('the timeline of an attempt, without its incidents', () => {
  const events = [
    event('started', 0, { agent: CHROME }),
    event('ready', 100),
    saved(10_000, 11, 'A', 1),
    saved(20_000, 12, 'B', 1),
    saved(30_000, 13, 'C', 1),
    event('page_hidden', 40_000, { isViolation: true }),
    event('page_visible', 50_000),
    saved(60_000, 14, 'D', 1),
    saved(70_000, 11, 'B', 2),
    event('fullscreen_exit', 75_000),
    event('submitted', 80_000, { detail: { reason: 'candidate' } }),
  ]

  it('has one line per event, and one for all answers between two events', () => {
    expect(momentsIn(events)).toEqual([
      '0 Started. Chrome 149.',
      '10 Answered questions 1 to 3. The last one at 09:00:30.',
      '60 Answered question 4. Changed question 1 from A to B. The last one at 09:01:10.',
      '75 Fullscreen ended.',
      '80 The candidate submitted the test.',
    ])
  })

  it('has no letters for members who cannot read answers', () => {
    expect(momentsIn(events, false)[2]).toBe(
      '60 Answered question 4. Changed question 1. The last one at 09:01:10.',
    )
  })

  it('ends with a count if a script produced thousands of events', () => {
    const many = Array.from({ length: 3_000 }, (_, n) => event('fullscreen_exit', 100 + n))
    const lines = momentsIn(many)
    expect(lines).toHaveLength(1_000)
    expect(lines.at(-1)).toMatch(/And 2001 more events\./)
  })
})

const MINUTE = 60_000
const sits = (
  candidateId: string,
  room: string,
  ...away: [fromMs: number, toMs: number][]
): Presence => ({
  ...{ candidateId, room, fromMs: 0, toMs: 60 * MINUTE },
  away: away.map(([fromMs, toMs]) => ({ fromMs, toMs })),
})

it('an absence counts the others in the room who were away within the same minute (product 7.16.2)', () => {
  const presences = [
    sits('ana', 'A12', [10 * MINUTE, 15 * MINUTE]),
    sits('ben', 'A12', [10.4 * MINUTE, 11 * MINUTE]),
    sits('cem', 'A12', [2 * MINUTE, 9.6 * MINUTE], [30 * MINUTE, 31 * MINUTE]),
    sits('dora', 'A12', [11 * MINUTE, 12 * MINUTE]),
    sits('emil', 'B07', [10 * MINUTE, 15 * MINUTE]),
    { ...sits('finn', 'A12'), toMs: 5 * MINUTE },
  ]
  const ana = { candidateId: 'ana', room: 'A12' }
  expect(companyOf(ana, 10 * MINUTE, presences)).toEqual({ room: 'A12', away: 2, of: 3 })
  expect(companyOf({ ...ana, room: null }, 10 * MINUTE, presences)).toEqual({
    ...{ room: null, away: 3, of: 4 },
  })
})
