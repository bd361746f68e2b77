import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logOf, savedAt, type Told } from '../tests/rig/history/log.ts'
import { findingsOf, unseenMsOf } from './attempt-history.ts'
import { type AttemptLog, choicesMade, isIncident } from './attempt-log.ts'
import { incidentWords, standingWords } from './incident-words.ts'
import { EVENT_KINDS, isViolation, type RecordedEvent } from './violations.ts'

const incidentsIn = (log: AttemptLog) => findingsOf(log).filter(isIncident)
const seen = (account: string, address: string, agent: string) => ({ account, address, agent })
const kindsOf = (log: AttemptLog) =>
  incidentsIn(log).map(({ kind, atMs, lengthMs, weight }) => [
    kind,
    atMs,
    lengthMs,
    weight === 'decision',
  ])

describe('the history of an attempt', () => {
  it('groups events into absences with their length, one strike each', () => {
    const log = logOf([
      { kind: 'ready' },
      { kind: 'window_blur', atMs: 10_000, isViolation: true },
      { kind: 'page_hidden', atMs: 10_010 },
      { kind: 'page_visible', atMs: 51_000, detail: { awayMs: 41_000 } },
      { kind: 'page_hidden', atMs: 90_000, isViolation: true, isVoided: true, voidReason: 'alarm' },
      { kind: 'page_visible', atMs: 95_000 },
      { kind: 'window_blur', atMs: 120_000, isViolation: true },
    ])
    expect(kindsOf(log)).toEqual([
      ['away', 10_000, 41_000, true],
      ['away', 90_000, 5_000, false],
      ['away', 120_000, null, true],
    ])
    const reopened = logOf([
      { kind: 'page_hidden', atMs: 10_000, isViolation: true },
      { kind: 'submitted', atMs: 10_001 },
      { kind: 'reopened', atMs: 300_000 },
      { kind: 'page_visible', atMs: 301_000 },
    ])
    expect(kindsOf(reopened)).toEqual([['away', 10_000, null, true]])
    expect(findingsOf(log).map(({ name, strike }) => [name, strike])).toEqual([
      ['event:2', { number: 1, standing: 'stands', reason: null, endedTest: false }],
      ['event:5', { number: 2, standing: 'taken_back', reason: 'alarm', endedTest: false }],
      ['event:7', { number: 3, standing: 'stands', reason: null, endedTest: false }],
    ])
  })

  it('names the strike that ended the test, even if it was voided or more strikes followed', () => {
    const [first, second, third, fourth] = findingsOf(
      logOf([
        { kind: 'copy', atMs: 10_000, isViolation: true },
        { kind: 'paste', atMs: 20_000, isViolation: true },
        { kind: 'page_hidden', atMs: 30_000, isViolation: true, isVoided: true },
        { kind: 'submitted', atMs: 30_001, detail: { reason: 'violations' } },
        { kind: 'reopened', atMs: 300_000 },
        { kind: 'paste', atMs: 310_000, isViolation: true },
        { kind: 'submitted', atMs: 320_000, detail: { reason: 'candidate' } },
      ]),
    ).map(standingWords)
    expect([first, second]).toEqual(['strike 1, counts', 'strike 2, counts'])
    expect(third).toBe('strike 3, which ended the test, taken back')
    expect(fourth).toBe('strike 4, counts')
  })

  it('names the open question and an answer changed right after the return', () => {
    const log = logOf([
      savedAt(20_000, [1, 'A', 1, 20_000]),
      savedAt(60_000, [2, 'B', 1, 60_000]),
      { kind: 'page_hidden', atMs: 70_000, isViolation: true },
      { kind: 'page_visible', atMs: 111_000 },
      savedAt(117_100, [2, 'C', 2, 117_000]),
      savedAt(119_000, [1, 'A', 2, 118_000]),
      savedAt(130_000, [1, 'D', 3, 130_000]),
    ])
    // Choices are counted from the page's opening, which is the attempt's start here.
    const windows = log.windows.map((one) => ({ ...one, openedMs: 0 }))
    const [away] = incidentsIn({ ...log, windows, choices: choicesMade({ ...log, windows }) })
    expect(away?.questions).toEqual([2])
    expect(away?.changed).toEqual([{ question: 2, from: 'B', to: 'C', afterMs: 6_000 }])
    expect(away && incidentWords(away, String)).toEqual({
      lead: 'Away for 41 s.',
      rest: ['6 s after the return, the answer to question 2 was changed from B to C.'],
    })
  })

  it('puts an action and its events in one row, and exempt events in another', () => {
    const log = logOf(
      [
        { kind: 'shortcut', atMs: 5_000, isViolation: true, detail: { key: 'Ctrl+C' } },
        { kind: 'copy', atMs: 5_003 },
        { kind: 'paste', atMs: 60_000 },
        { kind: 'paste', atMs: 90_000 },
        { kind: 'copy', atMs: 120_000, isViolation: true },
      ],
      { exemptKinds: ['paste'] },
    )
    expect(
      findingsOf(log).map(({ act, strike, weight }) => [
        act?.kind,
        act?.times,
        strike?.number,
        weight,
      ]),
    ).toEqual([
      ['shortcut', 1, 1, 'decision'],
      ['paste', 2, undefined, 'note'],
      ['copy', 1, 2, 'decision'],
    ])
  })

  it('shows answers that waited while offline, without asking for a decision', () => {
    const log = logOf([
      { kind: 'ready' },
      { kind: 'offline', atMs: 30_000 },
      savedAt(83_000, [1, 'A', 1, 40_000], [2, 'B', 1, 60_000]),
      { kind: 'online', atMs: 82_000 },
    ])
    expect(incidentsIn(log)[0]).toMatchObject({
      ...{ kind: 'offline', lengthMs: 52_000, weight: 'note', questions: [1, 2] },
      waited: { answers: 2, heardMs: 83_000 },
    })
  })

  it('asks about another account and an unmonitored minute, not about a reload or a new network', () => {
    const own = seen('u1', '10.0.0.1', 'Firefox')
    const opened = (id: string, atMs: number, by = own): Told => ({
      ...{ kind: id === 'a' ? 'started' : 'taken_over', windowId: id, atMs, ...by },
    })
    const last = (id: string, atMs: number): Told => ({ kind: 'online', windowId: id, atMs })
    const log = logOf([
      opened('a', 0),
      last('a', 100_000),
      opened('b', 102_000),
      last('b', 200_000),
      opened('c', 239_000, seen('u1', '10.0.0.2', 'Firefox')),
      last('c', 300_000),
      opened('d', 361_000, seen('u1', '10.0.0.2', 'Firefox')),
      last('d', 400_000),
      opened('e', 401_000, seen('u2', '10.0.0.2', 'Firefox')),
    ])
    expect(kindsOf(log)).toEqual([
      ['take_over', 239_000, 39_000, false],
      ['take_over', 361_000, 61_000, true],
      ['take_over', 401_000, 1_000, true],
    ])
    // The second before the other account took over counts as monitored.
    expect(unseenMsOf(findingsOf(log))).toBe(100_000)
  })

  it('measures the gap before a reopened page from its last report', () => {
    const opened = (windowId: string, atMs: number): Told => ({
      kind: atMs === 0 ? 'started' : 'taken_over',
      windowId,
      atMs,
    })
    const log = logOf([
      opened('a', 0),
      opened('b', 100_000),
      opened('a', 101_000),
      { kind: 'online', windowId: 'a', atMs: 200_000 },
    ])
    expect(kindsOf(log)).toEqual([['take_over', 100_000, 100_000, true]])
  })

  it('asks about monitoring gaps longer than a minute', () => {
    const log = logOf(
      [
        savedAt(0, [1, 'A', 1]),
        { kind: 'ready', windowId: 'b', atMs: 61_000, number: 1 },
        { ...savedAt(70_000, [1, 'B', 2]), windowId: 'b' },
        { kind: 'online', windowId: 'b', atMs: 121_000, number: 4 },
      ],
      { unready: ['w1'] },
    )
    expect(kindsOf(log)).toEqual([
      ['unmonitored', 0, 61_000, true],
      ['unmonitored', 61_000, 60_000, false],
    ])
    expect(findingsOf(log).map(({ missing }) => missing)).toEqual([null, 2])
    const words = findingsOf(log)
      .filter(isIncident)
      .map((one) => incidentWords(one, String))
    expect(words).toEqual([
      {
        lead: 'Unmonitored answers for 1 min 1 s.',
        rest: ['The page never confirmed monitoring.'],
      },
      { lead: 'Not monitored for 1 min.', rest: ['2 events from the page never arrived.'] },
    ])
  })

  it('lists a page that saves without reporting once, even if its events are missing', () => {
    const beat: Told = { kind: 'heartbeat', atMs: 30_000 }
    const saves = [200_000, 260_000, 320_000].map((atMs) => savedAt(atMs, [1, 'A', 1]))
    const log = logOf([{ kind: 'ready' }, beat, ...saves], { hasHeartbeats: true })
    const blocked = { ...log, windows: log.windows.map((one) => ({ ...one, lastEvent: 11 })) }
    expect(kindsOf(log)).toEqual([['unmonitored', 30_000, 290_000, true]])
    expect(kindsOf(blocked)).toEqual([['unmonitored', 30_000, 290_000, true]])
    expect(incidentsIn(blocked).map((one) => incidentWords(one, String).rest)).toEqual([
      ['9 events from the page never arrived.', '3 saves arrived while the page reported nothing.'],
    ])
  })

  it('shows an account that entered the credentials but never took the test', () => {
    const verified = (account: string | null): Told => ({
      ...{ kind: 'verified', windowId: null, account },
    })
    const started: Told = { kind: 'started', ...seen('u1', '', '') }
    const log = logOf([verified('u1'), started, verified('u2'), verified('u2'), verified(null)])
    expect(kindsOf(log)).toEqual([['accounts', 0, null, true]])
  })

  it('ignores an account that entered the credentials after the end', () => {
    const entered = (account: string, atMs: number): Told => ({
      ...{ kind: 'verified', windowId: null, account, atMs },
    })
    const started: Told = { kind: 'started', ...seen('u1', '', '') }
    const log = logOf([entered('u1', 0), started, entered('u2', 1_800_001)])
    expect(kindsOf(log)).toEqual([])
  })

  it('keeps every counted event in exactly one incident', () => {
    const step = fc.record({
      kind: fc.constantFrom(...EVENT_KINDS, 'taken_over', 'saved', 'reopened'),
      afterMs: fc.integer({ min: 0, max: 20_000 }),
      windowId: fc.constantFrom('a', 'b'),
      isVoided: fc.boolean(),
    })
    /** The kinds that were exempt when the event arrived. The list can change later. */
    const exempt = fc.subarray(['page_hidden', 'paste', 'copy'])
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), exempt, (steps, wasExempt) => {
        const earlier: RecordedEvent[] = []
        let atMs = 0
        const told = steps.map(({ kind, afterMs, windowId, isVoided }): Told => {
          atMs += afterMs
          const isPage = (EVENT_KINDS as readonly string[]).includes(kind)
          const counts = isPage && isViolation({ kind, atMs }, earlier, wasExempt)
          if (isPage) earlier.push({ kind, atMs, isViolation: counts })
          return { kind, atMs, windowId, isViolation: counts, isVoided: counts && isVoided }
        })
        const log = logOf(told, { exemptKinds: ['paste'] })
        const counted = log.events.filter((one) => one.isViolation).map(({ id }) => id)
        const found = findingsOf(log)
        const gathered = found.flatMap(({ events }) => events)
        expect(gathered.filter((id) => counted.includes(id)).sort((a, b) => a - b)).toEqual(counted)
        for (const { events, strike } of found) {
          const own = events.filter((id) => counted.includes(id))
          expect(own.length).toBe(strike ? 1 : 0)
        }
        expect(new Set(found.map(({ name }) => name)).size).toBe(found.length)
      }),
    )
  })
})
