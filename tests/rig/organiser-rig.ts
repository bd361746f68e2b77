import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { AdminError, FileProblems } from '../../platform/server/admin-error.ts'
import type { Organiser } from '../../societies/server/action.ts'
import type { IssuedPassword } from '../../societies/server/roster.ts'
import type { Rig } from './rig.ts'

/** An organiser at the keyboard, now. */
export function organiserOf(rig: Rig): Organiser {
  return { db: rig.db, now: rig.clock.now, actor: 'tester' }
}

/** The sentence with which an action is refused. */
export async function refusalOf(action: () => Promise<unknown>): Promise<string> {
  const error = await action().then(
    () => null,
    (caught: unknown) => caught,
  )
  expect(error).toBeInstanceOf(AdminError)
  return (error as AdminError).message
}

/** Every problem of a file that is refused. */
export async function problemsOf(action: () => Promise<unknown>): Promise<string[]> {
  const error = await action().then(
    () => null,
    (caught: unknown) => caught,
  )
  expect(error).toBeInstanceOf(FileProblems)
  return (error as FileProblems).problems
}

/** What the audit log holds of an assessment, oldest first. */
export async function auditOf(rig: Rig, code: string) {
  const { rows } = await rig.db.execute<{
    actor: string
    action: string
    detail: Record<string, unknown>
  }>(sql`select actor, action, detail from admin_actions where assessment = ${code} order by id`)
  return rows
}

/** Keeps the passwords that a roster import delivers. */
export function passwordKeeper() {
  const issued: IssuedPassword[] = []
  return {
    issued,
    deliver: async (passwords: IssuedPassword[]) => {
      issued.push(...passwords)
    },
  }
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

/** The lines of a CSV text, without the header. */
export const linesOf = (csv: string) => csv.trimEnd().split('\n').slice(1)
