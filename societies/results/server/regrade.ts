import sql from 'sql-template-tag'
import type { Sendable } from '../../../platform/server/api.ts'
import { requireAssessment } from '../../access/server/assessments.ts'
import type { OrganizerInTest } from '../../access/server/serve-members.ts'
import type { TableItem } from '../../incidents/server/answer-table.ts'
import {
  changedOnly,
  compareResults,
  type ResultChange,
  summarizeChanges,
} from '../../incidents/server/changed-results.ts'
import { act, type Client, requireReason } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type { Ruling } from '../contract-analysis.ts'

/** The parts of a question that a ruling changes. */
type Ruled = Sendable<Pick<TableItem, 'key' | 'keys' | 'isVoid' | 'isFullMarks'>>

/** Says why a ruling can't be made, as code and message; null if it can. */
export function againstRuling(
  { key, keys, isVoid, isFullMarks }: Ruled,
  { kind, option }: Ruling,
): readonly [code: string, sentence: string] | null {
  const first = 'Withdraw that ruling first.'
  if (isVoid) return ['already_void', `The question is already left out. ${first}`]
  if (isFullMarks) return ['already_full_marks', `All candidates already have the point. ${first}`]
  if (kind === 'replace' && !keys.includes(key)) {
    return ['already_replaced', `The key was already replaced. ${first}`]
  }
  const isRight = kind === 'replace' ? option === key : kind === 'accept' && keys.includes(option)
  return isRight ? ['already_right', `${option} already counts as right.`] : null
}

/** Applies one more ruling to a question, exactly like the view item_keys. */
export function ruled<Item extends Ruled>(item: Item, { kind, option }: Ruling): Item {
  if (kind === 'void') return { ...item, isVoid: true }
  if (kind === 'full_marks') return { ...item, isFullMarks: true }
  if (kind === 'accept') return { ...item, keys: [...item.keys, option] }
  const accepted = item.keys.filter((one) => one !== item.key && one !== option)
  return { ...item, keys: [option, ...accepted] }
}

/** The log stores `{ accept: 'B' }` or `{ fullMarks: true }`. */
const logged = ({ kind, option }: Ruling) => ({
  [kind === 'full_marks' ? 'fullMarks' : kind]: option ?? true,
})

interface RulingPress {
  /** from readRulingVersion when the consequences were computed */
  version?: number | undefined
  /** the proposal that this ruling adopts */
  proposal?: number | undefined
  /** the new cut score, if there is one */
  line?: number | undefined
}

/**
 * Rules on a question after the test (product 7.5.5, 7.5.6, 7.18.7). Results are derived, so they change immediately.
 * Results before and after each ruling are stored. Errors: 400 reason_missing; 404 not_found; 409 stale,
 * no_such_ruling, or a code from againstRuling.
 * @param item question number in the table, not on a candidate's shuffled paper
 */
export function regradeItem(
  organizer: OrganizerInTest,
  item: number,
  ruling: Ruling,
  reason: string,
  press: RulingPress = {},
): Promise<{ changes: ResultChange[] }> {
  const { code, now, actor } = organizer
  return act(organizer, 'regrade', code, async (client) => {
    const why = await requireRuling(client, organizer, reason, press.version)
    const stored = await requireItem(client, code, item)
    const { done: rulingId, results } = await compareResults(client, code, () =>
      storeRuling(client, organizer, stored, ruling, why),
    )
    // This stores all results, changed or not.
    await client.query(
      sql`insert into ruling_results (ruling_id, attempt_id, correct_before, incorrect_before, correct_after,
         incorrect_after)
       select ${rulingId}, key::uuid, (value #>> '{before,correct}')::smallint,
       (value #>> '{before,incorrect}')::smallint,
         (value #>> '{after,correct}')::smallint, (value #>> '{after,incorrect}')::smallint
       from jsonb_each(${JSON.stringify(Object.fromEntries(results))})`,
    )
    if (press.proposal !== undefined) {
      const { rowCount } = await client.query(
        sql`update item_rulings set withdrawn_at = ${now}, withdrawn_by = ${actor}
         where id = ${press.proposal} and item_id = ${stored.id} and is_proposal and withdrawn_at is null`,
      )
      if (rowCount === 0) throw noSuchRuling()
    }
    let line: number | undefined
    if (press.line !== undefined) {
      if (ruling.kind !== 'void') {
        throw refuse(
          400,
          'bad_request',
          'You can change the cut score here only when you leave the question out.',
        )
      }
      const { rowCount } = await client.query(
        sql`update result_lines set points = ${press.line}, version = version + 1, changed_by = ${actor},
          changed_at = ${now}
         where assessment = ${code}`,
      )
      if (rowCount === 1) line = press.line
    }
    const changes = changedOnly(results)
    const detail = { item, ...logged(ruling), reason: why, line }
    return { result: { changes }, detail: { ...detail, changes: summarizeChanges(changes) } }
  })
}

/** Withdraws one ruling (product 7.18.10). Errors: 400 reason_missing; 409 stale, no_such_ruling. */
export function withdrawRuling(
  organizer: OrganizerInTest,
  ruling: number,
  reason: string,
  version: number,
): Promise<{ changes: ResultChange[] }> {
  const { code } = organizer
  return act(organizer, 'regrade', code, async (client) => {
    const why = await requireRuling(client, organizer, reason, version)
    const { done: item, results } = await compareResults(client, code, () =>
      takeBack(client, organizer, { id: ruling, why, isProposal: false }),
    )
    const changes = changedOnly(results)
    const detail = { item, withdraw: ruling, reason: why, changes: summarizeChanges(changes) }
    return { result: { changes }, detail }
  })
}

/** Proposes a ruling to an owner without changing anything (product 7.18.11). Errors: as regradeItem. */
export function proposeRuling(
  organizer: OrganizerInTest,
  item: number,
  ruling: Ruling,
  reason: string,
  version: number,
) {
  return act(organizer, 'propose-ruling', organizer.code, async (client) => {
    const why = await requireRuling(client, organizer, reason, version)
    const stored = await requireItem(client, organizer.code, item)
    await storeRuling(client, organizer, stored, ruling, why, true)
    return { result: {}, detail: { item, ...logged(ruling), reason: why } }
  })
}

/** Declines a proposal with a reason for its author. Errors: 400 reason_missing; 409 no_such_ruling. */
export function declineProposal(organizer: OrganizerInTest, proposal: number, reason: string) {
  return act(organizer, 'decline-ruling', organizer.code, async (client) => {
    const why = await requireRuling(client, organizer, reason)
    const item = await takeBack(client, organizer, { id: proposal, why, isProposal: true })
    return { result: {}, detail: { item, reason: why } }
  })
}

/** Confirms a key that seems wrong (product 7.18.12). Errors: 400 reason_missing; 404 not_found; 409 already_kept. */
export function keepKey(organizer: OrganizerInTest, item: number, reason: string) {
  return act(organizer, 'keep-key', organizer.code, async (client) => {
    const why = await requireRuling(client, organizer, reason)
    const { id } = await requireItem(client, organizer.code, item)
    const { rowCount } = await client.query(
      sql`insert into key_confirmations (item_id, reason, confirmed_by, confirmed_at)
       values (${id}, ${why}, ${organizer.actor}, ${organizer.now}) on conflict do nothing`,
    )
    if (rowCount === 0) {
      throw refuse(409, 'already_kept', `The key of question ${item} is already confirmed.`)
    }
    return { result: {}, detail: { item, reason: why } }
  })
}

/** Withdraws the confirmation, so the notice appears again. */
export function doubtKey(organizer: OrganizerInTest, item: number) {
  return act(organizer, 'doubt-key', organizer.code, async (client) => {
    await requireAssessment(client, organizer, 'change')
    const { id } = await requireItem(client, organizer.code, item)
    const { rowCount } = await client.query(
      sql`update key_confirmations set withdrawn_at = ${organizer.now}, withdrawn_by = ${organizer.actor}
       where item_id = ${id} and withdrawn_at is null`,
    )
    return { result: {}, detail: rowCount === 0 ? null : { item } }
  })
}

const noSuchRuling = () =>
  refuse(409, 'no_such_ruling', 'It was withdrawn, adopted or declined in the meantime.')

/**
 * Reads a version that grows with every ruling, proposal and withdrawal. Consequences from an older version are
 * stale.
 */
export async function readRulingVersion(client: Client, code: string): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    sql`select (count(*) + count(r.withdrawn_at))::int as version
     from item_rulings r join assessment_items i on i.id = r.item_id where i.assessment = ${code}`,
  )
  return rows[0]?.version ?? 0
}

/**
 * Locks the test and checks the version. Errors: 400 reason_missing; 409 stale with the member who ruled last.
 * @param version from readRulingVersion; any by default
 * @returns the reason
 */
async function requireRuling(
  client: Client,
  organizer: OrganizerInTest,
  reason: string,
  version?: number,
): Promise<string> {
  const { code } = organizer
  const why = requireReason(reason)
  await requireAssessment(client, organizer, 'change')
  if (version === undefined || version === (await readRulingVersion(client, code))) return why
  const { rows } = await client.query<{ by: string }>(
    sql`select actor as by from admin_actions
     where assessment = ${code} and action in ('regrade', 'propose-ruling', 'decline-ruling')
     order by id desc limit 1`,
  )
  const by = rows[0]?.by ?? ''
  const sentence = `${by || 'Another member'} has ruled on a question since you opened this. Check the new figures.`
  throw refuse(409, 'stale', sentence, { by })
}

/** Stores a ruling, or throws 409 with a code from againstRuling. */
async function storeRuling(
  client: Client,
  { actor, now }: OrganizerInTest,
  item: Ruled & { id: number; position: number },
  ruling: Ruling,
  why: string,
  isProposal = false,
): Promise<number> {
  const against = againstRuling(item, ruling)
  if (against) throw refuse(409, against[0], `Question ${item.position}: ${against[1]}`)
  const { rows } = await client.query<{ id: number }>(
    sql`insert into item_rulings (item_id, kind, accepted_option, reason, made_by, is_proposal, created_at)
     values (${item.id}, ${ruling.kind}, ${ruling.option}, ${why}, ${actor}, ${isProposal}, ${now}) returning id`,
  )
  return (rows[0] as { id: number }).id
}

/**
 * Withdraws a ruling or declines a proposal. Errors: 409 no_such_ruling.
 * @returns the question's number
 */
async function takeBack(
  client: Client,
  { code, now, actor }: OrganizerInTest,
  { id, why, isProposal }: { id: number; why: string; isProposal: boolean },
): Promise<number> {
  const { rows } = await client.query<{ item: number }>(
    sql`update item_rulings r set withdrawn_at = ${now}, withdrawn_by = ${actor}, withdraw_reason = ${why}
     from assessment_items i
     where r.id = ${id} and i.id = r.item_id and i.assessment = ${code} and r.withdrawn_at is null
       and r.is_proposal = ${isProposal}
     returning i.position as item`,
  )
  if (!rows[0]) throw noSuchRuling()
  return rows[0].item
}

/** Reads a question with its current key. Errors: 404 not_found. */
async function requireItem(client: Client, code: string, position: number) {
  const { rows } = await client.query<Ruled & { id: number; position: number }>(
    sql`select i.id, i.position, i.correct_option as key, k.keys, k.is_void as "isVoid",
       k.is_full_marks as "isFullMarks"
     from assessment_items i join item_keys k on k.item_id = i.id
     where i.assessment = ${code} and i.position = ${position}`,
  )
  if (rows[0]) return rows[0]
  throw refuse(404, 'not_found', 'There is no such question.')
}
