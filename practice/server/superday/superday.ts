import type { Database } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { type Api, ApiError } from '../../../platform/server/api.ts'
import type { CurrentUser } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { createQuota } from '../../../platform/server/quota.ts'
import type { PromptKind } from '../../aloud/spoken-prompt.ts'
import { isFindTheError } from '../../cases/case.ts'
import {
  EVENING_MS,
  endSuperday,
  getSuperday,
  LISTED_EVENINGS,
  listSuperdays,
  startSuperday,
} from '../../contract/superday.ts'
import { HIGHEST_SEED } from '../../drill/sum.ts'
import { isVariant } from '../../family/variants.ts'
import { drawCase, drawPrompts, drawTest } from '../../superday/draw.ts'
import { readSpokenDays } from '../aloud/aloud.ts'
import type { Bank } from '../bank.ts'
import { readPlan } from '../plan/plan.ts'
import { clampCompletion } from '../practice-day-store.ts'
import { getStoredSuperday, isOpen, type StoredSuperday } from '../superday-store.ts'
import { createEveningReader, isAllDone } from './evening.ts'

const notFound = () => new ApiError(404, 'not_found', 'There is no such mock superday here.')

/** Keeps what an evening's test came to once it is over, else returns its deadline; run by a room above. */
type CollectTest = (of: { userId: string; id: string }) => Promise<Date | null>

/** Mock superdays: begun, looked at, closed (product 3.15). Their parts are stored where they always are. */
export function serveSuperdays(
  api: Api,
  dependencies: AppDependencies,
  bank: Bank,
  collectTest: CollectTest,
): void {
  const { db, now, random } = dependencies
  const quota = createQuota(dependencies, {
    name: 'superdays',
    limit: 20,
    sentence: 'That is more mock superdays than a day has hours for.',
  })
  const readEvening = createEveningReader(dependencies, bank)

  api.serve(listSuperdays, async ({ user }) => {
    const { rows } = await db.$client.query<
      Pick<StoredSuperday, 'id' | 'startedAt' | 'endedAt' | 'test'>
    >({
      name: 'list-superdays',
      text: `select id, started_at as "startedAt", ended_at as "endedAt", test from superdays
        where user_id = $1 order by started_at desc, id limit ${LISTED_EVENINGS}`,
      values: [user.id],
    })
    return rows.map(({ id, startedAt, endedAt, test }) => ({
      id,
      startedAt: startedAt.toISOString(),
      isOpen: isOpen({ startedAt, endedAt }, now()),
      right: test?.answers.filter(({ isRight }) => isRight).length ?? null,
      total: test?.answers.length ?? null,
    }))
  })

  api.serve(startSuperday, async ({ user, params, body }) => {
    if (!(await getStoredSuperday(db.$client, user.id, params.id))) {
      const seed = Math.floor(random() * HIGHEST_SEED)
      const drawn = await drawSuperday(db, bank, user, seed)
      await quota.take(user.id)
      await begin(user.id, { ...body, ...drawn, id: params.id, seed })
    }
    return look(user, params.id)
  })

  api.serve(getSuperday, ({ user, params }) => look(user, params.id))

  api.serve(endSuperday, async ({ user, params }) => {
    await end(user.id, params.id, now())
    return look(user, params.id)
  })

  /** Errors: 404 where it is not the person's. */
  async function look(user: CurrentUser, id: string) {
    const runsUntil = await collectTest({ userId: user.id, id })
    const stored = await getStoredSuperday(db.$client, user.id, id)
    if (!stored) throw notFound()
    const evening = await readEvening(user, stored, runsUntil)
    if (!evening.isOpen || !isAllDone(evening)) return evening
    // The last part closes it, and the first read after that stores the end.
    await end(user.id, id, now())
    return { ...evening, isOpen: false }
  }

  async function end(userId: string, id: string, at: Date): Promise<void> {
    await db.$client.query(
      `update superdays set ended_at = $3
       where user_id = $1 and id = $2 and ended_at is null and started_at > $4`,
      [userId, id, at, new Date(at.getTime() - EVENING_MS)],
    )
  }

  /** Errors: 409 superday_under_way (with its id) while another is open, also of two at once. */
  async function begin(
    userId: string,
    evening: Drawn & { id: string; seed: number; startedAt: string; timeZone: string },
  ): Promise<void> {
    const at = now()
    await inTransaction(db, async (client) => {
      const { rows } = await client.query<{ memberSince: Date }>(
        'select created_at as "memberSince" from users where id = $1 for no key update',
        [userId],
      )
      const [row] = rows
      // The account went a moment ago, after its session was read.
      if (!row) throw notFound()
      const open = await client.query<{ id: string }>(
        `select id from superdays
         where user_id = $1 and id <> $2 and ended_at is null and started_at > $3`,
        [userId, evening.id, new Date(at.getTime() - EVENING_MS)],
      )
      if (open.rows[0]) {
        throw new ApiError(
          409,
          'superday_under_way',
          'Another mock superday is in progress. Continue it or end it first.',
          { more: { id: open.rows[0].id } },
        )
      }
      const memberSince = row.memberSince
      await client.query(
        `insert into superdays (user_id, id, seed, time_zone, started_at, counts_from, questions,
           case_slug, prompts)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
        [
          ...[userId, evening.id, evening.seed, evening.timeZone, at],
          clampCompletion(new Date(evening.startedAt), { now: at, memberSince }),
          ...[evening.questions, evening.caseSlug, evening.prompts],
        ],
      )
    })
  }
}

type Drawn = Pick<StoredSuperday, 'questions' | 'caseSlug' | 'prompts'>

/** Draws an evening (product 3.15.3 to 3.15.5). Errors: 409 no_content without a question, case or prompt. */
async function drawSuperday(
  db: Database,
  bank: Bank,
  { id: userId, contentVersion }: CurrentUser,
  seed: number,
): Promise<Drawn> {
  const [items, cases, known, finished, prompts, spoken, plan] = await Promise.all([
    bank.items(contentVersion),
    bank.cases(contentVersion),
    db.$client.query<{ family: string }>('select family from review_cards where user_id = $1', [
      userId,
    ]),
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
    plan?.role,
  )
  const caseSlug = drawCase(
    [...cases.values()]
      .filter(({ served }) => !isFindTheError(served.questions.length))
      .map(({ served: { slug } }) => ({ slug, finishedAt: finishedAt.get(slug) ?? null })),
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
