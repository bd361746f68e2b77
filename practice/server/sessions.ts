import type pg from 'pg'
import { inTransaction } from '../../platform/database/transaction.ts'
import { localDay } from '../../platform/local-day.ts'
import { type Api, ApiError } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { createQuota } from '../../platform/server/quota.ts'
import { saveSession } from '../contract/sessions.ts'
import type { Bank } from './bank.ts'
import { type Fact, factOf, storeFacts, storingFacts } from './facts-store.ts'
import {
  clampCompletion,
  dayValues,
  findSaved,
  readPracticeDays,
  streakAt,
  withPracticeDay,
} from './practice-day-store.ts'

/** Stores the answers of a session so far. Once it's finished, stores the session and its day (product 3.9.3 to 3.9.5). */
export function serveSessions(api: Api, dependencies: AppDependencies, bank: Bank): void {
  const { db, now } = dependencies
  const answersQuota = createQuota(dependencies, {
    name: 'sessionAnswers',
    limit: 20_000,
    sentence: 'You have reached the daily limit for answers.',
  })
  const sessionsQuota = createQuota(dependencies, {
    name: 'sessions',
    limit: 1_000,
    sentence: 'You have reached the daily limit for practice sessions.',
  })

  api.serve(saveSession, async ({ user, params, body }) => {
    const { saved, memberSince } = await findSaved<Score>(db, user.id, params.id, {
      table: 'practice_sessions',
      columns: 'score, total',
    })
    const at = now()
    const items = await bank.items(user.contentVersion)
    const caseItems = await bank.caseItems(user.contentVersion)
    const session = { id: params.id, kind: body.kind }
    const places = new Set(body.answers.map(({ place }) => place))
    if (places.size !== body.answers.length) throw badAnswers()
    const facts = body.answers.map((answer): Fact => {
      const bankItem = items.get(answer.item) ?? caseItems.get(answer.item)
      if (!bankItem) throw badAnswers()
      const answeredAt = clampCompletion(new Date(answer.answeredAt), { now: at, memberSince })
      const day = localDay(answeredAt.getTime(), body.timeZone)
      return factOf({ ...answer, answeredAt, day }, bankItem, session)
    })
    await answersQuota.take(user.id, facts.length)
    if (!body.isFinished) {
      await storeFacts(db.$client, user.id, facts)
      const score = saved ?? (await scoreOf(db.$client, user.id, params.id, facts))
      return { ...score, streak: null }
    }
    await sessionsQuota.take(user.id)
    const completedAt = clampCompletion(new Date(body.completedAt), { now: at, memberSince })
    const score = await inTransaction(db, async (client) => {
      // The score follows once the answers are stored, because answers that earlier calls stored don't change.
      const stored = await client.query({
        name: 'store-session',
        text: STORE_SESSION,
        values: [
          ...dayValues(user.id, completedAt, body.timeZone),
          ...[params.id, body.kind, JSON.stringify(body.about)],
          ...[0, 0, JSON.stringify(facts)],
        ],
      })
      const counted = saved ?? (await scoreOf(client, user.id, params.id, facts))
      if (stored.rows.length > 0) {
        await client.query({
          name: 'score-session',
          text: 'update practice_sessions set score = $3, total = $4 where user_id = $1 and id = $2',
          values: [user.id, params.id, counted.score, counted.total],
        })
      }
      return counted
    })
    return { ...score, streak: streakAt(await readPracticeDays(db, user.id), at, body.timeZone) }
  })
}

/** Stores a finished session, its facts ($10) and its day. For $1 to $4, see withPracticeDay. */
export const STORE_SESSION = withPracticeDay(
  `insert into practice_sessions (user_id, completed_at, id, kind, about, score, total)
   values ($1, $3, $5, $6, $7, $8, $9)`,
  { more: storingFacts('$10') },
)

const badAnswers = () =>
  new ApiError(
    400,
    'bad_answers',
    "The answers don't match this session. Each needs its own place and an existing question.",
  )

type Score = { score: number; total: number }

/**
 * Scores a session. A stored answer doesn't change, so it counts even if another one was sent for its place. An answer
 * beyond a family's limit isn't stored and counts as sent.
 */
async function scoreOf(
  client: Pick<pg.Pool, 'query'>,
  userId: string,
  id: string,
  sent: readonly Fact[],
): Promise<Score> {
  const { rows: stored } = await client.query<Pick<Fact, 'place' | 'item' | 'is_right'>>({
    name: 'answers-of-session',
    text: 'select place, item, is_right from answered_questions where user_id = $1 and session_id = $2',
    values: [userId, id],
  })
  const answers = new Map([...sent, ...stored].map((answer) => [answer.place, answer]))
  // A session asks wrong questions again, so only the first answer to each item counts.
  const first = new Map<string, boolean>()
  for (const { item, is_right } of [...answers.values()].sort((a, b) => a.place - b.place)) {
    if (!first.has(item)) first.set(item, is_right)
  }
  return { score: [...first.values()].filter(Boolean).length, total: first.size }
}
