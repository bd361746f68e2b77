import { type Api, answerJson } from '../../platform/server/api.ts'
import { getQuestionCounts, getQuestions, getQuestionTopics } from '../contract.ts'
import type { Bank } from './bank.ts'

export function serveQuestions(api: Api, bank: Bank): void {
  api.serve(getQuestionCounts, ({ user }) => bank.counts(user.contentVersion))

  api.serve(getQuestionTopics, ({ user, query }) =>
    bank.topics(query.category, query.difficulty, user.contentVersion),
  )

  api.serve(getQuestions, async ({ user, query }) => {
    // Test 'abc' is as unknown as test 99. Both return an empty list.
    const testNumber = query.testNumber === undefined ? undefined : Number(query.testNumber)
    if (testNumber !== undefined && !(Number.isSafeInteger(testNumber) && testNumber > 0)) return []
    const test =
      testNumber === undefined ? undefined : { number: testNumber, attempts: query.variant ?? 0 }
    return answerJson(
      await bank.cellJson(query.category, query.difficulty, test, user.contentVersion),
    )
  })
}
