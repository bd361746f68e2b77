import { inTransaction } from '../../../platform/database/transaction.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { describeError } from '../../../platform/server/log.ts'
import { enqueueManyMails } from '../../../platform/server/mail-queue.ts'
import { startRepeating } from '../../../platform/server/repeating.ts'
import { act, type Client, type Organiser } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { BY_DATE, deleteAtOnce, emptyDeleted } from '../season.ts'

/** How long before the day owners are told, and the least time to object (product 7.21.2). */
export const WARNING_DAYS = 14
export const RETENTION_MAIL = 'retention'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Until when an assessment a of a society s is kept: its own date, else so long after its close. */
export const KEPT_UNTIL = `coalesce(a.keep_until, a.closes_at + s.retention_months * interval '1 month')`

/** Until when answers and names of an assessment are kept. */
export interface Kept {
  /** null: no day, since it never closes */
  until: Date | null
  /** a day of its own, not the society's months after the close */
  hasOwnDay: boolean
  /** when owners were told that the day is near */
  warnedAt: Date | null
}

/** The same of some assessments, by code; samples have no such day. */
export async function readKept(
  client: Client,
  codes: readonly string[],
): Promise<Map<string, Kept>> {
  const { rows } = await client.query<Kept & { code: string }>(
    `select a.code, ${KEPT_UNTIL} as until, a.keep_until is not null as "hasOwnDay",
       a.keep_warned_at as "warnedAt"
     from assessments a join societies s on s.id = a.society_id
     where a.code = any ($1) and not a.is_sample`,
    [codes],
  )
  return new Map(rows.map(({ code, ...kept }) => [code, kept]))
}

/** Assessments a whose answers and names are people's: samples and drafts have none. */
export const HOLDS_PEOPLE =
  'a.deleted_at is null and a.trial is null and not a.is_sample and not a.is_draft'

/**
 * Tells owners of a society fourteen days before its assessments are deleted by their date; where the service
 * was away, that much later. Who has no owner is not deleted, since nobody could object.
 * @returns the codes of which owners were told now
 */
export async function warnOfDeletion({
  db,
  now,
}: Pick<AppDependencies, 'db' | 'now'>): Promise<string[]> {
  return inTransaction(db, async (client) => {
    const at = now()
    const { rows } = await client.query<{ code: string; societyId: string }>(
      `select a.code, a.society_id as "societyId" from assessments a join societies s on s.id = a.society_id
       where ${HOLDS_PEOPLE} and a.keep_warned_at is null and ${KEPT_UNTIL} <= $1
         and exists (select from memberships m join users u on u.id = m.user_id
           where m.society_id = s.id and m.role = 'owner' and m.ended_at is null
             and u.deleting_since is null)
       order by a.code for no key update of a skip locked`,
      [new Date(at.getTime() + WARNING_DAYS * DAY_MS)],
    )
    await tellOwners(client, [...new Set(rows.map((row) => row.societyId))], at)
    await client.query('update assessments set keep_warned_at = $2 where code = any ($1)', [
      rows.map(({ code }) => code),
      at,
    ])
    return rows.map(({ code }) => code)
  })
}

/** However much they have heard already: what is deleted was told, and a letter names all that is near. */
async function tellOwners(client: Client, societies: readonly string[], now: Date): Promise<void> {
  const { rows: owners } = await client.query<{ recipient: string; about: string }>(
    `select distinct u.email as recipient, m.society_id as about
     from memberships m join users u on u.id = m.user_id
     where m.society_id = any ($1) and m.role = 'owner' and m.ended_at is null
       and u.deleting_since is null`,
    [societies],
  )
  await enqueueManyMails(client, { kind: RETENTION_MAIL, now, first: now, paceMs: 0 }, owners)
}

/**
 * Deletes for good what was to be kept until now, fourteen days after the warning at the earliest. The line
 * stays with its log, and numbers of its questions. Whatever can't be deleted yet, since somebody
 * is inside, waits for another round.
 * @returns the codes that were deleted
 */
export async function deleteByDate(
  { db, now, log }: Pick<AppDependencies, 'db' | 'now' | 'log'>,
  isStopped: () => boolean = () => false,
): Promise<string[]> {
  const deleted: string[] = []
  const { rows } = await db.$client.query<{ code: string }>(
    `select a.code from assessments a join societies s on s.id = a.society_id
     where ${HOLDS_PEOPLE} and a.keep_warned_at <= $2 and ${KEPT_UNTIL} <= $1 order by a.code`,
    [now(), new Date(now().getTime() - WARNING_DAYS * DAY_MS)],
  )
  for (const { code } of rows) {
    if (isStopped()) break
    const organiser: Organiser = { db, now: now(), actor: BY_DATE }
    try {
      await act(organiser, 'delete', code, async (client) => {
        const row = await requireAssessment(client, code, 'replace')
        return deleteAtOnce(client, organiser, row)
      })
      deleted.push(code)
    } catch (error) {
      // Another node was first, or somebody is inside.
      if (!(error instanceof OrganiserRefusal)) throw error
      log.info({ assessment: code, reason: error.code }, 'a deletion by its date waits')
    }
  }
  if (deleted.length > 0) await emptyDeleted(db, isStopped)
  return deleted
}

/** Warns and deletes now and then each hour until stopped; any number of nodes may. */
export function startSeasonRetention(dependencies: Pick<AppDependencies, 'db' | 'now' | 'log'>) {
  const { log } = dependencies
  return startRepeating(
    {
      everyMs: HOUR_MS,
      onError: (error) => log.warn({ error: describeError(error) }, 'keeping seasons failed'),
    },
    async (isStopped) => {
      await warnOfDeletion(dependencies)
      await deleteByDate(dependencies, isStopped)
    },
  )
}

/**
 * Sets until when an assessment is kept (product 7.21.1). Fourteen days from now at the earliest: all owners
 * are told first, so that nobody deletes a season alone by its date.
 * Errors: OrganiserRefusal for an earlier day, for a sample and a draft.
 * @param keepUntil null: as long as the society says after the close
 */
export function setKeepUntil(
  organiser: Organiser,
  code: string,
  keepUntil: Date | null,
): Promise<{ keepUntil: Date | null }> {
  return act(organiser, 'keep-until', code, async (client) => {
    const row = await requireAssessment(client, code, 'change')
    const earliest = new Date(organiser.now.getTime() + WARNING_DAYS * DAY_MS)
    if (keepUntil !== null && keepUntil < earliest) {
      throw new OrganiserRefusal('kept_too_short', { days: WARNING_DAYS })
    }
    if (row.isSample || row.isDraft) throw new OrganiserRefusal('nobody_sat', { assessment: code })
    const before = await readKeepUntil(client, code)
    await client.query(
      'update assessments set keep_until = $2, keep_warned_at = null where code = $1',
      [code, keepUntil],
    )
    const after = await readKeepUntil(client, code)
    return {
      result: { keepUntil: after },
      detail: { keptUntilBefore: before, keptUntilAfter: after },
    }
  })
}

async function readKeepUntil(client: Client, code: string): Promise<Date | null> {
  const { rows } = await client.query<{ until: Date | null }>(
    `select ${KEPT_UNTIL} as until from assessments a join societies s on s.id = a.society_id
     where a.code = $1`,
    [code],
  )
  return rows[0]?.until ?? null
}
