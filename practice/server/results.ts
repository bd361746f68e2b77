import type { BodyOf, ResponseOf } from '../../platform/endpoint.ts'
import { localDay } from '../../platform/local-day.ts'
import { Answer, type Api, ApiError } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { createQuota, takeOne } from '../../platform/server/quota.ts'
import { isCategory, isDifficulty } from '../categories.ts'
import {
  getResult,
  LISTED_RESULTS,
  listResults,
  type ResultSummary,
  saveResult,
} from '../contract.ts'
import { type ReviewEntry, reviewEntrySchema } from '../question.ts'
import { markAnswers } from '../scoring.ts'
import type { Bank, BankItem } from './bank.ts'
import { factOf, storingFacts } from './facts-store.ts'
import {
  addPracticeDay,
  clampCompletion,
  dayValues,
  findSaved,
  isoTime,
  notFound,
  readPracticeDays,
  streakAt,
  withPracticeDay,
} from './practice-day-store.ts'

export function serveResults(api: Api, dependencies: AppDependencies, bank: Bank): void {
  const { db, now } = dependencies
  const quota = createQuota(dependencies, {
    name: 'results',
    limit: 1_000,
    sentence: 'You have reached the daily limit for tests.',
  })
  const find = (userId: string, id: string) =>
    findSaved<ResponseOf<typeof saveResult>>(db, userId, id, {
      table: 'test_results',
      columns: 'score, total_questions as "totalQuestions", streak_answered as streak',
    })

  api.serve(listResults, async ({ user, query }) => {
    const { rows } = await db.$client.query<ResultSummary>({
      name: query.before ? 'list-earlier-results' : 'list-results',
      text: `select ${SUMMARY} from test_results
        where user_id = $1 and category = $2 and difficulty = $3
          ${query.before ? BEFORE : ''}
        order by completed_at desc, id desc limit ${LISTED_RESULTS}`,
      values: [user.id, query.category, query.difficulty, ...(query.before ? [query.before] : [])],
    })
    return rows
  })

  api.serve(getResult, async ({ user, params }) => {
    const { rows } = await db.$client.query<
      ResultSummary & { category: string; difficulty: string; stored: unknown }
    >({
      name: 'get-result',
      text: `select ${SUMMARY}, category, difficulty, questions_data as stored
        from test_results where user_id = $1 and id = $2`,
      values: [user.id, params.id],
    })
    const [row] = rows
    if (!row) throw notFound()
    const { category, difficulty, stored, ...summary } = row
    if (!isCategory(category) || !isDifficulty(difficulty)) throw notFound()
    const review = readReview(stored)
    const { rows: taken } = await db.$client.query<{ item: string; ms: number | null }>({
      name: 'times-of-result',
      text: `select item, took_ms as ms from answered_questions
        where user_id = $1 and session_id = $2`,
      values: [user.id, row.id],
    })
    const times = new Map(taken.map(({ item, ms }) => [item, ms]))
    return {
      ...summary,
      ...{ category, difficulty, review },
      times: review.map(({ question }) => times.get(String(question.id)) ?? null),
    }
  })

  api.serve(saveResult, async ({ user, body }) => {
    const { saved: repeated, memberSince } = await find(user.id, body.id)
    if (repeated) return repeated

    const answered = new Set(body.answers.map(({ questionId }) => questionId))
    const test = await bank.testAsAnswered(body, body.testNumber, answered, user.contentVersion)
    const marked = test.length > 0 ? markAnswers(test, body.answers) : null
    if (!marked) {
      throw new ApiError(
        400,
        'bad_answers',
        "The answers don't match this test. Each question needs exactly one answer.",
      )
    }

    const at = now()
    const completedAt = clampCompletion(new Date(body.completedAt), { now: at, memberSince })
    const days = addPracticeDay(await readPracticeDays(db, user.id), completedAt, body.timeZone)
    const saved = {
      score: marked.score,
      totalQuestions: test.length,
      streak: streakAt(days, at, body.timeZone),
    }
    const items = await bank.items(user.contentVersion)
    const day = localDay(completedAt.getTime(), body.timeZone)
    const facts = factsOf(body, marked.entries, items, { answeredAt: completedAt, day })
    const { rowCount } = await db.$client.query({
      name: 'store-result',
      text: STORE_RESULT,
      values: [
        ...dayValues(user.id, completedAt, body.timeZone),
        ...[body.id, body.category, body.difficulty, body.testNumber],
        ...[saved.score, saved.totalQuestions],
        ...[JSON.stringify(marked.entries), JSON.stringify(saved.streak)],
        ...quota.values(user.id),
        JSON.stringify(facts),
      ],
    })
    if (rowCount === 1) return new Answer(201, saved)
    // Another request may have stored this id first. Its row is the response.
    const first = await find(user.id, body.id)
    if (first.saved) return first.saved
    throw await quota.refusal(user.id)
  })
}

function factsOf(
  body: BodyOf<typeof saveResult>,
  entries: readonly ReviewEntry[],
  items: ReadonlyMap<string, BankItem>,
  when: { answeredAt: Date; day: string },
) {
  const given = new Map(body.answers.map((answer) => [answer.questionId, answer]))
  const session = { id: body.id, kind: 'test' as const }
  return entries.map(({ question, userAnswer }, place) => {
    const item = String(question.id)
    const { tookMs, isGuess } = given.get(question.id) ?? {}
    const answer = { place, item, choice: userAnswer, tookMs, isGuess, ...when }
    return factOf(answer, items.get(item) as BankItem, session)
  })
}

export const STORE_RESULT = withPracticeDay(
  `insert into test_results (user_id, completed_at, id, category, difficulty, test_number, score,
     total_questions, questions_data, streak_answered, has_facts)
   select $1, $3, $5, $6, $7, $8, $9, $10, $11, $12, true from allowed`,
  { allowed: takeOne(13), more: storingFacts('$17', 'stored,') },
)

const SUMMARY = `id, test_number as "testNumber", score, total_questions as "totalQuestions",
  ${isoTime('completed_at')} as "completedAt"`

/** Limits the list to results older than the given one. */
const BEFORE = `and (completed_at, id) < (
  select completed_at, id from test_results where user_id = $1 and id = $4)`

/** Reads a result's review. Entries in the old shape (raw questions) are skipped. */
function readReview(stored: unknown): ReviewEntry[] {
  if (!Array.isArray(stored)) return []
  return stored.flatMap((entry) => {
    const parsed = reviewEntrySchema.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })
}
