import { describe, expect, it } from 'vitest'
import { sweepOnce } from '../../../assessments/server/sweep.ts'
import { changeTimeOf } from '../../../tests/rig/acts-rig.ts'
import {
  afterStart,
  DAY,
  LIMIT,
  makeAssessment,
  makeCandidate,
  moveClock,
  startedSeat,
  takeSeat,
} from '../../../tests/rig/assessment-rig.ts'
import {
  actAhead,
  attemptOf,
  interventionsOf,
  resultOf,
  rightAnswers,
} from '../../../tests/rig/organizer-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'

const rig = useRig({}, DAY)

describe('minutes for everybody', () => {
  const give = (code: string, minutes: number) => changeTimeOf(rig, code, 'give', minutes * 60)

  it('after the deadline reopen closed tests until the new end', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await seat.save(rightAnswers(items.slice(0, 1)))
    await moveClock(rig, LIMIT + 11_000)
    await sweepOnce(rig.dependencies)
    await moveClock(rig, 49_000)
    const end = afterStart(LIMIT + 600_000)
    await give(code, 10)
    const { body } = await seat.status()
    expect(body).toMatchObject({ status: 'in_progress', remainingMs: 540_000 })
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
    const result = { correct: 2, incorrect: 2, time: '29:00' }
    expect(await resultOf(rig, candidate.id)).toMatchObject(result)
    expect(await interventionsOf(rig, candidate.id)).toEqual(['submitted', 'reopened', 'submitted'])
  })

  it('do not reopen a test whose new end would be over', async () => {
    const { code, candidate } = await startedSeat(rig)
    await moveClock(rig, 300_000)
    const second = await makeCandidate(rig, code)
    await (await takeSeat(rig, code, second.username)).start()
    await moveClock(rig, LIMIT + 60_000)
    await sweepOnce(rig.dependencies)
    // The first ended at 09:20, the second at 09:25; it is 09:26.
    expect((await give(code, 5)).text).toBe('Opened 1 again')
    expect((await attemptOf(rig, second.id)).deadlineAt).toEqual(afterStart(LIMIT + 600_000))
    expect((await attemptOf(rig, candidate.id)).submitReason).toBe('deadline')
  })

  it('include attempts not yet closed because the server was down', async () => {
    const { seat, code } = await startedSeat(rig)
    // Ten minutes past the deadline, without a beat.
    rig.clock.now = afterStart(LIMIT + 600_000)
    expect((await give(code, 15)).text).toBe('Gave 15 min to 1')
    await sweepOnce(rig.dependencies)
    expect((await seat.status()).body.remainingMs).toBe(300_000)
  })

  it.each([
    ['ahead of a submit move the deadline of a test that is then submitted', true],
    ['behind a submit leave the closed test alone', false],
  ])('%s', async (_, isAhead) => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    const submit = () => seat.submit(rightAnswers(items))
    if (isAhead) await actAhead(rig, () => give(code, 5), submit)
    else await submit().then(() => give(code, 5))
    expect(await attemptOf(rig, candidate.id)).toMatchObject({
      submittedAt: DAY,
      submitReason: 'candidate',
      deadlineAt: afterStart(LIMIT + (isAhead ? 300_000 : 0)),
    })
    expect(await interventionsOf(rig, candidate.id)).toEqual(
      isAhead ? ['extended', 'submitted'] : ['submitted'],
    )
  })
})

describe('planned time', () => {
  const planned = (code: string, id: string, minutes: number) =>
    changeTimeOf(rig, code, 'plan', minutes * 60, id)

  it('keeps milliseconds, so the expiry job closes at the new deadline', async () => {
    rig.clock.now = new Date(DAY.getTime() + 123)
    const { code } = await makeAssessment(rig)
    const candidate = await makeCandidate(rig, code)
    await (await takeSeat(rig, code, candidate.username)).start()
    await moveClock(rig, 5_777)
    await planned(code, candidate.id, 1)
    const deadline = afterStart(123 + LIMIT + 60_000)
    expect((await attemptOf(rig, candidate.id)).deadlineAt).toEqual(deadline)
    await moveClock(rig, new Date(deadline.getTime() + 9_999))
    await sweepOnce(rig.dependencies)
    expect((await attemptOf(rig, candidate.id)).submittedAt).toBeNull()
    await moveClock(rig, 1)
    await sweepOnce(rig.dependencies)
    expect((await attemptOf(rig, candidate.id)).submittedAt).toEqual(deadline)
  })

  it('still works in the grace period after the deadline, ahead of the expiry job', async () => {
    const { code, candidate } = await startedSeat(rig)
    await moveClock(rig, LIMIT + 10_000)
    const sweep = () => sweepOnce(rig.dependencies)
    const given = await actAhead(rig, () => planned(code, candidate.id, 5), sweep)
    expect(given.status).toBe('fulfilled')
    await sweep()
    expect(await attemptOf(rig, candidate.id)).toMatchObject({
      deadlineAt: afterStart(LIMIT + 300_000),
      submittedAt: null,
    })
  })
})

it('a reopened test continues without counting the pause (power cut)', async () => {
  const { seat, code, candidate, items } = await startedSeat(rig)
  await moveClock(rig, 300_000)
  const answers = rightAnswers(items).map((answer) => ({ ...answer, choice: 'A' }))
  const first = await seat.submit(answers)
  await moveClock(rig, 600_000)
  await changeTimeOf(rig, code, 'reopen', 300, candidate.id)
  const back = await takeSeat(rig, code, candidate.username)
  const { body } = await back.start()
  expect([body.status, body.remainingMs, body.answers.length]).toEqual(['in_progress', 300_000, 4])
  expect(await resultOf(rig, candidate.id)).toBeUndefined()
  await moveClock(rig, 60_000)
  const second = await back.submit(rightAnswers(items, 2))
  expect(second.body).toMatchObject({ reference: first.body.reference })
  // 5 minutes before the pause of 10, and one after it.
  expect(await resultOf(rig, candidate.id)).toMatchObject({ correct: 4, time: '06:00' })
  expect(await interventionsOf(rig, candidate.id)).toEqual(['submitted', 'reopened', 'submitted'])
})
