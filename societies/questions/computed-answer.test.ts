import { describe, expect, it } from 'vitest'
import { evaluateTerm } from './computed-answer.ts'

describe('a computed answer', () => {
  it.each([
    ['1.25 / 1.10', 1.25 / 1.1],
    ['2 + 3 * 4', 14],
    ['(2 + 3) * 4', 20],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['2 ^ -1', 0.5],
    ['10 - 4 - 3', 3],
    ['100 / 10 / 2', 5],
    ['100 × 8% − 3', 5],
    ['1_000 * 1.05^3', 1157.625],
    ['max(1, 5, 3) + sqrt(16)', 9],
    ['round(2 / 3, 2)', 0.67],
    ['ln(e)', 1],
    ['1e3 + .5', 1000.5],
    ['--2', 2],
  ])('%s', (term, value) => expect(evaluateTerm(term)).toBeCloseTo(value, 9))

  it.each([
    ...'|1 +|(1|1)|1 2|1 / 0|sqrt(-1)|x + 1|constructor|constructor(1)|__proto__|sqrt'.split('|'),
    ...'alert(1)|process.exit()|1; 2|a = 1|"1"|1,000'.split('|'),
    `${'('.repeat(200)}1${')'.repeat(200)}`.slice(0, 300),
    `${'1+'.repeat(150)}1`,
  ])('is invalid: %s', (term) => expect(evaluateTerm(term)).toBeNull())
})
