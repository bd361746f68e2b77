import type { BodyOf } from '../../../platform/endpoint.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import { requireAssessment } from '../../access/server/assessments.ts'
import type { OrganiserInTest } from '../../access/server/serve-members.ts'
import { act, type Client } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type { ResultLine, setResultLine } from '../contract.ts'

/** A society's cut score (product 7.17.5), as pages get it. */
type Line = Sendable<ResultLine>

const LINE = `points, version, changed_by as "changedBy", changed_at as "changedAt",
  fixed_at as "fixedAt", fixed_by as "fixedBy"`

/**
 * The cut score, or null.
 * @param lock 'change' makes other organisers wait
 */
export async function readLine(
  client: Client,
  code: string,
  lock: 'none' | 'change' = 'none',
): Promise<Line | null> {
  const { rows } = await client.query<Line>(
    `select ${LINE} from result_lines where assessment = $1 ${lock === 'change' ? 'for update' : ''}`,
    [code],
  )
  return rows[0] ?? null
}

/**
 * Sets or changes the cut score.
 * Errors: 409 stale with the current one; 409 line_fixed without a reason once it is locked.
 */
export function setLine(
  organiser: OrganiserInTest,
  { version, points, reason }: BodyOf<typeof setResultLine>,
): Promise<Line> {
  const { code, actor, now } = organiser
  return act(organiser, 'set-line', code, async (client) => {
    // The test is locked, so that of two owners who set the first cut score one comes second.
    await requireAssessment(client, organiser, 'change')
    const before = await requireCurrent(client, code, version)
    if (before?.fixedAt && !reason) {
      throw refuse(409, 'line_fixed', 'The cut score is locked. Give a reason to change it.')
    }
    const { rows } = await client.query<Line>(
      `insert into result_lines (assessment, points, version, changed_by, changed_at)
       values ($1, $2, 1, $3, $4)
       on conflict (assessment) do update set points = excluded.points,
         version = result_lines.version + 1, changed_by = excluded.changed_by,
         changed_at = excluded.changed_at
       returning ${LINE}`,
      [code, points, actor, now],
    )
    return {
      result: rows[0] as Line,
      detail: { before: before?.points ?? null, after: points, reason },
    }
  })
}

/** Locks the cut score; locked already, it stays as it is. Errors: 409 stale with the current one. */
export function fixLine(organiser: OrganiserInTest, version: number): Promise<Line> {
  const { code, actor, now } = organiser
  return act(organiser, 'fix-line', code, async (client) => {
    await requireAssessment(client, organiser, 'change')
    await requireCurrent(client, code, version)
    const { rows } = await client.query<Line>(
      `update result_lines set fixed_at = coalesce(fixed_at, $2), fixed_by = coalesce(fixed_by, $3),
         version = version + (fixed_at is null)::int
       where assessment = $1 returning ${LINE}`,
      [code, now, actor],
    )
    const line = rows[0] as Line
    return { result: line, detail: { points: line.points } }
  })
}

async function requireCurrent(client: Client, code: string, version: number): Promise<Line | null> {
  const line = await readLine(client, code, 'change')
  if ((line?.version ?? 0) === version) return line
  const sentence = line
    ? `${line.changedBy} has set the cut score to ${line.points} since you opened this page.`
    : 'There is no cut score anymore. Reload the page.'
  throw refuse(409, 'stale', sentence, { line })
}
