import sql, { raw } from 'sql-template-tag'
import type { Database } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { describeError } from '../../../platform/server/log.ts'
import { startRepeating } from '../../../platform/server/repeating.ts'
import type { AssessmentRow } from '../../access/server/assessments.ts'
import { type Client, type Done, note, type Organizer } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { removeUnusedPictures } from '../../questions/server/pictures.ts'
import { keepStatistics } from '../../results/server/fairness.ts'
import {
  BY_DATE,
  type Deleted,
  IS_RESTORABLE,
  markDeleted,
  RESTORE_DAYS,
} from '../../setup/server/mark-deleted.ts'

const DAY_MS = 24 * 3_600_000

/**
 * Deletes an assessment for good. Errors: 409 still_inside, can_be_started.
 * @param options.mayBeEndless deletes a test without an end too, because its time is over
 */
export async function deleteAtOnce(
  client: Client,
  organizer: Omit<Organizer, 'db'>,
  row: AssessmentRow,
  { mayBeEndless = false } = {},
): Promise<Done<Deleted>> {
  const { code, isDraft, isSample, lastStartAt } = row
  const done = await markDeleted(client, organizer, row)
  // Samples are always open and belong to no society.
  const canStart = lastStartAt === null ? !mayBeEndless : lastStartAt >= organizer.now
  if (!isDraft && !isSample && canStart) {
    throw refuse(409, 'can_be_started', `Candidates can still start ${code}.`)
  }
  await purge(client, code, organizer.now)
  return done
}

/**
 * Purges assessments that were deleted seven days ago, one by one.
 * @param isStopped called between them
 */
export async function purgeDeleted(
  { db, now }: Pick<AppDependencies, 'db' | 'now'>,
  isStopped: () => boolean = () => false,
): Promise<void> {
  let hasMore = true
  while (hasMore && !isStopped()) {
    const at = now()
    hasMore = await inTransaction(db, async (client) => {
      const { rows } = await client.query<{ code: string; societyId: string }>(
        sql`select a.code, a.society_id as "societyId"
         from assessment_deletions d join assessments a on ${raw(IS_RESTORABLE)}
         where d.requested_at <= ${new Date(at.getTime() - RESTORE_DAYS * DAY_MS)}
         order by d.requested_at limit 1 for no key update skip locked`,
      )
      if (!rows[0]) return false
      const { code, societyId } = rows[0]
      await purge(client, code, at)
      const by = { now: at, actor: BY_DATE }
      await note(client, by, { action: 'purge', societyId, code, detail: {} })
      return true
    })
  }
}

async function purge(client: Client, code: string, now: Date): Promise<void> {
  await keepStatistics(client, code, now)
  // Names and reasons ('dyslexia') must be deleted; the log line of the deletion only has numbers.
  await client.query(
    sql`update admin_actions set detail = '{}' where assessment = ${code} and action <> 'delete'`,
  )
  await client.query(
    sql`update assessment_deletions d set done_at = ${now},
       candidate_count = (select count(*) from candidates
         where assessment = ${code} and not is_demo and revoked_at is null),
       sat_count = (select count(*) from attempts where assessment = ${code} and not is_demo)
     from assessments a where a.code = ${code} and ${raw(IS_RESTORABLE)}`,
  )
}

/** Data that stays after the deletion: roles, deletions, numbers, and the fairness report with its release. */
const STAYING = [
  'memberships',
  'society_invitations',
  'assessment_deletions',
  'kept_statistics',
  'result_releases',
  'fairness_reports',
]
/** These are deleted first, because answers refer to items, and attempts to candidates. */
const FIRST = ['attempts', 'candidates']
/** Rows per transaction, including their dependents, for about 50 ms. An attempt has hundreds of dependents. */
const batchOf = (table: string) => (table === 'attempts' ? 20 : 500)

interface Reference {
  table: string
  column: string
}

/**
 * Empties purged assessments in batches.
 * @param isStopped called between them
 */
export async function emptyDeleted(
  db: Database,
  isStopped: () => boolean = () => false,
): Promise<void> {
  // The list comes from the foreign keys, so it includes new tables.
  const { rows: references } = await db.$client.query<Reference>(
    sql`select c.conrelid::regclass::text as "table", quote_ident(a.attname) as "column"
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'f' and c.confrelid = 'assessments'::regclass
       and c.conrelid::regclass::text <> all(${STAYING}::text[])
     order by array_position(${FIRST}::text[], c.conrelid::regclass::text) nulls last, 1`,
  )
  let hasMore = true
  while (hasMore && !isStopped()) {
    hasMore = await inTransaction(db, (client) => emptyBatch(client, references))
  }
}

/**
 * Deletes one batch of a purged assessment, unless another node is emptying it.
 * @returns whether there was one
 */
async function emptyBatch(client: Client, references: readonly Reference[]): Promise<boolean> {
  const holdsSomething = references
    .map(({ table, column }) => `exists (select from ${table} t where t.${column} = a.code)`)
    .join(' or ')
  const { rows } = await client.query<{ code: string; societyId: string; deletedAt: Date }>(
    `select a.code, a.society_id as "societyId", a.deleted_at as "deletedAt" from assessments a
     where a.deleted_at is not null
       and exists (select from assessment_deletions d where d.assessment = a.code and d.done_at is not null)
       and (a.is_draft or a.is_sample or ${holdsSomething})
     order by a.deleted_at limit 1 for no key update skip locked`,
  )
  if (!rows[0]) return false
  const { code, societyId, deletedAt } = rows[0]
  for (const { table, column } of references) {
    const limit = batchOf(table)
    const { rowCount } = await client.query(
      `delete from ${table} where ctid = any(array(
         select ctid from ${table} where ${column} = $1 limit ${limit} for update))`,
      [code],
    )
    if (rowCount === limit) return true
  }
  await removeUnusedPictures(client, societyId, deletedAt)
  await client.query('delete from assessments where code = $1 and (is_draft or is_sample)', [code])
  return true
}

/** Purges and empties deleted assessments every minute until stopped, on any number of nodes. */
export function startEmptying({ db, now, log }: Pick<AppDependencies, 'db' | 'now' | 'log'>) {
  return startRepeating(
    {
      everyMs: 60_000,
      onError: (error) =>
        log.warn({ error: describeError(error) }, 'deleting assessments is delayed'),
    },
    async (isStopped) => {
      await purgeDeleted({ db, now }, isStopped)
      await emptyDeleted(db, isStopped)
    },
  )
}
