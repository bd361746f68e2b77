import { describe, expect, it } from 'vitest'
import { createStore } from '../../../platform/web/storage.ts'
import { saveDrill } from '../../contract/drills.ts'
import { GENERATOR_VERSION } from '../../drill/generator.ts'
import { getPreset, type Preset } from '../../drill/presets.ts'
import { forgetSittings } from '../person-store.ts'
import {
  createDrillRuns,
  type DrillRun,
  finishedDrill,
  remainingMs,
  returningFrom,
  sumsOfRun,
  withAnswer,
} from './drill-runs.ts'
import { asDrill } from './queries.ts'

const EIGHTY = getPreset('80-in-8') as Preset
const START = Date.parse('2026-11-20T09:00:00Z')
const run: DrillRun = {
  id: '00000000-0000-4000-8000-000000000001',
  version: GENERATOR_VERSION,
  seed: 7,
  penalty: 1,
  startedAtMs: START,
  returning: [],
  answers: [],
}

it.each([
  ['at the start', 0, 480_000],
  ['after a minute', 60_000, 420_000],
  ['at its end', 480_000, 0],
  ['the day after', 86_400_000, 0],
  ['with a clock set back', -3_600_000, 480_000],
])('a drill run has the right time left %s', (_, afterMs, left) => {
  expect(remainingMs(run, EIGHTY, START + afterMs)).toBe(left)
})

describe('a drill run', () => {
  it('times each answer from the one before', () => {
    const one = withAnswer(run, EIGHTY, { text: '1', from: undefined }, START + 3_000)
    const two = withAnswer(one, EIGHTY, { text: '2', from: { seed: 3, place: 4 } }, START + 8_500)
    expect(two.answers).toEqual([
      { answer: '1', tookMs: 3_000 },
      { answer: '2', tookMs: 5_500, from: { seed: 3, place: 4 } },
    ])
    // Setting the clock back must not give negative times.
    expect(withAnswer(two, EIGHTY, { text: '3', from: undefined }, START).answers[2]?.tookMs).toBe(
      0,
    )
  })

  it('produces a valid submission even if it is found late', () => {
    const ended = withAnswer(run, EIGHTY, { text: '1', from: undefined }, START + 3_000)
    const body = finishedDrill(ended, EIGHTY, START + 86_400_000, 'Europe/Lisbon')
    expect(saveDrill.body.parse(body)).toEqual(body)
    expect([body.tookMs, body.startedAt]).toEqual([480_000, '2026-11-20T09:00:00.000Z'])
  })

  it('is stored per person and preset; an unreadable one is ignored', () => {
    const store = createStore(null)
    const runs = createDrillRuns(store)
    runs.save('anna', '80-in-8', run)
    runs.save('ben', 'sprint', run)
    expect([runs.load('anna', '80-in-8'), runs.load('anna', 'sprint')]).toEqual([run, null])
    store.set('superday-drill:anna:finance', '{"id": 1')
    expect(runs.load('anna', 'finance')).toBeNull()
    forgetSittings('anna', store)
    expect([runs.load('anna', '80-in-8'), runs.load('ben', 'sprint')]).toEqual([null, run])
  })
})

describe('a wrong drill answer', () => {
  const ended = (from: DrillRun, wrong: readonly number[]) => {
    const sums = sumsOfRun(from, EIGHTY)
    const answers = sums.slice(0, 20).map((sum, place) => ({
      answer: wrong.includes(place) ? '99999' : sum.key,
      tookMs: 2_000,
      ...(sum.from && { from: sum.from }),
    }))
    return asDrill(finishedDrill({ ...from, answers }, EIGHTY, START + 480_000, 'Europe/Lisbon'))
  }

  it('returns in the next drill, and again when it is wrong again', () => {
    const returning = returningFrom(ended(run, [2, 11]), EIGHTY)
    expect(returning).toEqual([
      { seed: 7, place: 2 },
      { seed: 7, place: 11 },
    ])
    const next = { ...run, seed: 8, returning }
    const [second, eleventh] = [sumsOfRun(run, EIGHTY)[2], sumsOfRun(run, EIGHTY)[11]]
    const asked = sumsOfRun(next, EIGHTY)
    expect([asked[4]?.prompt, asked[9]?.prompt]).toEqual([second?.prompt, eleventh?.prompt])
    // Place 4 was right, 9 was wrong again, and 0 was new and wrong.
    expect(returningFrom(ended(next, [0, 9]), EIGHTY)).toEqual([
      { seed: 8, place: 0 },
      { seed: 7, place: 11 },
    ])
  })

  it('does not return in another version, and at most eight return', () => {
    const drill = ended(
      run,
      Array.from({ length: 15 }, (_, place) => place),
    )
    expect(returningFrom(drill, EIGHTY)).toHaveLength(8)
    expect(returningFrom({ ...drill, version: GENERATOR_VERSION + 1 }, EIGHTY)).toEqual([])
    expect(returningFrom(undefined, EIGHTY)).toEqual([])
  })
})
