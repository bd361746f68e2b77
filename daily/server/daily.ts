import type pg from 'pg'
import type { Database } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { localDay } from '../../platform/local-day.ts'
import { Answer, type Api, ApiError } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import type { PersonalData } from '../../platform/server/personal-data.ts'
import { withPracticeDay } from '../../practice/server/practice-day-store.ts'
import {
  ARCHIVE_DAYS,
  answerDaily,
  type DailyResult,
  getDaily,
  getDailyWeek,
  isPlayable,
} from '../contract.ts'
import type { dailyBrainteasers, dailyResults } from './tables.ts'

/** An arbitrary lock number, the same on every node and not used elsewhere. */
const DEAL_LOCK = 7_201_977

type Brainteaser = Omit<typeof dailyBrainteasers.$inferSelect, 'brainteaserId' | 'createdAt'>

/** Serves the daily brainteaser (product 5). */
export function serveDaily(api: Api, { db, now }: AppDependencies): void {
  api.serve(getDaily, async ({ user, query }) => {
    const date = requireDate(query.date, localDay(now().getTime(), query.timeZone))
    const teaser = await readOrDeal(db, date, now())
    if (!teaser) return null
    const result = await findResult(db, user.id, date)
    return {
      date,
      statement: teaser.statement,
      options: { A: teaser.a, B: teaser.b, C: teaser.c, D: teaser.d },
      result: result && resultOf(teaser, result),
    }
  })

  api.serve(getDailyWeek, async ({ user, query }) => {
    const { rows } = await db.$client.query<{ date: string; wasCorrect: boolean | null }>({
      name: 'read-daily-week',
      text: `select day::date::text as date, was_correct as "wasCorrect"
        from generate_series($2::date - $3::int, $2::date - 1, interval '1 day') day
        left join daily_results r on r.user_id = $1 and r.date = day::date order by day`,
      values: [user.id, localDay(now().getTime(), query.timeZone), ARCHIVE_DAYS],
    })
    return rows
  })

  api.serve(answerDaily, async ({ user, body }) => {
    const at = now()
    const today = localDay(at.getTime(), body.timeZone)
    const date = requireDate(body.date, today)
    const teaser = await readOrDeal(db, date, at)
    if (!teaser) throw new ApiError(404, 'not_found', 'There is no brainteaser on this day.')
    const { rowCount } = await db.$client.query({
      name: date === today ? 'answer-daily' : 'answer-daily-archive',
      text:
        date === today ? withPracticeDay(STORE_ANSWER) : `${STORE_ANSWER} on conflict do nothing`,
      values: [
        user.id,
        date,
        at,
        body.timeZone,
        body.selectedOption,
        teaser.correct,
        body.selectedOption === teaser.correct,
        body.timeTakenSeconds,
      ],
    })
    const stored = await findResult(db, user.id, date)
    if (!stored) throw new ApiError(404, 'not_found', 'There is no brainteaser on this day.')
    const result = resultOf(teaser, stored)
    // The first answer counts, and a repeated one gets its result again.
    return new Answer(rowCount === 1 ? 201 : 200, result)
  })
}

// $4 is the time zone, which only today's answer stores. The cast defines its type in the other case.
const STORE_ANSWER = `
  insert into daily_results (user_id, date, answered_at, selected_option, correct_option, was_correct,
    time_taken_seconds)
  select $1, $2::date, $3::timestamptz, $5, $6, $7, $8 where $4::text is not null`

/** Errors: 400 bad_date for a day outside the archive. */
function requireDate(date: string | undefined, today: string): string {
  if (date === undefined) return today
  if (isPlayable(date, today)) return date
  throw new ApiError(
    400,
    'bad_date',
    "Only today's brainteaser and those of the past seven days can be played.",
  )
}

/** Reads a date's brainteaser, or takes the next one of the bank if none was scheduled; null with an empty bank. */
async function readOrDeal(db: Database, date: string, now: Date): Promise<Brainteaser | null> {
  const read = async (client: Pick<pg.Pool, 'query'>) => {
    const { rows } = await client.query<Brainteaser>({
      name: 'read-brainteaser',
      text: `select date::text, statement, a, b, c, d, correct, explanation, mistakes
        from daily_brainteasers where date = $1`,
      values: [date],
    })
    return rows[0] ?? null
  }
  const known = await read(db.$client)
  if (known) return known
  return inTransaction(db, async (client) => {
    // The lock prevents two nodes from using the same brainteaser on two days.
    await client.query('select pg_advisory_xact_lock($1)', [DEAL_LOCK])
    // After the last one of the bank, the first follows again.
    await client.query({
      name: 'deal-brainteaser',
      text: `
        insert into daily_brainteasers
          (date, brainteaser_id, statement, a, b, c, d, correct, explanation, mistakes,
            created_at)
        select $1::date, id, statement, a, b, c, d, correct, explanation, mistakes, $2
        from brainteasers where not retired
        order by (
          select count(*) from daily_brainteasers dealt where dealt.brainteaser_id = brainteasers.id
        ), id
        limit 1
        on conflict (date) do nothing`,
      values: [date, now],
    })
    return read(client)
  })
}

type StoredResult = Pick<
  typeof dailyResults.$inferSelect,
  'selectedOption' | 'correctOption' | 'wasCorrect'
>

function resultOf({ explanation, mistakes }: Brainteaser, stored: StoredResult): DailyResult {
  const mistake = stored.wasCorrect ? null : (mistakes[stored.selectedOption] ?? null)
  return { ...stored, explanation, mistake }
}

async function findResult(db: Database, userId: string, date: string) {
  const { rows } = await db.$client.query<StoredResult>({
    name: 'read-daily-result',
    text: `select selected_option as "selectedOption", correct_option as "correctOption",
        was_correct as "wasCorrect"
      from daily_results where user_id = $1 and date = $2`,
    values: [userId, date],
  })
  return rows[0] ?? null
}

export const DAILY_DATA: PersonalData = {
  daily_results: {
    keys: 'select date::text from daily_results where user_id = $1 order by daily_results.date',
    rows: `select date::text, selected_option, was_correct, time_taken_seconds, answered_at
      from daily_results where user_id = $1 and date = any ($2::date[]) order by daily_results.date`,
  },
}
