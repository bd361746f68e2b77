import type { Database } from '../../../platform/database/database.ts'
import type { Rating } from '../../aloud/rating.ts'
import type { LastAnswer } from '../../contract/aloud.ts'
import { nextSpokenDay, type RatedDay } from '../../schedule/spoken-answers.ts'

/** A person's answers by prompt: the last of each day, ascending (product 3.13.8). */
export async function readSpokenDays(
  db: Database,
  userId: string,
  prompt?: string,
): Promise<Map<string, LastAnswer[]>> {
  const { rows } = await db.$client.query<{
    prompt: string
    rating: Rating
    pointsSaid: number
    tookMs: number
    day: string
  }>({
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

/** How many prompts are due on a day (yyyy-mm-dd, the person's own): a part of 'Due today' (product 3.13.9). */
export async function countSpokenDue(db: Database, userId: string, today: string): Promise<number> {
  const [answered, { rows }] = await Promise.all([
    readSpokenDays(db, userId),
    db.$client.query<{ slug: string }>('select slug from spoken_prompts where not retired'),
  ])
  return rows.filter(({ slug }) => isDue(answered.get(slug) ?? [], today)).length
}

function isDue(days: readonly RatedDay[], today: string): boolean {
  const next = nextSpokenDay(days)
  return next !== null && next <= today
}
