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

/** PUT /api/practice/sessions/:id (product 3.9.3 to 3.9.5): facts so far; once finished, the session and the day too. */
export function serveSessions(api: Api, dependencies: AppDependencies, bank: Bank): void {
  const { db, now } = dependencies
  const answersQuota = createQuota(dependencies, {
    name: 'sessionAnswers',
    limit: 20_000,
    sentence: 'That is more questions than anybody can answer in a day.',
  })
  const sessionsQuota = createQuota(dependencies, {
    name: 'sessions',
    limit: 1_000,
    sentence: 'That is more sessions than anybody can finish in a day.',
  })

  api.serve(saveSession, async ({ user, params, body }) => {
    const { memberSince } = await findSaved(db, user.id, params.id, {
      table: 'practice_sessions',
      columns: 'id',
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
    // An answer that is stored stays as it is, so it also decides the score.
    const { rows: stored } = await db.$client.query<ScoredAnswer>({
      name: 'answers-of-session',
      text: `select place, item, is_right from answered_questions
        where user_id = $1 and session_id = $2 and kind = $3`,
      values: [user.id, params.id, body.kind],
    })
    const known = new Set(stored.map(({ place }) => place))
    const { score, total } = countFirstAnswers([
      ...stored,
      ...facts.filter(({ place }) => !known.has(place)),
    ])

    await answersQuota.take(user.id, facts.length)
    if (!body.isFinished) {
      await storeFacts(db.$client, user.id, facts)
      return { score, total, streak: null }
    }
    await sessionsQuota.take(user.id)
    const completedAt = clampCompletion(new Date(body.completedAt), { now: at, memberSince })
    await db.$client.query({
      name: 'store-session',
      text: STORE_SESSION,
      values: [
        ...dayValues(user.id, completedAt, body.timeZone),
        ...[params.id, body.kind, JSON.stringify(body.about)],
        ...[score, total, JSON.stringify(facts)],
      ],
    })
    return {
      score,
      total,
      streak: streakAt(await readPracticeDays(db, user.id), at, body.timeZone),
    }
  })
}

/** A finished session with its facts $10 and the streak's day; see withPracticeDay for $1 to $4. */
export const STORE_SESSION = withPracticeDay(
  `insert into practice_sessions (user_id, completed_at, id, kind, about, score, total)
   values ($1, $3, $5, $6, $7, $8, $9)`,
  { more: storingFacts('$10') },
)

const badAnswers = () =>
  new ApiError(
    400,
    'bad_answers',
    "The answers don't match the questions: each needs a place of its own and a question there is.",
  )

type ScoredAnswer = Pick<Fact, 'place' | 'item' | 'is_right'>

/** A session asks wrong questions again, so only the first answer to each item counts. */
function countFirstAnswers(facts: readonly ScoredAnswer[]): { score: number; total: number } {
  const first = new Map<string, ScoredAnswer>()
  for (const fact of [...facts].sort((a, b) => a.place - b.place)) {
    if (!first.has(fact.item)) first.set(fact.item, fact)
  }
  const score = [...first.values()].filter((fact) => fact.is_right).length
  return { score, total: first.size }
}
