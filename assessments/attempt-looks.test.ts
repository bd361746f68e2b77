import { describe, expect, it } from 'vitest'
import { logOf, type Told } from '../tests/rig/history/log.ts'
import { sized } from '../tests/setup/size.ts'
import { findingsOf } from './attempt-history.ts'
import { worthALook } from './attempt-looks.ts'

const SECOND = 1_000
const HOME = { account: 'ana', address: '10.0.0.1', agent: 'Browser' }

/** An event of page w1 that the server receives immediately. */
function at(seconds: number, kind: string, more: Partial<Told> = {}): Told {
  const ms = seconds * SECOND
  const isOpening = kind === 'started' || kind === 'taken_over'
  return { kind, atMs: ms, heardMs: ms, ...(isOpening ? HOME : {}), ...more }
}
const started = at(0, 'started')
const ready = at(0, 'ready', { detail: { opened: 'navigate' } })
/** A save of one choice, made at the moment it was sent. */
const save = (seconds: number, item: number, more: Partial<Told> = {}) =>
  at(seconds, 'saved', { detail: [[item, 'A', 1, seconds * SECOND]], ...more })
const beat = (seconds: number, focused = true, visible = true) =>
  at(seconds, 'heartbeat', { detail: { focused, visible } })
const range = (count: number) => Array.from({ length: count }, (_, index) => index)

const wordsOf = new Map(range(30).map((item) => [item, item === 20 ? 80 : 12]))
const say = (events: Told[], hasHeartbeats = true, unready: string[] = []) =>
  worthALook(findingsOf(logOf(events, { wordsOf, hasHeartbeats, unready })))
/** Sorts events by arrival. */
const heard = (events: Told[]) => [...events].sort((a, b) => (a.heardMs ?? 0) - (b.heardMs ?? 0))

describe('a whole test that was answered too fast', () => {
  const numbers = new Map(range(20).map((item) => [item, item + 1]))
  const decisions = (count: number, lastMs: number, endMs: number | null = 1_800_000) =>
    findingsOf(
      logOf([started], { wordsOf, numbers, saved: { items: range(count), lastMs }, endMs }),
    ).filter(({ weight }) => weight === 'decision')

  it('needs a decision, even if only the stored answers are read', () => {
    expect(decisions(20, 38_000)).toMatchObject([
      { name: 'pace:test', kind: 'pace', lengthMs: 38_000, act: { times: 20 } },
    ])
  })

  it.each<[string, number, number, number | null]>([
    ['for three seconds per question', 20, 60_000, 1_800_000],
    ['for a partly answered test', 9, 12_000, 1_800_000],
    ['while the test is running', 20, 38_000, null],
  ])('needs no decision %s', (_, count, lastMs, endMs) => {
    expect(decisions(count, lastMs, endMs)).toEqual([])
  })
})

describe('the report on answering pace', () => {
  const every = (seconds: number, count: number, from = 0) =>
    range(count).map((index) => save(from + (index + 1) * seconds, index))

  it.each<[string, Told[], string[]]>([
    [
      'twelve answers in six seconds',
      every(0.5, 12),
      ['answered 12 questions in 6 s, until 00:06'],
    ],
    [
      'five answers, just under three seconds each',
      every(2.9, 5),
      ['answered 5 questions in 15 s, until 00:14'],
    ],
    ['four', every(0.5, 4), []],
    ['three seconds per answer', every(3, 12), []],
    ['a good pace', every(40, 12), []],
    [
      'guesses just before the deadline, with their time',
      [...every(60, 10), ...range(8).map((index) => save(600 + (index + 1) * 2, 10 + index))],
      ['answered 8 questions in 16 s, until 10:16'],
    ],
    ['changed answers, however fast', [...every(60, 10), ...every(0.5, 10, 601)], []],
    [
      'a long question that nobody reads in seven seconds',
      [...every(60, 1), save(62, 2), save(64, 3), save(66, 4), save(73, 20), save(75, 6)],
      ['answered 5 questions in 15 s, until 01:15'],
    ],
    [
      'many answers that waited for the network, each with its own time',
      [at(600, 'saved', { detail: range(12).map((item) => [item, 'A', 1, item * 45_000 + 1]) })],
      [],
    ],
    [
      'many simultaneous answers from a page that never reports times',
      [at(600, 'saved', { detail: range(12).map((item) => [item, 'A', 1, null]) })],
      ['answered 11 questions in 0 s, until 10:00'],
    ],
    [
      'many simultaneous answers as earlier versions stored them, with unknown times',
      [at(600, 'saved', { detail: range(12).map((item) => [item, 'A', 1]) })],
      [],
    ],
    [
      'answers left by an earlier window and sent by the next',
      [
        at(300, 'taken_over', { windowId: 'w2' }),
        at(301, 'saved', { windowId: 'w2', detail: range(12).map((item) => [item, 'A', 1, 0]) }),
      ],
      [],
    ],
    [
      'times later than their arrival',
      range(6).map((item) => save(100 + item, item, { detail: [[item, 'A', 1, 1e9]] })),
      ['answered 5 questions in 5 s, until 01:45'],
    ],
  ])('is right for %s', (_, events, words) => {
    const paced = say([started, ready, ...events], false).filter((one) => /answered/.test(one))
    expect(paced).toEqual(words)
  })
})

describe('the report on a page that does not match its saves', () => {
  const beats = (from: number, to: number) =>
    range(Math.floor((to - from) / 30) + 1).map((index) => beat(from + index * 30))
  const slow = range(10).map((index) => save((index + 1) * 60, index))

  it.each<[string, Told[], string[]]>([
    ['sends heartbeats throughout', [...beats(30, 630), ...slow], []],
    [
      'reported ready and nothing more',
      slow,
      ['saved 9 times while its page reported nothing for over 90 s'],
    ],
    [
      'slept, woke up and saved twice',
      [...beats(30, 60), save(30, 1), save(3_000, 2), save(3_010, 3)],
      [],
    ],
    [
      'lost three heartbeats to a bad network and sent them later with their times',
      [
        ...slow,
        ...beats(30, 630).map((one) => ({ ...one, heardMs: Math.max(one.heardMs ?? 0, 500_000) })),
      ],
      [],
    ],
    [
      'answered while it reported that it was hidden',
      [
        ...beats(30, 630),
        at(100, 'page_hidden'),
        save(130, 1),
        save(150, 2),
        at(200, 'page_visible'),
      ],
      ['answered 2 questions while the page said it was hidden'],
    ],
    [
      'saved waiting answers when it was hidden',
      [
        ...beats(30, 630),
        at(100, 'page_hidden'),
        save(101, 1, { detail: [[1, 'A', 1, 99_000]] }),
        at(200, 'page_visible'),
      ],
      [],
    ],
    [
      'answered without focus, because a dictation program has it',
      [...beats(30, 630), at(100, 'window_blur'), save(130, 1), at(200, 'page_visible')],
      [],
    ],
    [
      'reports that it is hidden, but no absence',
      [beat(30), beat(60, false, false), beat(90, false, false), save(60, 1)],
      ['the page said 2 times that it was hidden, but reported no absence'],
    ],
    ['reported that it hid', [at(40, 'page_hidden'), beat(60, false, false), save(35, 1)], []],
    [
      'reports no focus for two minutes',
      [beat(30, false), beat(60, false), beat(90, false), beat(120, false)],
      ['the page said 4 times in a row that it had no focus, but reported no absence'],
    ],
    ['briefly has no focus', [beat(30), beat(60, false), beat(90), beat(120, false)], []],
  ])('is right if the page %s', (_, events, words) => {
    expect(say([started, ...heard([ready, ...events])])).toEqual(words)
  })

  it('is empty for a page version without heartbeats', () => {
    expect(say([started, ready, ...slow], false)).toEqual([])
  })
})

describe('the report on windows', () => {
  const next = (seconds: number, id: string, place: Partial<Told> = {}) =>
    at(seconds, 'taken_over', { windowId: id, ...place })
  const left = (seconds: number, windowId = 'w1') => at(seconds, 'page_left', { windowId })
  const back = (seconds: number, opened: string, kind?: string) => [
    next(seconds, 'w2'),
    ...(kind ? [at(seconds, kind, { windowId: 'w2' })] : []),
    at(seconds, 'ready', { windowId: 'w2', detail: { opened } }),
  ]

  it.each<[string, Told[], string[]]>([
    ['a reload of two seconds', [left(100), ...back(102, 'reload')], []],
    [
      'a claimed reload after 14 seconds',
      [left(100), ...back(114, 'reload')],
      ['away 14 s between two windows, from 01:40, back after a reload'],
    ],
    [
      'a return by Back within five seconds, which counts, with its length',
      [left(100), ...back(104, 'back_forward', 'page_hidden')],
      ['away 4 s between two windows, from 01:40, back through the Back or Forward button'],
    ],
    ['a crash', [beat(100), ...back(130, 'reload')], []],
    [
      'another computer after two minutes',
      [beat(100), next(225, 'w2', { account: 'ben', agent: 'Other' })],
      ['no reports for 2 min 5 s between two windows, from 01:40, back in another browser'],
    ],
    [
      'a test that an organizer reopened',
      [left(100), at(900, 'reopened', { windowId: null }), ...back(1_000, 'navigate')],
      [],
    ],
    [
      'an event sent late, just before the next window',
      [at(100, 'page_left', { heardMs: 114_000 }), ...back(114, 'reload')],
      ['away 14 s between two windows, from 01:40, back after a reload'],
    ],
    [
      'twelve take-overs from one address',
      range(12).map((index) => next(index + 1, `v${index}`)),
      ['12 take-overs, 1 address'],
    ],
    ['7 take-overs from one address', range(7).map((index) => next(index + 1, `v${index}`)), []],
    [
      'alternating addresses',
      range(3).map((index) =>
        next(index + 1, `v${index}`, index % 2 ? {} : { address: '10.0.0.9', account: 'ben' }),
      ),
      ['3 take-overs, 2 accounts, 2 addresses'],
    ],
    ['one move to another address', [next(5, 'w2', { address: '10.0.0.9' })], []],
  ])('is right for %s', (_, events, words) => {
    expect(say([started, ...heard([ready, ...events])])).toEqual(words)
  })
})

describe('the report on uncounted events', () => {
  const quiet = (seconds: number, kind: string, awayMs?: number) =>
    at(seconds, kind, { detail: awayMs === undefined ? null : { awayMs } })

  it.each<[string, Told[], string[]]>([
    ['a prompt that is read', [quiet(60, 'leave_prompt', 6_000)], []],
    [
      'a prompt that stays open',
      [quiet(60, 'leave_prompt', 40_000)],
      ['the leave prompt lasted 40 s, from 01:00'],
    ],
    ['two moments without focus', [quiet(60, 'focus_lost', 900), quiet(80, 'focus_lost', 800)], []],
    [
      'three moments without focus',
      [900, 1_400, 800].map((ms, index) => quiet(60 * index, 'focus_lost', ms)),
      [
        'lost focus 3 times for 1.4 s at most, excused by fullscreen, the leave prompt or a blocked key',
      ],
    ],
    ['dragging', [quiet(60, 'drag')], ['dragged text once']],
  ])('is right for %s', (_, events, words) => {
    expect(say([started, ready, ...events])).toEqual(words)
  })
})

describe('a report on scripted events', () => {
  const full = range(40).map((item) => [item, 'A', 1, 1_000])
  const openedAgain = range(1_500).flatMap((index) => {
    const windowId = `w${index % 3}`
    return [
      at(index + 1, 'taken_over', { windowId }),
      at(index + 1, 'saved', { windowId, detail: full }),
    ]
  })

  it('reads many thousands of choices in one window', { timeout: 30_000 }, () => {
    const saves = range(sized(5_000, 500)).map((second) => at(second, 'saved', { detail: full }))
    const words = say([started, ready, ...saves, at(5_100, 'taken_over', { windowId: 'w2' })])
    expect(words).toContainEqual(expect.stringMatching(/between two windows/))
  })

  it('lists a window that is opened repeatedly only once', () => {
    const words = say([started, ready, ...openedAgain], true, ['w0', 'w2'])
    expect(words.filter((one) => /saved/.test(one))).toHaveLength(1)
    expect(words).toContainEqual(expect.stringMatching(/^1.?500 take-overs/))
  })
})
