import { beforeEach, describe, expect, it } from 'vitest'
import { beat, readUpSince } from '../../assessments/server/pulse.ts'
import { sweepOnce } from '../../assessments/server/sweep.ts'
import { DAY, makeAssessment, makeCandidate, moveClock, takeSeat } from '../rig/assessment-rig.ts'
import { useRig } from '../rig/rig.ts'

// A node whose clock was set: what the shared pulse makes of it. That a running node doesn't follow a
// jump at all is in platform/server/clock.test.ts; an hour forward and back over a real one in tests/faults.
const rig = useRig()
const HOUR = 3_600_000
const LIMIT = 1_200_000
const at = (ms: number) => new Date(DAY.getTime() + ms)
const upSince = async () =>
  (await readUpSince(rig.db.$client, rig.clock.now)).getTime() - DAY.getTime()

beforeEach(async () => {
  rig.clock.now = DAY
  await rig.db.$client.query('delete from service_pulse')
  await beat(rig.dependencies)
})

describe('since when the service has been up', () => {
  it.each([
    ['a node that is 4 s behind changes nothing', -4_000, 0],
    ['a node that is 4 s ahead changes nothing', 4_000, 0],
    ['a pulse from an hour ago: from now on', HOUR, HOUR],
    ['a pulse from an hour ahead: from now on', -HOUR, -HOUR],
  ])('%s', async (_, ms, since) => {
    rig.clock.now = at(ms)
    // A look before the first beat says the same.
    expect(await upSince()).toBe(since)
    await beat(rig.dependencies)
    expect(await upSince()).toBe(since)
  })

  it('is held by two nodes an hour apart: neither closes anything until one is right', async () => {
    const { code } = await makeAssessment(rig)
    const { username } = await makeCandidate(rig, code)
    await (await takeSeat(rig, code, username)).start()
    await moveClock(rig, LIMIT)
    for (let second = 0; second < 90; second += 3) {
      for (const aheadMs of [0, HOUR]) {
        rig.clock.now = at(LIMIT + second * 1_000 + aheadMs)
        expect(await sweepOnce(rig.dependencies)).toBe(0)
      }
    }
    rig.clock.now = at(LIMIT + 91_000)
    await beat(rig.dependencies)
    await moveClock(rig, 61_000)
    expect(await sweepOnce(rig.dependencies)).toBe(1)
  })

  it('an hour that was taken back leaves no grace of an hour', async () => {
    const { code, items } = await makeAssessment(rig)
    const { username } = await makeCandidate(rig, code)
    const seat = await takeSeat(rig, code, username)
    await seat.start()
    // A node that started with a wrong clock beats once, and starts again with the right one.
    rig.clock.now = at(HOUR)
    await beat(rig.dependencies)
    await moveClock(rig, at(60_000))
    await moveClock(rig, at(LIMIT + 11_000))
    const answer = { questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }
    expect((await seat.save([answer])).body.code).toBe('attempt_closed')
    expect((await seat.status()).body.status).toBe('submitted')
  })
})
