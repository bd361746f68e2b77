import { and, desc, eq } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
import { localDay } from '../../platform/local-day.ts'
import { Answer, type Api, ApiError } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { isCategory } from '../categories.ts'
import { clampCompletion } from '../completion.ts'
import { getResult, listResults, saveResult } from '../contract.ts'
import { isDifficulty } from '../difficulties.ts'
import { type ReviewEntry, reviewEntrySchema } from '../question.ts'
import { markAnswers } from '../scoring.ts'
import type { Streak } from '../streak.ts'
import { questionsOfTest } from '../test-of-ten.ts'
import type { Bank } from './bank.ts'
import {
  addPracticeDay,
  readPracticeDays,
  streakAt,
  withPracticeDay,
} from './practice-day-store.ts'
import { testResults } from './tables.ts'

const notFound = () => new ApiError(404, 'not_found', 'There is no such thing here.')

/** Finished tests: saved once, listed, opened again (product 3.5, 3.7). */
export function serveResults(api: Api, { db, now }: AppDependencies, bank: Bank): void {
  api.serve(listResults, async ({ user, query }) => {
    const rows = await db
      .select({
        id: testResults.id,
        testNumber: testResults.testNumber,
        score: testResults.score,
        totalQuestions: testResults.totalQuestions,
        completedAt: testResults.completedAt,
      })
      .from(testResults)
      .where(
        and(
          eq(testResults.userId, user.id),
          eq(testResults.category, query.category),
          eq(testResults.difficulty, query.difficulty),
        ),
      )
      .orderBy(desc(testResults.completedAt), desc(testResults.id))
    return rows.map((row) => ({ ...row, completedAt: row.completedAt.toISOString() }))
  })

  api.serve(getResult, async ({ user, params }) => {
    const [row] = await db
      .select()
      .from(testResults)
      .where(and(eq(testResults.id, params.id), eq(testResults.userId, user.id)))
    if (!row || !isCategory(row.category) || !isDifficulty(row.difficulty)) throw notFound()
    return {
      id: row.id,
      category: row.category,
      difficulty: row.difficulty,
      testNumber: row.testNumber,
      score: row.score,
      totalQuestions: row.totalQuestions,
      completedAt: row.completedAt.toISOString(),
      review: readReview(row.questionsData),
    }
  })

  api.serve(saveResult, async ({ user, body }) => {
    const repeated = await findSaved(db, user.id, body.id)
    if (repeated) return repeated

    const cell = await bank.cell(body.category, body.difficulty, user.contentVersion)
    const test = questionsOfTest(cell, body.testNumber)
    const marked = test.length > 0 ? markAnswers(test, body.answers) : null
    if (!marked) {
      throw new ApiError(
        400,
        'bad_answers',
        "The answers don't match the questions of this test: each needs exactly one.",
      )
    }

    const at = now()
    const completedAt = clampCompletion(new Date(body.completedAt), at)
    const days = addPracticeDay(await readPracticeDays(db, user.id), completedAt, body.timeZone)
    const saved = {
      score: marked.score,
      totalQuestions: test.length,
      streak: streakAt(days, at, body.timeZone),
    }
    const { rowCount } = await db.$client.query({
      name: 'store-result',
      text: STORE_RESULT,
      values: [
        user.id,
        localDay(completedAt.getTime(), body.timeZone),
        completedAt,
        body.timeZone,
        body.id,
        body.category,
        body.difficulty,
        body.testNumber,
        saved.score,
        saved.totalQuestions,
        JSON.stringify(marked.entries),
        JSON.stringify(saved.streak),
      ],
    })
    if (rowCount === 1) return new Answer(201, saved)
    // The same id from another request was a moment faster: its row is the answer.
    return (await findSaved(db, user.id, body.id)) ?? saved
  })
}

const STORE_RESULT = withPracticeDay(`
  insert into test_results (user_id, completed_at, id, category, difficulty, test_number, score,
    total_questions, questions_data, streak_answered)
  values ($1, $3, $5, $6, $7, $8, $9, $10, $11, $12)`)

/** What the first answer to a saved result said; null when there is none. */
async function findSaved(db: Database, userId: string, id: string) {
  const { rows } = await db.$client.query<{ score: number; total: number; streak: Streak }>({
    name: 'find-saved-result',
    text: `select score, total_questions as total, streak_answered as streak
      from test_results where user_id = $1 and id = $2`,
    values: [userId, id],
  })
  const [row] = rows
  return row ? { score: row.score, totalQuestions: row.total, streak: row.streak } : null
}

/** The review of a stored result; entries of the old shape (raw questions) are skipped. */
function readReview(stored: unknown): ReviewEntry[] {
  if (!Array.isArray(stored)) return []
  return stored.flatMap((entry) => {
    const parsed = reviewEntrySchema.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })
}
