import type { OptionLetter } from '../../../platform/options.ts'
import { againstRuling, type Ruled, type RulingOn, storedRuling } from '../../ruling.ts'
import { act, type Client, type Organiser, requireReason } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'
import {
  changesBetween,
  type Grades,
  type ResultChange,
  readGrades,
  summariseChanges,
} from './changed-results.ts'

export interface Regraded {
  item: number
  changes: ResultChange[]
}

/** What a ruling says besides. */
export interface RulingPress {
  /** of readRulingVersion, as it was when the consequences were computed */
  version?: number
  /** the proposal that this ruling takes on */
  proposal?: number
  /** where the line is from now on, where there is one */
  line?: number
}

/**
 * Rules on an item after the run (product 7.5.5, 7.5.6, 7.18.7). Results are derived, so they follow at once;
 * each ruling keeps everybody's result before and after it.
 * Errors: OrganiserRefusal.
 * @param item its number in the table, not on a candidate's shuffled paper
 */
export function regradeItem(
  organiser: Organiser,
  code: string,
  item: number,
  ruling: RulingOn,
  reason: string,
  press: RulingPress = {},
): Promise<Regraded> {
  return act(organiser, 'regrade', code, async (client) => {
    const why = requireReason(reason)
    await requireAssessment(client, code, 'change')
    await requireRulingVersion(client, code, press.version)
    const stored = await requireItem(client, code, item)
    const before = await readGrades(client, code)
    const rulingId = await storeRuling(client, organiser, { item: stored, ruling, why })
    const after = await readGrades(client, code)
    await keepResults(client, rulingId, before, after)
    if (press.proposal !== undefined) await adopt(client, organiser, stored.id, press.proposal)
    const line = press.line === undefined ? {} : await moveLine(client, organiser, code, press.line)
    const changes = changesBetween(before, after)
    return {
      result: { item, changes },
      detail: { item, ...ruling, reason: why, ...line, changes: summariseChanges(changes) },
    }
  })
}

/**
 * Takes one ruling back, so that results are what they would be without it (product 7.18.10).
 * Errors: OrganiserRefusal.
 */
export function withdrawRuling(
  organiser: Organiser,
  code: string,
  ruling: number,
  reason: string,
  version: number,
): Promise<Regraded> {
  return act(organiser, 'regrade', code, async (client) => {
    const why = requireReason(reason)
    await requireAssessment(client, code, 'change')
    await requireRulingVersion(client, code, version)
    const before = await readGrades(client, code)
    const { rows } = await client.query<{ item: number }>(
      `update item_rulings r set withdrawn_at = $3, withdrawn_by = $4, withdraw_reason = $5
       from assessment_items i
       where r.id = $2 and i.id = r.item_id and i.assessment = $1 and r.withdrawn_at is null
         and not r.is_proposal
       returning i.position as item`,
      [code, ruling, organiser.now, organiser.actor, why],
    )
    if (!rows[0]) throw new OrganiserRefusal('no_such_ruling', {})
    const { item } = rows[0]
    const changes = changesBetween(before, await readGrades(client, code))
    return {
      result: { item, changes },
      detail: { item, withdraw: ruling, reason: why, changes: summariseChanges(changes) },
    }
  })
}

/**
 * Proposes a ruling to an owner; it changes nothing (product 7.18.11).
 * Errors: OrganiserRefusal.
 */
export function proposeRuling(
  organiser: Organiser,
  code: string,
  item: number,
  ruling: RulingOn,
  reason: string,
  press: Pick<RulingPress, 'version'> = {},
): Promise<{ item: number }> {
  return act(organiser, 'propose-ruling', code, async (client) => {
    const why = requireReason(reason)
    await requireAssessment(client, code, 'change')
    await requireRulingVersion(client, code, press.version)
    const stored = await requireItem(client, code, item)
    await storeRuling(client, organiser, { item: stored, ruling, why, isProposal: true })
    return { result: { item }, detail: { item, ...ruling, reason: why } }
  })
}

/**
 * Declines a proposal, with a reason that its maker reads.
 * Errors: OrganiserRefusal.
 */
export function declineProposal(
  organiser: Organiser,
  code: string,
  proposal: number,
  reason: string,
): Promise<{ item: number }> {
  return act(organiser, 'decline-ruling', code, async (client) => {
    const why = requireReason(reason)
    await requireAssessment(client, code, 'change')
    const { rows } = await client.query<{ item: number }>(
      `update item_rulings r set withdrawn_at = $3, withdrawn_by = $4, withdraw_reason = $5
       from assessment_items i
       where r.id = $2 and i.id = r.item_id and i.assessment = $1 and r.withdrawn_at is null
         and r.is_proposal
       returning i.position as item`,
      [code, proposal, organiser.now, organiser.actor, why],
    )
    if (!rows[0]) throw new OrganiserRefusal('no_such_ruling', {})
    return { result: rows[0], detail: { ...rows[0], reason: why } }
  })
}

/** Grows with every ruling, proposal and withdrawal: consequences computed at another one are stale. */
export async function readRulingVersion(client: Client, code: string): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    `select (count(*) + count(r.withdrawn_at))::int as version
     from item_rulings r join assessment_items i on i.id = r.item_id where i.assessment = $1`,
    [code],
  )
  return rows[0]?.version ?? 0
}

/** Errors: OrganiserRefusal stale, with who ruled last. */
async function requireRulingVersion(client: Client, code: string, version: number | undefined) {
  if (version === undefined) return
  const stored = await readRulingVersion(client, code)
  if (stored === version) return
  const { rows } = await client.query<{ by: string; at: Date }>(
    `select actor as by, at from admin_actions
     where assessment = $1 and action in ('regrade', 'propose-ruling', 'decline-ruling')
     order by id desc limit 1`,
    [code],
  )
  const { by = null, at = null } = rows[0] ?? {}
  throw new OrganiserRefusal('stale', { assessment: code, version: stored, by, at })
}

/** Errors: OrganiserRefusal where the item stands so that it can't be ruled like this. */
async function storeRuling(
  client: Client,
  { actor, now }: Organiser,
  of: { item: StoredItem; ruling: RulingOn; why: string; isProposal?: boolean },
): Promise<number> {
  const { item, ruling, why, isProposal = false } = of
  const { kind, option } = storedRuling(ruling)
  const against = againstRuling(item, ruling)
  if (against === 'already_right') {
    throw new OrganiserRefusal(against, { item: item.position, option: option as OptionLetter })
  }
  if (against) throw new OrganiserRefusal(against, { item: item.position })
  const { rows } = await client.query<{ id: number }>(
    `insert into item_rulings (item_id, kind, accepted_option, reason, made_by, is_proposal, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [item.id, kind, option, why, actor, isProposal, now],
  )
  return (rows[0] as { id: number }).id
}

/** Keeps everybody's result before and after a ruling, whether it moved or not. */
async function keepResults(client: Client, ruling: number, before: Grades, after: Grades) {
  const kept = [...after].flatMap(([id, now]) => {
    const was = before.get(id)
    return was ? [{ id, was, now }] : []
  })
  await client.query(
    `insert into ruling_results (ruling_id, attempt_id, correct_before, incorrect_before, correct_after,
       incorrect_after)
     select $1, * from unnest($2::uuid[], $3::smallint[], $4::smallint[], $5::smallint[], $6::smallint[])`,
    [
      ruling,
      kept.map(({ id }) => id),
      kept.map(({ was }) => was.correct),
      kept.map(({ was }) => was.incorrect),
      kept.map(({ now }) => now.correct),
      kept.map(({ now }) => now.incorrect),
    ],
  )
}

/** The proposal is done: an owner's ruling took it on. Errors: OrganiserRefusal. */
async function adopt(
  client: Client,
  { now, actor }: Organiser,
  itemId: number,
  proposal: number,
): Promise<void> {
  const { rowCount } = await client.query(
    `update item_rulings set withdrawn_at = $3, withdrawn_by = $4
     where id = $1 and item_id = $2 and is_proposal and withdrawn_at is null`,
    [proposal, itemId, now, actor],
  )
  if (rowCount === 0) throw new OrganiserRefusal('no_such_ruling', {})
}

/** The line follows a question that was left out; where no line is drawn, nothing does. */
async function moveLine(
  client: Client,
  { now, actor }: Organiser,
  code: string,
  points: number,
): Promise<{ line?: number }> {
  const { rowCount } = await client.query(
    `update result_lines set points = $2, version = version + 1, changed_by = $3, changed_at = $4
     where assessment = $1`,
    [code, points, actor, now],
  )
  return rowCount === 1 ? { line: points } : {}
}

interface StoredItem extends Ruled {
  id: number
  position: number
  question: string
}

/** A question as it counts now. Errors: OrganiserRefusal where there is none of this number. */
export async function requireItem(
  client: Client,
  code: string,
  position: number,
): Promise<StoredItem> {
  const { rows } = await client.query<StoredItem>(
    `select i.id, i.position, i.question, i.correct_option as key, k.keys, k.is_void as "isVoid",
       k.is_full_marks as "isFullMarks"
     from assessment_items i join item_keys k on k.item_id = i.id
     where i.assessment = $1 and i.position = $2`,
    [code, position],
  )
  if (rows[0]) return rows[0]
  throw new OrganiserRefusal('no_such_item', { assessment: code, item: position })
}
