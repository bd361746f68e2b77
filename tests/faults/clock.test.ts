import { beforeEach, describe, expect, it } from 'vitest'
import { beat, readGraceEnd } from '../../assessments/server/pulse.ts'
import { sweepOnce } from '../../assessments/server/sweep.ts'
import {
  attemptRowOf,
  DAY,
  freshPulse,
  makeAssessment,
  makeCandidate,
  moveClock,
  startedSeat,
  takeSeat,
} from '../rig/assessment-rig.ts'
import { useRig } from '../rig/rig.ts'

// A node whose clock was changed, and its effect on the shared heartbeat. platform/server/clock.test.ts shows that a
// running node ignores a jump. tests/faults moves a real node's clock by an hour.
const rig = useRig()
const HOUR = 3_600_000
const LIMIT = 1_200_000
const at = (ms: number) => new Date(DAY.getTime() + ms)
/** When an attempt with this deadline is finalized; all in milliseconds since DAY. */
const graceEnd = async (deadlineMs: number) =>
  (await readGraceEnd(rig.db.$client, at(deadlineMs), rig.clock.now)).getTime() - DAY.getTime()
const outages = async () => {
  const { rows } = await rig.db.$client.query(
    'select started_at, ended_at from service_outages order by id',
  )
  return rows.map((row) => [row.started_at, row.ended_at].map((time) => time - DAY.getTime()))
}

beforeEach(async () => {
  rig.clock.now = DAY
  // These are events of tests whose clock was ahead of this one's.
  await rig.db.$client.query('delete from attempt_events')
  await freshPulse(rig)
})

describe('a heartbeat after a gap', () => {
  it.each<[string, number, number[][]]>([
    ['a node 4 s behind records no outage', -4_000, []],
    ['a node 4 s ahead records no outage', 4_000, []],
    ["a heartbeat from an hour ago means an hour's outage", HOUR, [[0, HOUR]]],
    ['a heartbeat from an hour ahead means an outage now', -HOUR, [[-HOUR, -HOUR]]],
  ])('handles this clock: %s', async (_, ms, away) => {
    rig.clock.now = at(ms)
    // A check before the first heartbeat finds the same.
    await graceEnd(ms)
    expect(await outages()).toEqual(away)
    await beat(rig.db.$client, rig.clock.now)
    expect(await outages()).toEqual(away)
  })

  it('is not an outage when only heartbeats were delayed and calls were answered', async () => {
    const { seat } = await startedSeat(rig)
    for (let second = 1; second <= 20; second += 1) {
      rig.clock.now = at(second * 1_000)
      await seat.report({ id: second, kind: 'online', at: second })
    }
    await beat(rig.db.$client, rig.clock.now)
    expect(await outages()).toEqual([])
    expect(await graceEnd(10_000)).toBe(20_000)
  })

  it('still records the outage when calls are answered before the first heartbeat', async () => {
    const { seat } = await startedSeat(rig)
    rig.clock.now = at(2_000)
    await seat.report({ id: 1, kind: 'offline', at: 1 })
    rig.clock.now = at(30_000)
    await seat.report({ id: 2, kind: 'online', at: 2 })
    rig.clock.now = at(31_000)
    await beat(rig.db.$client, rig.clock.now)
    expect(await outages()).toEqual([[2_000, 30_000]])
    // Away at the deadline, or in the ten seconds after it.
    expect(await graceEnd(1_000)).toBe(90_000)
    expect(await graceEnd(30_000)).toBe(90_000)
    // Before and after that, nothing changes.
    expect(await graceEnd(-9_000)).toBe(1_000)
    expect(await graceEnd(30_001)).toBe(40_001)
  })

  it('moves no deadline again for a second outage after the grace', async () => {
    rig.clock.now = at(30_000)
    await beat(rig.db.$client, rig.clock.now)
    expect(await graceEnd(10_000)).toBe(90_000)
    rig.clock.now = at(80_000)
    await beat(rig.db.$client, rig.clock.now)
    expect(await outages()).toHaveLength(2)
    expect(await graceEnd(10_000)).toBe(90_000)
  })
})

describe('two nodes whose clocks are an hour apart', () => {
  it('close only finished attempts: the fast one none, the slow one by its own clock', async () => {
    const { code } = await makeAssessment(rig)
    const { id, username } = await makeCandidate(rig, code)
    await (await takeSeat(rig, code, username)).start()
    await moveClock(rig, LIMIT - 120_000)
    for (let second = 0; second < 115; second += 3) {
      for (const aheadMs of [0, HOUR]) {
        rig.clock.now = at(LIMIT - 120_000 + second * 1_000 + aheadMs)
        expect(await sweepOnce(rig.dependencies)).toBe(0)
      }
    }
    rig.clock.now = at(LIMIT - 4_000)
    await beat(rig.db.$client, rig.clock.now)
    await moveClock(rig, 75_000)
    await sweepOnce(rig.dependencies)
    expect((await attemptRowOf(rig, id))?.submitted_at).not.toBeNull()
  })

  it('leave no hour of grace after a clock jump is taken back', async () => {
    const { code, items } = await makeAssessment(rig)
    const { username } = await makeCandidate(rig, code)
    const seat = await takeSeat(rig, code, username)
    await seat.start()
    // A node with a wrong clock sends one heartbeat, and restarts with the correct clock.
    rig.clock.now = at(HOUR)
    await beat(rig.db.$client, rig.clock.now)
    await moveClock(rig, at(60_000))
    await moveClock(rig, at(LIMIT + 11_000))
    const answer = { questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }
    expect((await seat.save([answer])).body.code).toBe('attempt_closed')
    expect((await seat.status()).body.status).toBe('submitted')
  })
})
