import { describe, expect, it } from 'vitest'
import { countTests, questionsOfTest } from './test-of-ten.ts'

describe('the questions of a numbered test', () => {
  const ids = Array.from({ length: 23 }, (_, index) => 100 + index)

  it.each([
    [1, 100, 109, 10],
    [2, 110, 119, 10],
    [3, 120, 122, 3],
  ])('for test %i are %i to %i', (testNumber, first, last, length) => {
    const test = questionsOfTest(ids, testNumber)
    expect([test[0], test.at(-1), test.length]).toEqual([first, last, length])
  })

  it.each([0, -1, 4, 1.5, Number.NaN])('for test %d do not exist', (testNumber) => {
    expect(questionsOfTest(ids, testNumber)).toEqual([])
  })

  it.each([
    [0, 0],
    [1, 1],
    [10, 1],
    [11, 2],
  ])('%i questions make %i tests', (questions, tests) => {
    expect(countTests(questions)).toBe(tests)
  })
})
