import { ApiError } from '../../../platform/server/api.ts'
import type { Form } from '../../questions/two-forms.ts'
import { act, type Client, type Organiser, read } from '../action.ts'
import { readLine } from '../results/line.ts'
import { readComparisons } from './comparisons.ts'
import { totalOf } from './groups.ts'

/** Points that stand beside the unadjusted scores of a form, or of a whole assessment, for ever. */
export interface Shift {
  id: string
  /** whose scores; null: all of the assessment's */
  form: Form | null
  /** the form or session onto whose scale, as it was called */
  onto: string
  /** half points, added to each total */
  points: number
  interval: { low: number; high: number }
  /** of the interval's bootstrap */
  seed: number
  anchorCount: number
  reason: string
  appliedBy: string
  appliedAt: Date
  withdrawnBy: string | null
  withdrawnAt: Date | null
}

/** All shifts of an assessment's scores, the newest first; at most one stands. */
export async function listShifts(client: Client, code: string): Promise<Shift[]> {
  const { rows } = await client.query<
    Omit<Shift, 'form' | 'onto' | 'interval' | 'seed' | 'anchorCount'> & {
      basis: Pick<Shift, 'form' | 'interval' | 'seed' | 'anchorCount'> & { ontoName: string }
    }
  >(
    `select id, points::float8 as points, basis, reason, applied_by as "appliedBy", applied_at as "appliedAt",
       withdrawn_by as "withdrawnBy", withdrawn_at as "withdrawnAt"
     from score_shifts where assessment = $1 order by applied_at desc, id`,
    [code],
  )
  return rows.map(({ basis, ...row }) => {
    const { form, interval, seed, anchorCount, ontoName } = basis
    return { ...row, form, interval, seed, anchorCount, onto: ontoName }
  })
}

/**
 * The shift that stands (product 7.19.11), for whoever shows scores: `points` belong to those of `form`, or to
 * everybody where it is null, and are shown beside the unadjusted score. Null where none was applied.
 */
export async function readShift(client: Client, code: string): Promise<Shift | null> {
  return (await listShifts(client, code)).find(({ withdrawnAt }) => withdrawnAt === null) ?? null
}

export type ShiftLock = 'names_shown' | 'released' | 'still_inside'

const LOCKED: Readonly<Record<ShiftLock, string>> = {
  names_shown:
    'Names were shown beside these scores already. Who knows whom a shift would help cannot apply or withdraw one.',
  released:
    'These results were released already, so no shift can be applied or withdrawn any more.',
  still_inside: 'Somebody is still inside. A shift is computed when everybody is done.',
}

/** Why no shift can be applied or withdrawn; null while one can. */
export async function readShiftLock(client: Client, code: string): Promise<ShiftLock | null> {
  const { rows } = await client.query<{ lock: ShiftLock | null }>(
    `select case
       when exists (select from result_releases where assessment = $1 and withdrawn_at is null) then 'released'
       when exists (select from result_lines where assessment = $1 and names_shown_at is not null)
         then 'names_shown'
       when exists (select from attempts where assessment = $1 and not is_demo and submitted_at is null)
         then 'still_inside' end as lock`,
    [code],
  )
  return rows[0]?.lock ?? null
}

interface Place {
  societyId: string
  code: string
}
type Member = Organiser & { userId: string }

/**
 * An offered shift of this assessment's scores with what it does (product 7.19.11).
 * Errors: 404 no_such_comparison; 409 moves_the_other where it is the other session's scores that move,
 * no_shift where none is offered.
 */
async function computeShift(
  client: Client,
  member: Member,
  { societyId, code }: Place,
  id: string,
) {
  const { comparisons, groups } = await readComparisons(client, {
    ...{ societyId, code, userId: member.userId, now: member.now },
  })
  const found = comparisons.find((one) => one.id === id)
  const compared = groups.get(id)
  if (!found || !compared) {
    throw new ApiError(404, 'no_such_comparison', 'There is nothing to compare with any more.')
  }
  if (found.later.code !== code) {
    throw new ApiError(
      409,
      'moves_the_other',
      `${found.later.name} came later, so its scores would move. Open its own page.`,
    )
  }
  if (!found.offer) {
    throw new ApiError(409, 'no_shift', 'The numbers offer no shift any more. Nothing was changed.')
  }
  const { later } = compared
  const line = (await readLine(client, code))?.points ?? null
  const { points } = found.offer
  const totals = later.rows.map((row) => ({
    number: row.number,
    before: totalOf(later.items, row),
  }))
  return {
    comparison: found,
    offer: found.offer,
    name: found.later.name,
    onto: found.earlier.name,
    moved: totals.length,
    line,
    crossing:
      line === null
        ? []
        : totals
            .map(({ number, before }) => ({ number, before, after: before + points }))
            .filter(({ before, after }) => before >= line !== after >= line)
            .map((one) => ({ ...one, isIn: one.after >= line })),
    anchorCount: found.anchors.filter(({ isDropped }) => !isDropped).length,
  }
}

/** What an offered shift does, before it is applied. Errors: those of computeShift. */
export function previewShift(member: Member, place: Place, id: string) {
  return read(member, (client) => computeShift(client, member, place, id))
}

/**
 * Applies an offered shift, computed anew at this moment. The same id again does nothing.
 * Errors: those of computeShift; 409 names_shown, released, still_inside; 409 shift_stands beside one that was
 * not withdrawn; 409 stale where it is not the one that was previewed.
 */
export async function applyShift(
  member: Member,
  place: Place,
  asked: { id: string; comparison: string; points: number; moved: number; reason: string },
): Promise<Shift> {
  const earlier = await findShift(member.db.$client, place.code, asked.id)
  if (earlier) return earlier
  return act(member, 'apply-shift', place.code, async (client) => {
    await holdScores(client, place)
    const again = await findShift(client, place.code, asked.id)
    if (again) return { result: again, detail: { repeated: true } }
    await requireOpen(client, place.code)
    if (await readShift(client, place.code)) {
      throw new ApiError(
        409,
        'shift_stands',
        'A shift stands already. Withdraw it before another one is applied.',
      )
    }
    const found = await computeShift(client, member, place, asked.comparison)
    const { points, interval, seed } = found.offer
    if (points !== asked.points || found.moved !== asked.moved) {
      throw new ApiError(
        409,
        'stale',
        'The numbers have changed since you looked: a key was ruled on, or somebody came in. Look at them again.',
        { more: { points, moved: found.moved } },
      )
    }
    const { comparison, onto, name, anchorCount } = found
    const { reason } = asked
    const basis = {
      ...{ form: comparison.later.form, comparison: comparison.id, ontoName: onto, name },
      ...{ interval, seed, anchorCount, ...comparison.methods },
      anchors: comparison.anchors
        .filter(({ isDropped }) => !isDropped)
        .map(({ questionId }) => questionId),
    }
    await client.query(
      `insert into score_shifts (id, assessment, onto, points, basis, reason, applied_by, applied_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        ...[asked.id, place.code, comparison.earlier.code, points, JSON.stringify(basis), reason],
        ...[member.actor, member.now],
      ],
    )
    const applied = await findShift(client, place.code, asked.id)
    if (!applied) throw new Error('The shift that was just stored is gone.')
    return {
      result: applied,
      detail: { points, moved: found.moved, of: name, onto, seed, interval, reason },
    }
  })
}

/** Takes a shift back; it stays as a row. Errors: 404 no_such_shift; 409 of applyShift on names. */
export function withdrawShift(member: Member, place: Place, id: string): Promise<void> {
  return act(member, 'withdraw-shift', place.code, async (client) => {
    await holdScores(client, place)
    await requireOpen(client, place.code)
    const { rows } = await client.query<{ points: number }>(
      `update score_shifts set withdrawn_at = $3, withdrawn_by = $4
       where id = $1 and assessment = $2 and withdrawn_at is null returning points::float8 as points`,
      [id, place.code, member.now, member.actor],
    )
    if (!rows[0]) throw new ApiError(404, 'no_such_shift', 'This shift does not stand any more.')
    return { result: undefined, detail: { points: rows[0].points } }
  })
}

const findShift = async (client: Client, code: string, id: string) =>
  (await listShifts(client, code)).find((one) => one.id === id) ?? null

/** One after the other, and not while a line is fixed; no candidate's call waits for it. */
async function holdScores(client: Client, { societyId, code }: Place): Promise<void> {
  const { rowCount } = await client.query(
    'select from assessments where code = $1 and society_id = $2 for no key update',
    [code, societyId],
  )
  if (rowCount === 0) {
    throw new ApiError(404, 'not_found', 'There is no such assessment any more.')
  }
  await client.query('select from result_lines where assessment = $1 for update', [code])
}

async function requireOpen(client: Client, code: string): Promise<void> {
  const lock = await readShiftLock(client, code)
  if (lock) throw new ApiError(409, lock, LOCKED[lock])
}
