import { type Api, answerJson } from '../../platform/server/api.ts'
import { isCategory, isDifficulty } from '../categories.ts'
import { getQuestionCounts, getQuestions, getQuestionTopics } from '../contract.ts'
import type { Bank } from './bank.ts'

export function serveQuestions(api: Api, bank: Bank): void {
  api.serve(getQuestionCounts, async ({ user }) => {
    const counts = await bank.counts(user.contentVersion)
    return counts.flatMap(({ category, difficulty, count }) =>
      isCategory(category) && isDifficulty(difficulty) ? [{ category, difficulty, count }] : [],
    )
  })

  api.serve(getQuestionTopics, async ({ user, query }) => {
    return [...(await bank.topics(query.category, query.difficulty, user.contentVersion))]
  })

  api.serve(getQuestions, async ({ user, query }) => {
    // 'abc' names no test, like 99: both are an empty list.
    const testNumber = query.testNumber === undefined ? undefined : Number(query.testNumber)
    if (testNumber !== undefined && !(Number.isSafeInteger(testNumber) && testNumber > 0)) return []
    const test =
      testNumber === undefined ? undefined : { number: testNumber, attempts: query.variant ?? 0 }
    return answerJson(
      await bank.cellJson(query.category, query.difficulty, test, user.contentVersion),
    )
  })
}
