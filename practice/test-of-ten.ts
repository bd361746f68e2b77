/** A practice test has this many questions, and error practice at most as many (product 3.2.1, 3.6.1). */
export const QUESTIONS_PER_TEST = 10

/** Returns questions (n-1)*10+1 to n*10 in id order (product 3.2.1), or none if n is out of range. */
export function questionsOfTest<T>(inIdOrder: readonly T[], testNumber: number): T[] {
  if (!Number.isInteger(testNumber) || testNumber < 1) return []
  return inIdOrder.slice((testNumber - 1) * QUESTIONS_PER_TEST, testNumber * QUESTIONS_PER_TEST)
}

export function countTests(questionCount: number): number {
  return Math.ceil(questionCount / QUESTIONS_PER_TEST)
}
