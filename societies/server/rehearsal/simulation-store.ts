import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { hashCandidatePassword, makePassword } from '../../../assessments/server/password-store.ts'
import { makeTrialCode, removeTrial } from '../../../assessments/server/rehearsal-store.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { ApiError } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import type { SimulationEnding } from '../../simulation.ts'
import { act, type Organiser } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { agentOf } from './crowd.ts'
import { CLOCK_SHARE } from './plan.ts'

type Client = Pick<pg.Pool, 'query'>

/** Simulations of all societies at once, so that they are never what fills the server. */
const AT_ONCE = 3
/** How long before an opening no crowd plays, and how long after one without a last start. */
const AHEAD_MS = 10 * 60_000
const AFTER_MS = 3_600_000
/** A node that says nothing for so long is gone, and its crowd with it. */
const LOST_MS = 60_000
/** How long one that is over can be looked at. */
const KEPT_MS = 3_600_000

/**
 * Whether somebody's real test goes on or is about to open, whichever society's: a candidate is inside, or may
 * come in. A test without a window that nobody sits is none.
 */
export async function isTestNear(client: Client, now: Date): Promise<boolean> {
  const { rows } = await client.query<{ isNear: boolean }>(
    `select exists (
         select from attempts t join assessments a on a.code = t.assessment
         where t.submitted_at is null and not t.is_demo and a.trial is null)
       or exists (
         select from assessments a where a.trial is null and not a.is_draft and a.deleted_at is null
           and a.opens_at <= $2 and (a.closes_at >= $1 or a.closes_at is null and a.opens_at > $3)
           and exists (select from candidates c where c.assessment = a.code and not c.is_demo
             and c.revoked_at is null
             and not exists (select from attempts t where t.candidate_id = c.id))) as "isNear"`,
    [now, new Date(now.getTime() + AHEAD_MS), new Date(now.getTime() - AFTER_MS)],
  )
  return rows[0]?.isNear ?? false
}

export const OBSTACLES = {
  test_is_near:
    'A test is running on this server, or opens within ten minutes. It has the server to itself: please rehearse when it is over.',
  simulation_runs: 'Your society has a simulation under way. Please wait for its end, or stop it.',
  simulations_full: 'Other societies rehearse just now. Please try again in a few minutes.',
  no_questions: 'There are no questions yet: a crowd needs something to answer.',
} as const
export type Obstacle = keyof typeof OBSTACLES

/** Why no simulation of an assessment can begin now; null where one can. */
export async function findObstacle(
  client: Client,
  { societyId, code }: { societyId: string; code: string },
  now: Date,
): Promise<Obstacle | null> {
  const { rows } = await client.query<{ ours: boolean; count: number; items: boolean }>(
    `select coalesce(bool_or(s.society_id = $1), false) as ours, count(*)::int as count,
       exists (select from assessment_items i where i.assessment = $2) as items
     from simulations s where s.ended_at is null and s.beat_at > $3`,
    [societyId, code, new Date(now.getTime() - LOST_MS)],
  )
  const found = rows[0]
  if (found?.ours) return 'simulation_runs'
  if (await isTestNear(client, now)) return 'test_is_near'
  if ((found?.count ?? 0) >= AT_ONCE) return 'simulations_full'
  return found?.items ? null : 'no_questions'
}

export interface Begun {
  /** of the copy */
  code: string
  people: { username: string; password: string }[]
  itemCount: number
  lastsMs: number
}

/**
 * Copies an assessment for a simulated crowd and puts the crowd on its list.
 * Errors: 409 with an obstacle's code; OrganiserRefusal.
 */
export function beginSimulation(
  organiser: Organiser,
  secretKey: Buffer,
  { societyId, code }: { societyId: string; code: string },
  { candidates, minutes }: { candidates: number; minutes: number },
): Promise<Begun> {
  const { now, actor } = organiser
  return act(organiser, 'simulate', code, async (client) => {
    await requireAssessment(client, code)
    // What a lost node has left must not stand in the way of the next one.
    await endLost(client, now)
    const obstacle = await findObstacle(client, { societyId, code }, now)
    if (obstacle) throw new ApiError(409, obstacle, OBSTACLES[obstacle])
    const lastsMs = minutes * 60_000
    const endsAt = new Date(now.getTime() + lastsMs)
    const copy = makeTrialCode('SIMULATION')
    await client.query(
      `insert into assessments (code, society_id, society, session, duration_seconds, shuffle, navigator,
         rules, closes_at, time_zone, is_sample, trial, trial_of, created_at)
       select $2, society_id, society, 'Simulation', $3, shuffle, navigator, rules, $4, time_zone, false,
         'simulation', code, $5 from assessments where code = $1 and society_id = $6`,
      [code, copy, Math.round((lastsMs * CLOCK_SHARE) / 1_000), endsAt, now, societyId],
    )
    // Without the question's id: how a question did in other seasons is found by it.
    const items = await client.query<{ form: string | null }>(
      `insert into assessment_items (assessment, position, question, answer_a, answer_b, answer_c,
         answer_d, correct_option, form, is_sample)
       select $2, position, question, answer_a, answer_b, answer_c, answer_d, correct_option, form, false
       from assessment_items where assessment = $1 returning form`,
      [code, copy],
    )
    const people = Array.from({ length: candidates }, (_, index) => ({
      id: randomUUID(),
      username: `simulated-${String(index + 1).padStart(3, '0')}`,
      password: makePassword(),
    }))
    await client.query(
      // In the rooms of the list, in turn: Live is looked at by room.
      `with rooms as (
         select room, row_number() over (order by room) - 1 as at, count(*) over () as "of" from (
           select distinct room from candidates
           where assessment = $6 and not is_demo and room is not null and revoked_at is null
         ) listed
       )
       insert into candidates (id, assessment, username, password_hash, is_demo, created_at, room)
       select id, $1, username, hash, true, $2,
         (select room from rooms where at = (person.place - 1) % "of")
       from unnest($3::uuid[], $4::text[], $5::bytea[]) with ordinality
         as person (id, username, hash, place)`,
      [
        ...[copy, now, people.map(({ id }) => id), people.map(({ username }) => username)],
        people.map(({ password }) => hashCandidatePassword(secretKey, password)),
        code,
      ],
    )
    const begun = await client.query(
      `insert into simulations (assessment, society_id, candidate_count, started_by, started_at, ends_at,
         beat_at)
       values ($1, $2, $3, $4, $5, $6, $5) on conflict do nothing`,
      [copy, societyId, candidates, actor, now, endsAt],
    )
    // Somebody else of the society pressed in the same moment.
    if (begun.rowCount === 0) {
      throw new ApiError(409, 'simulation_runs', OBSTACLES.simulation_runs)
    }
    // On one paper: of two forms each asks as many.
    const itemCount = items.rows.filter(({ form }) => form !== 'B').length
    const result = { code: copy, people, itemCount, lastsMs }
    return { result, detail: { candidates, minutes } }
  })
}

/** Ends a society's simulation that goes on; its node hears of it at its next beat. Errors: 404. */
export function stopSimulation(
  organiser: Organiser,
  { societyId, code }: { societyId: string; code: string },
): Promise<void> {
  return act(organiser, 'stop-simulation', code, async (client) => {
    const { rowCount } = await client.query(
      `update simulations s set ended_at = $3, ending = 'stopped' from assessments a
       where a.code = s.assessment and a.trial_of = $2 and s.society_id = $1 and s.ended_at is null`,
      [societyId, code, organiser.now],
    )
    if (rowCount === 0) {
      throw new ApiError(404, 'no_simulation', 'There is no simulation under way any more.')
    }
    return { result: undefined, detail: {} }
  })
}

/** Ends a simulation, if nobody has yet. */
export async function endSimulation(
  client: Client,
  code: string,
  ending: SimulationEnding,
  now: Date,
): Promise<void> {
  await client.query(
    `update simulations set ended_at = $2, ending = $3 where assessment = $1 and ended_at is null`,
    [code, now, ending],
  )
}

/**
 * Says that a simulation goes on, and ends it where a real test has come near or its own assessment is gone.
 * @returns whether it goes on
 */
export async function beatSimulation(client: Client, code: string, now: Date): Promise<boolean> {
  if (await isTestNear(client, now)) await endSimulation(client, code, 'yielded', now)
  const { rowCount } = await client.query(
    `update simulations s set beat_at = $2 from assessments a
     join assessments original on original.code = a.trial_of and original.deleted_at is null
     where s.assessment = $1 and a.code = s.assessment and s.ended_at is null`,
    [code, now],
  )
  return rowCount === 1
}

async function endLost(client: Client, now: Date): Promise<void> {
  await client.query(
    `update simulations set ended_at = beat_at, ending = 'lost' where ended_at is null and beat_at <= $1`,
    [new Date(now.getTime() - LOST_MS)],
  )
}

/**
 * Deletes simulations that ended an hour ago, at once those whose assessment is gone, with their candidates,
 * attempts and guests; whichever node played them (product 7.11.11).
 * @returns how many were deleted
 */
export async function sweepSimulations({
  db,
  now,
}: Pick<AppDependencies, 'db' | 'now'>): Promise<number> {
  await endLost(db.$client, now())
  const { rows } = await db.$client.query<{ code: string }>(
    `select s.assessment as code from simulations s join assessments a on a.code = s.assessment
     left join assessments original on original.code = a.trial_of and original.deleted_at is null
     where s.ended_at <= $1 or original.code is null`,
    [new Date(now().getTime() - KEPT_MS)],
  )
  for (const { code } of rows) {
    await inTransaction(db, async (client) => {
      await removeTrial(client, code)
      // Guests alone: an account whose browser calls itself so stays.
      await client.query(
        `delete from users u using sessions s
         where s.user_id = u.id and s.user_agent = $1 and u.is_anonymous`,
        [agentOf(code)],
      )
    })
  }
  return rows.length
}

export interface Simulation {
  /** of the copy */
  code: string
  startedBy: string
  startedAt: Date
  endsAt: Date
  endedAt: Date | null
  ending: SimulationEnding | null
}

/** The newest simulation of an assessment that is kept, or null. */
export async function getSimulation(
  client: Client,
  { societyId, code }: { societyId: string; code: string },
): Promise<Simulation | null> {
  const { rows } = await client.query<Simulation>(
    `select s.assessment as code, s.started_by as "startedBy", s.started_at as "startedAt",
       s.ends_at as "endsAt", s.ended_at as "endedAt", s.ending
     from simulations s join assessments a on a.code = s.assessment
     where a.trial_of = $2 and s.society_id = $1 order by s.started_at desc limit 1`,
    [societyId, code],
  )
  return rows[0] ?? null
}
