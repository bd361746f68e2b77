import { type Api, answerJson } from '../../platform/server/api.ts'
import { isCategory } from '../categories.ts'
import { getQuestionTopics } from '../contract/topics.ts'
import { getQuestionCounts, getQuestions } from '../contract.ts'
import { isDifficulty } from '../difficulties.ts'
import type { Bank } from './bank.ts'

/** The bank's questions, for the tests of ten (product 3.1, 3.2). */
export function serveQuestions(api: Api, bank: Bank): void {
  api.serve(getQuestionCounts, async ({ user }) => {
    const counts = await bank.counts(user.contentVersion)
    return counts.flatMap(({ category, difficulty, count }) =>
      isCategory(category) && isDifficulty(difficulty) ? [{ category, difficulty, count }] : [],
    )
  })

  api.serve(getQuestionTopics, async ({ user, query }) => {
    const cell = await bank.cell(query.category, query.difficulty, user.contentVersion)
    const items = await bank.items(user.contentVersion)
    return cell.map(({ id }) => ({ id, topic: items.get(String(id))?.topic ?? null }))
  })

  api.serve(getQuestions, async ({ user, query }) => {
    // 'abc' names no test, like 99: both are an empty list.
    const testNumber = query.testNumber === undefined ? undefined : Number(query.testNumber)
    if (testNumber !== undefined && !(Number.isSafeInteger(testNumber) && testNumber > 0)) return []
    return answerJson(
      await bank.cellJson(query.category, query.difficulty, testNumber, user.contentVersion),
    )
  })
}
