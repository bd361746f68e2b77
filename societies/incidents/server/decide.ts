import sql from 'sql-template-tag'
import type { BodyOf } from '../../../platform/endpoint.ts'
import type { Quota } from '../../../platform/server/quota.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { act, type Client, requestUsed } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type { decideIncidents as decideCall, writeReport as reportCall } from '../contract.ts'
import { type JudgedIncident, readIncidents, standingVerdict } from './read-incidents.ts'
import { requireCandidate } from './uncover.ts'

type Decision = BodyOf<typeof decideCall>

export interface NamedIncident {
  candidate: string
  incident: string
}

/** Locks candidates against concurrent decisions, without blocking the candidates themselves. Errors: 404 not_found. */
export async function lockCandidates(client: Client, code: string, ids: readonly string[]) {
  const { rowCount } = await client.query(
    sql`select from candidates where assessment = ${code} and id = any (${ids}::uuid[]) and not is_demo
     order by id for no key update`,
  )
  if (rowCount !== new Set(ids).size) throw incidentGone()
}

/** Looks up incidents by blind id, with the candidate's number for the log. Errors: 404 not_found. */
export async function findIncidents<Named extends NamedIncident>(
  client: Client,
  { code, cover }: MemberInTest,
  named: readonly Named[],
) {
  const only = [...new Set(named.map(({ candidate }) => candidate))]
  const candidates = await readIncidents(client, code, { only })
  const once = new Map(named.map((one) => [`${one.candidate} ${one.incident}`, one]))
  return [...once.values()].map((one) => {
    const candidate = candidates.find(({ candidateId }) => candidateId === one.candidate)
    const found = candidate?.incidents.find(({ name }) => cover(name) === one.incident)
    if (!candidate || !found) throw incidentGone()
    return { ...one, incident: found.name, number: candidate.number, found }
  })
}

const incidentGone = () => refuse(404, 'not_found', 'This incident no longer exists.')

/**
 * Decides incidents with one verdict and one reason, all or none of them (product 7.16.5, 7.16.7). After follow-up, the
 * verdict replaces the one that asked for it (7.16.11). The result's `cheated` does not change.
 * Errors: 404 not_found; 409 no_verdict_asked, already_decided; 409 stale with `by` if the current verdict isn't the
 * one the page knew; 403 own_report.
 */
export function decideIncidents(
  member: MemberInTest,
  { incidents, verdict, reason }: Decision,
): Promise<{ decided: number }> {
  const { code, now, actor, userId } = member
  return act(member, 'decide-incident', code, async (client) => {
    const ids = incidents.map(({ candidate }) => candidate)
    await lockCandidates(client, code, ids)
    const judged = await findIncidents(client, member, incidents)
    const isDone = ({ id, found }: (typeof judged)[number]) => {
      const standing = standingVerdict(found.verdicts)
      return standing?.id === id && standing.verdict === verdict && standing.reason === reason
    }
    const open = judged.filter((one) => !isDone(one))
    for (const { found, known } of open) requireDecidable(member, found, known)
    // A verdict that asked for follow-up is withdrawn in favor of the new one. Its row is kept.
    await client.query(
      sql`update incident_verdicts set withdrawn_at = ${now}, withdrawn_by = ${actor}
       where id = any (${open.flatMap(({ known }) => known ?? [])}::uuid[]) and withdrawn_at is null`,
    )
    const { rowCount } = await client.query(
      `insert into incident_verdicts (id, candidate_id, incident, verdict, reason, decided_by, user_id, decided_at)
       select id, candidate, incident, $2, $3, $4, $5, $6
       from jsonb_to_recordset($1) as one (id uuid, candidate uuid, incident text)
       on conflict (id) do nothing`,
      [
        JSON.stringify(open.map(({ id, candidate, incident }) => ({ id, candidate, incident }))),
        ...[verdict, reason, actor, userId, now],
      ],
    )
    // The verdict id already belongs to another incident, which our pages never send.
    if (rowCount !== open.length) throw refuse(409, 'stale', 'Reload the page and try again.')
    return {
      result: { decided: judged.length },
      // The log uses numbers, because names may be hidden.
      detail:
        open.length === 0
          ? null
          : {
              candidates: [...new Set(open.map(({ number }) => number))],
              ...{ incidents: open.map(({ incident }) => incident), verdict, reason },
            },
    }
  })
}

/** Errors: 409 no_verdict_asked, stale, already_decided; 403 own_report for the reporter, unless they are an owner. */
function requireDecidable(
  { extent, userId }: MemberInTest,
  { asks, strike, report, verdicts, state }: JudgedIncident,
  known: string | null,
): void {
  if (!asks && !strike) {
    throw refuse(409, 'no_verdict_asked', 'This incident never counted, so it needs no decision.')
  }
  if (extent !== 'all' && report?.userId === userId) {
    const sentence = 'You reported this incident, so another reviewer has to decide it.'
    throw refuse(403, 'own_report', sentence)
  }
  const standing = standingVerdict(verdicts)
  if ((standing?.id ?? null) !== known) {
    const message = standing
      ? `${standing.by} has already decided this. Reload to see the decision.`
      : 'The decision was taken back. Reload to see the incident.'
    throw refuse(409, 'stale', message, { by: standing?.by ?? null })
  }
  if (standing && state !== 'needs_talk') {
    const sentence = 'This is already decided. To change the decision, take it back first.'
    throw refuse(409, 'already_decided', sentence)
  }
}

/** Withdraws a verdict (product 7.16.6). Errors: 404 not_found; 403 not_yours, except for an owner. */
export function withdrawVerdict(member: MemberInTest, verdict: string): Promise<{ done: true }> {
  const { code, extent, userId, now, actor } = member
  return act(member, 'withdraw-verdict', code, async (client) => {
    const { rows } = await client.query<
      NamedIncident & { userId: string | null; number: number | null }
    >(
      sql`select v.candidate_id as candidate, v.incident, v.user_id as "userId", b.number
       from incident_verdicts v join candidates c on c.id = v.candidate_id
       left join blind_numbers b on b.candidate_id = c.id and b.assessment = c.assessment
       where v.id = ${verdict} and c.assessment = ${code} and v.withdrawn_at is null`,
    )
    const takenBack = refuse(404, 'not_found', 'This decision was already taken back.')
    const [found] = rows
    if (!found) throw takenBack
    if (extent !== 'all' && found.userId !== userId) {
      const sentence = 'Only the person who made this decision or an owner can take it back.'
      throw refuse(403, 'not_yours', sentence)
    }
    await lockCandidates(client, code, [found.candidate])
    const { rowCount } = await client.query(
      sql`update incident_verdicts set withdrawn_at = ${now}, withdrawn_by = ${actor}
       where id = ${verdict} and withdrawn_at is null`,
    )
    if (rowCount === 0) throw takenBack
    return {
      result: { done: true },
      detail: { candidate: found.number, incident: found.incident },
    }
  })
}

/** How far a member's clock may be ahead. */
const AHEAD_MS = 5 * 60_000
/** The maximum number of reports per test, because each list of incidents reads all of them. */
const MOST_REPORTS = 500

/**
 * Stores a member's report on a candidate, a room or all (product 7.16.8). A retry stores it only once.
 * Errors: 404 not_found; 400 one_of_three, not_yet; 409 many_reports, request_used; 429 of the quota.
 */
export function writeReport(
  member: MemberInTest,
  { id, listed, room, happenedAt, note, ...of }: BodyOf<typeof reportCall>,
  ofMember: Quota,
): Promise<{ id: string }> {
  const { code, userId, now, actor } = member
  return act(member, 'report-incident', code, async (client) => {
    if ([of.candidate, listed, room].filter((one) => one !== null).length > 1) {
      throw refuse(400, 'one_of_three', 'Report either a candidate or a room, not both.')
    }
    const candidate = of.candidate ?? listed
    if (Date.parse(happenedAt) > now.getTime() + AHEAD_MS) {
      throw refuse(400, 'not_yet', 'This time is in the future.')
    }
    const about = candidate && (await requireCandidate(client, code, candidate))
    await ofMember.take(userId, 1, client)
    const { rowCount } = await client.query(
      'select from incident_reports where assessment = $1 limit $2',
      [code, MOST_REPORTS],
    )
    if (rowCount === MOST_REPORTS) {
      const sentence = `This test already has ${MOST_REPORTS} reports, the maximum.`
      throw refuse(409, 'many_reports', sentence)
    }
    const { rows } = await client.query<{ isNew: boolean }>(
      sql`insert into incident_reports as r (id, assessment, candidate_id, room, happened_at, note, reported_by,
         user_id, reported_at)
       values (${id}, ${code}, ${candidate}, ${room}, ${happenedAt}, ${note}, ${actor}, ${userId}, ${now})
       on conflict (id) do update set note = r.note
         where (r.assessment, r.candidate_id, r.room, r.happened_at, r.note, r.user_id) is not distinct from
           (excluded.assessment, excluded.candidate_id, excluded.room, excluded.happened_at, excluded.note,
            excluded.user_id)
       returning r.xmax = 0 as "isNew"`,
    )
    if (!rows[0]) throw requestUsed()
    const detail = { report: id, candidate: about ? about.number : null, room, note }
    return { result: { id }, detail: rows[0].isNew ? detail : null }
  })
}
