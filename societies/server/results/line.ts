import type { ResultLine } from '../../contract/results.ts'
import { act, type Client, type Organiser } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'

/** Where a society draws the line (product 7.17.5). */
export interface StoredLine {
  /** the least that is in, points */
  points: number
  version: number
  fixedAt: Date | null
  namesShownAt: Date | null
  namesShownBy: string | null
  shown: ResultLine
}

/**
 * The line; null where nobody drew one.
 * @param lock 'change' makes other organisers wait
 */
export async function readLine(
  client: Client,
  code: string,
  lock: 'none' | 'change' = 'none',
): Promise<StoredLine | null> {
  const { rows } = await client.query<
    Omit<StoredLine, 'shown'> & { changedBy: string; changedAt: Date; fixedBy: string | null }
  >(
    `select points, version, changed_by as "changedBy", changed_at as "changedAt",
       fixed_at as "fixedAt", fixed_by as "fixedBy", names_shown_at as "namesShownAt",
       names_shown_by as "namesShownBy"
     from result_lines where assessment = $1 ${lock === 'change' ? 'for update' : ''}`,
    [code],
  )
  const [row] = rows
  if (!row) return null
  const { points, version, changedBy, changedAt, fixedAt, fixedBy } = row
  return {
    ...{ points, version, fixedAt, namesShownAt: row.namesShownAt, namesShownBy: row.namesShownBy },
    shown: {
      ...{ points, version, changedBy, fixedBy },
      changedAt: changedAt.toISOString(),
      fixedAt: fixedAt?.toISOString() ?? null,
    },
  }
}

/**
 * Draws the line or moves it.
 * Errors: OrganiserRefusal, `stale_line` when somebody was first, with where it is now; `line_fixed` without a
 * reason once it is fixed.
 * @param given.version as it was read; 0: there was none
 */
export function setLine(
  organiser: Organiser,
  code: string,
  given: { version: number; points: number; reason?: string },
): Promise<ResultLine> {
  return act(organiser, 'set-line', code, async (client) => {
    // Held, so that of two who draw the first line one is second.
    await requireAssessment(client, code, 'change')
    const before = await requireCurrent(client, code, given.version)
    const reason = given.reason?.trim() || null
    if (before?.fixedAt && reason === null) throw new OrganiserRefusal('line_fixed', {})
    await client.query(
      `insert into result_lines (assessment, points, version, changed_by, changed_at)
       values ($1, $2, 1, $3, $4)
       on conflict (assessment) do update set points = excluded.points,
         version = result_lines.version + 1, changed_by = excluded.changed_by,
         changed_at = excluded.changed_at`,
      [code, given.points, organiser.actor, organiser.now],
    )
    return {
      result: (await requireLine(client, code)).shown,
      detail: {
        before: before?.points ?? null,
        after: given.points,
        ...(reason === null ? {} : { reason }),
      },
    }
  })
}

/**
 * Fixes the line: the choice is made.
 * Errors: OrganiserRefusal, `stale_line`; fixed already it stays as it is.
 */
export function fixLine(organiser: Organiser, code: string, version: number): Promise<ResultLine> {
  return act(organiser, 'fix-line', code, async (client) => {
    await requireAssessment(client, code, 'change')
    await requireCurrent(client, code, version)
    await client.query(
      `update result_lines set fixed_at = $2, fixed_by = $3, version = version + 1
       where assessment = $1 and fixed_at is null`,
      [code, organiser.now, organiser.actor],
    )
    const line = await requireLine(client, code)
    return { result: line.shown, detail: { points: line.points } }
  })
}

async function requireCurrent(client: Client, code: string, version: number) {
  const line = await readLine(client, code, 'change')
  if ((line?.version ?? 0) !== version) {
    throw new OrganiserRefusal('stale_line', { line: line?.shown ?? null })
  }
  return line
}

/** Errors: OrganiserRefusal where there is none. */
export async function requireLine(client: Client, code: string): Promise<StoredLine> {
  const line = await readLine(client, code, 'change')
  if (!line) throw new OrganiserRefusal('no_line', {})
  return line
}
