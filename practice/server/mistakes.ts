import { and, count, eq } from 'drizzle-orm'
import type { Api, EnterTurn } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { getMistakes } from '../contract.ts'
import { mostMissed, type WrongAnswer } from '../mistakes.ts'
import type { Question } from '../question.ts'
import type { Bank } from './bank.ts'
import { testResults } from './tables.ts'

/** Of a cell, the newest: what was missed before so many tests is no news (product 9.1.10). */
const RESULTS_LOOKED_AT = 1_000

/** What a person got wrong in a cell, to practise again (product 3.6). */
export function serveMistakes(
  api: Api,
  { db }: AppDependencies,
  bank: Bank,
  enterTurn: EnterTurn,
): void {
  api.serveInTurn(getMistakes, enterTurn, async ({ user, query }) => {
    const { rows: wrong } = await db.$client.query<WrongAnswer>({
      name: 'wrong-answers',
      text: `
        select wrong.id::int as "questionId", option as "userAnswer",
          extract(epoch from completed_at)::float8 * 1000 as "completedAtMs"
        from (
          select wrong_ids, wrong_options, completed_at from test_results
          where user_id = $1 and category = $2 and difficulty = $3
          order by completed_at desc, id desc limit ${RESULTS_LOOKED_AT}
        ) newest cross join rows from (
          jsonb_array_elements_text(wrong_ids), jsonb_array_elements_text(wrong_options)
        ) as wrong(id, option)`,
      values: [user.id, query.category, query.difficulty],
    })
    const [attempts] = await db
      .select({ count: count() })
      .from(testResults)
      .where(
        and(
          eq(testResults.userId, user.id),
          eq(testResults.category, query.category),
          eq(testResults.difficulty, query.difficulty),
        ),
      )
    const cell = await bank.cell(query.category, query.difficulty, user.contentVersion)
    const byId = new Map(cell.map((question) => [question.id, question]))
    // A retired question can't be practised again.
    const missed = mostMissed(wrong.filter(({ questionId }) => byId.has(questionId)))
    return {
      attempts: attempts?.count ?? 0,
      mistakes: missed.map(({ questionId, timesWrong, userAnswer }) => ({
        ...(byId.get(questionId) as Question),
        timesWrong,
        userAnswer,
      })),
    }
  })
}
