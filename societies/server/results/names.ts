import type { NamedCandidate } from '../../contract/results.ts'
import { act, type Client, type Organiser, read } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { readLine, requireLine } from './line.ts'

// Scores are read without names (product 7.17.7): who wants one is noted, and all are shown when the choice is made.

const NAMED = `select c.id, c.username, c.name, c.email, c.room from candidates c
  join attempts a on a.candidate_id = c.id
  where c.assessment = $1 and not a.is_demo and a.submitted_at is not null`

/**
 * Who one blind number is. Each look is noted.
 * Errors: OrganiserRefusal where nobody of the assessment has this id and a result.
 */
export function showName(
  organiser: Organiser,
  code: string,
  candidateId: string,
): Promise<NamedCandidate> {
  return act(organiser, 'show-name', code, async (client) => {
    await requireAssessment(client, code)
    const { rows } = await client.query<NamedCandidate>(`${NAMED} and c.id = $2`, [
      code,
      candidateId,
    ])
    const [found] = rows
    if (!found) throw new OrganiserRefusal('no_such_candidate', {})
    return { result: found, detail: { username: found.username } }
  })
}

/**
 * Shows all names beside the scores from now on.
 * Errors: OrganiserRefusal as long as the line is not fixed.
 */
export function showNames(organiser: Organiser, code: string): Promise<{ shownAt: string }> {
  return act(organiser, 'show-names', code, async (client) => {
    await requireAssessment(client, code)
    const line = await requireLine(client, code)
    if (!line.fixedAt) throw new OrganiserRefusal('line_not_fixed', {})
    await client.query(
      `update result_lines set names_shown_at = coalesce(names_shown_at, $2),
         names_shown_by = coalesce(names_shown_by, $3)
       where assessment = $1`,
      [code, organiser.now, organiser.actor],
    )
    const shownAt = line.namesShownAt ?? organiser.now
    return { result: { shownAt: shownAt.toISOString() }, detail: { points: line.points } }
  })
}

/**
 * Who the blind numbers are.
 * Errors: OrganiserRefusal as long as the names are covered.
 */
export function listNames(
  organiser: Organiser,
  code: string,
): Promise<{ names: NamedCandidate[] }> {
  return read(organiser, async (client) => {
    await requireAssessment(client, code)
    const line = await readLine(client, code)
    if (!line?.namesShownAt) throw new OrganiserRefusal('names_covered', {})
    const { rows } = await client.query<NamedCandidate>(`${NAMED} order by lower(c.username)`, [
      code,
    ])
    return { names: rows }
  })
}

/** What an organiser does that shows who candidates are beside their answers or scores. */
const LOOKS = ['show-name', 'results', 'export-results', 'answers', 'dossier', 'export-report']

/** Who looked at single names, or took a file with names, before all were shown, and how often. */
export async function readLooks(client: Client, code: string) {
  const { rows } = await client.query<{ by: string; count: number }>(
    `select a.actor as by, count(*)::int as count from admin_actions a
     left join result_lines l on l.assessment = a.assessment
     where a.assessment = $1 and a.action = any ($2) and (l.names_shown_at is null or a.at < l.names_shown_at)
     group by a.actor order by 2 desc, 1`,
    [code, LOOKS],
  )
  return rows
}
