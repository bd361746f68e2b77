import { and, count, desc, eq } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
import { localDay } from '../../platform/local-day.ts'
import { Answer, type Api, ApiError, answerJson } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { isCategory, isDifficulty } from '../catalogue.ts'
import { clampCompletion } from '../completion.ts'
import {
  getMistakes,
  getQuestionCounts,
  getQuestions,
  getResult,
  listResults,
  reportQuestion,
  saveResult,
} from '../contract.ts'
import { mostMissed, type WrongAnswer } from '../mistakes.ts'
import { type Question, type ReviewEntry, reviewEntrySchema } from '../question.ts'
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
import { questionReports, questions, testResults } from './tables.ts'

const notFound = () => new ApiError(404, 'not_found', 'There is no such thing here.')

/** Questions, results and mistakes (product 3.1, 3.6, 3.7). */
export function servePractice(api: Api, { db, now }: AppDependencies, bank: Bank): void {
  api.serve(getQuestionCounts, async ({ user }) => {
    const counts = await bank.counts(user.bankVersion)
    return counts.flatMap(({ category, difficulty, count }) =>
      isCategory(category) && isDifficulty(difficulty) ? [{ category, difficulty, count }] : [],
    )
  })

  api.serve(getQuestions, async ({ user, query }) => {
    // 'abc' names no test, like 99: both are an empty list.
    const testNumber = query.testNumber === undefined ? undefined : Number(query.testNumber)
    if (testNumber !== undefined && !(Number.isSafeInteger(testNumber) && testNumber > 0)) return []
    return answerJson(
      await bank.cellJson(query.category, query.difficulty, testNumber, user.bankVersion),
    )
  })

  api.serve(reportQuestion, async ({ user, params, body }) => {
    const [question] = await db
      .select({ id: questions.id })
      .from(questions)
      .where(eq(questions.id, params.id))
    if (!question) throw notFound()
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
      .where(ofCell(user.id, query))
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

    const cell = await bank.cell(body.category, body.difficulty, user.bankVersion)
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

  api.serve(getMistakes, async ({ user, query }) => {
    const { rows: wrong } = await db.$client.query<WrongAnswer>({
      name: 'wrong-answers',
      text: `
        select wrong.id::int as "questionId", option as "userAnswer",
          extract(epoch from completed_at)::float8 * 1000 as "completedAtMs"
        from test_results cross join rows from (
          jsonb_array_elements_text(wrong_ids), jsonb_array_elements_text(wrong_options)
        ) as wrong(id, option)
        where user_id = $1 and category = $2 and difficulty = $3`,
      values: [user.id, query.category, query.difficulty],
    })
    const [attempts] = await db
      .select({ count: count() })
      .from(testResults)
      .where(ofCell(user.id, query))
    const cell = await bank.cell(query.category, query.difficulty, user.bankVersion)
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

function ofCell(userId: string, cell: { category: string; difficulty: string }) {
  return and(
    eq(testResults.userId, userId),
    eq(testResults.category, cell.category),
    eq(testResults.difficulty, cell.difficulty),
  )
}

/** The review of a stored result; entries of the old shape (raw questions) are skipped. */
function readReview(stored: unknown): ReviewEntry[] {
  if (!Array.isArray(stored)) return []
  return stored.flatMap((entry) => {
    const parsed = reviewEntrySchema.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })
}
