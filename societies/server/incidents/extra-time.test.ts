import { beforeEach, describe, expect, it } from 'vitest'
import { sweepOnce } from '../../../assessments/server/sweep.ts'
import {
  DAY,
  makeAssessment,
  makeCandidate,
  moveClock,
  type Seat,
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
  rightAnswers,
} from '../../../tests/rig/organiser-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { setExtraTime } from './extra-time.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

/** 20 minutes, the time of the tests below, in milliseconds. */
const LIMIT = 1_200_000
const afterStart = (ms: number) => new Date(DAY.getTime() + ms)

describe('extra time for one candidate', () => {
  const give = (code: string, username: string, minutes: number, lower = false) =>
    setExtraTime(organiserOf(rig), code, username, minutes * 60, { lower })

  it('set before the start applies at the start', async () => {
    const { code } = await makeAssessment(rig)
    const { username } = await makeCandidate(rig, code)
    expect(await give(code, username, 7.5)).toMatchObject({
      before: 0,
      after: 450,
      deadlineAt: null,
    })
    const { body } = await (await takeSeat(rig, code, username)).start()
    expect(body.remainingMs).toBe(LIMIT + 450_000)
  })

  it('during the test moves the clock once, however often it is sent', async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    await moveClock(rig, 60_000)
    for (const before of [0, 600]) {
      expect(await give(code, candidate.username, 10)).toMatchObject({ before, after: 600 })
      expect((await seat.status()).body.remainingMs).toBe(LIMIT - 60_000 + 600_000)
    }
    expect(await interventionsOf(rig, candidate.id)).toEqual(['extra_time'])
    expect((await auditOf(rig, code)).map(({ action }) => action)).toEqual([
      'extra-time',
      'extra-time',
    ])
  })

  it('keeps milliseconds, so the expiry job closes at the new deadline', async () => {
    rig.clock.now = new Date(DAY.getTime() + 123)
    const { code } = await makeAssessment(rig)
    const candidate = await makeCandidate(rig, code)
    await (await takeSeat(rig, code, candidate.username)).start()
    await moveClock(rig, 5_777)
    await give(code, candidate.username, 1)
    const deadline = afterStart(123 + LIMIT + 60_000)
    expect((await attemptOf(rig, candidate.id)).deadlineAt).toEqual(deadline)
    await moveClock(rig, new Date(deadline.getTime() + 9_999))
    await sweepOnce(rig.dependencies)
    expect((await attemptOf(rig, candidate.id)).submittedAt).toBeNull()
    await moveClock(rig, 1)
    await sweepOnce(rig.dependencies)
    expect((await attemptOf(rig, candidate.id)).submittedAt).toEqual(deadline)
  })

  it('below the earlier amount needs confirmation and never ends a test at once', async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    await give(code, candidate.username, 10)
    expect(await refusalOf(() => give(code, candidate.username, 5))).toMatch(
      /has 10 min extra already, and this would take some away/,
    )
    expect((await seat.status()).body.remainingMs).toBe(LIMIT + 600_000)
    expect(await give(code, candidate.username, 5, true)).toMatchObject({ before: 600, after: 300 })
    expect((await seat.status()).body.remainingMs).toBe(LIMIT + 300_000)
    await moveClock(rig, LIMIT + 100_000)
    expect(await refusalOf(() => give(code, candidate.username, 0, true))).toMatch(/end at once/)
    expect((await seat.status()).body.remainingMs).toBe(200_000)
  })

  it('still works in the grace period after the deadline', async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    await moveClock(rig, LIMIT + 9_000)
    await give(code, candidate.username, 1)
    await moveClock(rig, 5_000)
    await sweepOnce(rig.dependencies)
    expect((await seat.status()).body).toMatchObject({ status: 'in_progress', remainingMs: 46_000 })
  })

  it.each<
    [
      string,
      (seat: Seat, items: { id: number; correctOption: string }[]) => Promise<unknown>,
      RegExp,
    ]
  >([
    [
      'the deadline has closed it',
      async () => {
        await moveClock(rig, LIMIT + 11_000)
        await sweepOnce(rig.dependencies)
      },
      /time of .* has run out.*assessments reopen .*assessments extend /,
    ],
    [
      'the candidate has submitted it',
      (seat, items) => seat.submit(rightAnswers(items)),
      /has submitted the test.*assessments reopen /,
    ],
    [
      'three strikes have closed it',
      (seat) =>
        seat.report(
          ...[1, 2, 3].map((id) => ({ id, kind: 'copy', at: id })),
          // Acts within two seconds are one: three strikes need three absences.
          ...[4, 6, 8].flatMap((id) => [
            { id, kind: 'page_hidden', at: 10 },
            { id: id + 1, kind: 'page_visible', at: 10 },
          ]),
        ),
      /ended by 3 strikes.*void-event/,
    ],
  ])('is refused with advice after %s', async (_, end, message) => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await end(seat, items)
    const before = await attemptOf(rig, candidate.id)
    expect(before.submittedAt).not.toBeNull()
    expect(await refusalOf(() => give(code, candidate.username, 5))).toMatch(message)
    expect(await attemptOf(rig, candidate.id)).toEqual(before)
    expect(await auditOf(rig, code)).toEqual([])
  })

  it('before the expiry job keeps the test open', async () => {
    const { code, candidate } = await startedSeat(rig)
    await moveClock(rig, LIMIT + 10_000)
    const given = await actAhead(
      rig,
      candidate.id,
      () => give(code, candidate.username, 5),
      () => sweepOnce(rig.dependencies),
    )
    expect(given.status).toBe('fulfilled')
    await sweepOnce(rig.dependencies)
    expect(await attemptOf(rig, candidate.id)).toMatchObject({
      deadlineAt: afterStart(LIMIT + 300_000),
      submittedAt: null,
    })
  })

  it('after the expiry job is refused and moves nothing', async () => {
    const { code, candidate } = await startedSeat(rig)
    await moveClock(rig, LIMIT + 10_000)
    await sweepOnce(rig.dependencies)
    await expect(give(code, candidate.username, 5)).rejects.toThrow()
    expect(await attemptOf(rig, candidate.id)).toMatchObject({
      deadlineAt: afterStart(LIMIT),
      submittedAt: afterStart(LIMIT),
    })
  })
})
