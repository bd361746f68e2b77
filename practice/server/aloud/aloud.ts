import type { Database } from '../../../platform/database/database.ts'
import { localDay } from '../../../platform/local-day.ts'
import { Answer, type Api, ApiError } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { createQuota, takeOne } from '../../../platform/server/quota.ts'
import type { SpokenPrompt } from '../../aloud/spoken-prompt.ts'
import { getSpokenPrompt, listSpokenPrompts, saveSpokenAnswer } from '../../contract/aloud.ts'
import { nextSpokenDay, nextSpokenDays } from '../../schedule/spoken-answers.ts'
import { clampCompletion, dayValues, withPracticeDay } from '../practice-day-store.ts'
import { readSpokenDays } from './spoken-answers.ts'

const notFound = () => new ApiError(404, 'not_found', 'There is no such thing here.')

/** Questions answered aloud (product 3.13). What was said stays in the browser; here is how it went. */
export function serveAloud(api: Api, dependencies: AppDependencies): void {
  const { db, now } = dependencies
  const quota = createQuota(dependencies, SPOKEN_ANSWERS_QUOTA)

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
    const { memberSince, isThere, isSaved } = await look(db, user.id, params.prompt, body.id)
    // A prompt that was retired meanwhile takes what was said before; one that never was, nothing.
    if (!isThere) throw notFound()
    if (!isSaved) {
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
      // No row: another request with this id was a moment faster, or there is no more room today.
      if (rowCount === 1) return new Answer(201, { next: await nextOf(user.id, params.prompt) })
      if (!(await look(db, user.id, params.prompt, body.id)).isSaved) {
        throw await quota.refusal(user.id)
      }
    }
    return { next: await nextOf(user.id, params.prompt) }
  })

  async function nextOf(userId: string, prompt: string): Promise<string> {
    const next = nextSpokenDay((await readSpokenDays(db, userId, prompt)).get(prompt) ?? [])
    // The id is that of an answer to another prompt.
    if (next === null) throw notFound()
    return next
  }
}

/** A minute and a half each, from morning to evening. */
const SPOKEN_ANSWERS_QUOTA = {
  name: 'spokenAnswers',
  limit: 500,
  sentence: 'That is more spoken answers than anybody can give in a day.',
}

const STORE_SPOKEN_ANSWER = withPracticeDay(
  `insert into spoken_answers (user_id, day, answered_at, id, prompt, points, rating, took_ms)
   select $1, $2, $3, $5, $6, $7, $8, $9 from allowed`,
  { allowed: takeOne(10) },
)

/** Since when the person is here, whether there is such a prompt, and whether this answer to it is stored. */
async function look(db: Database, userId: string, prompt: string, id: string) {
  const { rows } = await db.$client.query<{
    memberSince: Date
    isThere: boolean
    isSaved: boolean
  }>({
    name: 'look-at-spoken-answer',
    text: `select created_at as "memberSince",
        exists (select from spoken_prompts where slug = $2) as "isThere",
        exists (select from spoken_answers where user_id = $1 and id = $3) as "isSaved"
      from users where id = $1`,
    values: [userId, prompt, id],
  })
  const [row] = rows
  // The account went a moment ago, after its session was read.
  if (!row) throw notFound()
  return row
}
