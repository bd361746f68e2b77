import { randomUUID } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import { type AssessmentRow, requireAssessment } from '../../access/server/assessments.ts'
import type { Member, MemberInTest } from '../../access/server/serve-members.ts'
import { act, type Client, type Done, type Organizer } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type { listDeletedAssessments } from '../contract.ts'

/*
 * An assessment is deleted in three steps:
 *   mark    in one short transaction: candidates can't start it and no page shows it. An owner can restore it until
 *           it is purged
 *   purge   seven days later, or immediately if its owners were warned before: question statistics are kept, and names
 *           and reasons are removed from the log
 *   empty   in batches, each in its own transaction, on any node. Its row is kept, except for drafts and samples. If a
 *           node dies, the next run on any node continues
 */

/** How many days owners can restore a deleted assessment (product 7.8.9). */
export const RESTORE_DAYS = 7
/** The audit log's actor for automatic deletions. */
export const BY_DATE = 'Superday, by its date'
/** SQL for whether row d of assessment_deletions deleted an assessment a that can still be restored. */
export const IS_RESTORABLE =
  'd.assessment = a.code and d.withdrawn_at is null and d.done_at is null and a.deleted_at is not null'

const DONE = { done: true } as const

export interface Deleted {
  candidates: number
  attempts: number
  events: number
  items: number
}

/** Hides an assessment, which must be locked, from every view. Errors: 409 still_inside. */
export async function markDeleted(
  client: Client,
  { now, actor, userId }: Omit<Organizer, 'db'>,
  { code }: AssessmentRow,
): Promise<Done<Deleted>> {
  const { rowCount: inside } = await client.query(
    sql`select from attempts where assessment = ${code} and submitted_at is null and not is_demo limit 1`,
  )
  if (inside) {
    const sentence = 'A candidate is taking the test. Delete it when everyone has finished.'
    throw refuse(409, 'still_inside', sentence)
  }
  const { rows } = await client.query<Deleted>(
    sql`select (select count(*)::int from candidates where assessment = ${code}) as candidates,
       (select count(*)::int from attempts where assessment = ${code}) as attempts,
       (select count(*)::int from attempt_events e join candidates c on c.id = e.candidate_id
         where c.assessment = ${code}) as events,
       (select count(*)::int from assessment_items where assessment = ${code}) as items`,
  )
  const deleted = rows[0] as Deleted
  await client.query(
    'update assessments set deleted_at = $2, content_hash = null, version = version + 1 where code = $1',
    [code, now],
  )
  await client.query(
    sql`insert into assessment_deletions (id, assessment, requested_at, requested_by, requested_by_name)
     values (${randomUUID()}, ${code}, ${now}, ${userId ?? null}, ${actor})`,
  )
  return { result: deleted, detail: { ...deleted } }
}

/** Hides a test from every view (product 7.8.9). Errors: 409 still_inside. */
export function deleteTest(organizer: MemberInTest): Promise<typeof DONE> {
  return act(organizer, 'delete', organizer.code, async (client) => {
    const row = await requireAssessment(client, organizer, 'replace')
    const { detail } = await markDeleted(client, organizer, row)
    return { result: DONE, detail }
  })
}

type Restorable = Sendable<ResponseOf<typeof listDeletedAssessments>>

/** Lists the tests of a society that can be restored, newest deletion first. */
export async function listDeleted({ db, societyId }: Member): Promise<Restorable> {
  const { rows } = await db.$client.query<Restorable[number]>(
    `select a.code, a.society, a.session, a.season, d.requested_at as "deletedAt",
       d.requested_by_name as "deletedBy",
       d.requested_at + interval '${RESTORE_DAYS * 24} hours' as until,
       (select count(*)::int from candidates c where c.assessment = a.code and not c.is_demo
         and c.revoked_at is null) as "candidateCount"
     from assessment_deletions d join assessments a on ${IS_RESTORABLE}
     where a.society_id = $1 order by d.requested_at desc, a.code`,
    [societyId],
  )
  return rows
}

/**
 * Restores a deleted test. Owners on its candidate list can do this too: it reveals nothing, and otherwise the owner
 * who deletes it could block the others by adding them to the list. Errors: 409 not_restorable.
 */
export function restoreTest(organizer: Member, code: string): Promise<typeof DONE> {
  return act(organizer, 'restore', code, async (client) => {
    // Only this society's tests are locked, because locks on other societies' tests would delay candidates.
    await client.query('select from assessments where code = $1 and society_id = $2 for update', [
      code,
      organizer.societyId,
    ])
    const { rowCount } = await client.query(
      sql`update assessment_deletions d set withdrawn_at = ${organizer.now}
       from assessments a where a.code = ${code} and a.society_id = ${organizer.societyId} and ${raw(IS_RESTORABLE)}`,
    )
    if (rowCount === 0) {
      const sentence =
        'This test can’t be restored. It was already restored, or its seven days are over.'
      throw refuse(409, 'not_restorable', sentence)
    }
    await client.query(
      'update assessments set deleted_at = null, version = version + 1 where code = $1',
      [code],
    )
    return { result: DONE, detail: {} }
  })
}
