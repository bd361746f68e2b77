import { desc, eq } from 'drizzle-orm'
import type { Api } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { getProgress } from '../contract.ts'
import { summariseProgress } from '../progress.ts'
import { percentageOf } from '../scoring.ts'
import type { Bank } from './bank.ts'
import { testResults } from './tables.ts'

/** GET /api/progress, exactly by product 3.8. */
export function serveProgress(api: Api, { db }: AppDependencies, bank: Bank): void {
  api.serve(getProgress, async ({ user }) => {
    const attempts = await db
      .select({
        id: testResults.id,
        completedAt: testResults.completedAt,
        category: testResults.category,
        difficulty: testResults.difficulty,
        testNumber: testResults.testNumber,
        score: testResults.score,
        totalQuestions: testResults.totalQuestions,
      })
      .from(testResults)
      .where(eq(testResults.userId, user.id))
      .orderBy(desc(testResults.completedAt), desc(testResults.id))
    return {
      ...summariseProgress(await bank.counts(user.contentVersion), attempts),
      attempts: attempts.map((attempt) => ({
        id: attempt.id,
        completedAt: attempt.completedAt.toISOString(),
        category: attempt.category,
        difficulty: attempt.difficulty,
        testNumber: attempt.testNumber,
        percentage: percentageOf(attempt.score, attempt.totalQuestions),
      })),
    }
  })
}
