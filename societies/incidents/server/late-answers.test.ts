import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sweepOnce } from '../../../assessments/server/sweep.ts'
import { actsRig, changeTimeOf } from '../../../tests/rig/acts-rig.ts'
import {
  afterStart,
  LIMIT,
  makeCandidate,
  moveClock,
  startedSeat,
} from '../../../tests/rig/assessment-rig.ts'
import { acceptLateIn, lateIn, resultOf, rightAnswers } from '../../../tests/rig/organizer-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { newestAcceptable } from './late-answers.ts'

const rig = useRig()

const nothing = { accepted: 0, changes: [] }

describe('late answers', () => {
  /**
   * The candidate's network is down from before the deadline until after the grace period, and the service is down for
   * part of it. The queue arrives late.
   */
  async function lateSeat({ isServiceAway = true } = {}) {
    const { code, items, member, inside } = await actsRig(rig)
    const candidate = await inside('ana', { name: 'Ana' })
    const { seat } = candidate
    await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'D', revision: 1 }])
    await moveClock(rig, LIMIT - 30_000)
    if (isServiceAway) rig.clock.now = afterStart(LIMIT + 5_000)
    await moveClock(rig, afterStart(LIMIT + 70_000))
    await sweepOnce(rig.dependencies)
    const [one, two, three] = items
    const refused = await seat.save([
      { questionId: one?.id ?? 0, choice: 'A', revision: 2, at: LIMIT - 5_000 },
      { questionId: two?.id ?? 0, choice: 'B', revision: 1, at: LIMIT + 5_000 },
      { questionId: three?.id ?? 0, choice: 'C', revision: 1 },
    ])
    expect(refused.status).toBe(409)
    // An older choice for the first question arrives from another page's queue.
    await seat.save([{ questionId: one?.id ?? 0, choice: 'B', revision: 1, at: LIMIT - 60_000 }])
    return { code, candidate, member }
  }

  it('are listed with their time, whether they were chosen in time, and whether they count', async () => {
    const { code, candidate } = await lateSeat()
    const late = await lateIn(rig, code)
    const received = afterStart(LIMIT + 70_000)
    const of = { username: candidate.username, receivedAt: received }
    const away = { wasServiceAway: true, isOutdated: false }
    expect(late).toMatchObject([
      { ...of, ...away, item: 1, choice: 'A', chosenAt: afterStart(LIMIT - 5_000), isInTime: true },
      { ...of, ...away, item: 2, chosenAt: afterStart(LIMIT + 5_000), isInTime: false },
      { ...of, item: 3, chosenAt: null, isInTime: null, wasServiceAway: false },
      { ...of, item: 1, choice: 'B', isInTime: true, isOutdated: true },
    ])
    expect(newestAcceptable(late)).toHaveLength(1)
  })

  it('can be previewed without changing anything, and count once accepted', async () => {
    const { candidate, member } = await lateSeat()
    const reviewer = await member('reviewer')
    const listed = (await reviewer('GET', 'late-answers')).body
    expect(listed).toMatchObject({ acceptable: 1, changes: 1, people: [{ name: null }] })
    const standings = listed.people[0].answers.map((one: { standing: string }) => one.standing)
    expect(standings).toEqual(['counts', 'too_late', 'unknown', 'outdated'])
    expect(await resultOf(rig, candidate.id)).toMatchObject({ correct: 0 })
    const body = { requestId: randomUUID(), reason: 'outage', candidate: null }
    for (let press = 0; press < 2; press += 1) {
      const accepted = await reviewer('POST', 'late-answers/accept', body)
      expect(accepted.body).toEqual({ accepted: 1, changes: 1 })
    }
    expect(await resultOf(rig, candidate.id)).toMatchObject({ correct: 1 })
    const after = (await reviewer('GET', 'late-answers')).body
    expect(after).toMatchObject({ acceptable: 0, changes: 0 })
  })

  it('never count while the server was up, since only the page reports their times', async () => {
    const { code, candidate } = await lateSeat({ isServiceAway: false })
    const late = await lateIn(rig, code)
    expect(late.map(({ wasServiceAway }) => wasServiceAway)).toEqual(late.map(() => false))
    expect(newestAcceptable(late)).toEqual([])
    expect(await acceptLateIn(rig, code)).toEqual(nothing)
    expect(await resultOf(rig, candidate.id)).toMatchObject({ correct: 0 })
  })

  it('never change an attempt that was submitted before they were chosen', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await seat.submit(rightAnswers(items))
    await moveClock(rig, 10_000)
    const save = await seat.save([
      { questionId: items[0]?.id ?? 0, choice: 'D', revision: 9, at: 8_000 },
    ])
    expect(save.status).toBe(409)
    expect(await acceptLateIn(rig, code)).toEqual(nothing)
    expect(await resultOf(rig, candidate.id)).toMatchObject({ correct: 4 })
  })

  it('of other candidates are left out when one is named, and none count while the test is reopened', async () => {
    const { code, candidate } = await lateSeat()
    const other = await makeCandidate(rig, code)
    expect(await acceptLateIn(rig, code, other.id)).toEqual(nothing)
    await changeTimeOf(rig, code, 'reopen', 300, candidate.id)
    expect(await acceptLateIn(rig, code)).toEqual(nothing)
  })
})
