import { ApiError } from '../../../platform/server/api.ts'
import type { CurrentOrganiser } from '../../../platform/server/current-user.ts'
import type { VerdictWord } from '../../contract/incidents.ts'
import { act, type Client, type Organiser } from '../action.ts'
import { type JudgedIncident, readIncidents, standingVerdict } from './read-incidents.ts'

/** A member, who has an account. */
type Member = Organiser & { userId: string }
type Extent = CurrentOrganiser['extent']

const gone = () => new ApiError(404, 'not_found', 'There is no such incident any more.')
const reload = () => new ApiError(409, 'stale', 'Reload the page and try again.')

/** An incident that gets a verdict. */
interface Named {
  /** of the verdict, made by the page */
  id: string
  candidate: string
  incident: string
  /** the standing verdict as the page knows it */
  known: string | null
}

type Judged = Named & { number: number | null; found: JudgedIncident }

/**
 * Decides one incident or many, with one verdict and one reason (product 7.16.5, 7.16.7): all or none of them.
 * After a talk the verdict replaces the one that asked for it (7.16.11). The result's `cheated` stays what it is.
 * Errors: 404 not_found; 409 no_verdict_asked, already_decided; 409 stale with `by` when another verdict stands
 * than the page knew; 403 own_report.
 */
export function decideIncidents(
  member: Member,
  { code, extent }: { code: string; extent: Extent },
  given: { incidents: readonly Named[]; verdict: VerdictWord; reason: string },
): Promise<{ decided: number }> {
  const { verdict, reason } = given
  return act(member, 'decide-incident', code, async (client) => {
    const judged = await hold(client, code, given.incidents)
    const open = judged.filter(({ id, found }) => standingVerdict(found.verdicts)?.id !== id)
    for (const one of open) {
      requireJudge(one.found, member.userId, extent)
      requireUnchanged(one)
    }
    await withdrawTalks(client, member, open)
    await insertVerdicts(client, member, { open, verdict, reason })
    return {
      result: { decided: judged.length },
      detail: {
        // By number: the log is no way around the cover.
        candidates: [...new Set(judged.map(({ number }) => number))],
        incidents: judged.map(({ incident }) => incident),
        ...{ verdict, reason, ...(open.length === 0 ? { again: true } : {}) },
      },
    }
  })
}

/** Locks whose incidents these are, and reads them then, each once. Errors: 404 not_found. */
async function hold(client: Client, code: string, named: readonly Named[]): Promise<Judged[]> {
  const ids = [...new Set(named.map(({ candidate }) => candidate))]
  await lockCandidates(client, code, ids)
  const byId = new Map(
    (await readIncidents(client, code, { only: ids })).map((one) => [one.candidateId, one]),
  )
  const once = new Map(named.map((one) => [`${one.candidate} ${one.incident}`, one]))
  return [...once.values()].map((one) => {
    const candidate = byId.get(one.candidate)
    const found = candidate?.incidents.find(({ name }) => name === one.incident)
    if (!candidate || !found) throw gone()
    return { ...one, number: candidate.number, found }
  })
}

/** Errors: 409 no_verdict_asked; 403 own_report for who reported it and has no other part in it. */
function requireJudge(incident: JudgedIncident, userId: string, extent: Extent): void {
  if (!incident.asks && !incident.strike) {
    throw new ApiError(409, 'no_verdict_asked', 'This never counted, so it needs no decision.')
  }
  if (extent !== 'all' && incident.report?.userId === userId) {
    throw new ApiError(
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
      ? `${standing.by} decided this by now. Reload to see the decision.`
      : 'The decision was taken back by now. Reload to see the incident.'
    throw new ApiError(409, 'stale', message, { more: { by: standing?.by ?? null } })
  }
  if (standing && found.state !== 'needs_talk') {
    throw new ApiError(
      409,
      'already_decided',
      'This is decided already. Take the decision back before you write another one.',
    )
  }
}

/** What asked for a talk makes room for what came of it; the rows stay. */
async function withdrawTalks(
  client: Client,
  { actor, now }: Member,
  open: readonly Judged[],
): Promise<void> {
  const talks = open.flatMap(({ known }) => (known === null ? [] : [known]))
  if (talks.length === 0) return
  await client.query(
    `update incident_verdicts set withdrawn_at = $2, withdrawn_by = $3
     where id = any ($1::uuid[]) and withdrawn_at is null`,
    [talks, now, actor],
  )
}

async function insertVerdicts(
  client: Client,
  { actor, userId, now }: Member,
  { open, verdict, reason }: { open: readonly Judged[]; verdict: VerdictWord; reason: string },
): Promise<void> {
  const { rowCount } = await client.query(
    `insert into incident_verdicts (id, candidate_id, incident, verdict, reason, decided_by, user_id, decided_at)
     select id, candidate, incident, $4, $5, $6, $7, $8
     from unnest($1::uuid[], $2::uuid[], $3::text[]) as one (id, candidate, incident)
     on conflict (id) do nothing`,
    [
      open.map(({ id }) => id),
      open.map(({ candidate }) => candidate),
      open.map(({ incident }) => incident),
      ...[verdict, reason, actor, userId, now],
    ],
  )
  // The key of another incident's verdict: no page of ours sends it.
  if (rowCount !== open.length) throw reload()
}

/** One after the other decides about a candidate; candidates themselves go on. Errors: 404 not_found. */
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
  if (rowCount !== ids.length) throw gone()
}

/**
 * Takes a verdict back; the row stays (product 7.16.6).
 * Errors: 404 not_found; 403 not_yours for somebody else's, but to an owner.
 */
export function withdrawVerdict(
  member: Member,
  { code, verdict, extent }: { code: string; verdict: string; extent: Extent },
): Promise<{ done: true }> {
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
    if (extent !== 'all' && found.userId !== member.userId) {
      throw new ApiError(
        403,
        'not_yours',
        'Only the person who decided, or an owner, can take the decision back.',
      )
    }
    await lockCandidates(client, code, [found.candidate])
    const { rowCount } = await client.query(
      `update incident_verdicts set withdrawn_at = $2, withdrawn_by = $3
       where id = $1 and withdrawn_at is null`,
      [verdict, member.now, member.actor],
    )
    if (rowCount === 0) throw takenBack()
    return {
      result: { done: true as const },
      detail: { candidate: found.number, incident: found.incident },
    }
  })
}

const takenBack = () => new ApiError(404, 'not_found', 'This decision was taken back already.')
