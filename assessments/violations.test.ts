import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  COUNTED_KINDS,
  clampEventTime,
  EVENT_KINDS,
  isQuiet,
  isViolation,
  nameOfAct,
  QUIET_KINDS,
  type RecordedEvent,
} from './violations.ts'

describe('the time of an event', () => {
  it.each([
    ['a correct clock', 5_000, 4_000, 6_000, 5_000],
    ['a clock that is fast', 99_000, 4_000, 6_000, 6_000],
    ['a clock that went back', 1_000, 4_000, 6_000, 4_000],
    ['an absurd time', -1e12, 4_000, 6_000, 4_000],
    ['an earlier event with a time in the future', 5_000, 7_000, 6_000, 7_000],
  ])("with %s is bounded by the server's clock", (_, at, previous, elapsed, expected) => {
    expect(clampEventTime(at, previous, elapsed)).toBe(expected)
  })
})

/** Feeds in events [kind, at] in order, and returns the ones that were violations. */
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
      'an absence of ten minutes is one strike, whatever events fire during it',
      [
        ['page_hidden', 10],
        ['window_blur', 20],
        ['page_hidden', 300_000],
        ['page_visible', 600_000],
      ],
      ['page_hidden@10'],
    ],
    [
      'leaving twice is two strikes, even within a second',
      [
        ['window_blur', 10],
        ['page_visible', 300],
        ['window_blur', 600],
        ['page_visible', 900],
      ],
      ['window_blur@10', 'window_blur@600'],
    ],
    [
      'a reload ends the absence',
      [
        ['page_hidden', 10],
        ['ready', 5_000],
        ['window_blur', 9_000],
      ],
      ['page_hidden@10', 'window_blur@9000'],
    ],
    [
      'keydown and copy are one strike',
      [
        ['shortcut', 100],
        ['copy', 102],
      ],
      ['shortcut@100'],
    ],
    [
      '1,999 ms apart are one strike',
      [
        ['copy', 0],
        ['paste', 1_999],
      ],
      ['copy@0'],
    ],
    [
      '2,000 ms apart are two strikes',
      [
        ['copy', 0],
        ['paste', 2_000],
      ],
      ['copy@0', 'paste@2000'],
    ],
    [
      'repeating an action without a pause does not avoid further strikes',
      [
        ['copy', 0],
        ['copy', 1_500],
        ['copy', 3_000],
        ['copy', 4_500],
      ],
      ['copy@0', 'copy@3000'],
    ],
    [
      'an action and leaving are two strikes',
      [
        ['copy', 0],
        ['window_blur', 500],
      ],
      ['copy@0', 'window_blur@500'],
    ],
    ['quiet kinds never count', QUIET_KINDS.map((kind, index) => [kind, index * 5_000]), []],
  ])('are counted correctly: %s', (_, events, expected) => {
    expect(decide(events)).toEqual(expected)
  })

  it('of exempt kinds do not count and do not hide others', () => {
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

  it('have kinds that either count or never count', () => {
    expect(EVENT_KINDS.filter(isQuiet)).toEqual(QUIET_KINDS)
    expect(COUNTED_KINDS.some(isQuiet)).toBe(false)
  })

  it('are never more than actions plus absences, and a single event of each kind counts once', () => {
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

it.each([
  ['page_hidden', undefined, 'Leaving the test page'],
  ['window_blur', undefined, 'Leaving the test page'],
  ['copy', undefined, 'Copying'],
  ['cut', undefined, 'Cutting'],
  ['paste', undefined, 'Pasting'],
  ['context_menu', undefined, 'Right-clicking'],
  ['print_screen', undefined, 'Taking a screenshot'],
  ['shortcut', 'Ctrl+P', 'The shortcut Ctrl+P'],
  ['shortcut', undefined, 'This shortcut'],
])('a strike for %s with the key %s is named "%s"', (kind, key, name) => {
  expect(nameOfAct(kind, key)).toBe(name)
})
