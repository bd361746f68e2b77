import sql, { raw } from 'sql-template-tag'
import type { BodyOf } from '../../../platform/endpoint.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import { countOf } from '../../../platform/words.ts'
import { requireAssessment } from '../../access/server/assessments.ts'
import type { MemberInTest, OrganizerInTest } from '../../access/server/serve-members.ts'
import { isFinished } from '../../incidents/server/answer-table.ts'
import { countUndecided } from '../../incidents/server/undecided.ts'
import { act, type Client, read } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type {
  excludeFromRanking as excludeCall,
  NamedCandidate,
  ResultLine,
  setResultLine,
} from '../contract.ts'

type Line = Sendable<ResultLine>

const LINE = `points, version, changed_by as "changedBy", changed_at as "changedAt",
  fixed_at as "fixedAt", fixed_by as "fixedBy"`

export const readLine = async (client: Client, code: string, lock?: 'change') =>
  (await readShown(client, code, lock)).line

/** Sets the cut score. Errors: 409 stale with the current one, line_fixed without a reason. */
export function setLine(
  organizer: OrganizerInTest,
  { version, points, reason }: BodyOf<typeof setResultLine>,
): Promise<Line> {
  const { code, actor, now } = organizer
  return act(organizer, 'set-line', code, async (client) => {
    // This locks the test, so two owners can't both set the first cut score.
    await requireAssessment(client, organizer, 'change')
    const before = await requireCurrent(client, code, version)
    if (before?.fixedAt && !reason) {
      throw refuse(409, 'line_fixed', 'The cut score is locked. Give a reason to change it.')
    }
    if (before?.points === points) return { result: before, detail: null }
    const { rows } = await client.query<Line>(
      sql`insert into result_lines (assessment, points, version, changed_by, changed_at)
       values (${code}, ${points}, 1, ${actor}, ${now})
       on conflict (assessment) do update set points = excluded.points,
         version = result_lines.version + 1, changed_by = excluded.changed_by,
         changed_at = excluded.changed_at
       returning ${raw(LINE)}`,
    )
    return {
      result: rows[0] as Line,
      detail: { before: before?.points ?? null, after: points, reason },
    }
  })
}

/**
 * Locks the cut score and the ranking. Later incidents only show next to a row (product 7.17.6). If it is already
 * locked, nothing changes. Errors: 409 stale with the current one, incidents_open, results_not_ready.
 */
export function fixLine(organizer: OrganizerInTest, version: number): Promise<Line> {
  const { code, actor, now } = organizer
  return act(organizer, 'fix-line', code, async (client) => {
    await requireAssessment(client, organizer, 'change')
    const before = await requireCurrent(client, code, version)
    await requireFinished(client, code, now)
    const open = before?.fixedAt ? 0 : (await countUndecided(client, code)).size
    if (open > 0) {
      const sentence = `Incidents of ${countOf(open, 'candidate')} are open. Decide them before you lock the cut score.`
      throw refuse(409, 'incidents_open', sentence)
    }
    const { rows } = await client.query<Line>(
      sql`update result_lines set fixed_at = coalesce(fixed_at, ${now}), fixed_by = coalesce(fixed_by, ${actor}),
         version = version + (fixed_at is null)::int
       where assessment = ${code} returning ${raw(LINE)}`,
    )
    const line = rows[0] as Line
    return { result: line, detail: before?.fixedAt ? null : { points: line.points } }
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

// Scores are shown without names (product 7.17.7). Every view of a single name is logged, and an owner can reveal all
// names once the cut score is locked.

const namedIn = (code: string) => sql`
  select c.id, c.username, c.name, c.email, c.room from candidates c
  join attempts a on a.candidate_id = c.id
  where c.assessment = ${code} and not a.is_demo and a.submitted_at is not null`

const coverIn = (one: NamedCandidate, { cover }: MemberInTest) => ({ ...one, id: cover(one.id) })

/**
 * Excludes a candidate from the ranking, or includes them again. Scores don't change. Errors: 404 not_found, 409
 * stale.
 */
export function excludeFromRanking(
  organizer: MemberInTest,
  candidateId: string,
  { isExcluded, reason }: BodyOf<typeof excludeCall>,
): Promise<{ done: true }> {
  const { code, now, actor } = organizer
  return act(organizer, isExcluded ? 'exclude' : 'include', code, async (client) => {
    await requireAssessment(client, organizer, 'change')
    const { rows } = await client.query<{ number: number }>(
      sql`select b.number from blind_numbers b join attempts a on a.candidate_id = b.candidate_id
        where b.assessment = ${code} and b.candidate_id = ${candidateId} and not a.is_demo
          and a.submitted_at is not null`,
    )
    if (!rows[0]) throw refuse(404, 'not_found', 'This candidate has no result.')
    const { rowCount } = await client.query(
      isExcluded
        ? sql`insert into ranking_exclusions (candidate_id, reason, excluded_by, excluded_at)
            values (${candidateId}, ${reason}, ${actor}, ${now}) on conflict do nothing`
        : sql`delete from ranking_exclusions where candidate_id = ${candidateId}`,
    )
    if (isExcluded && rowCount === 0) {
      const { rows: known } = await client.query<{ by: string; reason: string }>(
        sql`select excluded_by as by, reason from ranking_exclusions where candidate_id = ${candidateId}`,
      )
      if (known[0] && (known[0].by !== actor || known[0].reason !== reason)) {
        throw refuse(
          409,
          'stale',
          `${known[0].by} has already excluded this candidate. Reload the page.`,
        )
      }
    }
    const detail = rowCount === 0 ? null : { candidates: [rows[0].number], reason }
    return { result: { done: true }, detail }
  })
}

/** Throws 409 results_not_ready while a candidate can start or is taking the test. */
async function requireFinished(client: Client, code: string, now: Date): Promise<void> {
  const { rowCount } = await client.query(
    `select from assessments s where s.code = $1 and ${isFinished('s', '$2')}`,
    [code, now],
  )
  if (rowCount === 1) return
  const sentence =
    'Some candidates can still start, or are taking the test. Wait until all have finished.'
  throw refuse(409, 'results_not_ready', sentence)
}

/** Reveals the name of one blind number and logs it. Errors: 404 not_found. */
export function showName(organizer: MemberInTest, candidateId: string): Promise<NamedCandidate> {
  return act(organizer, 'show-name', organizer.code, async (client) => {
    await requireAssessment(client, organizer)
    const { rows } = await client.query<NamedCandidate>(
      sql`${namedIn(organizer.code)} and c.id = ${candidateId}`,
    )
    const [found] = rows
    if (!found) throw refuse(404, 'not_found', 'This candidate has no result.')
    return { result: coverIn(found, organizer), detail: { username: found.username } }
  })
}

/** Reveals all names next to the scores. Errors: 409 no_line, line_not_fixed, results_not_ready. */
export function showNames(organizer: OrganizerInTest): Promise<{ shownAt: Date }> {
  const { code, now, actor } = organizer
  return act(organizer, 'show-names', code, async (client) => {
    await requireAssessment(client, organizer)
    const { line, shownAt } = await readShown(client, code, 'change')
    if (!line) throw refuse(409, 'no_line', 'There is no cut score yet. Set it first.')
    if (!line.fixedAt) throw refuse(409, 'line_not_fixed', 'Lock the cut score first.')
    await requireFinished(client, code, now)
    const { rows } = await client.query<{ shownAt: Date }>(
      sql`update result_lines set names_shown_at = coalesce(names_shown_at, ${now}),
         names_shown_by = coalesce(names_shown_by, ${actor})
       where assessment = ${code} returning names_shown_at as "shownAt"`,
    )
    const detail = shownAt ? null : { points: line.points }
    return { result: rows[0] as { shownAt: Date }, detail }
  })
}

/** Lists the names by blind number. Errors: 409 names_covered until an owner reveals them. */
export function listNames(organizer: MemberInTest): Promise<{ names: NamedCandidate[] }> {
  const { code } = organizer
  return read(organizer, async (client) => {
    await requireAssessment(client, organizer)
    const { shownAt } = await readShown(client, code)
    if (!shownAt) throw refuse(409, 'names_covered', 'Names are hidden until an owner shows them.')
    const { rows } = await client.query<NamedCandidate>(
      sql`${namedIn(code)} order by lower(c.username)`,
    )
    return { names: rows.map((one) => coverIn(one, organizer)) }
  })
}

/**
 * Reads the cut score and when an owner revealed all names.
 * @param lock 'change' makes other organizers wait
 */
export async function readShown(client: Client, code: string, lock?: 'change') {
  const { rows } = await client.query<Line & { shownAt: Date | null; shownBy: string | null }>(
    `select ${LINE}, names_shown_at as "shownAt", names_shown_by as "shownBy"
     from result_lines where assessment = $1 ${lock ? 'for update' : ''}`,
    [code],
  )
  if (!rows[0]) return { line: null, shownAt: null, shownBy: null }
  const { shownAt, shownBy, ...line } = rows[0]
  return { line, shownAt, shownBy }
}

/** Actions that reveal the names of candidates next to their answers or scores. */
export const LOOKS = [
  'show-name',
  'results',
  'export-results',
  'answers',
  'dossier',
  'export-report',
]

/** Counts, by member, views of single names and exports with names before all names were revealed. */
export async function readLooks(client: Client, code: string) {
  const { rows } = await client.query<{ by: string; count: number }>(
    sql`select a.actor as by, count(*)::int as count from admin_actions a
     left join result_lines l on l.assessment = a.assessment
     where a.assessment = ${code} and a.action = any (${LOOKS}) and (l.names_shown_at is null or a.at < l.names_shown_at)
     group by a.actor order by 2 desc, 1`,
  )
  return rows
}
