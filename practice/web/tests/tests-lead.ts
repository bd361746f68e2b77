import type { UnfinishedTest } from '../quiz/unfinished.ts'

/** What the list of a level opens with (product 3.2.8). */
export type TestsLead =
  | { kind: 'continue'; test: UnfinishedTest & { testNumber: number } }
  | { kind: 'next'; testNumber: number }
  | { kind: 'again'; testNumber: number; best: number }

/**
 * The test in progress, the latest of several; else the first not taken; else the one with the lowest best score.
 * @param unfinished of this level, the latest first
 * @param best by test number: the best score of each test taken, whole number 0 to 100
 * @param testCount at least 1
 */
export function testsLeadOf(
  unfinished: readonly UnfinishedTest[],
  best: ReadonlyMap<number, number>,
  testCount: number,
): TestsLead {
  for (const { testNumber, ...test } of unfinished) {
    if (testNumber !== null && testNumber <= testCount) {
      return { kind: 'continue', test: { ...test, testNumber } }
    }
  }
  const numbers = Array.from({ length: testCount }, (_, index) => index + 1)
  const next = numbers.find((testNumber) => !best.has(testNumber))
  if (next !== undefined) return { kind: 'next', testNumber: next }
  const [worst = 1] = numbers.sort((a, b) => (best.get(a) ?? 0) - (best.get(b) ?? 0))
  return { kind: 'again', testNumber: worst, best: best.get(worst) ?? 0 }
}
