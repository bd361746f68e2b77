import { expect, it } from 'vitest'
import type { UnfinishedTest } from '../quiz/unfinished.ts'
import { rowsOf } from './mistakes-card.tsx'
import { testsLeadOf } from './tests-list.tsx'

const open = (testNumber: number | null): UnfinishedTest => ({
  category: 'Valuation & Corporate Finance',
  difficulty: 'Intern',
  testNumber,
  question: 4,
  answered: 3,
})

it.each([
  ['the first on a first visit', [], [], 'next', 1],
  [
    'the first test not taken, not the one after the last taken',
    [],
    [
      [1, 80],
      [3, 60],
    ],
    'next',
    2,
  ],
  ['the test in progress', [open(3), open(2)], [[1, 80]], 'continue', 3],
  [
    'the next one if the test in progress was removed from the bank',
    [open(9)],
    [[1, 80]],
    'next',
    2,
  ],
  ['the first one if only error practice is in progress', [open(null)], [], 'next', 1],
  [
    'the lowest best score once all are taken',
    [],
    [
      [1, 80],
      [2, 40],
      [3, 60],
    ],
    'again',
    2,
  ],
] as const)('the offered test of a category is %s', (_, unfinished, best, kind, testNumber) => {
  const lead = testsLeadOf([...unfinished], new Map(best), 3)
  expect([lead.kind, lead.kind === 'continue' ? lead.test.testNumber : lead.testNumber]).toEqual([
    kind,
    testNumber,
  ])
})

const TOPICS: Record<number, string> = {
  1: 'dcf',
  2: 'dcf',
  3: 'lbo',
  4: 'wacc',
  5: 'irr',
  6: 'npv',
}
const missed = (...times: number[]) =>
  times.map((timesWrong, index) => ({ id: index + 1, timesWrong }))

it.each([
  ['nothing', [], []],
  ['one', missed(1), [['DCF', 1]]],
  ['those of a topic together', missed(2, 1), [['DCF', 3]]],
  [
    'three topics, and the rest counted',
    missed(3, 2, 2, 1, 1, 1),
    [
      ['DCF', 5],
      ['LBO', 2],
      ['WACC', 1],
      ['Two more', 1],
    ],
  ],
  [
    'a rest that differs',
    missed(3, 3, 3, 3, 2, 1),
    [
      ['DCF', 6],
      ['LBO', 3],
      ['WACC', 3],
      ['Two more', 0],
    ],
  ],
] as const)('missed topics list %s', (_, mistakes, rows) => {
  expect(
    rowsOf([...mistakes], (id) => TOPICS[id] ?? null).map(({ name, times }) => [name, times]),
  ).toEqual(rows)
})

it('missed topics count questions without a topic with the rest', () => {
  expect(rowsOf(missed(2), () => null)).toEqual([{ name: 'One more', times: 2 }])
})
