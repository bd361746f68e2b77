import type { CurrentUser } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import type { PromptKind, Rating } from '../../aloud/spoken-prompt.ts'
import { CATEGORIES } from '../../categories.ts'
import {
  closesAtMs,
  EVENING_DRILL,
  type Evening,
  lastTestStartMs,
} from '../../contract/superday.ts'
import type { Bank, BankItem } from '../bank.ts'
import { newestAnswers } from '../facts-store.ts'
import { slipNames } from '../slips-store.ts'
import { isOpen, type StoredSuperday } from '../superday-store.ts'
import type { SuperdayTest } from '../tables.ts'

export function isAllDone({ test, case: solved, aloud, drill }: Evening): boolean {
  return (
    test.result !== null &&
    solved.result !== null &&
    drill.result !== null &&
    aloud.every(({ result }) => result !== null)
  )
}

/** Reads an evening: what was drawn, and the first that was done of each part in its hours (product 3.15.2). */
export function createEveningReader({ db, now }: AppDependencies, bank: Bank) {
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

interface Spoken {
  slug: string
  prompt: string
  kind: PromptKind
  /** null, like the two after it, where it was not answered */
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
      // A question that is served no more counts for the whole, and for no category.
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
