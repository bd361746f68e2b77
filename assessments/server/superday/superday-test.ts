import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Database } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import type { OptionLetter } from '../../../platform/options.ts'
import { type Api, ApiError } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { startRepeating } from '../../../platform/server/repeating.ts'
import {
  getStoredSuperday,
  isOpen,
  keepSuperdayTest,
  type StoredSuperday,
  type TestAnswer,
  testTimes,
} from '../../../practice/server/superday-store.ts'
import { openSuperdayTest } from '../../contract.ts'
import type { Attempt } from '../attempt-store.ts'
import { countStrikes } from '../event-store.ts'
import { hashCandidatePassword, makePassword } from '../password-store.ts'
import { makeTrialCode, removeTrial } from '../rehearsal-store.ts'
import { finaliseAttemptOf } from '../status.ts'

// The test of a mock superday is a separate assessment with one throwaway candidate (decision 038).

type Client = Pick<pg.Pool, 'query'>

const USERNAME = 'superday'
/** The title on the test screen. */
const TITLE = 'Mock superday'

const trialOf = (userId: string, eveningId: string) => `${userId}/${eveningId}`

/** Creates or finds the test of a mock superday and gives its candidate a new password. */
function makeSuperdayTest(
  db: Database,
  secretKey: Buffer,
  call: {
    userId: string
    evening: StoredSuperday
    password: string
  },
  now: Date,
): Promise<{ code: string; username: string }> {
  const { userId, evening, password } = call
  const { durationSeconds, lastStartAt } = testTimes(evening)
  return inTransaction(db, async (client) => {
    const made = await client.query<{ code: string }>(
      `insert into assessments (code, society, duration_seconds, shuffle, navigator, rules, closes_at,
         time_zone, is_sample, trial, trial_of, created_at)
       values ($1, $2, $3, false, true, $4, $5, $6, false, 'superday', $7, $8)
       on conflict do nothing returning code`,
      [
        ...[makeTrialCode('SUPERDAY'), TITLE, durationSeconds],
        JSON.stringify({ timing: [], allowed: [], forbidden: [], contact: null }),
        ...[lastStartAt, evening.timeZone, trialOf(userId, evening.id), now],
      ],
    )
    const code = made.rows[0]?.code ?? (await findTest(client, userId, evening.id))?.code
    if (!code) throw new Error('The test that was just created is gone.')
    if (made.rows[0]) await fillTest(client, code, evening.questions)
    await client.query(
      `insert into candidates (id, assessment, username, password_hash, is_demo, created_at)
       values ($1, $2, $3, $4, true, $5)
       on conflict (assessment, lower(username)) do update set password_hash = excluded.password_hash`,
      [randomUUID(), code, USERNAME, hashCandidatePassword(secretKey, password), now],
    )
    return { code, username: USERNAME }
  })
}

/** Copies questions from the question bank into a test, in order, including any that were retired since. */
async function fillTest(client: Client, code: string, questions: readonly number[]): Promise<void> {
  await client.query(
    `insert into assessment_items (assessment, position, question, answer_a, answer_b, answer_c,
       answer_d, correct_option, topic, is_sample)
     select $1, wanted.n, q.question, q.answer_a, q.answer_b, q.answer_c, q.answer_d, q.correct_option,
       q.id::text, false
     from unnest($2::int[]) with ordinality as wanted (id, n) join questions q on q.id = wanted.id`,
    [code, questions],
  )
}

async function findTest(
  client: Client,
  userId: string,
  eveningId: string,
): Promise<{ code: string; candidateId: string | null } | null> {
  const { rows } = await client.query<{ code: string; candidateId: string | null }>(
    `select a.code, c.id as "candidateId" from assessments a
       left join candidates c on c.assessment = a.code
     where a.trial = 'superday' and a.trial_of = $1`,
    [trialOf(userId, eveningId)],
  )
  return rows[0] ?? null
}

/** Stores the result of a mock superday's finished test. @returns the deadline of a running test, or null */
export async function collectSuperdayTest(
  db: Database,
  of: { userId: string; id: string },
  now: Date,
): Promise<Date | null> {
  const test = await findTest(db.$client, of.userId, of.id)
  if (!test?.candidateId) return null
  const attempt = await finaliseAttemptOf(db, test.candidateId, now)
  if (!attempt) return null
  if (!attempt.submittedAt || !attempt.submitReason) return attempt.deadlineAt
  await keepSuperdayTest(db, of, {
    answers: await readAnswers(db.$client, attempt),
    strikes: await countStrikes(db.$client, attempt.id),
    reason: attempt.submitReason,
    startedAt: attempt.startedAt.toISOString(),
    submittedAt: attempt.submittedAt.toISOString(),
  })
  return null
}

async function readAnswers(client: Client, { id, paper }: Attempt): Promise<TestAnswer[]> {
  const { rows } = await client.query<{
    id: number
    key: OptionLetter
    choice: OptionLetter | null
    savedAt: Date | null
  }>(
    // In these tests the topic holds the question's id in the question bank (fillTest).
    `select i.topic::int as id, i.correct_option as key, answer.choice, answer.saved_at as "savedAt"
     from unnest($2::int[]) with ordinality as paper (item_id, n)
       join assessment_items i on i.id = paper.item_id
       left join attempt_answers answer on answer.attempt_id = $1 and answer.item_id = i.id
     order by paper.n`,
    [id, paper],
  )
  return rows
}

/** How long a test is kept after it was created: an hour longer than its mock superday. */
const KEPT_MS = 5 * 3_600_000

/** Deletes the tests of finished mock superdays after storing their results. @returns how many */
export async function sweepSuperdayTests(db: Database, now: Date): Promise<number> {
  const { rows } = await db.$client.query<{ code: string; trialOf: string }>(
    `select code, trial_of as "trialOf" from assessments
     where trial = 'superday' and created_at < $1 order by code limit 500`,
    [new Date(now.getTime() - KEPT_MS)],
  )
  for (const { code, trialOf: of } of rows) {
    const [userId = '', id = ''] = of.split('/')
    await collectSuperdayTest(db, { userId, id }, now)
    await inTransaction(db, (client) => removeTrial(client, code))
  }
  return rows.length
}

const ROUND_MS = 60_000

export function startSuperdaySweep({ db, now, log }: Pick<AppDependencies, 'db' | 'now' | 'log'>): {
  stop(): Promise<void>
} {
  return startRepeating(
    {
      everyMs: ROUND_MS,
      onError: (error) => log.warn({ error: String(error) }, 'deleting mock superdays failed'),
    },
    () => sweepSuperdayTests(db, now()),
  )
}

/** Opens the test of a mock superday (product 3.15.3). The rest uses the normal test calls. */
export function serveSuperdayTest(api: Api, { db, now, secretKey }: AppDependencies): void {
  api.serve(openSuperdayTest, async ({ user, params }) => {
    const at = now()
    const runsUntil = await collectSuperdayTest(db, { userId: user.id, id: params.id }, at)
    const evening = await getStoredSuperday(db.$client, user.id, params.id)
    if (!evening) throw new ApiError(404, 'not_found', 'There is no such mock superday here.')
    if (evening.test) {
      throw new ApiError(409, 'already_submitted', 'This test has already been submitted.')
    }
    // A running test can be continued until its deadline.
    if (!runsUntil && (!isOpen(evening, at) || at > testTimes(evening).lastStartAt)) {
      throw new ApiError(409, 'superday_over', 'It’s too late to start this test.')
    }
    const password = makePassword()
    const call = { userId: user.id, evening, password }
    return { ...(await makeSuperdayTest(db, secretKey, call, at)), password }
  })
}
