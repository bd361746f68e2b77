/** Questions in one practice test, and the most that are practised of one's mistakes (product 3.2.1, 3.6.1). */
export const QUESTIONS_PER_TEST = 10

/**
 * Test n covers questions (n-1)*10+1 to n*10 in ID order (product 3.2.1).
 * @returns an empty list for a test number outside the questions.
 */
export function questionsOfTest<T>(inIdOrder: readonly T[], testNumber: number): T[] {
  if (!Number.isInteger(testNumber) || testNumber < 1) return []
  return inIdOrder.slice((testNumber - 1) * QUESTIONS_PER_TEST, testNumber * QUESTIONS_PER_TEST)
}

/** How many tests a number of questions makes; a last, shorter one counts. */
export function countTests(questionCount: number): number {
  return Math.ceil(questionCount / QUESTIONS_PER_TEST)
}
