import type { Database } from '../../../platform/database/database.ts'
import { localDay } from '../../../platform/local-day.ts'
import { Answer, type Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { createQuota, takeOne } from '../../../platform/server/quota.ts'
import type { SpokenPrompt } from '../../aloud/spoken-prompt.ts'
import {
  getSpokenPrompt,
  type LastAnswer,
  listSpokenPrompts,
  saveSpokenAnswer,
} from '../../contract/aloud.ts'
import { nextSpokenDay, nextSpokenDays } from '../../schedule/spoken-answers.ts'
import {
  clampCompletion,
  dayValues,
  findSaved,
  notFound,
  withPracticeDay,
} from '../practice-day-store.ts'

/** Serves spoken questions (product 3.13). Recordings stay in the browser; only the ratings are stored. */
export function serveAloud(api: Api, dependencies: AppDependencies): void {
  const { db, now } = dependencies
  const quota = createQuota(dependencies, {
    name: 'spokenAnswers',
    limit: 500,
    sentence: 'You have reached the daily limit for spoken answers.',
  })

  api.serve(listSpokenPrompts, async ({ user }) => {
    const { rows } = await db.$client.query<
      Pick<SpokenPrompt, 'slug' | 'prompt' | 'kind' | 'topic'>
    >({
      name: 'list-spoken-prompts',
      text: `select slug, body->>'prompt' as prompt, body->>'kind' as kind, body->>'topic' as topic
        from spoken_prompts where not retired order by place`,
    })
    const answered = await readSpokenDays(db, user.id)
    return rows.map((head) => {
      const days = answered.get(head.slug) ?? []
      return { ...head, last: days.at(-1) ?? null, next: nextSpokenDay(days) }
    })
  })

  api.serve(getSpokenPrompt, async ({ user, params, query }) => {
    const { rows } = await db.$client.query<{ body: SpokenPrompt }>({
      name: 'get-spoken-prompt',
      text: 'select body from spoken_prompts where slug = $1 and not retired',
      values: [params.prompt],
    })
    const [row] = rows
    if (!row) throw notFound()
    const days = (await readSpokenDays(db, user.id, params.prompt)).get(params.prompt) ?? []
    return {
      ...row.body,
      last: days.at(-1) ?? null,
      nextDays: nextSpokenDays(days, localDay(now().getTime(), query.timeZone)),
    }
  })

  api.serve(saveSpokenAnswer, async ({ user, params, body }) => {
    const { rowCount: prompts } = await db.$client.query(
      'select from spoken_prompts where slug = $1',
      [params.prompt],
    )
    // A retired prompt still accepts answers given before, but an unknown one doesn't.
    if (prompts === 0) throw notFound()
    const { memberSince, saved } = await findSaved(db, user.id, body.id, SAVED)
    if (!saved) {
      const answeredAt = clampCompletion(new Date(body.answeredAt), { now: now(), memberSince })
      const { rowCount } = await db.$client.query({
        name: 'store-spoken-answer',
        text: STORE_SPOKEN_ANSWER,
        values: [
          ...dayValues(user.id, answeredAt, body.timeZone),
          body.id,
          params.prompt,
          JSON.stringify(body.points),
          body.rating,
          body.tookMs,
          ...quota.values(user.id),
        ],
      })
      // Without a row, either another request stored this id first, or today's quota is used up.
      if (rowCount === 1) return new Answer(201, { next: await nextOf(user.id, params.prompt) })
      if (!(await findSaved(db, user.id, body.id, SAVED)).saved) {
        throw await quota.refusal(user.id)
      }
    }
    return { next: await nextOf(user.id, params.prompt) }
  })

  async function nextOf(userId: string, prompt: string): Promise<string> {
    const next = nextSpokenDay((await readSpokenDays(db, userId, prompt)).get(prompt) ?? [])
    // The id belongs to an answer to another prompt.
    if (next === null) throw notFound()
    return next
  }
}

const SAVED = { table: 'spoken_answers', columns: 'id' }

const STORE_SPOKEN_ANSWER = withPracticeDay(
  `insert into spoken_answers (user_id, day, answered_at, id, prompt, points, rating, took_ms)
   select $1, $2, $3, $5, $6, $7, $8, $9 from allowed`,
  { allowed: takeOne(10) },
)

/** Returns a person's answers by prompt, the last of each day, ascending (product 3.13.8). */
export async function readSpokenDays(
  db: Database,
  userId: string,
  prompt?: string,
): Promise<Map<string, LastAnswer[]>> {
  const { rows } = await db.$client.query<LastAnswer & { prompt: string }>({
    name: 'read-spoken-days',
    text: `select distinct on (prompt, spoken_answers.day) prompt, rating,
        jsonb_array_length(points) as "pointsSaid", took_ms as "tookMs", day::text
      from spoken_answers where user_id = $1 and ($2::text is null or prompt = $2)
      order by prompt, spoken_answers.day, answered_at desc, id`,
    values: [userId, prompt ?? null],
  })
  const byPrompt = new Map<string, LastAnswer[]>()
  for (const { prompt: of, ...answer } of rows) {
    byPrompt.set(of, [...(byPrompt.get(of) ?? []), answer])
  }
  return byPrompt
}

export async function countSpokenDue(db: Database, userId: string, today: string): Promise<number> {
  const [answered, { rows }] = await Promise.all([
    readSpokenDays(db, userId),
    db.$client.query<{ slug: string }>('select slug from spoken_prompts where not retired'),
  ])
  const nextDays = rows.map(({ slug }) => nextSpokenDay(answered.get(slug) ?? []))
  return nextDays.filter((next) => next !== null && next <= today).length
}
