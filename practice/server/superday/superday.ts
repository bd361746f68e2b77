import type { Database } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { type Api, ApiError } from '../../../platform/server/api.ts'
import type { CurrentUser } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { createQuota } from '../../../platform/server/quota.ts'
import type { PromptKind, Rating } from '../../aloud/spoken-prompt.ts'
import { isFindTheError } from '../../cases/case.ts'
import { CATEGORIES } from '../../categories.ts'
import {
  closesAtMs,
  EVENING_DRILL,
  EVENING_MS,
  type Evening,
  endSuperday,
  getSuperday,
  LISTED_EVENINGS,
  lastTestStartMs,
  listSuperdays,
  startSuperday,
} from '../../contract/superday.ts'
import { HIGHEST_SEED } from '../../drill/sum.ts'
import { isVariant } from '../../family/variants.ts'
import { drawCase, drawPrompts, drawTest } from '../../superday/draw.ts'
import { readSpokenDays } from '../aloud/aloud.ts'
import type { Bank, BankItem } from '../bank.ts'
import { newestAnswers } from '../facts-store.ts'
import { readPlan } from '../plan/plan.ts'
import { clampCompletion } from '../practice-day-store.ts'
import { slipNames } from '../slips-store.ts'
import { getStoredSuperday, isOpen, type StoredSuperday } from '../superday-store.ts'
import type { SuperdayTest } from '../tables.ts'

const notFound = () => new ApiError(404, 'not_found', 'There is no such mock superday.')

/** Stores the test's result once it's over, otherwise returns its deadline. A room above provides it. */
type CollectTest = (of: { userId: string; id: string }) => Promise<Date | null>

/** Starts, shows and ends mock superdays (product 3.15). Each part is stored with its own feature. */
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
    sentence: 'You have reached the daily limit for mock superdays.',
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
      // The quota comes first, because the draw reads the whole bank.
      await quota.take(user.id)
      const seed = Math.floor(random() * HIGHEST_SEED)
      const drawn = await drawSuperday(db, bank, user, seed)
      await begin(user.id, { ...body, ...drawn, id: params.id, seed })
    }
    return look(user, params.id)
  })

  api.serve(getSuperday, ({ user, params }) => look(user, params.id))

  api.serve(endSuperday, async ({ user, params }) => {
    await end(user.id, params.id, now())
    return look(user, params.id)
  })

  /** Throws 404 if the session belongs to someone else. */
  async function look(user: CurrentUser, id: string) {
    const runsUntil = await collectTest({ userId: user.id, id })
    const stored = await getStoredSuperday(db.$client, user.id, id)
    if (!stored) throw notFound()
    const evening = await readEvening(user, stored, runsUntil)
    if (!evening.isOpen || !isAllDone(evening)) return evening
    // The session ends with its last part. The first read after that stores the end.
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

  /** Throws 409 superday_under_way with the open session's id, even if two calls start at the same time. */
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
      // The account was deleted after its session was read.
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

/** Draws a session (product 3.15.3 to 3.15.5). Throws 409 no_content if it has no question, case or prompt. */
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
    throw new ApiError(409, 'no_content', 'Mock superdays are not available yet.')
  }
  return { questions, caseSlug, prompts: drawnPrompts }
}

function isAllDone({ test, case: solved, aloud, drill }: Evening): boolean {
  return (
    test.result !== null &&
    solved.result !== null &&
    drill.result !== null &&
    aloud.every(({ result }) => result !== null)
  )
}

/** Reads a session with the first result of each part within its hours (product 3.15.2). */
function createEveningReader({ db, now }: AppDependencies, bank: Bank) {
  return async (
    user: CurrentUser,
    stored: StoredSuperday,
    runsUntil: Date | null,
  ): Promise<Evening> => {
    const startedAtMs = stored.startedAt.getTime()
    const until = stored.endedAt ?? new Date(closesAtMs(startedAtMs))
    const hours = [user.id, stored.countsFrom, until]
    const [items, cases, solved, spoken, drilled, earlier] = await Promise.all([
      bank.items(user.contentVersion),
      bank.cases(user.contentVersion),
      db.$client.query<{ id: string; right: number; total: number }>({
        name: 'case-of-superday',
        text: `select id, score as right, total from practice_sessions
          where user_id = $1 and kind = 'case' and about ->> 'case' = $4
            and completed_at between $2 and $3
          order by completed_at, id limit 1`,
        values: [...hours, stored.caseSlug],
      }),
      db.$client.query<Spoken>({
        name: 'aloud-of-superday',
        text: `select p.slug, p.body->>'prompt' as prompt, p.body->>'kind' as kind, rating,
            said as "pointsSaid", took_ms as "tookMs"
          from unnest($4::text[]) with ordinality as wanted (slug, n)
            join spoken_prompts p on p.slug = wanted.slug
            left join lateral (
              select rating, jsonb_array_length(points) as said, took_ms from spoken_answers
              where user_id = $1 and prompt = p.slug and answered_at between $2 and $3
              order by answered_at, id limit 1) first on true
          order by wanted.n`,
        values: [...hours, stored.prompts],
      }),
      db.$client.query<{ id: string; right: number; wrong: number; skipped: number }>({
        name: 'drill-of-superday',
        text: `select id, correct as right, wrong, skipped from drills
          where user_id = $1 and preset = $4 and started_at between $2 and $3
          order by started_at, id limit 1`,
        values: [...hours, EVENING_DRILL],
      }),
      db.$client.query<{ net: number }>({
        name: 'drills-before-superday',
        text: `select correct - wrong as net from drills
          where user_id = $1 and preset = $3 and started_at < $2
          order by started_at desc, id limit 5`,
        values: [user.id, stored.countsFrom, EVENING_DRILL],
      }),
    ])
    const [ofCase] = solved.rows
    const sessions = ofCase ? [stored.id, ofCase.id] : [stored.id]
    return {
      id: stored.id,
      startedAt: stored.startedAt.toISOString(),
      closesAt: new Date(closesAtMs(startedAtMs)).toISOString(),
      isOpen: isOpen(stored, now()),
      test: {
        lastStartAt: new Date(lastTestStartMs(startedAtMs)).toISOString(),
        isTooLate: !runsUntil && now().getTime() > lastTestStartMs(startedAtMs),
        runsUntil: runsUntil?.toISOString() ?? null,
        result: stored.test && resultOf(stored.test, items),
      },
      case: {
        slug: stored.caseSlug,
        title: cases.get(stored.caseSlug)?.served.title ?? stored.caseSlug,
        result: ofCase ? { right: ofCase.right, total: ofCase.total } : null,
      },
      aloud: spoken.rows.map(({ slug, prompt, kind, rating, pointsSaid, tookMs }) => ({
        ...{ slug, prompt, kind },
        result: rating === null ? null : { rating, pointsSaid, tookMs },
      })),
      drill: {
        preset: EVENING_DRILL,
        result: drilled.rows[0] ?? null,
        earlierNets: earlier.rows.map(({ net }) => net),
      },
      slips: await readSlipsOf(user.id, sessions, stored.countsFrom),
    }
  }

  async function readSlipsOf(userId: string, sessions: string[], from: Date) {
    const { rows } = await db.$client.query<{ slip: string; tonight: number; before: number }>({
      name: 'slips-of-superday',
      text: `select slip, count(*) filter (where session_id = any ($2::uuid[]))::int as tonight,
          count(*) filter (where answered_at < $3)::int as before
        from ${newestAnswers()} newest where slip is not null group by slip
        having count(*) filter (where session_id = any ($2::uuid[])) > 0
        order by tonight desc, before desc, slip`,
      values: [userId, sessions, from],
    })
    const known = await slipNames()
    return rows.flatMap(({ slip, tonight, before }) => {
      const named = known.get(slip)
      return named ? { name: named.name, line: named.line, tonight, before } : []
    })
  }
}

type Spoken = Pick<Evening['aloud'][number], 'slug' | 'prompt' | 'kind'> & {
  /** null, like the next two, if the prompt wasn't answered */
  rating: Rating | null
  pointsSaid: number
  tookMs: number
}

function resultOf(
  test: SuperdayTest,
  items: ReadonlyMap<string, BankItem>,
): NonNullable<Evening['test']['result']> {
  const { answers, strikes, reason, startedAt, submittedAt } = test
  const countRight = (some: SuperdayTest['answers']) => some.filter(({ isRight }) => isRight).length
  const countAnswered = (some: SuperdayTest['answers']) =>
    some.filter(({ choice }) => choice !== null).length
  return {
    right: countRight(answers),
    total: answers.length,
    answered: countAnswered(answers),
    strikes,
    reason,
    tookSeconds: Math.round((Date.parse(submittedAt) - Date.parse(startedAt)) / 1000),
    categories: CATEGORIES.flatMap((category) => {
      // A question that is no longer served counts in the total but in no category.
      const own = answers.filter(({ id }) => items.get(String(id))?.question.category === category)
      return own.length === 0
        ? []
        : { category, right: countRight(own), answered: countAnswered(own) }
    }),
    review: answers.flatMap(({ id, choice }) => {
      const question = items.get(String(id))?.question
      return question ? { question, choice } : []
    }),
  }
}
