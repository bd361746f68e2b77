import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { CONTENT_DIR } from '../../platform/server/project-folder.ts'
import { readSlips, type Slip } from '../../practice/server/slips-store.ts'
import { checkCases } from './check-cases.ts'

const NAME = 'cases/profit-collapses-cash-holds.yaml'
let text: string
let slips: Map<string, Slip>
beforeAll(async () => {
  text = await readFile(path.join(CONTENT_DIR, NAME), 'utf8')
  slips = await readSlips()
})

const problemsOf = (from: string, to: string) => {
  expect(text).toContain(from)
  const { problems } = checkCases([{ name: NAME, text: text.replace(from, to) }], slips)
  return problems.map(({ message }) => message).join('\n')
}

it('the case check accepts a case whose figures add up', () => {
  expect(problemsOf('Profit collapses', 'Profit collapses')).toBe('')
})

it.each<[string, string, string, RegExp]>([
  [
    'a cell that does not tie',
    'values: [-200.0, -200.0]',
    'values: [-190.0, -200.0]',
    /comes out as 82/,
  ],
  [
    'a sum between statements',
    'values: [400.0, 3.3, ""]',
    'values: [410.0, 3.4, ""]',
    /does not tie/,
  ],
  [
    'a key that is another',
    'text: $72.0 million, value: income',
    'text: $73.0 million, value: income',
    /'\$73.0 million' comes out as 72/,
  ],
  [
    'a wrong answer that is another',
    'text: $14.0 million',
    'text: $15.0 million',
    /'\$15.0 million' comes out as 14/,
  ],
  [
    'a figure used and not named',
    'from: [1, 3]',
    'from: [1]',
    /reckons with question 3, not in from/,
  ],
  ['a figure named and not used', 'from: [2]', 'from: [1, 2]', /says it builds on question 1/],
  [
    'a figure to carry and no words',
    '    carry: under stress, EBITDA is\n',
    '',
    /question 1 has no carry/,
  ],
  [
    'an unknown mistake pattern',
    'slip: sign-of-accrual',
    'slip: sign-of-nothing',
    /sign-of-nothing/,
  ],
  [
    'two keys',
    'slip: noise-counted, why: "Money that a covenant keeps you from drawing is not liquidity."',
    'key: true',
    /must have one key/,
  ],
  ['more digits than shown', 'values: [680.0, 800.0]', 'values: [680.25, 800.0]', /more digits/],
])('the case check finds %s', (_, from, to, message) => {
  expect(problemsOf(from, to)).toMatch(message)
})
