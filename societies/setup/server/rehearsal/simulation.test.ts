/** @module-tag full */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  DAY,
  freshPulse,
  makeAssessment,
  makeCandidate,
  moveClock,
  takeSeat,
} from '../../../../tests/rig/assessment-rig.ts'
import {
  actionsOf,
  codeOf,
  deleteAssessment,
  organizerOf,
} from '../../../../tests/rig/organizer-rig.ts'
import { signUp, useRig } from '../../../../tests/rig/rig.ts'
import { makeMember, makeSociety, proveAgain } from '../../../../tests/rig/society-rig.ts'
import { requireNoDemoData } from '../../../server/demo.ts'
import { sweepSimulations } from './simulation-store.ts'

// At this speed, a simulated minute takes a second and a half.
const rig = useRig({ simulationSpeed: 40, random: Math.random })
let society: string
let owner: { token: string; userId: string }

beforeAll(async () => {
  rig.clock.now = DAY
  society = (await makeSociety(rig)).id
  owner = await signUp(rig, 'owner@example.com')
  await makeMember(rig, society, owner.userId, 'owner')
})
beforeEach(async () => {
  rig.clock.now = DAY
  await freshPulse(rig)
})
afterEach(async () => {
  await sql`update simulations
    set ended_at = ${new Date(rig.clock.now.getTime() - 3_600_001)}, ending = coalesce(ending, 'stopped')`
  // Candidates with a pending request send one more after the simulation stops.
  if (hasBegun) await sleep(300)
  hasBegun = false
  await sweepSimulations(rig.dependencies)
})

const pathOf = (code: string) => `/api/societies/${society}/assessments/${code}/simulation`
const { sql } = rig
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
let hasBegun = false
async function start(code: string, body: object = { candidates: 10, minutes: 1 }) {
  const answer = await rig.call('POST', pathOf(code), { token: owner.token, body })
  hasBegun ||= answer.status === 200
  return answer
}
const look = async (code: string) =>
  (await rig.call('GET', pathOf(code), { token: owner.token })).body

/** Returns a test's newest simulation with the code of its copy. */
async function newest(code: string) {
  const rows = await sql`select s.* from simulations s join assessments a on a.code = s.assessment
     where a.trial_of = ${code} order by s.started_at desc limit 1`
  return rows[0]
}
const untilOver = (code: string) =>
  vi.waitFor(
    async () => {
      const { ending } = await newest(code)
      expect(ending).not.toBeNull()
      return ending
    },
    { timeout: 10_000 },
  )

/** The tables that a simulation writes to, except the log. */
const TABLES =
  'assessments assessment_items candidates candidate_tokens attempts attempt_events attempt_answers users sessions profiles simulations'
async function countRows() {
  const counts = TABLES.split(' ').map((one) => `(select count(*)::int from ${one}) as ${one}`)
  return (await sql(`select ${counts}`))[0]
}

describe('a simulated crowd', () => {
  it('starts, answers and submits through the real endpoints, and leaves nothing behind', async () => {
    const { code } = await makeAssessment(rig, { societyId: society, itemCount: 6 })
    const before = await countRows()
    expect((await start(code, { candidates: 30, minutes: 1 })).body).toEqual({ done: true })
    expect(await untilOver(code)).toBe('played')
    expect((await newest(code)).started_by).toBe('owner')
    const submitted = await sql`select t.submit_reason as reason, (
         select count(*)::int from attempt_answers s where s.attempt_id = t.id) as answered
       from attempts t join assessments a on a.code = t.assessment
       where a.trial_of = ${code} and t.submitted_at is not null`
    expect(submitted.length).toBeGreaterThan(12)
    for (const { reason, answered } of submitted) {
      expect(['candidate', 'violations']).toContain(reason)
      if (reason === 'candidate') expect(answered).toBe(6)
    }
    // The stored events are the same as for real candidates.
    const rows = await sql`
      select distinct e.kind from attempt_events e join candidates c on c.id = e.candidate_id
       join assessments a on a.code = c.assessment where a.trial_of = ${code}`
    expect(rows.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['verified', 'started', 'ready', 'saved', 'submitted']),
    )
    expect(await actionsOf(rig, code)).toEqual(['simulate'])

    // The simulation can be viewed for an hour.
    expect(await sweepSimulations(rig.dependencies)).toBe(0)
    await moveClock(rig, 3_600_001)
    expect(await sweepSimulations(rig.dependencies)).toBe(1)
    expect(await countRows()).toEqual(before)
    await proveAgain(rig)
    expect((await look(code)).isRunning).toBe(false)
  })

  it('does not appear in any list, count, result or check of real candidates', async () => {
    const { code } = await makeAssessment(rig, { societyId: society })
    await makeCandidate(rig, code)
    await start(code)
    const { assessment: copy } = await newest(code)
    const organizer = organizerOf(rig)
    const { token } = owner
    const listed = await rig.call('GET', `/api/societies/${society}/assessments`, { token })
    expect(listed.body.map((one: { code: string }) => one.code)).not.toContain(copy)
    expect(listed.body.find((one: { code: string }) => one.code === code)).toMatchObject({
      candidateCount: 1,
      runningCount: 0,
      submittedCount: 0,
    })
    const open = await rig.call('GET', '/api/assessments', { token: (await signUp(rig)).token })
    expect(JSON.stringify(open.body)).not.toContain('SIMULATION')
    const refused = await codeOf(() => deleteAssessment(organizer, copy))
    expect(refused.code).toBe('no_such_assessment')
    // The production startup check passes during a simulation.
    await requireNoDemoData(rig.db)
    const page = await rig.call('GET', `/api/societies/${society}/assessments/${copy}`, { token })
    expect(page.body.code).toBe('no_society')
  })

  it('is distributed over the listed rooms and has copies of the questions with new ids', async () => {
    const { code } = await makeAssessment(rig, { societyId: society, itemCount: 3 })
    for (const [username, room] of [
      ['ana', '1.04'],
      ['ben', '2.11'],
      ['eva', '2.11'],
      ['zoe', null],
    ] as const) {
      await makeCandidate(rig, code, username, { room })
    }
    expect((await start(code)).status).toBe(200)
    const rooms = await sql`
      select c.room, count(*)::int as count from candidates c join assessments a on a.code = c.assessment
       where a.trial_of = ${code} and a.trial = 'simulation' group by 1 order by 1`
    expect(rooms).toEqual([
      { room: '1.04', count: 5 },
      { room: '2.11', count: 5 },
    ])
    // The copy's questions aren't linked to those of other seasons.
    const rows = await sql`select i.question, (select count(*)::int from assessment_items o
         where o.question_id = i.question_id) as copies
       from assessment_items i join assessments a on a.code = i.assessment where a.trial_of = ${code}
       order by i.position`
    expect(rows).toEqual([1, 2, 3].map((n) => ({ question: `Stem ${n} of ${code}?`, copies: 1 })))
  })

  it('needs questions, and each society can run only one at a time', async () => {
    const { code: empty } = await makeAssessment(rig, { societyId: society, itemCount: 0 })
    expect((await start(empty)).body.code).toBe('no_questions')
    const { code } = await makeAssessment(rig, { societyId: society })
    const other = await makeAssessment(rig, { societyId: society })
    const answers = await Promise.all([start(code), start(other.code), start(code)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    for (const { status, body } of answers) {
      if (status === 409) expect(body.code).toBe('simulation_runs')
    }
    expect((await look(code)).obstacle).toMatch(/^Your society already has a running simulation/)
  })

  it('stops on request, and another can start only then', async () => {
    const { code } = await makeAssessment(rig, { societyId: society })
    await start(code, { candidates: 10, minutes: 15 })
    const stop = () => rig.call('POST', `${pathOf(code)}/stop`, { token: owner.token })
    expect((await stop()).body).toEqual({ done: true })
    expect((await newest(code)).ending).toBe('stopped')
    expect((await stop()).body.code).toBe('no_simulation')
    expect((await start(code)).status).toBe(200)
    expect(await actionsOf(rig, code)).toEqual(['simulate', 'stop-simulation', 'simulate'])
  })
})

describe('a real test', () => {
  const MINUTE_MS = 60_000
  const after = (minutes: number) => new Date(DAY.getTime() + minutes * MINUTE_MS)

  it.each([
    ['opens in eleven minutes', { opensAt: after(11), closesAt: after(60) }, 200],
    ['opens in ten minutes', { opensAt: after(10), closesAt: after(60) }, 409],
    ['is open', { opensAt: after(-10), closesAt: after(10) }, 409],
    ['has been open for over an hour', { opensAt: after(-61), closesAt: after(60) }, 200],
    ['has closed', { opensAt: after(-60), closesAt: after(-1) }, 200],
    ['opened just now, without a last start', { opensAt: after(-59) }, 409],
    ['is always open', {}, 200],
  ] as const)('of another society that %s: %s is %i', async (_, window, status) => {
    const theirs = await makeAssessment(rig, { society: 'Others', ...window })
    const candidate = await makeCandidate(rig, theirs.code)
    const { code } = await makeAssessment(rig, { societyId: society })
    expect((await start(code)).status).toBe(status)
    await sql`delete from candidates where id = ${candidate.id}`
  })

  it('of another society blocks no simulation while it lists no candidate', async () => {
    await makeAssessment(rig, { society: 'Others', opensAt: after(-1), closesAt: after(60) })
    const { code } = await makeAssessment(rig, { societyId: society })
    expect((await start(code)).status).toBe(200)
  })

  it('stops a simulation as soon as a candidate starts it', async () => {
    const { code } = await makeAssessment(rig, { societyId: society })
    await start(code, { candidates: 10, minutes: 15 })
    const theirs = await makeAssessment(rig, { society: 'Others' })
    const { username } = await makeCandidate(rig, theirs.code)
    const seat = await takeSeat(rig, theirs.code, username)
    await seat.start()
    expect(await untilOver(code)).toBe('yielded')
    expect((await start(code)).body).toMatchObject({
      code: 'test_is_near',
      message: expect.stringMatching(/^A test is running on this server/),
    })
    await sql`update attempts set submitted_at = started_at, submit_reason = 'deadline'
      where submitted_at is null`
  })
})

describe('a dead node', () => {
  it('is detected after a minute, and its crowd is deleted an hour later with its guests', async () => {
    const { code } = await makeAssessment(rig, { societyId: society })
    const before = await countRows()
    await start(code, { candidates: 10, minutes: 15 })
    await sleep(600)
    // Simulate a node that has sent no heartbeat since the start.
    await sql`update simulations set ended_at = null, ending = null, beat_at = ${DAY}`
    rig.clock.now = new Date(DAY.getTime() + 60_000)
    await sweepSimulations(rig.dependencies)
    expect(await newest(code)).toMatchObject({ ending: 'lost' })
    await sleep(500)
    rig.clock.now = new Date(DAY.getTime() + 60_000 + 3_600_000)
    expect(await sweepSimulations(rig.dependencies)).toBe(1)
    expect(await countRows()).toEqual(before)
  })

  it('has its simulation deleted if the assessment was deleted', async () => {
    const { code } = await makeAssessment(rig, { societyId: society })
    await start(code)
    const before = new Date(rig.clock.now.getTime() - 1)
    await sql`update assessments set closes_at = ${before} where code = ${code}`
    await deleteAssessment(organizerOf(rig), code)
    await sleep(500)
    expect(await sweepSimulations(rig.dependencies)).toBe(1)
  })
})
