import { Command } from 'commander'
import { sql } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AdminError, FileProblems } from '../../platform/server/admin-error.ts'
import { ApiError } from '../../platform/server/api.ts'
import { requireAssessment } from '../../societies/access/server/assessments.ts'
import { addAssessmentCommands } from '../../societies/command/assessments.ts'
import { addSocietyCommands, explainRefusal } from '../../societies/command/societies.ts'
import { acceptLateOf, readLate } from '../../societies/incidents/server/late-answers.ts'
import { act, type Organizer } from '../../societies/kit/server/action.ts'
import { deleteAtOnce, emptyDeleted } from '../../societies/log/server/season.ts'
import { readRulingVersion, withdrawRuling } from '../../societies/results/server/regrade.ts'
import type { Rig } from './rig.ts'

/** An organizer at the command line, now. */
export function organizerOf(rig: Rig): Organizer {
  return { db: rig.db, now: rig.clock.now, actor: 'tester' }
}

/** Answers of a test that came after the end. */
export const lateIn = (rig: Rig, code: string) =>
  inTransaction(rig.db, (client) => readLate(client, code, null, true))

/** Counts those of them that may count. */
export const acceptLateIn = (rig: Rig, code: string, candidateId: string | null = null) =>
  inTransaction(rig.db, (client) => acceptLateOf(client, code, candidateId, rig.clock.now))

/** The code with which the society's side refuses an action, and the facts behind it. */
export async function codeOf(action: () => Promise<unknown>) {
  const error = await errorOf(action)
  expect(error).toBeInstanceOf(ApiError)
  const { code, more } = error as ApiError
  return { code, more }
}

/** The message with which the command line refuses an action. */
export async function refusalOf(action: () => Promise<unknown>): Promise<string> {
  const error = await errorOf(action)
  const sentence = explainRefusal(error)
  if (sentence !== null) return sentence
  expect(error).toBeInstanceOf(AdminError)
  return (error as AdminError).message
}

const errorOf = (action: () => Promise<unknown>): Promise<unknown> =>
  action().then(
    () => null,
    (caught: unknown) => caught,
  )

/**
 * Runs `npm run admin -- …` in this process, at the rig's time.
 * @param args starting with the command's first word: 'assessments' or 'societies'
 * @returns its output, and the message of a refusal
 */
export async function typeAt(rig: Rig, ...args: string[]) {
  const program = new Command().exitOverride()
  const database = {
    withDatabase: <T>(act: (db: Rig['db']) => Promise<T>) => act(rig.db),
    withDatabaseAndKey: <T>(act: (db: Rig['db'], secretKey: Buffer) => Promise<T>) =>
      act(rig.db, rig.dependencies.secretKey),
    mailSettings: () => ({ publicUrl: rig.dependencies.publicUrl, isSent: rig.sendsMail === true }),
  }
  addAssessmentCommands(program, database)
  addSocietyCommands(program, database)
  const shown = { out: '', err: '', refusal: null as string | null }
  vi.useFakeTimers({ toFake: ['Date'], now: rig.clock.now })
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((line) => {
      shown.out += `${line}\n`
    }),
    vi.spyOn(console, 'error').mockImplementation((line) => {
      shown.err += `${line}\n`
    }),
    vi.spyOn(process.stdout, 'write').mockImplementation((piece) => {
      shown.out += piece.toString()
      return true
    }),
  ]
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    const sentence = explainRefusal(error)
    if (sentence === null && !(error instanceof AdminError)) throw error
    shown.refusal = sentence ?? (error as AdminError).message
  } finally {
    for (const spy of spies) spy.mockRestore()
    vi.useRealTimers()
  }
  return shown
}

/** Every problem of a rejected file. */
export async function problemsOf(action: () => Promise<unknown>): Promise<string[]> {
  const error = await action().then(
    () => null,
    (caught: unknown) => caught,
  )
  expect(error).toBeInstanceOf(FileProblems)
  return (error as FileProblems).problems
}

/** An assessment's audit log, oldest first. */
export async function auditOf(rig: Rig, code: string) {
  const { rows } = await rig.db.execute<{
    actor: string
    action: string
    detail: Record<string, unknown>
  }>(sql`select actor, action, detail from admin_actions where assessment = ${code} order by id`)
  return rows
}

/** The logged actions on an assessment, oldest first. */
export const actionsOf = async (rig: Rig, code: string) =>
  (await auditOf(rig, code)).map(({ action }) => action)

/** Withdraws a question's current rulings. */
export async function takeRulingBack(organizer: Organizer, code: string, item: number) {
  const client = organizer.db.$client
  const { rows } = await client.query<{ id: number }>(
    `select r.id from item_rulings r join assessment_items i on i.id = r.item_id
     where i.assessment = $1 and i.position = $2 and r.withdrawn_at is null and not r.is_proposal`,
    [code, item],
  )
  for (const { id } of rows) {
    const version = await readRulingVersion(client, code)
    await withdrawRuling({ ...organizer, code }, id, 'it was right', version)
  }
}

/** Deletes an assessment immediately and for good, as its date does. */
export async function deleteAssessment(organizer: Organizer, code: string): Promise<void> {
  await act(organizer, 'delete', code, async (client) =>
    deleteAtOnce(client, organizer, await requireAssessment(client, code, 'replace')),
  )
  await emptyDeleted(organizer.db)
}

export const attemptOf = async (rig: Rig, candidateId: string) => {
  const { rows } = await rig.db.$client.query<{
    id: string
    startedAt: Date
    deadlineAt: Date
    submittedAt: Date | null
    submitReason: string | null
    pausedMs: number
  }>(
    `select id, started_at as "startedAt", deadline_at as "deadlineAt", submitted_at as "submittedAt",
       submit_reason as "submitReason", paused_ms::int as "pausedMs"
     from attempts where candidate_id = $1`,
    [candidateId],
  )
  if (!rows[0]) throw new Error('there is no attempt')
  return rows[0]
}

export const resultOf = async (rig: Rig, candidateId: string) => {
  const { rows } = await rig.db.$client.query(
    `select correct, incorrect, time, cheated from assessment_results r
     join attempts a on a.id = r.attempt_id where a.candidate_id = $1`,
    [candidateId],
  )
  return rows[0]
}

/** The results of all finished candidates by username, without demo attempts. */
export async function resultsIn(rig: Pick<Rig, 'db'>, code: string) {
  const { rows } = await rig.db.$client.query<{
    username: string
    correct: number
    incorrect: number
    time: string
    cheated: boolean
  }>(
    `select "user" as username, correct, incorrect, time, cheated from assessment_results
     where assessment = $1 and not is_demo order by lower("user")`,
    [code],
  )
  return rows
}

/** The correct answer to every item; `at`: milliseconds after the start. */
export const rightAnswers = (
  items: { id: number; correctOption: string }[],
  revision = 1,
  at?: number,
) =>
  items.map(({ id, correctOption }) => ({
    questionId: id,
    choice: correctOption,
    revision,
    ...(at === undefined ? {} : { at }),
  }))

/**
 * Pauses an organizer's action before its log entry, after all its changes, while another action waits for its locks.
 * This simulates a rare race.
 * @returns the organizer's action
 */
export async function actAhead(
  rig: Rig,
  act: () => Promise<unknown>,
  beside: () => Promise<unknown>,
) {
  const holder = await rig.db.$client.connect()
  const isWaiting = async () => {
    const { rowCount } = await rig.db.$client.query(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rowCount === 1
  }
  await holder.query('begin')
  await holder.query('lock table admin_actions in share mode')
  const acting = act()
  while (!(await isWaiting())) await new Promise((resolve) => setTimeout(resolve, 5))
  const happening = beside()
  await new Promise((resolve) => setTimeout(resolve, 20))
  await holder.query('commit')
  holder.release()
  const [done] = await Promise.allSettled([acting, happening])
  return done
}

/** Interventions and ends of a candidate's attempt, in order. */
export const interventionsOf = async (rig: Rig, candidateId: string) =>
  (
    await rig.db.execute<{ kind: string }>(sql`
      select kind from attempt_events where candidate_id = ${candidateId}
        and kind in ('extra_time', 'extended', 'reopened', 'late_accepted', 'submitted') order by id`)
  ).rows.map(({ kind }) => kind)
