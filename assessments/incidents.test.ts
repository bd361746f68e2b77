import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { incidentWords, standingWords } from './incident-words.ts'
import {
  gatherIncidents,
  type LoggedAttempt,
  type LoggedEvent,
  type LoggedWindow,
  unseenMsOf,
} from './incidents.ts'
import { EVENT_KINDS, isViolation, type RecordedEvent } from './violations.ts'

type Told = Partial<LoggedEvent> & { kind: string }

/** Events in their order, numbered, each told by the one window unless it says otherwise. */
function attemptOf(told: Told[], more: Partial<LoggedAttempt> = {}): LoggedAttempt {
  const events = told.map((one, index): LoggedEvent => {
    const atMs = one.atMs ?? 0
    return {
      ...{ id: index + 1, windowId: 'w', number: index + 1, atMs, heardMs: atMs, detail: null },
      ...{ isViolation: false, isVoided: false, voidReason: null },
      ...{ account: null, address: null, agent: null },
      ...one,
    }
  })
  return {
    ...{ events, windows: [window('w')], exemptKinds: [], endMs: 1_800_000 },
    numbers: new Map([1, 2, 3].map((id) => [id, id])),
    ...more,
  }
}

const window = (id: string, more: Partial<LoggedWindow> = {}): LoggedWindow => ({
  ...{ id, openedMs: 0, lastHeardMs: 0, isSilent: false, missing: 0, missingMs: 0 },
  ...more,
})
const saved = (atMs: number, ...choices: [number, string, number, number?][]): Told => ({
  ...{ kind: 'saved', number: null, atMs, detail: choices },
})
const seen = (account: string, address: string, agent: string) => ({ account, address, agent })
const kindsOf = (attempt: LoggedAttempt) =>
  gatherIncidents(attempt).map(({ kind, atMs, lengthMs, asks }) => [kind, atMs, lengthMs, asks])

describe('the record of an attempt', () => {
  it('groups events into absences with their length, one strike each', () => {
    const attempt = attemptOf([
      { kind: 'ready' },
      { kind: 'window_blur', atMs: 10_000, isViolation: true },
      { kind: 'page_hidden', atMs: 10_010 },
      { kind: 'page_visible', atMs: 51_000, detail: { awayMs: 41_000 } },
      { kind: 'page_hidden', atMs: 90_000, isViolation: true, isVoided: true, voidReason: 'alarm' },
      { kind: 'page_visible', atMs: 95_000 },
      { kind: 'window_blur', atMs: 120_000, isViolation: true },
    ])
    expect(kindsOf(attempt)).toEqual([
      ['away', 10_000, 41_000, true],
      ['away', 90_000, 5_000, false],
      ['away', 120_000, null, true],
    ])
    const reopened = attemptOf([
      { kind: 'page_hidden', atMs: 10_000, isViolation: true },
      { kind: 'submitted', number: null, atMs: 10_001 },
      { kind: 'reopened', number: null, atMs: 300_000 },
      { kind: 'page_visible', atMs: 301_000 },
    ])
    expect(kindsOf(reopened)).toEqual([['away', 10_000, null, true]])
    expect(gatherIncidents(attempt).map(({ name, strike }) => [name, strike])).toEqual([
      ['event:2', { number: 1, standing: 'stands', reason: null, endedTest: false }],
      ['event:5', { number: 2, standing: 'taken_back', reason: 'alarm', endedTest: false }],
      ['event:7', { number: 3, standing: 'stands', reason: null, endedTest: false }],
    ])
  })

  it('names the strike that ended the test, even if it was voided or others followed', () => {
    const [first, second, third, fourth] = gatherIncidents(
      attemptOf([
        { kind: 'copy', atMs: 10_000, isViolation: true },
        { kind: 'paste', atMs: 20_000, isViolation: true },
        { kind: 'page_hidden', atMs: 30_000, isViolation: true, isVoided: true },
        { kind: 'submitted', number: null, atMs: 30_001, detail: { reason: 'violations' } },
        { kind: 'reopened', number: null, atMs: 300_000 },
        { kind: 'paste', atMs: 310_000, isViolation: true },
        { kind: 'submitted', number: null, atMs: 320_000, detail: { reason: 'candidate' } },
      ]),
    ).map(standingWords)
    expect([first, second]).toEqual(['strike 1, stands', 'strike 2, stands'])
    expect(third).toBe('strike 3, which ended the test, taken back')
    expect(fourth).toBe('strike 4, stands')
  })

  it('names the open question and an answer that was changed right after the return', () => {
    const attempt = attemptOf([
      saved(20_000, [1, 'A', 1, 20_000]),
      saved(60_000, [2, 'B', 1, 60_000]),
      { kind: 'page_hidden', atMs: 70_000, isViolation: true },
      { kind: 'page_visible', atMs: 111_000 },
      saved(117_100, [2, 'C', 2, 117_000]),
      saved(119_000, [1, 'A', 2, 118_000]),
      saved(130_000, [1, 'D', 3, 130_000]),
    ])
    const [away] = gatherIncidents(attempt)
    expect(away?.questions).toEqual([2])
    expect(away?.changed).toEqual([{ question: 2, from: 'B', to: 'C', afterMs: 6_000 }])
    expect(away && incidentWords(away, String)).toEqual({
      lead: 'Away for 41 s.',
      rest: ['6 s after the return the answer to question 2 was changed from B to C.'],
    })
  })

  it('joins an action with its events in one row, and exempt events in another', () => {
    const attempt = attemptOf(
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
      gatherIncidents(attempt).map(({ act, strike, asks }) => [
        act?.kind,
        act?.times,
        strike?.number,
        asks,
      ]),
    ).toEqual([
      ['shortcut', 1, 1, true],
      ['paste', 2, undefined, false],
      ['copy', 1, 2, true],
    ])
  })

  it('shows what waited during an offline time, without asking for a decision', () => {
    const attempt = attemptOf([
      { kind: 'offline', atMs: 30_000 },
      { ...saved(83_000, [1, 'A', 1, 40_000], [2, 'B', 1, 60_000]) },
      { kind: 'online', atMs: 82_000 },
    ])
    const [one] = gatherIncidents(attempt)
    expect(one).toMatchObject({
      ...{ kind: 'offline', lengthMs: 52_000, asks: false, questions: [1, 2] },
      waited: { answers: 2, heardMs: 83_000 },
    })
  })

  it('asks about another account and a minute unseen, not about a reload or another network', () => {
    const own = seen('u1', '10.0.0.1', 'Firefox')
    const opened = (id: string, atMs: number, by = own): Told => ({
      ...{ kind: id === 'a' ? 'started' : 'taken_over', number: null, windowId: id, atMs, ...by },
    })
    const windows = [
      window('a', { lastHeardMs: 100_000 }),
      window('b', { openedMs: 102_000, lastHeardMs: 200_000 }),
      window('c', { openedMs: 239_000, lastHeardMs: 300_000 }),
      window('d', { openedMs: 361_000, lastHeardMs: 400_000 }),
      window('e', { openedMs: 401_000, lastHeardMs: 500_000 }),
    ]
    const attempt = attemptOf(
      [
        opened('a', 0),
        opened('b', 102_000),
        opened('c', 239_000, seen('u1', '10.0.0.2', 'Firefox')),
        opened('d', 361_000, seen('u1', '10.0.0.2', 'Firefox')),
        opened('e', 401_000, seen('u2', '10.0.0.2', 'Firefox')),
      ],
      { windows },
    )
    expect(kindsOf(attempt)).toEqual([
      ['take_over', 239_000, 39_000, false],
      ['take_over', 361_000, 61_000, true],
      ['take_over', 401_000, 1_000, true],
    ])
    expect(unseenMsOf(gatherIncidents(attempt))).toBe(101_000)
  })

  it('asks about monitoring gaps longer than a minute', () => {
    const windows = [
      window('a', { isSilent: true }),
      window('b', { openedMs: 61_000, missing: 2, missingMs: 60_000 }),
    ]
    expect(kindsOf(attemptOf([], { windows }))).toEqual([
      ['unmonitored', 0, 61_000, true],
      ['unmonitored', 61_000, 60_000, false],
    ])
  })

  it('shows an account that entered the credentials but never took the test', () => {
    const verified = (account: string | null): Told => ({
      ...{ kind: 'verified', number: null, windowId: null, account },
    })
    const started: Told = { kind: 'started', number: null, ...seen('u1', '', '') }
    const attempt = attemptOf([
      verified('u1'),
      started,
      verified('u2'),
      verified('u2'),
      verified(null),
    ])
    expect(kindsOf(attempt)).toEqual([['accounts', 0, null, true]])
  })

  it('keeps every counted event in exactly one incident', () => {
    const step = fc.record({
      kind: fc.constantFrom(...EVENT_KINDS, 'taken_over', 'saved', 'reopened'),
      afterMs: fc.integer({ min: 0, max: 20_000 }),
      windowId: fc.constantFrom('a', 'b'),
      isVoided: fc.boolean(),
    })
    /** when it came in; since then it is another list */
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
          const number = isPage ? 1 : null
          return { kind, atMs, windowId, number, isViolation: counts, isVoided: counts && isVoided }
        })
        const attempt = attemptOf(told, { exemptKinds: ['paste'] })
        const counted = attempt.events.filter((one) => one.isViolation).map(({ id }) => id)
        const incidents = gatherIncidents(attempt)
        const gathered = incidents.flatMap(({ events }) => events)
        expect(gathered.filter((id) => counted.includes(id)).sort((a, b) => a - b)).toEqual(counted)
        for (const { events, strike } of incidents) {
          const own = events.filter((id) => counted.includes(id))
          expect(own.length).toBe(strike ? 1 : 0)
        }
        expect(new Set(incidents.map(({ name }) => name)).size).toBe(incidents.length)
      }),
    )
  })
})
