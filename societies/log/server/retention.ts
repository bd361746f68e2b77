import sql, { raw } from 'sql-template-tag'
import { isEmpty, isOver } from '../../../assessments/server/candidate-store.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { ApiError } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { describeError } from '../../../platform/server/log.ts'
import { enqueueManyMails } from '../../../platform/server/mail-queue.ts'
import { startRepeating } from '../../../platform/server/repeating.ts'
import {
  KEPT_UNTIL,
  RETENTION_MAIL,
  readKept,
  requireAssessment,
  WARNED_AT,
  WARNING_DAYS,
} from '../../access/server/assessments.ts'
import type { OrganizerInTest } from '../../access/server/serve-members.ts'
import { act } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { BY_DATE } from '../../setup/server/mark-deleted.ts'
import { deleteAtOnce, emptyDeleted } from './season.ts'

const DAY_MS = 24 * 3_600_000

/** SQL check for assessments a with personal data; samples and drafts have none. */
const HOLDS_PEOPLE =
  'a.deleted_at is null and a.trial is null and not a.is_sample and not a.is_draft'

/**
 * Warns a society's owners fourteen days before the scheduled deletion, or later if the service was down. The
 * deletion moves with the warning. Without owners nothing is deleted, because no one could object.
 * @returns the codes in the new warnings
 */
export function warnOfDeletion({
  db,
  now,
}: Pick<AppDependencies, 'db' | 'now'>): Promise<string[]> {
  return inTransaction(db, async (client) => {
    const at = now()
    const { rows } = await client.query<{ code: string; societyId: string }>(
      `select a.code, a.society_id as "societyId" from assessments a join societies s on s.id = a.society_id
       where ${HOLDS_PEOPLE} and ${WARNED_AT} is null and ${KEPT_UNTIL} <= $1
         -- Each start voids the warning, so owners would get one an hour during a test.
         and (${isOver('a', '$2')} or a.closes_at is null and ${isEmpty('a')})
         and exists (select from memberships m join users u on u.id = m.user_id
           where m.society_id = s.id and m.role = 'owner' and m.ended_at is null
             and u.deleting_since is null)
       order by a.code for no key update of a skip locked`,
      [new Date(at.getTime() + WARNING_DAYS * DAY_MS), at],
    )
    const { rows: owners } = await client.query<{ recipient: string; about: string }>(
      sql`select distinct u.email as recipient, m.society_id as about
       from memberships m join users u on u.id = m.user_id
       where m.society_id = any (${rows.map(({ societyId }) => societyId)}) and m.role = 'owner' and m.ended_at is null
         and u.deleting_since is null`,
    )
    // One email lists all upcoming deletions, so owners get it even right after another email.
    await enqueueManyMails(client, { kind: RETENTION_MAIL, now: at, first: at, paceMs: 0 }, owners)
    await client.query('update assessments set keep_warned_at = $2 where code = any ($1)', [
      rows.map(({ code }) => code),
      at,
    ])
    return rows.map(({ code }) => code)
  })
}

/**
 * Deletes tests whose retention is over, at least fourteen days after the warning. The assessment's row, its log and
 * statistics of its questions stay. A test that can't be deleted yet is tried again next time.
 * @returns the deleted codes
 */
export async function deleteByDate(
  { db, now, log }: Pick<AppDependencies, 'db' | 'now' | 'log'>,
  isStopped: () => boolean = () => false,
): Promise<string[]> {
  const deleted: string[] = []
  const { rows } = await db.$client.query<{ code: string }>(
    sql`select a.code from assessments a join societies s on s.id = a.society_id
     where ${raw(HOLDS_PEOPLE)} and ${raw(WARNED_AT)} <= ${new Date(now().getTime() - WARNING_DAYS * DAY_MS)}
     and ${raw(KEPT_UNTIL)} <= ${now()} order by a.code`,
  )
  for (const { code } of rows) {
    if (isStopped()) break
    const organizer = { db, now: now(), actor: BY_DATE }
    try {
      await act(organizer, 'delete', code, async (client) =>
        deleteAtOnce(client, organizer, await requireAssessment(client, code, 'replace'), {
          mayBeEndless: true,
        }),
      )
      deleted.push(code)
    } catch (error) {
      // Another node deleted it first, or a candidate is taking the test.
      if (!(error instanceof ApiError)) throw error
      log.info({ assessment: code, reason: error.code }, 'a scheduled deletion is delayed')
    }
  }
  if (deleted.length > 0) await emptyDeleted(db, isStopped)
  return deleted
}

/** Warns and deletes now and then every hour until stopped, on any number of nodes. */
export function startSeasonRetention(dependencies: Pick<AppDependencies, 'db' | 'now' | 'log'>) {
  const { log } = dependencies
  return startRepeating(
    {
      everyMs: 3_600_000,
      onError: (error) => log.warn({ error: describeError(error) }, 'the retention job failed'),
    },
    async (isStopped) => {
      await warnOfDeletion(dependencies)
      await deleteByDate(dependencies, isStopped)
    },
  )
}

/**
 * Sets an assessment's deletion date (product 7.21.1). All owners get a warning fourteen days before, so no single
 * owner can delete a season this way. Errors: 400 kept_too_short for an earlier day; 409 nobody_sat for a sample or a
 * draft.
 * @param keepUntil null: the society's default after the close
 */
export function setKeepUntil(
  organizer: OrganizerInTest,
  keepUntil: Date | null,
): Promise<{ keepUntil: Date | null }> {
  const { code } = organizer
  return act(organizer, 'keep-until', code, async (client) => {
    const row = await requireAssessment(client, organizer, 'change')
    const earliest = new Date(organizer.now.getTime() + WARNING_DAYS * DAY_MS)
    if (keepUntil !== null && keepUntil < earliest) {
      const sentence = `Choose a day at least ${WARNING_DAYS} days from now, so that owners have time to object.`
      throw refuse(400, 'kept_too_short', sentence)
    }
    if (row.isSample || row.isDraft) {
      throw refuse(409, 'nobody_sat', 'This test has no answers, so there is nothing to delete.')
    }
    const kept = (await readKept(client, [code])).get(code)
    const before = kept?.until ?? null
    const ownDay = kept?.hasOwnDay ? before : null
    if (ownDay?.getTime() === keepUntil?.getTime()) {
      return { result: { keepUntil: before }, detail: null }
    }
    const { rows } = await client.query<{ keepUntil: Date | null }>(
      sql`update assessments a set keep_until = ${keepUntil}, keep_warned_at = null
       from societies s where s.id = a.society_id and a.code = ${code}
       returning ${raw(KEPT_UNTIL)} as "keepUntil"`,
    )
    const result = rows[0] as { keepUntil: Date | null }
    return { result, detail: { keptUntilBefore: before, keptUntilAfter: result.keepUntil } }
  })
}
