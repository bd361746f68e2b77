import type pg from 'pg'
import type { Database } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { localDay } from '../../platform/local-day.ts'
import type { OptionLetter } from '../../platform/options.ts'
import { closesAtMs, lastTestStartMs, TEST_SECONDS } from '../contract/superday.ts'
import { factOf } from './facts-store.ts'
import { STORE_SESSION } from './sessions.ts'
import type { SuperdayTest } from './tables.ts'

export interface StoredSuperday {
  id: string
  timeZone: string
  startedAt: Date
  countsFrom: Date
  questions: number[]
  caseSlug: string
  prompts: string[]
  test: SuperdayTest | null
  endedAt: Date | null
}

const COLUMNS = `id, time_zone as "timeZone", started_at as "startedAt", counts_from as "countsFrom",
  questions, case_slug as "caseSlug", prompts, test, ended_at as "endedAt"`

export async function getStoredSuperday(
  client: Pick<pg.Pool, 'query'>,
  userId: string,
  id: string,
): Promise<StoredSuperday | null> {
  const { rows } = await client.query<StoredSuperday>({
    name: 'get-superday',
    text: `select ${COLUMNS} from superdays where user_id = $1 and id = $2`,
    values: [userId, id],
  })
  return rows[0] ?? null
}

export function isOpen(
  superday: Pick<StoredSuperday, 'startedAt' | 'endedAt'>,
  now: Date,
): boolean {
  return superday.endedAt === null && now.getTime() < closesAtMs(superday.startedAt.getTime())
}

export const testTimes = ({ startedAt }: Pick<StoredSuperday, 'startedAt'>) => ({
  durationSeconds: TEST_SECONDS,
  lastStartAt: new Date(lastTestStartMs(startedAt.getTime())),
})

/** An answer in the test. `choice` and `savedAt` are null if the question wasn't answered. */
export interface TestAnswer {
  id: number
  key: OptionLetter
  choice: OptionLetter | null
  savedAt: Date | null
}

/** Stores a test's result once, with its facts (product 3.9), session and day. Does nothing if the session is gone. */
export function keepSuperdayTest(
  db: Database,
  of: { userId: string; id: string },
  handedIn: Omit<SuperdayTest, 'answers'> & { answers: readonly TestAnswer[] },
): Promise<void> {
  return inTransaction(db, async (client) => {
    const { rows } = await client.query<{ timeZone: string }>(
      `select time_zone as "timeZone" from superdays
       where user_id = $1 and id = $2 and test is null for update`,
      [of.userId, of.id],
    )
    const [evening] = rows
    if (!evening) return
    const { answers, ...rest } = handedIn
    const test: SuperdayTest = {
      answers: answers.map(({ id, key, choice }) => ({ id, choice, isRight: choice === key })),
      ...rest,
    }
    await client.query('update superdays set test = $3 where user_id = $1 and id = $2', [
      ...[of.userId, of.id, JSON.stringify(test)],
    ])
    const facts = await factsOf(client, of.id, evening.timeZone, answers)
    // A test without answers doesn't count as practice.
    if (facts.length === 0) return
    const submittedAt = new Date(test.submittedAt)
    await client.query({
      name: 'store-session',
      text: STORE_SESSION,
      values: [
        ...[of.userId, localDay(submittedAt.getTime(), evening.timeZone), submittedAt],
        ...[evening.timeZone, of.id, 'superday', '{}'],
        ...[facts.filter((fact) => fact.is_right).length, answers.length, JSON.stringify(facts)],
      ],
    })
  })
}

async function factsOf(
  client: Pick<pg.Pool, 'query'>,
  sessionId: string,
  timeZone: string,
  answers: readonly TestAnswer[],
) {
  const { rows } = await client.query<{
    id: number
    family: string | null
    slips: Partial<Record<OptionLetter, string>>
  }>('select id, family, slips from questions where id = any ($1)', [answers.map(({ id }) => id)])
  const known = new Map(rows.map((row) => [row.id, row]))
  return answers.flatMap(({ id, key, choice, savedAt }, place) => {
    if (choice === null || savedAt === null) return []
    const item = String(id)
    const { family = null, slips = {} } = known.get(id) ?? {}
    return factOf(
      { place, item, choice, answeredAt: savedAt, day: localDay(savedAt.getTime(), timeZone) },
      { question: { correctOption: key }, family: family ?? item, slips },
      { id: sessionId, kind: 'superday' },
    )
  })
}
