import { eq } from 'drizzle-orm'
import { type Api, ApiError } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { reportQuestion } from '../contract.ts'
import { questionReports, questions } from './tables.ts'

/** What students report about a question, for the editors to read. */
export function serveReports(api: Api, { db, now }: AppDependencies): void {
  api.serve(reportQuestion, async ({ user, params, body }) => {
    const [question] = await db
      .select({ id: questions.id })
      .from(questions)
      .where(eq(questions.id, params.id))
    if (!question) throw new ApiError(404, 'not_found', 'There is no such thing here.')
    await db
      .insert(questionReports)
      .values({
        id: body.id,
        questionId: params.id,
        userId: user.id,
        reason: body.reason,
        details: body.details,
        createdAt: now(),
      })
      .onConflictDoNothing()
    return { received: true as const }
  })
}
