import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { awayLength, findingsOf, isUnwatched } from '../../assessments/attempt-history.ts'
import { type AttemptLog, type Finding, isIncident } from '../../assessments/attempt-log.ts'
import { dayOf } from '../../tests/rig/history/day.ts'
import { logOf, savedAt, type Told } from '../../tests/rig/history/log.ts'
import { companyOf, troublesOf } from './troubles.ts'

const incidentsIn = (log: AttemptLog) => findingsOf(log).filter(isIncident)
const seen = (account: string, address: string, agent: string) => ({ account, address, agent })

const liveOf = (log: AttemptLog) =>
  troublesOf(dayOf(log), companyOf([dayOf(log)]), 1e6).map(({ trouble }) => trouble)

/** Collects what Live, Incidents and Results show for the same events. */
function saidOf(log: AttemptLog) {
  const found = incidentsIn(log)
  return {
    live: liveOf(log),
    incidents: found
      .filter(({ strike }) => !strike)
      .map(({ kind, weight }) => `${kind}, ${weight}`),
    isUnwatched: isUnwatched(found),
    stand: found.filter(({ strike }) => strike?.standing === 'stands').length,
  }
}

describe('Live, Incidents and Results', () => {
  const started: Told = { kind: 'started', ...seen('u1', '10.0.0.1', 'Firefox') }
  const ready: Told = { kind: 'ready' }
  const beats = (...seconds: number[]) =>
    seconds.map((second): Told => ({ kind: 'heartbeat', atMs: second * 1_000 }))
  const saves = (...seconds: number[]) =>
    seconds.map((second) => savedAt(second * 1_000, [1, 'A', 1]))
  const nothing = { live: [], incidents: [], isUnwatched: false, stand: 0 }
  const unmonitored = (weight: string, live = ['unmonitored']) => ({
    ...{ live, incidents: [`unmonitored, ${weight}`], isUnwatched: true, stand: 0 },
  })
  const by = (kind: string, account: string | null, windowId: string | null = 'w1'): Told => ({
    ...{ kind, windowId, account },
  })

  const copy: Told = { kind: 'copy', atMs: 1_000, isViolation: true }
  const paste: Told = { kind: 'paste', atMs: 9_000, isViolation: true }
  const hidden: Told = { kind: 'page_hidden', atMs: 20_000, isViolation: true }
  const unready = { unready: ['w1'] }
  const silent = [ready, ...beats(30), ...saves(121, 180, 240)]
  const late = beats(30, 60, 90, 120, 150).map((one) => ({ ...one, heardMs: 400_000 }))
  const taken = { ...nothing, live: ['accounts'], incidents: ['take_over, decision'] }
  const entered = { ...nothing, live: ['accounts'], incidents: ['accounts, decision'] }
  const second = { ...nothing, live: ['second_strike'], stand: 2 }

  it.each<[string, Told[], Partial<AttemptLog> & { unready?: string[] }, object]>([
    ['a page that always reports', [ready, ...beats(30, 60), ...saves(70)], {}, nothing],
    ['a page that never started monitoring', saves(15), unready, unmonitored('decision')],
    // The page's first report may be on its way, so Live waits for it.
    [
      'a page that was just opened',
      saves(14),
      { ...unready, endMs: null },
      unmonitored('note', []),
    ],
    // Live asks for help immediately, but a single save is no incident.
    ['a silent page', [ready, ...beats(30), ...saves(121)], {}, unmonitored('note')],
    ['a page that keeps saving without reports', silent, {}, unmonitored('decision')],
    [
      'a gap of exactly 90 seconds between reports',
      [ready, ...beats(30), ...saves(120)],
      {},
      nothing,
    ],
    [
      'a heartbeat that comes soon after the save',
      [ready, ...beats(30), ...saves(121), ...beats(150)],
      {},
      nothing,
    ],
    // Help is no longer needed, but the silent time stays recorded.
    ['a page that reports again', [...silent, ...beats(400)], {}, unmonitored('decision', [])],
    ['heartbeats that came late', [ready, ...saves(121, 180, 240), ...late], {}, nothing],
    [
      'pages of a version without heartbeats',
      [ready, ...saves(121, 180, 240)],
      { hasHeartbeats: false },
      nothing,
    ],
    ['another account that took over', [ready, by('taken_over', 'u2', 'w2')], {}, taken],
    ['an account that only signed in', [ready, by('verified', 'u2', null)], {}, entered],
    ['a deleted account', [ready, by('verified', null, null)], {}, nothing],
    [
      'two strikes, one of them taken back',
      [ready, copy, { ...paste, isVoided: true }],
      {},
      { ...nothing, stand: 1 },
    ],
    [
      'two strikes that count, and one of an exempt kind',
      [ready, copy, paste, hidden],
      { exemptKinds: ['copy'] },
      second,
    ],
  ])('agree about %s', (_, told, more, said) => {
    const sorted = [started, ...told].sort(
      (a, b) => (a.heardMs ?? a.atMs ?? 0) - (b.heardMs ?? b.atMs ?? 0),
    )
    expect(saidOf(logOf(sorted, { hasHeartbeats: true, ...more }))).toEqual(said)
  })

  it('agree on how long a candidate was away', () => {
    const away = (back: Told) => logOf([started, copy, { ...hidden, atMs: 10_000 }, back])
    const lengths = (log: AttemptLog) => [
      troublesOf(dayOf(log), companyOf([dayOf(log)]), 1e6)[0]?.awayMs,
      findingsOf(log).find(({ kind }) => kind === 'away')?.lengthMs,
    ]
    const visible = { kind: 'page_visible', atMs: 51_000 }
    expect(lengths(away(visible))).toEqual([41_000, 41_000])
    expect(lengths(away({ ...visible, detail: { awayMs: 40_000 } }))).toEqual([40_000, 40_000])
    expect(lengths(away({ kind: 'submitted', atMs: 20_000 }))).toEqual([null, null])
    expect(awayLength(10, { kind: 'ready', atMs: 5, awayMs: null })).toBe(0)
  })

  it('never differ: a candidate unmonitored on Live has that incident and is not fully monitored', () => {
    const step = fc.record({
      kind: fc.constantFrom('heartbeat', 'saved', 'ready', 'taken_over', 'page_hidden'),
      afterMs: fc.integer({ min: 0, max: 150_000 }),
      windowId: fc.constantFrom('w1', 'w2', 'w3'),
    })
    let told = 0
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.boolean(), (steps, hasHeartbeats) => {
        let atMs = 0
        let current = 'w1'
        const events = steps.map(({ kind, afterMs, windowId }): Told => {
          atMs += afterMs
          if (kind === 'taken_over') current = windowId
          return { kind, atMs, windowId: current }
        })
        const saidReady = new Set(
          events.filter(({ kind }) => kind === 'ready').map((one) => one.windowId),
        )
        const unready = ['w1', 'w2', 'w3'].filter((id) => !saidReady.has(id))
        const log = logOf([started, ...events], { hasHeartbeats, unready, endMs: null })
        if (!liveOf(log).includes('unmonitored')) return
        told += 1
        const isHere = ({ kind, name }: Finding) =>
          kind === 'unmonitored' && name === `gap:${current}`
        expect(incidentsIn(log).some(isHere)).toBe(true)
        expect(isUnwatched(incidentsIn(log))).toBe(true)
      }),
      { numRuns: 500 },
    )
    expect(told).toBeGreaterThan(20)
  })
})
