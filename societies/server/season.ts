import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Database } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { describeError } from '../../platform/server/log.ts'
import { startRepeating } from '../../platform/server/repeating.ts'
import { act, type Client, type Done, type Organiser } from './action.ts'
import { type AssessmentRow, requireAssessment } from './assessments.ts'
import { removeDemoCandidates } from './authoring/demo.ts'
import { removeUnusedPictures } from './questions/pictures.ts'
import { OrganiserRefusal } from './refusal.ts'
import { keepStatistics } from './seasons/kept-statistics.ts'

/*
 * An assessment goes in two steps, as an account does (accounts/server/deletion.ts):
 *
 *   mark    one short transaction: nobody can start it, nobody sees it, the log forgets names and reasons
 *   empty   batch by batch, each a transaction of its own, on any node. Its line stays, grey; a draft's and
 *           a sample's goes last. A node that dies in between leaves the rest to the next round of any other
 */

export interface Deleted {
  candidates: number
  attempts: number
  events: number
  items: number
}

/**
 * Deletes an assessment at the keyboard, where whoever runs the server needs no second owner: attempts with
 * answers and events, candidates, items. Its line stays, and in the audit log what was done and when, without
 * names and reasons; of a draft and a sample the line goes too.
 * Errors: OrganiserRefusal, also while somebody is inside or can start (product 7.5.8).
 * @param confirm the code once more, as somebody who means it has typed it
 */
export async function deleteAssessment(
  organiser: Organiser,
  code: string,
  confirm: string,
): Promise<Deleted> {
  requireConfirmation(code, confirm)
  const deleted = await act(organiser, 'delete', code, async (client) =>
    markDeleted(client, organiser, await requireAssessment(client, code, 'replace')),
  )
  await emptyDeleted(organiser.db)
  return deleted
}

/**
 * Makes an assessment one that is deleted, in the caller's transaction, which holds it against starts.
 * Errors: OrganiserRefusal while somebody is inside or can start.
 */
export async function markDeleted(
  client: Client,
  { now, actor, userId }: Omit<Organiser, 'db'>,
  row: AssessmentRow,
): Promise<Done<Deleted>> {
  await requireDeletable(client, row, now)
  const { code } = row
  await keepStatistics(client, code, now)
  const { rows } = await client.query<Deleted & { sat: number; listed: number }>(
    `select (select count(*)::int from candidates where assessment = $1) as candidates,
       (select count(*)::int from attempts where assessment = $1) as attempts,
       (select count(*)::int from attempt_events e join candidates c on c.id = e.candidate_id
         where c.assessment = $1) as events,
       (select count(*)::int from assessment_items where assessment = $1) as items,
       (select count(*)::int from attempts where assessment = $1 and not is_demo) as sat,
       (select count(*)::int from candidates where assessment = $1 and not is_demo
         and revoked_at is null) as listed`,
    [code],
  )
  const { sat, listed, ...deleted } = rows[0] as Deleted & { sat: number; listed: number }
  await client.query(
    'update assessments set deleted_at = $2, content_hash = null, version = version + 1 where code = $1',
    [code, now],
  )
  // Names and reasons ('dyslexia') are what a deletion is for.
  await client.query(`update admin_actions set detail = '{}' where assessment = $1`, [code])
  const done = await client.query(
    `update assessment_deletions set done_at = $2, done_by_name = $3, candidate_count = $4, sat_count = $5
     where assessment = $1 and done_at is null and withdrawn_at is null`,
    [code, now, actor, listed, sat],
  )
  if (done.rowCount === 0) {
    await client.query(
      `insert into assessment_deletions (id, assessment, requested_at, requested_by, requested_by_name,
         is_alone, done_at, done_by_name, candidate_count, sat_count)
       values ($1, $2, $3, $4, $5, false, $3, $5, $6, $7)`,
      [randomUUID(), code, now, userId ?? null, actor, listed, sat],
    )
  }
  return { result: deleted, detail: { ...deleted } }
}

/** Errors: OrganiserRefusal while somebody is inside, or can start, now or later. */
export async function requireDeletable(
  client: Client,
  { code, isDraft, isSample, closesAt }: AssessmentRow,
  now: Date,
): Promise<void> {
  const { rows } = await client.query<{ username: string }>(
    `select c.username from attempts a join candidates c on c.id = a.candidate_id
     where a.assessment = $1 and a.submitted_at is null and not a.is_demo
     order by a.deadline_at limit 1`,
    [code],
  )
  if (rows[0]) {
    throw new OrganiserRefusal('still_inside', { assessment: code, username: rows[0].username })
  }
  // Samples are always open, and nobody's.
  if (isDraft || isSample || (closesAt !== null && closesAt < now)) return
  throw new OrganiserRefusal('can_be_started', { assessment: code })
}

/**
 * Deletes the demo candidates of an assessment and what they did; everything else stays.
 * Errors: OrganiserRefusal.
 */
export function deleteDemo(organiser: Organiser, code: string, confirm: string): Promise<number> {
  return act(organiser, 'delete-demo', code, async (client) => {
    requireConfirmation(code, confirm)
    await requireAssessment(client, code, 'change')
    const candidates = await removeDemoCandidates(client, code)
    return { result: candidates, detail: { candidates } }
  })
}

/** Errors: OrganiserRefusal where the code was not typed a second time. */
export function requireConfirmation(code: string, confirm: string): void {
  if (confirm !== code) throw new OrganiserRefusal('not_confirmed', { assessment: code })
}

/**
 * What stays with the line of a deleted assessment: who had a role for it, who had it deleted, numbers, and
 * that its results were released.
 */
const STAYING = [
  ...['membership_assessments', 'invitation_assessments', 'assessment_deletions'],
  // the fairness report, and whether it may be public
  ...['kept_statistics', 'result_releases', 'fairness_reports'],
]
/** What has to go before the rest: answers refer to items, attempts to candidates. */
const FIRST = ['attempts', 'candidates']
/** Rows that one transaction deletes with all that hangs on them: some 50 ms. An attempt has hundreds. */
const BATCH_ROWS = { attempts: 20, others: 500 }
const ROUND_MS = 60_000

interface Reference {
  table: string
  column: string
}

/** As the foreign keys say it, so that no new table is forgotten. */
async function referencesToAssessments(db: Database): Promise<Reference[]> {
  const { rows } = await db.$client.query<Reference>(
    `select c.conrelid::regclass::text as "table", quote_ident(a.attname) as "column"
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'f' and c.confrelid = 'assessments'::regclass
       and c.conrelid::regclass::text <> all($1::text[])
     order by array_position($2::text[], c.conrelid::regclass::text) nulls last, 1`,
    [STAYING, FIRST],
  )
  return rows
}

/**
 * Takes away what deleted assessments held, in batches.
 * @param stopped asked between the batches
 */
export async function emptyDeleted(
  db: Database,
  stopped: () => boolean = () => false,
): Promise<void> {
  const references = await referencesToAssessments(db)
  while (!stopped()) {
    if ((await inTransaction(db, (client) => emptyBatch(client, references))) === 'nothing') return
  }
}

/** One batch of a deleted assessment that no other node is at. */
async function emptyBatch(
  client: pg.PoolClient,
  references: readonly Reference[],
): Promise<'nothing' | 'more'> {
  const holdsSomething = references
    .map(({ table, column }) => `exists (select from ${table} t where t.${column} = a.code)`)
    .join(' or ')
  const { rows } = await client.query<{ code: string; societyId: string; deletedAt: Date }>(
    `select a.code, a.society_id as "societyId", a.deleted_at as "deletedAt" from assessments a
     where a.deleted_at is not null and (a.is_draft or a.is_sample or ${holdsSomething})
     order by a.deleted_at limit 1 for no key update skip locked`,
  )
  if (!rows[0]) return 'nothing'
  const { code, societyId, deletedAt } = rows[0]
  for (const { table, column } of references) {
    const limit = table === 'attempts' ? BATCH_ROWS.attempts : BATCH_ROWS.others
    const { rowCount } = await client.query(
      `delete from ${table} where ctid = any(array(
         select ctid from ${table} where ${column} = $1 limit ${limit} for update))`,
      [code],
    )
    if (rowCount === limit) return 'more'
  }
  await removeUnusedPictures(client, societyId, deletedAt)
  await client.query('delete from assessments where code = $1 and (is_draft or is_sample)', [code])
  return 'more'
}

/** Empties deleted assessments as long as it is not stopped; any number of nodes may. */
export function startEmptying({ db, log }: Pick<AppDependencies, 'db' | 'log'>) {
  return startRepeating(
    {
      everyMs: ROUND_MS,
      onError: (error) => log.warn({ error: describeError(error) }, 'deleting assessments waits'),
    },
    (isStopped) => emptyDeleted(db, isStopped),
  )
}
