import { randomUUID } from 'node:crypto'
import { ApiError } from '../../../platform/server/api.ts'
import type { CurrentOrganiser } from '../../../platform/server/current-user.ts'
import type { VerdictWord } from '../../contract/incidents.ts'
import { act, type Client, type Organiser } from '../action.ts'
import { findClusters } from './company.ts'
import {
  type JudgedIncident,
  presencesOf,
  readIncidents,
  type StoredVerdict,
  stateOf,
  type VerdictState,
} from './read-incidents.ts'

/** A member, who has an account. */
type Member = Organiser & { userId: string }
type Extent = CurrentOrganiser['extent']

const gone = () => new ApiError(404, 'not_found', 'There is no such incident any more.')

export interface GivenVerdict {
  /** made by the page */
  id: string
  incident: string
  verdict: VerdictWord
  reason: string
  /** the first verdict as the page knows it */
  first: string | null
}

/**
 * Writes a verdict on an incident: the first, or the second one where two people have to say the same (product
 * 7.16.5). After a talk it takes the place of what asked for the talk (7.16.11). The result's `cheated` stays
 * what it is.
 * Errors: 404 not_found; 409 no_verdict_asked, already_decided, second_person; 409 stale with `by` when another
 * verdict stands than the page knew; 403 own_report.
 */
export function decideIncident(
  member: Member,
  { code, candidate, extent }: { code: string; candidate: string; extent: Extent },
  given: GivenVerdict,
): Promise<{ state: VerdictState }> {
  return act(member, 'decide-incident', code, async (client) => {
    await lockCandidates(client, code, [candidate])
    const { needsSecond, candidates } = await readIncidents(client, code, {
      candidateId: candidate,
      withSaves: true,
    })
    const [found] = candidates
    const incident = found?.incidents.find(({ name }) => name === given.incident)
    if (!found || !incident) throw gone()
    const { standing, first } = standingOf(incident)
    const isAfterTalk = incident.state === 'needs_talk'
    const isRepeat = standing.some(({ id }) => id === given.id)
    if (!isRepeat) {
      requireJudge(incident, member.userId, extent)
      const isSecond = requirePlace(incident, given, member.userId, needsSecond)
      if (isAfterTalk) await withdrawAll(client, member, candidate, given.incident)
      await insertVerdict(client, member, {
        ...given,
        ...{ candidate, isSecond, isForRoom: false },
      })
    }
    const isSecond = first !== undefined && !isAfterTalk
    const written: StoredVerdict = {
      ...{ ...given, isSecond, isForRoom: false, by: member.actor },
      ...{ userId: member.userId, at: member.now, withdrawnAt: null, withdrawnBy: null },
    }
    const before = isAfterTalk ? [] : incident.verdicts
    const after = isRepeat ? incident.verdicts : [...before, written]
    return {
      result: { state: stateOf(incident, after, needsSecond) },
      detail: {
        // By number: the log is no way around the cover.
        ...{ candidate: found.number, incident: given.incident, verdict: given.verdict },
        ...{
          reason: given.reason,
          ...(isRepeat ? { again: true } : { second: isSecond }),
          ...(isAfterTalk && !isRepeat ? { afterTalk: true } : {}),
        },
      },
    }
  })
}

function standingOf({ verdicts }: Pick<JudgedIncident, 'verdicts'>) {
  const standing = verdicts.filter(({ withdrawnAt }) => withdrawnAt === null)
  return { standing, first: standing.find(({ isSecond }) => !isSecond) }
}

/** Errors: 409 no_verdict_asked; 403 own_report for who reported it and has no other part in it. */
function requireJudge(incident: JudgedIncident, userId: string, extent: Extent): void {
  if (!incident.asks && !incident.strike) {
    throw new ApiError(409, 'no_verdict_asked', 'This never counted, so no verdict is asked.')
  }
  if (extent !== 'all' && incident.report?.userId === userId) {
    throw new ApiError(
      403,
      'own_report',
      'You reported this yourself, so somebody else decides about it.',
    )
  }
}

/** Whether it is the second verdict. Errors: 409 stale, already_decided, second_person. */
function requirePlace(
  incident: JudgedIncident,
  given: GivenVerdict,
  userId: string,
  needsSecond: boolean,
): boolean {
  const { standing, first } = standingOf(incident)
  if ((first?.id ?? null) !== given.first) {
    const message = first
      ? `${first.by} has written a verdict meanwhile. Please look at it first.`
      : 'The first verdict was taken back meanwhile. Please look at it again.'
    throw new ApiError(409, 'stale', message, { more: { by: first?.by ?? null } })
  }
  if (!first || incident.state === 'needs_talk') return false
  if (!needsSecond || first.isForRoom || standing.length > 1) {
    throw new ApiError(
      409,
      'already_decided',
      'There is a verdict already. It has to be taken back before another one is written.',
    )
  }
  if (first.userId === userId) {
    throw new ApiError(409, 'second_person', 'The second verdict is somebody else’s to write.')
  }
  return true
}

/** What asked for a talk makes room for what came of it; the rows stay. */
async function withdrawAll(
  client: Client,
  { actor, now }: Member,
  candidate: string,
  incident: string,
): Promise<void> {
  await client.query(
    `update incident_verdicts set withdrawn_at = $3, withdrawn_by = $4
     where candidate_id = $1 and incident = $2 and withdrawn_at is null`,
    [candidate, incident, now, actor],
  )
}

async function insertVerdict(
  client: Client,
  { actor, userId, now }: Member,
  one: Omit<GivenVerdict, 'first'> & { candidate: string; isSecond: boolean; isForRoom: boolean },
): Promise<void> {
  const { rowCount } = await client.query(
    `insert into incident_verdicts (id, candidate_id, incident, verdict, reason, is_second, is_for_room,
       decided_by, user_id, decided_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (id) do nothing`,
    [
      ...[one.id, one.candidate, one.incident, one.verdict, one.reason, one.isSecond],
      ...[one.isForRoom, actor, userId, now],
    ],
  )
  // The key of another incident's verdict: no page of ours sends it.
  if (rowCount === 0) throw new ApiError(409, 'stale', 'Please load the page anew and try again.')
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
 * One verdict for all who left a room within a minute and have none yet: one act, and a row for each (product
 * 7.16.7). It needs no second reviewer.
 * Errors: 404 not_found; 409 stale when they are not as many any more as the page says.
 */
export function decideRoom(
  member: Member,
  code: string,
  given: {
    cluster: string
    /** candidates of it about whom nothing is said */
    without?: readonly string[] | undefined
    count: number
    verdict: VerdictWord
    reason: string
  },
): Promise<{ decided: number }> {
  return act(member, 'decide-room', code, async (client) => {
    await client.query('select from assessments where code = $1 for no key update', [code])
    const { verdict, reason } = given
    const before = await readIncidents(client, code)
    const ids = clusterOf(before.candidates, given.cluster, member.now).map(
      ({ candidateId }) => candidateId,
    )
    await lockCandidates(client, code, [...new Set(ids)])
    const { candidates } = await readIncidents(client, code)
    const members = clusterOf(candidates, given.cluster, member.now)
    const open = members.filter(
      ({ candidateId, incident }) =>
        incident.state === 'waiting' && !given.without?.includes(candidateId),
    )
    if (open.length !== given.count) {
      throw new ApiError(
        409,
        'stale',
        `Verdicts were written or taken back meanwhile: it would be ${open.length} now. Please look again.`,
        { more: { count: open.length } },
      )
    }
    for (const { candidateId, incident } of open) {
      await insertVerdict(client, member, {
        ...{ id: randomUUID(), candidate: candidateId, incident: incident.name, verdict, reason },
        ...{ isSecond: false, isForRoom: true },
      })
    }
    const answer = { decided: open.length }
    const room = members[0]?.room ?? null
    return {
      result: answer,
      detail: { ...answer, room, at: members[0]?.incident.at.toISOString(), verdict, reason },
    }
  })
}

type Gathered = Awaited<ReturnType<typeof readIncidents>>['candidates']

/** The members of a cluster with their incidents. Errors: 404 not_found. */
function clusterOf(candidates: Gathered, name: string, now: Date) {
  const cluster = findClusters(presencesOf(candidates, now)).find((one) => one.name === name)
  if (!cluster) throw gone()
  const byId = new Map(candidates.map((one) => [one.candidateId, one]))
  return cluster.members.flatMap(({ candidateId, incident }) => {
    const one = byId.get(candidateId)
    const own = one?.incidents.find(({ name }) => name === incident)
    return one && own ? [{ candidateId, room: one.room, incident: own }] : []
  })
}

/**
 * Takes a verdict back; the row stays. With a first one goes the second, which agreed with it or not (product
 * 7.16.6).
 * Errors: 404 not_found; 403 not_yours for somebody else's, but to an owner.
 */
export function withdrawVerdict(
  member: Member,
  { code, verdict, extent }: { code: string; verdict: string; extent: Extent },
): Promise<{ withdrawn: number }> {
  return act(member, 'withdraw-verdict', code, async (client) => {
    const { rows } = await client.query<{
      candidate: string
      incident: string
      isSecond: boolean
      userId: string | null
      number: number | null
    }>(
      `select v.candidate_id as candidate, v.incident, v.is_second as "isSecond", v.user_id as "userId",
         b.number
       from incident_verdicts v join candidates c on c.id = v.candidate_id
       left join blind_numbers b on b.candidate_id = c.id and b.assessment = c.assessment
       where v.id = $1 and c.assessment = $2 and v.withdrawn_at is null`,
      [verdict, code],
    )
    const [found] = rows
    if (!found) {
      throw new ApiError(404, 'not_found', 'This verdict was taken back already.')
    }
    if (extent !== 'all' && found.userId !== member.userId) {
      throw new ApiError(
        403,
        'not_yours',
        'Who wrote the verdict takes it back, or an owner of the society.',
      )
    }
    await lockCandidates(client, code, [found.candidate])
    const { rowCount } = await client.query(
      `update incident_verdicts set withdrawn_at = $3, withdrawn_by = $4
       where candidate_id = $1 and incident = $2 and withdrawn_at is null and (is_second or not $5)`,
      [found.candidate, found.incident, member.now, member.actor, found.isSecond],
    )
    return {
      result: { withdrawn: rowCount ?? 0 },
      detail: { candidate: found.number, incident: found.incident },
    }
  })
}

/**
 * Whether two people have to say the same.
 * Errors: 409 stale when somebody has changed it since the page was opened.
 */
export function setSecondReview(
  member: Member,
  code: string,
  { was, needsSecondReview }: { was: boolean; needsSecondReview: boolean },
): Promise<{ needsSecondReview: boolean }> {
  return act(member, 'second-review', code, async (client) => {
    const { rowCount } = await client.query(
      `update assessments set needs_second_review = $3 where code = $1 and needs_second_review = $2`,
      [code, was, needsSecondReview],
    )
    if (rowCount === 0) {
      throw new ApiError(409, 'stale', 'Somebody has changed this since you opened the page.')
    }
    return { result: { needsSecondReview }, detail: { before: was, after: needsSecondReview } }
  })
}
