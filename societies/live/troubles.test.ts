import { describe, expect, it } from 'vitest'
import { troubleSentence } from './trouble-words.ts'
import { type CandidateOnTheDay, companyOf, type StrikeNow, troublesOf } from './troubles.ts'

const NOW = 1_000_000_000
const min = (minutes: number) => minutes * 60_000

function someone(more: Partial<CandidateOnTheDay> = {}): CandidateOnTheDay {
  return {
    ...{ id: 'ana', name: 'Ana Sousa', username: 'ana', room: '2.11', verifiedMs: NOW - min(11) },
    ...{ startedMs: NOW - min(10), deadlineMs: NOW + min(20), submittedMs: null },
    ...{
      submitReason: null,
      help: null,
      reopenedMs: null,
      total: 24,
      answered: 3,
      savedMs: NOW - min(1),
      heardMs: NOW,
    },
    window: { openedMs: NOW - min(10), savedMs: NOW - min(1), toldMs: NOW - 5_000, isReady: true },
    ...{ hasBeat: true, strikes: [], addresses: ['a1'] },
    accounts: [{ user: 'u-ana', firstMs: NOW - min(11) }],
    ...more,
  }
}
const asked = (event: number, readMs: number | null = null) => ({
  ...{ event, text: `line ${event}`, atMs: NOW - min(event), readMs },
})
const strike = (more: Partial<StrikeNow> = {}): StrikeNow => ({
  ...{ kind: 'page_hidden', atMs: NOW - min(2), isCounted: true },
  back: { kind: 'page_visible', atMs: NOW - min(2) + 41_000, awayMs: 41_000 },
  ...more,
})
const window = (more: Partial<CandidateOnTheDay['window']>) => ({
  window: { ...someone().window, ...more },
})
const closed = (...strikes: StrikeNow[]) => ({
  ...{ submittedMs: NOW, submitReason: 'violations', strikes },
})
const twoAccounts = { accounts: [...someone().accounts, { user: 'u2', firstMs: NOW }] }
const found = (one: CandidateOnTheDay, others: CandidateOnTheDay[] = []) =>
  troublesOf(one, companyOf([one, ...others]), NOW).map(({ mark }) => mark)

describe('alerts on the Live page', () => {
  it.each<[string, Partial<CandidateOnTheDay>, string[]]>([
    ['no alert without a problem', {}, []],
    [
      'no alert for a new page before monitoring starts',
      window({ isReady: false, openedMs: NOW - min(1) - 14_999 }),
      [],
    ],
    [
      'no alert for a submitted test without monitoring',
      { ...window({ isReady: false }), submittedMs: NOW },
      [],
    ],
    [
      'a page that saves without monitoring reports',
      window({ toldMs: NOW - min(3) }),
      ['unmonitored'],
    ],
    ['no save for three minutes', { savedMs: NOW - min(3) }, ['no_save']],
    ['no alert just before three minutes', { savedMs: NOW - min(3) + 1 }, []],
    ['no save since the start', { savedMs: null }, ['no_save']],
    [
      'no alert within three minutes of a reopening',
      { savedMs: NOW - min(9), reopenedMs: NOW - min(2) },
      [],
    ],
    ['no alert once all questions are answered', { savedMs: NOW - min(9), total: 3 }, []],
    ['a request for help', { help: [asked(3)] }, ['help']],
    ['a request for help that was read', { help: [asked(3, NOW)] }, ['help']],
    ['no request for help after the end', { help: [asked(3)], submittedMs: NOW }, []],
    ['an open test after its time is up', { deadlineMs: NOW - 15_000 }, ['overdue']],
    ['no alert while the server closes the test', { deadlineMs: NOW - 14_999 }, []],
    ['a test that strikes closed', closed(strike(), strike(), strike()), ['third_strike']],
    ['the second strike', { strikes: [strike(), strike()] }, ['second_strike']],
    ['a second account', twoAccounts, ['accounts']],
  ])('%s', (_, more, wanted) => {
    expect(found(someone(more)).map((mark) => mark.replace(/:.*/, ''))).toEqual(wanted)
  })

  it('identify a strike by its event, so another strike is another alert', () => {
    expect(found(someone({ strikes: [strike(), strike()] }))).toEqual(['second_strike:2'])
    const after = [strike({ isCounted: false }), strike(), strike()]
    expect(found(someone({ strikes: after }))).toEqual(['second_strike:3'])
  })

  it('count others who were away in the same minute, even if their strikes were withdrawn', () => {
    const one = someone({ strikes: [strike(), strike()] })
    const left = (id: string, more: Partial<StrikeNow>, room = '2.11') => {
      const { atMs } = strike(more)
      const back = { kind: 'page_visible', atMs: atMs + 41_000, awayMs: null }
      return someone({ id, room, accounts: [], strikes: [strike({ back, ...more })] })
    }
    const others = [
      left('b', { atMs: NOW - min(2) - 30_000, isCounted: false }),
      left('c', { atMs: NOW - min(2) + 30_000 }),
      left('d', { atMs: NOW - min(2) + 30_001 }),
      left('e', { kind: 'copy' }),
      left('f', {}, '1.04'),
      left('g', { atMs: NOW - min(5), back: null }),
      left('h', { atMs: NOW - min(5) }),
    ]
    expect(troublesOf(one, companyOf([one, ...others]), NOW)[0]?.others).toBe(3)
  })

  it('ignore one address shared by a lecture hall, but link a few people behind one', () => {
    const beside = (count: number) =>
      Array.from({ length: count }, (_, n) => someone({ id: `p${n}`, accounts: [] }))
    const linkedAmong = (count: number) => {
      const one = someone(twoAccounts)
      return troublesOf(one, companyOf([one, ...beside(count)]), NOW)[0]?.linked.length
    }
    expect([linkedAmong(5), linkedAmong(6)]).toEqual([5, 0])
    // A shared address by itself is no alert.
    expect(found(someone(), beside(3))).toEqual([])
    // One account used by two candidates is an alert.
    const same = someone({ id: 'ben', addresses: [] })
    expect(found(someone(), [same])).toEqual(['accounts:1'])
  })
})

describe('the sentence of an alert', () => {
  const say = (more: Partial<CandidateOnTheDay>, others: CandidateOnTheDay[] = []) => {
    const one = someone(more)
    const [line] = troublesOf(one, companyOf([one, ...others]), NOW)
    if (!line) throw new Error('there is no line')
    const timeOf = (ms: number) => `T${(ms - NOW) / 1000}`
    const { what, why } = troubleSentence({ ...line, room: one.room }, NOW, timeOf)
    return `${what} ${why}`
  }
  it.each<[Partial<CandidateOnTheDay>, string]>([
    [
      window({ isReady: false }),
      'Unmonitored now. Answers are saved, but the page sends no monitoring reports. The cause is often a browser extension.',
    ],
    [
      { savedMs: NOW - 250_000 },
      'No save for 4 min 10 s, 3 of 24 answered. The page sent its last request at T0.',
    ],
    [
      { strikes: [strike(), strike()] },
      'Second strike: away for 41 s, 3 of 24 answered. No one else in room 2.11 was away in that minute.',
    ],
    [
      { strikes: [strike(), strike({ back: null })], room: null },
      'Second strike: left the page and hasn’t returned, 3 of 24 answered. No one else was away in that minute.',
    ],
    [
      { strikes: [strike(), strike({ kind: 'copy' })] },
      'Second strike: copying, 3 of 24 answered.',
    ],
    [
      { strikes: [strike(), strike({ kind: 'shortcut' })] },
      'Second strike: a blocked shortcut, 3 of 24 answered.',
    ],
    [
      closed(strike({ kind: 'paste' })),
      'The third strike ended the test, 3 of 24 answered. Last strike: pasting.',
    ],
    [
      { ...twoAccounts, addresses: ['a1', 'a2'] },
      'Signed in from two accounts and two addresses. This is often a phone next to a laptop.',
    ],
  ])('%o', (more, sentence) => expect(say(more)).toBe(sentence))

  it('says how many other candidates left', () => {
    const other = someone({ id: 'b', accounts: [], strikes: [strike()] })
    expect(say(closed(strike()), [other])).toBe(
      'The third strike ended the test, 3 of 24 answered. One other candidate in room 2.11 was away in that minute.',
    )
  })
})

it('a request for help is one alert with all unread messages since the first one', () => {
  const one = someone({ help: [asked(9, NOW), asked(8), asked(7)] })
  const [line] = troublesOf(one, companyOf([one]), NOW)
  expect(line).toMatchObject({ mark: 'help:7', text: 'line 8 / line 7', sinceMs: NOW - min(8) })
  expect(troubleSentence({ ...line, room: null } as never, NOW, String)).toEqual({
    what: 'Asked for help.',
    why: '“line 8 / line 7” 3 of 24 answered.',
  })
})
