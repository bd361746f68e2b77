import { afterAll, expect, it, vi } from 'vitest'
import { AWAY_GRACE_MS, GRACE_MS } from '../../assessments/deadline.ts'
import { beat, readGraceEnd, watchForStandstill } from '../../assessments/server/pulse.ts'
import { startSweep, sweepOnce } from '../../assessments/server/sweep.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { readLate } from '../../societies/incidents/server/late-answers.ts'
import {
  DAY,
  makeAssessment,
  makeCandidate,
  moveClock,
  startedSeat,
  takeSeat,
} from '../rig/assessment-rig.ts'
import { useRig } from '../rig/rig.ts'

// The database is away across 200 deadlines, with simulated time. tests/faults uses real processes.
const ATTEMPTS = 200
const LIMIT = 1_200_000
const rig = useRig()
const gone = openDatabase('postgres://nobody@127.0.0.1:1/none')
afterAll(() => gone.$client.end())

const counts = async () => {
  const { rows } = await rig.db.$client.query(`
    select count(*) filter (where submitted_at is null)::int as open,
      count(*) filter (where submitted_at = deadline_at
        and submit_reason = 'deadline')::int as closed,
      (select count(*)::int from attempt_events where kind = 'submitted') as told
    from attempts`)
  return rows[0]
}

it('after an outage across 200 deadlines the server waits 60 s and then closes each attempt once', async () => {
  rig.clock.now = DAY
  await beat(rig.db.$client, rig.clock.now)
  const { code, items } = await makeAssessment(rig)
  const { username } = await makeCandidate(rig, code)
  const seat = await takeSeat(rig, code, username)
  await seat.start()
  // The others' limits end one after the other in the ten seconds before this one's.
  await rig.db.$client.query(
    `with made as (
       insert into candidates (id, assessment, username, password_hash, created_at)
       select gen_random_uuid(), $2, 'other-' || n, '\\x00', now()
       from generate_series(1, $1::int - 1) n returning id
     ), numbered as (select id, row_number() over () as n from made)
     insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, window_id, is_demo)
     select gen_random_uuid(), $2, id, '{}', $3, $4::timestamptz - make_interval(secs => 10.0 * n / $1),
       'window', false from numbered`,
    [ATTEMPTS, code, DAY, new Date(DAY.getTime() + LIMIT)],
  )
  await moveClock(rig, LIMIT - 12_000)

  // The database is away for 30 s, across all of them. The expiry job keeps trying.
  for (let second = 0; second < 30; second += 1) {
    rig.clock.now = new Date(rig.clock.now.getTime() + 1_000)
    await expect(sweepOnce({ ...rig.dependencies, db: gone })).rejects.toThrow(/ECONNREFUSED/)
  }

  for (let upMs = 0; upMs < AWAY_GRACE_MS; upMs += 2_000) {
    expect(await sweepOnce(rig.dependencies)).toBe(0)
    rig.clock.now = new Date(rig.clock.now.getTime() + 2_000)
  }
  expect(await counts()).toEqual({ open: ATTEMPTS, closed: 0, told: 0 })
  rig.clock.now = new Date(rig.clock.now.getTime() - 1_000)
  // This choice was made before the limit and was still in the page's queue.
  const choice = { questionId: items[0]?.id ?? 0, choice: 'A', revision: 1, at: LIMIT - 5_000 }
  expect((await seat.save([choice])).status).toBe(200)

  rig.clock.now = new Date(rig.clock.now.getTime() + 1_000)
  const closed = await Promise.all([1, 2].map(() => sweepOnce(rig.dependencies)))
  expect(closed.reduce((sum, count) => sum + count, 0)).toBe(ATTEMPTS)
  expect(await counts()).toEqual({ open: 0, closed: ATTEMPTS, told: ATTEMPTS })
})

it('the expiry job continues after runs without a database', async () => {
  const dependencies = { ...rig.dependencies, db: gone }
  const seen = async () =>
    (await rig.db.$client.query('select last_seen_at from service_pulse')).rows[0].last_seen_at
  rig.clock.now = new Date(rig.clock.now.getTime() + 1_000)
  const sweep = startSweep(dependencies)
  const failures = () => rig.logged.filter(({ msg }) => msg === 'sweep failed').length
  await expect.poll(failures, { timeout: 5_000 }).toBeGreaterThan(0)
  dependencies.db = rig.db
  await expect.poll(seen, { timeout: 5_000 }).toEqual(rig.clock.now)
  await sweep.stop()
})

it('a blocked node gives no extra time, and a member may count the answers that it delayed', async () => {
  await rig.db.$client.query('delete from service_outages')
  const { seat, code, items } = await startedSeat(rig)
  const deadlineAt = new Date(rig.clock.now.getTime() + LIMIT)
  // Simulates twenty blocked seconds across the deadline, which a timer notices afterwards.
  const watch = watchForStandstill(rig.dependencies)
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 20_000)
  await moveClock(rig, LIMIT + 15_000)
  const noted = async () => (await rig.db.$client.query('select from service_outages')).rowCount
  await expect.poll(noted, { timeout: 5_000 }).toBe(1)
  clock.mockRestore()
  await watch.stop()
  expect(await readGraceEnd(rig.db.$client, deadlineAt, rig.clock.now)).toEqual(
    new Date(deadlineAt.getTime() + GRACE_MS),
  )
  const choice = { questionId: items[0]?.id ?? 0, choice: 'B', revision: 1, at: LIMIT - 1_000 }
  expect((await seat.save([choice])).status).toBe(409)
  expect(await readLate(rig.db.$client, code, null, false)).toMatchObject([
    { choice: 'B', isInTime: true, wasServiceAway: true },
  ])
})
