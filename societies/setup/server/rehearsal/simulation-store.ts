import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import sql from 'sql-template-tag'
import {
  hashCandidatePassword,
  makePassword,
} from '../../../../assessments/server/password-store.ts'
import {
  makeTrialCode,
  removeTrial,
  sweepRehearsals,
} from '../../../../assessments/server/rehearsal-store.ts'
import { inTransaction } from '../../../../platform/database/transaction.ts'
import type { BodyOf } from '../../../../platform/endpoint.ts'
import type { ApiError } from '../../../../platform/server/api.ts'
import type { AppDependencies } from '../../../../platform/server/dependencies.ts'
import { startRepeating } from '../../../../platform/server/repeating.ts'
import { requireAssessment } from '../../../access/server/assessments.ts'
import type { MemberInTest } from '../../../access/server/serve-members.ts'
import { act, type Organizer } from '../../../kit/server/action.ts'
import { refuse } from '../../../kit/server/refuse.ts'
import type { SimulationEnding, startSimulation } from '../../contract-rehearsal.ts'
import { agentOf, type Crowd } from './crowd.ts'

type Client = Pick<pg.Pool, 'query'>

type Original = Pick<MemberInTest, 'societyId' | 'code'>

/** The maximum number of concurrent simulations of all societies, to limit the server's load. */
const AT_ONCE = 3
/** No simulation runs this long before an opening, or this long after it while candidates can still start. */
const AHEAD_MS = 10 * 60_000
const AFTER_MS = 3_600_000
/** A simulation without a heartbeat for this long is lost, together with its node. */
const LOST_MS = 60_000
/** The copy's time limit, as a share of the simulation's duration. */
const CLOCK_SHARE = 0.7
/** How long a simulation can be viewed after its end. */
const KEPT_MS = 3_600_000

/** Whether any society's real test is running, or opens about now with candidates yet to start. */
async function isTestNear(client: Client, now: Date): Promise<boolean> {
  const { rows } = await client.query<{ isNear: boolean }>(
    sql`select exists (
         select from attempts t join assessments a on a.code = t.assessment
         where t.submitted_at is null and not t.is_demo and a.trial is null)
       or exists (
         select from assessments a where a.trial is null and not a.is_draft and a.deleted_at is null
           and a.opens_at <= ${new Date(now.getTime() + AHEAD_MS)}
           and a.opens_at > ${new Date(now.getTime() - AFTER_MS)} and (a.closes_at is null or a.closes_at >= ${now})
           and exists (select from candidates c where c.assessment = a.code and not c.is_demo
             and c.revoked_at is null
             and not exists (select from attempts t where t.candidate_id = c.id))) as "isNear"`,
  )
  return rows[0]?.isNear ?? false
}

const SIMULATION_RUNS = [
  'simulation_runs',
  'Your society already has a running simulation. Stop it or wait until it ends.',
] as const

/** Returns the error that prevents a simulation now, or null. */
export async function findObstacle(
  client: Client,
  { societyId, code }: Original,
  now: Date,
): Promise<ApiError | null> {
  const { rows } = await client.query<{ ours: boolean; count: number; items: boolean }>(
    sql`select coalesce(bool_or(s.society_id = ${societyId}), false) as ours, count(*)::int as count,
       exists (select from assessment_items i where i.assessment = ${code}) as items
     from simulations s where s.ended_at is null and s.beat_at > ${new Date(now.getTime() - LOST_MS)}`,
  )
  const { ours, count, items } = rows[0] as (typeof rows)[number]
  if (ours) return refuse(409, ...SIMULATION_RUNS)
  if (await isTestNear(client, now)) {
    const sentence =
      'A test is running on this server or opens within ten minutes. Try again after it has ended.'
    return refuse(409, 'test_is_near', sentence)
  }
  if (count >= AT_ONCE) {
    const sentence = 'Other societies are running simulations. Try again in a few minutes.'
    return refuse(409, 'simulations_full', sentence)
  }
  if (items) return null
  return refuse(
    409,
    'no_questions',
    'Add questions first. The simulated candidates need something to answer.',
  )
}

export type Begun = Pick<Crowd, 'code' | 'people' | 'itemCount' | 'lastsMs'>

/** Copies a test for a simulated crowd. Errors: those of findObstacle and requireAssessment. */
export function beginSimulation(
  organizer: Organizer & Original,
  secretKey: Buffer,
  { candidates, minutes }: BodyOf<typeof startSimulation>,
): Promise<Begun> {
  const { now, actor, societyId, code } = organizer
  return act(organizer, 'simulate', code, async (client) => {
    await requireAssessment(client, organizer)
    // A lost simulation must not block the next one.
    await endLost(client, now)
    const obstacle = await findObstacle(client, organizer, now)
    if (obstacle) throw obstacle
    const lastsMs = minutes * 60_000
    const endsAt = new Date(now.getTime() + lastsMs)
    const seconds = Math.round((lastsMs * CLOCK_SHARE) / 1_000)
    const copy = makeTrialCode('SIMULATION')
    await client.query(
      sql`insert into assessments (code, society_id, society, session, duration_seconds, shuffle, navigator,
          rules, closes_at, time_zone, is_sample, trial, trial_of, created_at)
        select ${copy}, society_id, society, 'Simulation', ${seconds}, shuffle, navigator, rules, ${endsAt},
          time_zone, false, 'simulation', code, ${now}
        from assessments where code = ${code} and society_id = ${societyId}`,
    )
    // The copies get new question ids, because a shared id would add simulated results to a question's statistics.
    const items = await client.query<{ form: string | null }>(
      sql`insert into assessment_items (assessment, position, question, answer_a, answer_b, answer_c,
         answer_d, correct_option, form, is_sample)
       select ${copy}, position, question, answer_a, answer_b, answer_c, answer_d, correct_option, form, false
       from assessment_items where assessment = ${code} returning form`,
    )
    const people = Array.from({ length: candidates }, (_, index) => ({
      id: randomUUID(),
      username: `simulated-${String(index + 1).padStart(3, '0')}`,
      password: makePassword(),
    }))
    await client.query(
      // Candidates are distributed over the list's rooms, because Live can be filtered by room.
      sql`with rooms as (
          select room, row_number() over (order by room) - 1 as at, count(*) over () as "of" from (
            select distinct room from candidates
            where assessment = ${code} and not is_demo and room is not null and revoked_at is null
          ) listed
        )
        insert into candidates (id, assessment, username, password_hash, is_demo, created_at, room)
        select id, ${copy}, username, hash, true, ${now},
          (select room from rooms where at = (person.place - 1) % "of")
        from unnest(${people.map(({ id }) => id)}::uuid[], ${people.map(({ username }) => username)}::text[],
            ${people.map(({ password }) => hashCandidatePassword(secretKey, password))}::bytea[])
          with ordinality as person (id, username, hash, place)`,
    )
    const begun = await client.query(
      sql`insert into simulations (assessment, society_id, candidate_count, started_by, started_at, ends_at,
          beat_at)
        values (${copy}, ${societyId}, ${candidates}, ${actor}, ${now}, ${endsAt}, ${now})
        on conflict do nothing`,
    )
    // Another member has started a simulation at the same moment.
    if (begun.rowCount === 0) throw refuse(409, ...SIMULATION_RUNS)
    // A paper has the questions of one form, and both forms have the same number.
    const itemCount = items.rows.filter(({ form }) => form !== 'B').length
    const result = { code: copy, people, itemCount, lastsMs }
    return { result, detail: { candidates, minutes } }
  })
}

/** Ends a test's running simulation. Its node notices at the next heartbeat. Errors: 404 no_simulation. */
export function stopSimulation(organizer: MemberInTest): Promise<{ done: true }> {
  const { societyId, code, now } = organizer
  return act(organizer, 'stop-simulation', code, async (client) => {
    const { rowCount } = await client.query(
      sql`update simulations s set ended_at = ${now}, ending = 'stopped' from assessments a
       where a.code = s.assessment and a.trial_of = ${code} and s.society_id = ${societyId} and s.ended_at is null`,
    )
    if (rowCount === 0) throw refuse(404, 'no_simulation', 'The simulation has already ended.')
    return { result: { done: true }, detail: {} }
  })
}

export async function endSimulation(
  client: Client,
  code: string,
  ending: SimulationEnding,
  now: Date,
): Promise<void> {
  await client.query(
    sql`update simulations set ended_at = ${now}, ending = ${ending} where assessment = ${code} and ended_at is null`,
  )
}

/** Records a simulation's heartbeat, or ends it if a real test is near. @returns whether it continues */
export async function beatSimulation(client: Client, code: string, now: Date): Promise<boolean> {
  if (await isTestNear(client, now)) await endSimulation(client, code, 'yielded', now)
  const { rowCount } = await client.query(
    sql`update simulations s set beat_at = ${now} from assessments a
     join assessments original on original.code = a.trial_of and original.deleted_at is null
     where s.assessment = ${code} and a.code = s.assessment and s.ended_at is null`,
  )
  return rowCount === 1
}

async function endLost(client: Client, now: Date): Promise<void> {
  await client.query(
    sql`update simulations set ended_at = beat_at, ending = 'lost' where ended_at is null
      and beat_at <= ${new Date(now.getTime() - LOST_MS)}`,
  )
}

/**
 * Deletes simulations of all nodes that ended an hour ago, and those of deleted tests immediately, with their
 * candidates, attempts and guests (product 7.11.11).
 * @returns the number of deleted simulations
 */
export async function sweepSimulations(of: Pick<AppDependencies, 'db' | 'now'>): Promise<number> {
  const { db, now } = of
  await endLost(db.$client, now())
  const { rows } = await db.$client.query<{ code: string }>(
    sql`select s.assessment as code from simulations s join assessments a on a.code = s.assessment
     left join assessments original on original.code = a.trial_of and original.deleted_at is null
     where s.ended_at <= ${new Date(now().getTime() - KEPT_MS)} or original.code is null`,
  )
  for (const { code } of rows) {
    await inTransaction(db, async (client) => {
      await removeTrial(client, code)
      // Only guests are deleted. An account stays, even if its browser session has this name.
      await client.query(
        sql`delete from users u using sessions s
         where s.user_id = u.id and s.user_agent = ${agentOf(code)} and u.is_anonymous`,
      )
    })
  }
  return rows.length
}

/** Deletes expired rehearsals and simulations, now and every minute until stopped. */
export function startTrialSweep(dependencies: Pick<AppDependencies, 'db' | 'now' | 'log'>) {
  const { db, now, log } = dependencies
  return startRepeating(
    {
      everyMs: 60_000,
      onError: (error) => log.warn({ error: String(error) }, 'cleaning up rehearsals failed'),
    },
    async () => {
      await sweepRehearsals(db, now())
      await sweepSimulations(dependencies)
    },
  )
}

/** Returns a test's newest simulation that hasn't been deleted, with the code of its copy, or null. */
export async function getSimulation(
  client: Client,
  { societyId, code }: Original,
): Promise<{ code: string; endsAt: Date; endedAt: Date | null } | null> {
  const { rows } = await client.query(
    sql`select s.assessment as code, s.ends_at as "endsAt", s.ended_at as "endedAt"
     from simulations s join assessments a on a.code = s.assessment
     where a.trial_of = ${code} and s.society_id = ${societyId} order by s.started_at desc limit 1`,
  )
  return rows[0] ?? null
}
