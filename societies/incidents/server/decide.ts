import type { BodyOf } from '../../../platform/endpoint.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { act, type Client } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type { decideIncidents as endpoint } from '../contract.ts'
import { type JudgedIncident, readIncidents, standingVerdict } from './read-incidents.ts'

type Decision = BodyOf<typeof endpoint>
type Judged = Decision['incidents'][number] & { number: number | null; found: JudgedIncident }

export const incidentGone = () => refuse(404, 'not_found', 'This incident no longer exists.')

/**
 * Decides incidents with one verdict and one reason (product 7.16.5, 7.16.7): all or none of them. After a talk the
 * verdict replaces the one that asked for it (7.16.11). The result's `cheated` stays as it is.
 * Errors: 404 not_found; 409 no_verdict_asked, already_decided; 409 stale with `by` where another verdict counts
 * than the page knew; 403 own_report.
 */
export function decideIncidents(
  member: MemberInTest,
  { incidents, verdict, reason }: Decision,
): Promise<{ decided: number }> {
  const { code, now, actor, userId } = member
  return act(member, 'decide-incident', code, async (client) => {
    const judged = await hold(client, code, incidents)
    const open = judged.filter(({ id, found }) => standingVerdict(found.verdicts)?.id !== id)
    for (const one of open) {
      requireJudge(member, one.found)
      requireUnchanged(one)
    }
    // A verdict that asked for a talk makes room for the new one; its row stays.
    await client.query(
      `update incident_verdicts set withdrawn_at = $2, withdrawn_by = $3
       where id = any ($1::uuid[]) and withdrawn_at is null`,
      [open.flatMap(({ known }) => known ?? []), now, actor],
    )
    const { rowCount } = await client.query(
      `insert into incident_verdicts (id, candidate_id, incident, verdict, reason, decided_by, user_id, decided_at)
       select id, candidate, incident, $4, $5, $6, $7, $8
       from unnest($1::uuid[], $2::uuid[], $3::text[]) as one (id, candidate, incident)
       on conflict (id) do nothing`,
      [
        open.map(({ id }) => id),
        open.map(({ candidate }) => candidate),
        open.map(({ incident }) => incident),
        verdict,
        reason,
        actor,
        userId,
        now,
      ],
    )
    // The id of another incident's verdict: our pages never send it.
    if (rowCount !== open.length) throw refuse(409, 'stale', 'Reload the page and try again.')
    return {
      result: { decided: judged.length },
      detail: {
        // By number, because names may be hidden.
        candidates: [...new Set(judged.map(({ number }) => number))],
        incidents: judged.map(({ incident }) => incident),
        verdict,
        reason,
        ...(open.length === 0 ? { again: true } : {}),
      },
    }
  })
}

/** Locks the candidates, and reads their incidents then, each once. Errors: 404 not_found. */
async function hold(client: Client, code: string, named: Decision['incidents']): Promise<Judged[]> {
  const ids = [...new Set(named.map(({ candidate }) => candidate))]
  await lockCandidates(client, code, ids)
  const candidates = await readIncidents(client, code, { only: ids })
  const byId = new Map(candidates.map((one) => [one.candidateId, one]))
  const once = new Map(named.map((one) => [`${one.candidate} ${one.incident}`, one]))
  return [...once.values()].map((one) => {
    const candidate = byId.get(one.candidate)
    const found = candidate?.incidents.find(({ name }) => name === one.incident)
    if (!candidate || !found) throw incidentGone()
    return { ...one, number: candidate.number, found }
  })
}

/** Errors: 409 no_verdict_asked; 403 own_report for the member who reported it and is no owner. */
function requireJudge({ extent, userId }: MemberInTest, incident: JudgedIncident): void {
  if (!incident.asks && !incident.strike) {
    throw refuse(409, 'no_verdict_asked', 'This never counted, so it needs no decision.')
  }
  if (extent !== 'all' && incident.report?.userId === userId) {
    throw refuse(
      403,
      'own_report',
      'You reported this incident, so another reviewer has to decide it.',
    )
  }
}

/** Errors: 409 stale, already_decided. */
function requireUnchanged({ found, known }: Judged): void {
  const standing = standingVerdict(found.verdicts)
  if ((standing?.id ?? null) !== known) {
    const message = standing
      ? `${standing.by} has already decided this. Reload to see the decision.`
      : 'The decision was taken back. Reload to see the incident.'
    throw refuse(409, 'stale', message, { by: standing?.by ?? null })
  }
  if (standing && found.state !== 'needs_talk') {
    throw refuse(
      409,
      'already_decided',
      'This is already decided. To change the decision, take it back first.',
    )
  }
}

/** Makes other decisions about these candidates wait, but not the candidates. Errors: 404 not_found. */
export async function lockCandidates(
  client: Client,
  code: string,
  ids: readonly string[],
): Promise<void> {
  const { rowCount } = await client.query(
    `select from candidates where assessment = $1 and id = any ($2::uuid[]) and not is_demo
     order by id for no key update`,
    [code, ids],
  )
  if (rowCount !== ids.length) throw incidentGone()
}

/**
 * Takes a verdict back; the row stays (product 7.16.6).
 * Errors: 404 not_found; 403 not_yours for another member's, except to an owner.
 */
export function withdrawVerdict(member: MemberInTest, verdict: string): Promise<{ done: true }> {
  const { code, extent, userId, now, actor } = member
  return act(member, 'withdraw-verdict', code, async (client) => {
    const { rows } = await client.query<{
      candidate: string
      incident: string
      userId: string | null
      number: number | null
    }>(
      `select v.candidate_id as candidate, v.incident, v.user_id as "userId", b.number
       from incident_verdicts v join candidates c on c.id = v.candidate_id
       left join blind_numbers b on b.candidate_id = c.id and b.assessment = c.assessment
       where v.id = $1 and c.assessment = $2 and v.withdrawn_at is null`,
      [verdict, code],
    )
    const [found] = rows
    if (!found) throw takenBack()
    if (extent !== 'all' && found.userId !== userId) {
      throw refuse(
        403,
        'not_yours',
        'Only the person who made this decision or an owner can take it back.',
      )
    }
    await lockCandidates(client, code, [found.candidate])
    const { rowCount } = await client.query(
      `update incident_verdicts set withdrawn_at = $2, withdrawn_by = $3
       where id = $1 and withdrawn_at is null`,
      [verdict, now, actor],
    )
    if (rowCount === 0) throw takenBack()
    return {
      result: { done: true as const },
      detail: { candidate: found.number, incident: found.incident },
    }
  })
}

const takenBack = () => refuse(404, 'not_found', 'This decision was already taken back.')
