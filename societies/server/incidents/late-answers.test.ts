import { beforeEach, describe, expect, it } from 'vitest'
import { sweepOnce } from '../../../assessments/server/sweep.ts'
import { changeTimeOf } from '../../../tests/rig/acts-rig.ts'
import { DAY, makeCandidate, moveClock, startedSeat } from '../../../tests/rig/assessment-rig.ts'
import {
  acceptLate,
  auditOf,
  interventionsOf,
  organiserOf,
  resultOf,
  rightAnswers,
} from '../../../tests/rig/organiser-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { newestAcceptable, readLate } from './late-answers.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

/** 20 minutes, the time of the tests below, in milliseconds. */
const LIMIT = 1_200_000
const afterStart = (ms: number) => new Date(DAY.getTime() + ms)

describe('late answers', () => {
  /**
   * The candidate's network is away from before the deadline to after the grace, and the service itself for
   * a part of it; the queue then comes late.
   */
  async function lateSeat({ isServiceAway = true } = {}) {
    const started = await startedSeat(rig)
    const { seat, items } = started
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
    // An older choice of the first question, from another page's queue.
    await seat.save([{ questionId: one?.id ?? 0, choice: 'B', revision: 1, at: LIMIT - 60_000 }])
    return started
  }
  const accept = (code: string, candidate?: string) => acceptLate(organiserOf(rig), code, candidate)
  const lateOf = (code: string) => readLate(rig.db.$client, code, null, false)

  it('are listed with their time, whether they were in time, and whether they count', async () => {
    const { code, candidate } = await lateSeat()
    const late = await lateOf(code)
    const { username } = candidate
    const receivedAt = afterStart(LIMIT + 70_000)
    const counts = { isInTime: true, wasServiceAway: true, isOutdated: false }
    expect(
      late.toSorted((a, b) => `${a.item}${a.choice}`.localeCompare(`${b.item}${b.choice}`)),
    ).toMatchObject([
      {
        username,
        receivedAt,
        item: 1,
        choice: 'A',
        chosenAt: afterStart(LIMIT - 5_000),
        ...counts,
      },
      { item: 1, choice: 'B', chosenAt: afterStart(LIMIT - 60_000), ...counts, isOutdated: true },
      { item: 2, choice: 'B', chosenAt: afterStart(LIMIT + 5_000), ...counts, isInTime: false },
      { item: 3, choice: 'C', chosenAt: null, ...counts, isInTime: null, wasServiceAway: false },
    ])
    expect(newestAcceptable(late)).toHaveLength(1)
  })

  it('count once accepted: only those chosen in time, the newest, once', async () => {
    const { code, candidate } = await lateSeat()
    expect(await resultOf(rig, candidate.id)).toMatchObject({ correct: 0, incorrect: 4 })
    const changes = [
      {
        username: candidate.username,
        isDemo: false,
        before: { correct: 0, incorrect: 4 },
        after: { correct: 1, incorrect: 3 },
      },
    ]
    expect(await accept(code)).toEqual({ accepted: 1, changes })
    expect(await resultOf(rig, candidate.id)).toMatchObject({
      correct: 1,
      incorrect: 3,
      time: '20:00',
    })
    expect(await accept(code)).toEqual({ accepted: 0, changes: [] })
    expect(await interventionsOf(rig, candidate.id)).toEqual(['submitted', 'late_accepted'])
    expect((await auditOf(rig, code))[0]).toMatchObject({
      action: 'accept-late',
      detail: { reason: 'network away', accepted: 1 },
    })
  })

  it('never count while the server was up, since only the page reports their times', async () => {
    const { code, candidate } = await lateSeat({ isServiceAway: false })
    const late = await lateOf(code)
    expect(late.map(({ wasServiceAway }) => wasServiceAway)).toEqual(late.map(() => false))
    expect(await accept(code)).toEqual({ accepted: 0, changes: [] })
    expect(await resultOf(rig, candidate.id)).toMatchObject({ correct: 0 })
  })

  it('of other candidates stay when one is named', async () => {
    const { code } = await lateSeat()
    const other = await makeCandidate(rig, code)
    expect(await accept(code, other.id)).toEqual({ accepted: 0, changes: [] })
  })

  it('never change what the candidate submitted before choosing them', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await seat.submit(rightAnswers(items))
    await moveClock(rig, 10_000)
    const save = await seat.save([
      { questionId: items[0]?.id ?? 0, choice: 'D', revision: 9, at: 8_000 },
    ])
    expect(save.status).toBe(409)
    expect(await accept(code)).toEqual({ accepted: 0, changes: [] })
    expect(await resultOf(rig, candidate.id)).toMatchObject({ correct: 4 })
  })

  it('wait while the test is open again', async () => {
    const { code, candidate } = await lateSeat()
    await changeTimeOf(rig, code, 'reopen', 300, candidate.id)
    expect((await accept(code)).accepted).toBe(0)
  })
})
