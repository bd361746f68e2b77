import type { Database } from '../../../platform/database/database.ts'
import { ApiError } from '../../../platform/server/api.ts'
import type { CurrentUser } from '../../../platform/server/current-user.ts'
import type { PromptKind } from '../../aloud/spoken-prompt.ts'
import { isVariant } from '../../family/variants.ts'
import { drawCase, drawPrompts, drawTest } from '../../superday/draw.ts'
import { readSpokenDays } from '../aloud/spoken-answers.ts'
import type { Bank } from '../bank.ts'
import { readPlan } from '../plan/plan.ts'

/** What an evening is made of. */
export interface Drawn {
  /** ids in the order in which they are asked */
  questions: number[]
  caseSlug: string
  prompts: string[]
}

/**
 * Draws an evening from the content and from what the person has done so far (product 3.15.3 to 3.15.5).
 * Errors: 409 no_content where there is no question, case or prompt.
 */
export async function drawSuperday(
  db: Database,
  bank: Bank,
  { id: userId, contentVersion }: CurrentUser,
  seed: number,
): Promise<Drawn> {
  const [items, cases, known, finished, prompts, spoken, plan] = await Promise.all([
    bank.items(contentVersion),
    bank.cases(contentVersion),
    db.$client.query<{ family: string }>(
      'select distinct family from answered_questions where user_id = $1',
      [userId],
    ),
    db.$client.query<{ slug: string; finishedAt: Date }>(
      `select about ->> 'case' as slug, max(completed_at) as "finishedAt" from practice_sessions
       where user_id = $1 and kind = 'case' and about ->> 'case' is not null group by 1`,
      [userId],
    ),
    db.$client.query<{ slug: string; kind: PromptKind }>(
      `select slug, body->>'kind' as kind from spoken_prompts where not retired order by place`,
    ),
    readSpokenDays(db, userId),
    readPlan(db, userId),
  ])
  const isKnown = new Set(known.rows.map(({ family }) => family))
  const finishedAt = new Map(
    finished.rows.map((row) => [row.slug, row.finishedAt.toISOString()] as const),
  )
  const questions = drawTest(
    [...items.values()]
      .filter(({ question }) => !isVariant(question.id))
      .map(({ question, topic, family }) => ({
        ...{ id: question.id, category: question.category, difficulty: question.difficulty },
        ...{ topic, isKnown: isKnown.has(family) },
      })),
    seed,
  )
  const caseSlug = drawCase(
    [...cases.keys()].map((slug) => ({ slug, finishedAt: finishedAt.get(slug) ?? null })),
  )
  const drawnPrompts = drawPrompts(
    prompts.rows.map(({ slug, kind }) => ({
      ...{ slug, kind },
      answeredOn: spoken.get(slug)?.at(-1)?.day ?? null,
    })),
    seed,
    plan?.role ?? null,
  )
  if (questions.length === 0 || caseSlug === null || drawnPrompts.length === 0) {
    throw new ApiError(409, 'no_content', 'There is nothing to make a mock superday of yet.')
  }
  return { questions, caseSlug, prompts: drawnPrompts }
}
