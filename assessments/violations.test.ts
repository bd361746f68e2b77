import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  AWAY_GRACE_MS,
  COUNTED_KINDS,
  clampEventTime,
  EVENT_KINDS,
  formatMinutes,
  GRACE_MS,
  graceEndMs,
  gradePaper,
  isViolation,
  phaseOf,
  QUIET_KINDS,
  type RecordedEvent,
  remainingMs,
} from './violations.ts'

describe('the grace after a deadline', () => {
  const DEADLINE = 1_000_000
  it.each([
    ['up since long before', 0, DEADLINE + GRACE_MS],
    ['up since the deadline itself', DEADLINE, DEADLINE + GRACE_MS],
    ['back 1 ms after it', DEADLINE + 1, DEADLINE + 1 + AWAY_GRACE_MS],
    ['back an hour after it', DEADLINE + 3_600_000, DEADLINE + 3_600_000 + AWAY_GRACE_MS],
  ])('with the service %s', (_, upSince, end) => {
    expect(graceEndMs(DEADLINE, upSince)).toBe(end)
  })

  it.each([
    ['before the deadline', DEADLINE - 1, null, 'running'],
    ['at the deadline', DEADLINE, null, 'grace'],
    ['at the end of the grace, less 1 ms', DEADLINE + GRACE_MS - 1, null, 'grace'],
    ['at the end of the grace', DEADLINE + GRACE_MS, null, 'overdue'],
    ['once submitted', DEADLINE - 1, 5, 'closed'],
    ['once submitted, later', DEADLINE + 99_999, 5, 'closed'],
  ] as const)('an attempt %s is %s', (_, now, submittedMs, phase) => {
    expect(phaseOf({ deadlineMs: DEADLINE, submittedMs }, now, 0)).toBe(phase)
  })
})

describe('times', () => {
  it.each([
    [0, '00:00'],
    [59_999, '00:59'],
    [65_000, '01:05'],
    [1_200_000, '20:00'],
    [6_000_000, '100:00'],
    [-5, '00:00'],
  ])('%i ms are %s', (ms, text) => {
    expect(formatMinutes(ms)).toBe(text)
  })

  it('never leave less than nothing', () => {
    expect([remainingMs(10, 4), remainingMs(10, 11)]).toEqual([6, 0])
  })

  it.each([
    ['a right clock', 5_000, 4_000, 6_000, 5_000],
    ['a clock that is fast', 99_000, 4_000, 6_000, 6_000],
    ['a clock that went back', 1_000, 4_000, 6_000, 4_000],
    ['an absurd time', -1e12, 4_000, 6_000, 4_000],
    ['an event before that lies ahead of now', 5_000, 7_000, 6_000, 7_000],
  ])('of an event by %s', (_, at, previous, elapsed, expected) => {
    expect(clampEventTime(at, previous, elapsed)).toBe(expected)
  })
})

/** Feeds events [kind, at] one after the other, and tells which were violations. */
function decide(events: [kind: string, atMs: number][], exempt: string[] = []): string[] {
  const recorded: RecordedEvent[] = []
  for (const [kind, atMs] of events) {
    recorded.push({ kind, atMs, isViolation: isViolation({ kind, atMs }, recorded, exempt) })
  }
  return recorded.filter((event) => event.isViolation).map(({ kind, atMs }) => `${kind}@${atMs}`)
}

describe('violations', () => {
  it.each<[string, [string, number][], string[]]>([
    [
      'one tab switch fires blur and hidden: one strike',
      [
        ['window_blur', 10],
        ['page_hidden', 12],
      ],
      ['window_blur@10'],
    ],
    [
      'an absence of ten minutes is one strike, whatever fires in it',
      [
        ['page_hidden', 10],
        ['window_blur', 20],
        ['page_hidden', 300_000],
        ['page_visible', 600_000],
      ],
      ['page_hidden@10'],
    ],
    [
      'leaving twice is two strikes, also within a second',
      [
        ['window_blur', 10],
        ['page_visible', 300],
        ['window_blur', 600],
        ['page_visible', 900],
      ],
      ['window_blur@10', 'window_blur@600'],
    ],
    [
      'a page that comes back by a reload ends the absence',
      [
        ['page_hidden', 10],
        ['ready', 5_000],
        ['window_blur', 9_000],
      ],
      ['page_hidden@10', 'window_blur@9000'],
    ],
    [
      'keydown and copy are one',
      [
        ['shortcut', 100],
        ['copy', 102],
      ],
      ['shortcut@100'],
    ],
    [
      '1,999 ms apart are one',
      [
        ['copy', 0],
        ['paste', 1_999],
      ],
      ['copy@0'],
    ],
    [
      '2,000 ms apart are two',
      [
        ['copy', 0],
        ['paste', 2_000],
      ],
      ['copy@0', 'paste@2000'],
    ],
    [
      'going on and on is no immunity',
      [
        ['copy', 0],
        ['copy', 1_500],
        ['copy', 3_000],
        ['copy', 4_500],
      ],
      ['copy@0', 'copy@3000'],
    ],
    [
      'an act and leaving are two',
      [
        ['copy', 0],
        ['window_blur', 500],
      ],
      ['copy@0', 'window_blur@500'],
    ],
    ['quiet kinds never count', QUIET_KINDS.map((kind, index) => [kind, index * 5_000]), []],
  ])('%s', (_, events, expected) => {
    expect(decide(events)).toEqual(expected)
  })

  it('of exempt kinds count nothing and hide nothing', () => {
    const events: [string, number][] = [
      ['paste', 0],
      ['copy', 500],
      ['paste', 9_000],
    ]
    expect(decide(events, ['paste'])).toEqual(['copy@500'])
    expect(
      decide(
        [
          ['window_blur', 0],
          ['page_hidden', 5],
        ],
        ['window_blur'],
      ),
    ).toEqual(['page_hidden@5'])
  })

  it('are never more than acts and absences, and each kind alone counts once', () => {
    for (const kind of COUNTED_KINDS) expect(decide([[kind, 0]])).toEqual([`${kind}@0`])
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...EVENT_KINDS), fc.nat(3_000)), { maxLength: 30 }),
        (steps) => {
          let at = 0
          const events = steps.map(([kind, step]): [string, number] => {
            at += step
            return [kind, at]
          })
          const counted = decide(events)
          const acts = counted.filter((one) => !/page_hidden|window_blur/.test(one))
          expect(acts.length).toBeLessThanOrEqual(Math.floor(at / 2_000) + 1)
        },
      ),
    )
  })
})

describe('grading', () => {
  const item = (itemId: number, more = {}) => ({
    itemId,
    correctOption: 'A',
    accepted: [],
    isVoid: false,
    ...more,
  })
  it.each([
    [
      'all right',
      [item(1), item(2)],
      [
        [1, 'A'],
        [2, 'A'],
      ],
      2,
      0,
    ],
    ['unanswered counts as incorrect', [item(1), item(2)], [[1, 'A']], 1, 1],
    ['an accepted option', [item(1, { accepted: ['C'] })], [[1, 'C']], 1, 0],
    [
      'a void item is neither',
      [item(1, { isVoid: true }), item(2)],
      [
        [1, 'A'],
        [2, 'B'],
      ],
      0,
      1,
    ],
  ] as const)('%s', (_, items, choices, correct, incorrect) => {
    expect(gradePaper(items, new Map(choices as never))).toEqual({ correct, incorrect })
  })
})
