import { describe, expect, it } from 'vitest'
import { fingerprintOf, type SlipFact } from './fingerprint.ts'

/** Question 'n…' offers the sign of net debt as B and C and cash as D, 't…' tax as B; A is always right. */
const slipsOf = (item: string) =>
  item.startsWith('n')
    ? { B: 'net-debt-sign', C: 'net-debt-sign', D: 'cash-forgotten' }
    : item.startsWith('t')
      ? { B: 'tax-forgotten' }
      : undefined

/** Answers like 'nB nA tB', an hour apart; one after ':' names the slip that was stored. */
const answered = (text: string): SlipFact[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((word, hour) => ({
      item: `${word.slice(0, 1)}${hour}`,
      choice: word.charAt(1) as SlipFact['choice'],
      isRight: word.charAt(1) === 'A',
      slip: word.split(':')[1] ?? null,
      answeredAtMs: hour * 3_600_000,
      day: hour < 2 ? '2026-02-28' : '2026-03-01',
    }))

const count = (text: string, cleared: [string, number][] = []) =>
  fingerprintOf(answered(text), slipsOf, new Map(cleared), '2026-03').map(
    ({ code, made, possible, lastSix, thisMonth, isHabit }) =>
      `${code} ${made}/${possible} ${lastSix.map((was) => (was ? 'x' : '.')).join('')} month ${thisMonth}${isHabit ? ' habit' : ''}`,
  )

describe("a person's mistake patterns", () => {
  it.each([
    ['nothing answered', '', []],
    ['nothing wrong', 'nA nA tA', []],
    ['made once', 'nA nB', ['net-debt-sign 1/2 .x month 0']],
    ['made twice is a habit', 'nB nC', ['net-debt-sign 2/2 xx month 0 habit']],
    [
      'a question that offers it by two options is one chance',
      'nB nA nC nA',
      ['net-debt-sign 2/4 x.x. month 1 habit'],
    ],
    [
      'two of the last seven is none, when the first has left the six',
      'nB nA nA nA nA nA nB',
      ['net-debt-sign 2/7 .....x month 1'],
    ],
    [
      'counted by the last six only',
      'nB nA nA nA nA nB nB nA nB nA nB nB nA',
      ['net-debt-sign 6/13 .x.xx. month 5 habit'],
    ],
    [
      'another slip of the same question is a chance not taken',
      'nD nB nB',
      ['net-debt-sign 2/3 .xx month 1 habit', 'cash-forgotten 1/3 x.. month 0'],
    ],
    [
      'habits first, then the one made more often, then the latest',
      'nD nB tB nB',
      [
        'net-debt-sign 2/3 .xx month 1 habit',
        'tax-forgotten 1/1 x month 1',
        'cash-forgotten 1/3 x.. month 0',
      ],
    ],
    [
      'what was stored counts before what the question names now',
      'nB:cash-forgotten',
      ['cash-forgotten 1/1 x month 0'],
    ],
    ['of a question that is gone, what was stored', 'gC:base-rate gC', ['base-rate 1/1 x month 0']],
    ['a wrong option without a slip', 'tC tA', []],
  ])('are counted right: %s', (_, text, expected) => {
    expect(count(text)).toEqual(expected)
  })

  it('that are habits come before a cleared one that was made more often', () => {
    expect(count('nB nB nB tB tB', [['net-debt-sign', 2 * 3_600_000]])).toEqual([
      'tax-forgotten 2/2 xx month 2 habit',
      'net-debt-sign 3/3 xxx month 1',
    ])
  })

  it('that are cleared become a habit only when made again, whatever the six before', () => {
    const cleared: [string, number][] = [['net-debt-sign', 2 * 3_600_000]]
    expect(count('nB nB nB nA', cleared)).toEqual(['net-debt-sign 3/4 xxx. month 1'])
    expect(count('nB nB nA nB', cleared)).toEqual(['net-debt-sign 3/4 xx.x month 1 habit'])
  })
})
