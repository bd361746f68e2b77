import { beforeEach, describe, expect, it } from 'vitest'
import { sweepOnce } from '../../../assessments/server/sweep.ts'
import {
  DAY,
  makeCandidate,
  moveClock,
  startedSeat,
  takeSeat,
} from '../../../tests/rig/assessment-rig.ts'
import {
  actAhead,
  attemptOf,
  auditOf,
  interventionsOf,
  organiserOf,
  refusalOf,
  resultOf,
  rightAnswers,
} from '../../../tests/rig/organiser-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { extendAssessment } from './extend.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

/** 20 minutes, the time of the tests below, in milliseconds. */
const LIMIT = 1_200_000
const afterStart = (ms: number) => new Date(DAY.getTime() + ms)

describe("extending all candidates' time", () => {
  const extend = (code: string, minutes: number, more: { reason?: string; since?: Date } = {}) =>
    extendAssessment(organiserOf(rig), code, minutes * 60, { reason: 'no network', ...more })

  it('moves running clocks and leaves submitted and absent candidates alone', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    const done = await makeCandidate(rig, code)
    const doneSeat = await takeSeat(rig, code, done.username)
    await doneSeat.start()
    await doneSeat.submit(rightAnswers(items))
    const absent = await makeCandidate(rig, code)
    const before = await attemptOf(rig, done.id)
    await moveClock(rig, 60_000)
    const extended = await extend(code, 10)
    expect(extended).toMatchObject({
      moved: [{ username: candidate.username, deadlineAt: afterStart(LIMIT + 600_000) }],
      reopened: [],
      tooLate: [],
    })
    expect((await seat.status()).body.remainingMs).toBe(LIMIT + 540_000)
    expect(await attemptOf(rig, done.id)).toEqual(before)
    const { body } = await (await takeSeat(rig, code, absent.username)).start()
    expect(body.remainingMs).toBe(LIMIT)
    expect(await auditOf(rig, code)).toEqual([
      expect.objectContaining({
        action: 'extend',
        detail: expect.objectContaining({ reason: 'no network', moved: [candidate.username] }),
      }),
    ])
  })

  it('after the deadline reopens closed tests until the new end', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await seat.save(rightAnswers(items.slice(0, 1)))
    await moveClock(rig, LIMIT + 11_000)
    await sweepOnce(rig.dependencies)
    await moveClock(rig, 49_000)
    const end = afterStart(LIMIT + 600_000)
    expect(await extend(code, 10)).toMatchObject({
      moved: [],
      reopened: [{ username: candidate.username, deadlineAt: end }],
    })
    expect((await seat.status()).body).toMatchObject({
      status: 'in_progress',
      remainingMs: 540_000,
    })
    // Another computer, and the page that was open: both go on.
    const back = await takeSeat(rig, code, candidate.username)
    expect((await back.start()).body.answers).toHaveLength(1)
    expect((await back.save(rightAnswers(items.slice(1, 2)))).status).toBe(200)
    await moveClock(rig, new Date(end.getTime() + 10_000))
    await sweepOnce(rig.dependencies)
    expect(await attemptOf(rig, candidate.id)).toMatchObject({
      submittedAt: end,
      submitReason: 'deadline',
      pausedMs: 60_000,
    })
    // 30 minutes from start to end, one of them closed.
    expect(await resultOf(rig, candidate.id)).toMatchObject({
      correct: 2,
      incorrect: 2,
      time: '29:00',
    })
    expect(await interventionsOf(rig, candidate.id)).toEqual(['submitted', 'reopened', 'submitted'])
  })

  it('does not reopen a test whose new end is over or whose time ran out earlier', async () => {
    const { code, candidate } = await startedSeat(rig)
    await moveClock(rig, 300_000)
    const second = await makeCandidate(rig, code)
    await (await takeSeat(rig, code, second.username)).start()
    await moveClock(rig, LIMIT + 60_000)
    await sweepOnce(rig.dependencies)
    // The first ended at 09:20, the second at 09:25; it is 09:26.
    expect(await extend(code, 5)).toMatchObject({
      reopened: [{ username: second.username, deadlineAt: afterStart(300_000 + LIMIT + 300_000) }],
      tooLate: [{ username: candidate.username }],
    })
    const stillClosed = await extend(code, 60, { since: afterStart(300_000 + LIMIT) })
    expect(stillClosed.reopened).toEqual([])
    expect((await attemptOf(rig, candidate.id)).submitReason).toBe('deadline')
  })

  it('includes attempts not yet closed because the server was down', async () => {
    const { seat, code } = await startedSeat(rig)
    // Ten minutes past the deadline, without a beat.
    rig.clock.now = afterStart(LIMIT + 600_000)
    expect((await extend(code, 15)).moved).toHaveLength(1)
    await sweepOnce(rig.dependencies)
    expect((await seat.status()).body.remainingMs).toBe(300_000)
  })

  it.each([
    ['ahead of a submit moves the deadline of a test that is then submitted', true],
    ['behind a submit leaves the closed test alone', false],
  ])('%s', async (_, isAhead) => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    const submit = () => seat.submit(rightAnswers(items))
    if (isAhead) {
      await actAhead(rig, candidate.id, () => extend(code, 5), submit)
    } else {
      await submit()
      await extend(code, 5)
    }
    expect(await attemptOf(rig, candidate.id)).toMatchObject({
      submittedAt: DAY,
      submitReason: 'candidate',
      deadlineAt: afterStart(LIMIT + (isAhead ? 300_000 : 0)),
    })
    expect(await interventionsOf(rig, candidate.id)).toEqual(
      isAhead ? ['extended', 'submitted'] : ['submitted'],
    )
  })

  it.each<[string, number, { reason?: string }, RegExp]>([
    ['no time', 0, {}, /give the minutes/],
    ['a blank reason', 5, { reason: '  ' }, /reason in words/],
    ['more than a day', 1441, {}, /'1441' is no number of minutes between 0 and 1440/],
    ['less than nothing', -5, {}, /'-5' is no number of minutes/],
  ])('with %s is refused', async (_, minutes, more, message) => {
    const { code, candidate } = await startedSeat(rig)
    const before = await attemptOf(rig, candidate.id)
    expect(await refusalOf(() => extend(code, minutes, more))).toMatch(message)
    expect(await attemptOf(rig, candidate.id)).toEqual(before)
  })
})
