import { randomUUID } from 'node:crypto'
import { act, type Client, type Organiser, read } from '../action.ts'
import { type AssessmentRow, type Place, requireAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { type Deleted, markDeleted, requireConfirmation, requireDeletable } from '../season.ts'
import { IN_FORCE } from '../team/guard.ts'
import { requireVersion } from './version.ts'

/** How long a second owner may confirm, and how long one who is alone waits (product 7.8.9). */
export const CONFIRM_MS = 24 * 3_600_000
/** How long one who is alone may carry it out then. */
const ALONE_MS = 7 * 24 * 3_600_000

interface Request {
  id: string
  requestedBy: string | null
  requestedByName: string
  requestedAt: Date
  isAlone: boolean
}

/** Somebody's wish to delete an assessment, as a member sees it. */
export interface DeletionRequest {
  by: string
  at: Date
  /** from when the one who looks may carry it out; null: never, somebody else has to */
  mayConfirmFrom: Date | null
  /** until when it stands */
  until: Date
}

export interface DeletionFacts {
  version: number
  isDraft: boolean
  /** why not now */
  obstacle: 'still_inside' | 'can_be_started' | null
  questionCount: number
  candidateCount: number
  attemptCount: number
  /** who may confirm, the one who looks among them */
  ownerCount: number
  request: DeletionRequest | null
}

/** What a deletion would take away, and who wants it (product 7.8.9). Errors: OrganiserRefusal. */
export function readDeletion(
  organiser: Organiser & { userId: string },
  place: Place,
): Promise<DeletionFacts> {
  return read(organiser, async (client) => {
    const row = await requireAssessment(client, place)
    const { rows } = await client.query<
      Pick<DeletionFacts, 'questionCount' | 'candidateCount' | 'attemptCount'>
    >(
      `select (select count(*)::int from assessment_items where assessment = $1) as "questionCount",
         (select count(*)::int from candidates where assessment = $1 and not is_demo)
           as "candidateCount",
         (select count(*)::int from attempts where assessment = $1 and not is_demo) as "attemptCount"`,
      [row.code],
    )
    const ownerCount = await countOwners(client, row.societyId, organiser.now)
    const request = await getRequest(client, row.code, organiser.now)
    return {
      version: row.version,
      isDraft: row.isDraft,
      obstacle: await obstacleOf(client, row, organiser.now),
      ...(rows[0] as (typeof rows)[number]),
      ownerCount,
      request: request && {
        by: request.requestedByName,
        at: request.requestedAt,
        mayConfirmFrom: confirmableFrom(request, organiser.userId, ownerCount),
        until: endOf(request),
      },
    }
  })
}

async function obstacleOf(client: Client, row: AssessmentRow, now: Date) {
  try {
    await requireDeletable(client, row, now)
    return null
  } catch (error) {
    if (!(error instanceof OrganiserRefusal)) throw error
    return error.code as 'still_inside' | 'can_be_started'
  }
}

/**
 * Deletes a draft, which nobody has sat, at once and with its line.
 * Errors: OrganiserRefusal not_confirmed, is_no_draft, stale, still_inside.
 * @param confirm the code, typed
 */
export function deleteDraft(
  organiser: Organiser,
  place: Place,
  { version, confirm }: { version: number; confirm: string },
): Promise<Deleted> {
  requireConfirmation(place.code, confirm)
  return act(organiser, 'delete', place.code, async (client) => {
    const row = await requireAssessment(client, place, 'replace')
    await requireVersion(client, row, version)
    if (!row.isDraft) throw new OrganiserRefusal('is_no_draft', { assessment: row.code })
    return markDeleted(client, organiser, row)
  })
}

/**
 * Asks for the deletion of an assessment that is over (product 7.8.9); a second owner confirms it.
 * Errors: OrganiserRefusal not_confirmed, is_draft, stale, deletion_asked, and those of requireDeletable.
 */
export function requestDeletion(
  organiser: Organiser & { userId: string },
  place: Place,
  { version, confirm }: { version: number; confirm: string },
): Promise<void> {
  requireConfirmation(place.code, confirm)
  const { now, userId, actor } = organiser
  return act(organiser, 'ask-to-delete', place.code, async (client) => {
    const row = await requireAssessment(client, place, 'change')
    await requireVersion(client, row, version)
    if (row.isDraft) throw new OrganiserRefusal('is_draft', { assessment: row.code })
    await requireDeletable(client, row, now)
    const earlier = await getRequest(client, row.code, now)
    if (earlier) {
      const by = earlier.requestedByName
      throw new OrganiserRefusal('deletion_asked', { assessment: row.code, by })
    }
    // One that ran out is no request, and makes room.
    await closeRequest(client, row.code, now)
    const isAlone = (await countOwners(client, row.societyId, now)) < 2
    await client.query(
      `insert into assessment_deletions
         (id, assessment, requested_at, requested_by, requested_by_name, is_alone)
       values ($1, $2, $3, $4, $5, $6)`,
      [randomUUID(), row.code, now, userId, actor, isAlone],
    )
    return { result: undefined, detail: { isAlone } }
  })
}

/**
 * Carries out what another owner asked for, or what one asked for who is alone, a day later.
 * Errors: OrganiserRefusal not_confirmed, no_deletion_asked, second_owner_needed, deletion_too_early, and those
 * of requireDeletable.
 */
export function confirmDeletion(
  organiser: Organiser & { userId: string },
  place: Place,
  confirm: string,
): Promise<Deleted> {
  requireConfirmation(place.code, confirm)
  const { now, userId } = organiser
  return act(organiser, 'delete', place.code, async (client) => {
    const row = await requireAssessment(client, place, 'replace')
    const { code } = row
    const request = await getRequest(client, code, now)
    if (!request) throw new OrganiserRefusal('no_deletion_asked', { assessment: code })
    const owners = await countOwners(client, row.societyId, now)
    const from = confirmableFrom(request, userId, owners)
    if (!from) throw new OrganiserRefusal('second_owner_needed', { assessment: code })
    if (now < from) throw new OrganiserRefusal('deletion_too_early', { assessment: code, from })
    return markDeleted(client, organiser, row)
  })
}

/** Takes a wish to delete back, anybody's. Errors: OrganiserRefusal no_deletion_asked. */
export function withdrawDeletion(organiser: Organiser, place: Place): Promise<void> {
  return act(organiser, 'keep', place.code, async (client) => {
    const { code } = await requireAssessment(client, place, 'change')
    if (!(await getRequest(client, code, organiser.now))) {
      throw new OrganiserRefusal('no_deletion_asked', { assessment: code })
    }
    await closeRequest(client, code, organiser.now)
    return { result: undefined, detail: {} }
  })
}

/** The request that stands now, or null. */
async function getRequest(client: Client, code: string, now: Date): Promise<Request | null> {
  const { rows } = await client.query<Request>(
    `select id, requested_by as "requestedBy", requested_by_name as "requestedByName",
       requested_at as "requestedAt", is_alone as "isAlone"
     from assessment_deletions
     where assessment = $1 and withdrawn_at is null and done_at is null`,
    [code],
  )
  return rows[0] && endOf(rows[0]) > now ? rows[0] : null
}

/** When a request runs out. */
export function endOf({ requestedAt, isAlone }: Pick<Request, 'requestedAt' | 'isAlone'>): Date {
  return new Date(requestedAt.getTime() + CONFIRM_MS + (isAlone ? ALONE_MS : 0))
}

/** From when a member may carry a request out: another owner at once, one who was alone and is still, a day later. */
function confirmableFrom(request: Request, userId: string, ownerCount: number): Date | null {
  if (request.requestedBy !== userId) return request.requestedAt
  if (!request.isAlone || ownerCount > 1) return null
  return new Date(request.requestedAt.getTime() + CONFIRM_MS)
}

function closeRequest(client: Client, code: string, now: Date) {
  return client.query(
    `update assessment_deletions set withdrawn_at = $2
     where assessment = $1 and withdrawn_at is null and done_at is null`,
    [code, now],
  )
}

async function countOwners(client: Client, societyId: string, now: Date): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(distinct m.user_id)::int as count from memberships m join users u on u.id = m.user_id
     where m.society_id = $1 and m.role = 'owner' and ${IN_FORCE(2)} and not u.is_anonymous`,
    [societyId, now],
  )
  return rows[0]?.count ?? 0
}
