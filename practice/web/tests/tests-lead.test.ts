import { expect, it } from 'vitest'
import type { UnfinishedTest } from '../quiz/unfinished.ts'
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
    'the first not taken, not the one after the last',
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
