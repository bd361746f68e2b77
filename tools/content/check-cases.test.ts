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
    /evaluates to 82/,
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
    /'\$73.0 million' evaluates to 72/,
  ],
  [
    'a wrong answer that is another',
    'text: $14.0 million',
    'text: $15.0 million',
    /'\$15.0 million' evaluates to 14/,
  ],
  [
    'a figure used and not named',
    'from: [1, 3]',
    'from: [1]',
    /uses question 3, which is not in from/,
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

const SAMPLE = `
case: bridge
kind: error
place: 1
title: A bridge
category: Valuation & Corporate Finance
difficulty: Intern
story: An intern walks from enterprise value to equity value.
exhibits:
  - kind: table
    id: bridge
    title: Bridge
    tab: Bridge
    unit: $ millions
    format: "0.0"
    columns: [{ id: v, label: Now }]
    rows:
      - { id: ev, label: Enterprise value, values: [100.0] }
      - { id: debt, label: Debt, values: [30.0] }
      - { id: equity, label: Equity value, values: [130.0] }
ties: ["bridge.equity.v != bridge.ev.v - bridge.debt.v"]
questions:
  - ask: Where is the mistake?
    finds: The mistake
    options:
      - { text: Debt is added and not subtracted, key: true }
      - { text: Debt is at its book value today, why: "You doubted a figure that is usual." }
      - { text: Enterprise value comes before debt, why: "You doubted the order." }
      - { text: Equity value is stated in millions, why: "You doubted the unit." }
    explanation: Debt belongs to the lenders, so it comes off the enterprise value. Equity is worth $70 million.
`

it.each([
  ['is sound', '', ''],
  ['has no tie that proves the mistake', '!=', '=='],
  ['has a wrong option without a reason', ', why: "You doubted the unit."', ''],
])('the case check reports whether a work sample %s', (name, from, to) => {
  const text = SAMPLE.replace(from, to)
  const { problems } = checkCases([{ name: 'cases/bridge.yaml', text }], slips)
  expect(problems.length > 0).toBe(name !== 'is sound')
})
