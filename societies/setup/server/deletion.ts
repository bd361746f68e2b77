import sql from 'sql-template-tag'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import { getAssessment, requireAssessment } from '../../access/server/assessments.ts'
import { IS_CANDIDATE, isCandidate } from '../../access/server/guard.ts'
import type { Member, MemberInTest } from '../../access/server/serve-members.ts'
import { act, read } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type { listDeletedAssessments } from '../contract.ts'
import { IS_RESTORABLE, markDeleted, RESTORE_DAYS } from './mark-deleted.ts'

/** Takes a test out of every view (product 7.8.9). Errors: 409 still_inside. */
export function deleteTest(organiser: MemberInTest): Promise<unknown> {
  return act(organiser, 'delete', organiser.code, async (client) =>
    markDeleted(client, organiser, await requireAssessment(client, organiser, 'replace')),
  )
}

type Deleted = Sendable<ResponseOf<typeof listDeletedAssessments>[number]>

/** The tests of a society that can be restored, the newest deletion first. */
export function listDeleted({ db, societyId }: Member): Promise<Deleted[]> {
  return read({ db }, async (client) => {
    const { rows } = await client.query<Deleted>(
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
  })
}

/**
 * Brings a deleted test back as it was, until it is purged.
 * Errors: 409 not_restorable; 403 is_candidate for a candidate of it (product 7.7.6).
 */
export function restoreTest(organiser: Member, code: string): Promise<void> {
  return act(organiser, 'restore', code, async (client) => {
    const row = await getAssessment(client, code, 'replace')
    if (row?.societyId !== organiser.societyId) throw notRestorable()
    const { rowCount } = await client.query(
      `update assessment_deletions d set withdrawn_at = $2
       from assessments a where a.code = $1 and ${IS_RESTORABLE}`,
      [code, organiser.now],
    )
    if (rowCount === 0) throw notRestorable()
    const { rows } = await client.query<{ isCandidate: boolean }>(
      sql`select ${IS_CANDIDATE} as "isCandidate" from assessments a join users u on u.id = ${organiser.userId}
        where a.code = ${code}`,
    )
    if (rows[0]?.isCandidate !== false) throw isCandidate()
    await client.query(
      'update assessments set deleted_at = null, version = version + 1 where code = $1',
      [code],
    )
    return { result: undefined, detail: {} }
  })
}

const notRestorable = () =>
  refuse(
    409,
    'not_restorable',
    'This test is not among the deleted ones. It was restored, or its seven days are over.',
  )
