import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  DAY,
  makeCandidate,
  moveClock,
  startedSeat,
  takeSeat,
} from '../../../tests/rig/assessment-rig.ts'
import {
  auditOf,
  interventionsOf,
  organiserOf,
  refusalOf,
  resultOf,
  rightAnswers,
} from '../../../tests/rig/organiser-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { reopenAttempt } from './reopen.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

const afterStart = (ms: number) => new Date(DAY.getTime() + ms)

describe('reopening an attempt', () => {
  const reopen = (code: string, username: string, minutes = 5, reason = 'power cut') =>
    reopenAttempt(organiserOf(rig), code, username, { seconds: minutes * 60, reason })

  it('lets the candidate continue without counting the pause (power cut)', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await moveClock(rig, 300_000)
    const answers = rightAnswers(items).map((answer) => ({ ...answer, choice: 'A' }))
    const first = await seat.submit(answers)
    await moveClock(rig, 600_000)
    expect(await reopen(code, candidate.username)).toMatchObject({
      username: candidate.username,
      deadlineAt: afterStart(1_200_000),
      isRevoked: false,
      isListed: true,
    })
    const back = await takeSeat(rig, code, candidate.username)
    const { body } = await back.start()
    expect([body.status, body.remainingMs, body.answers.length]).toEqual([
      'in_progress',
      300_000,
      4,
    ])
    expect(await resultOf(rig, candidate.id)).toBeUndefined()
    await moveClock(rig, 60_000)
    const second = await back.submit(rightAnswers(items, 2))
    expect(second.body).toMatchObject({ reference: first.body.reference })
    // 5 minutes before the pause of 10, and one after it.
    expect(await resultOf(rig, candidate.id)).toMatchObject({ correct: 4, time: '06:00' })
    expect(await interventionsOf(rig, candidate.id)).toEqual(['submitted', 'reopened', 'submitted'])
    expect(await auditOf(rig, code)).toEqual([
      expect.objectContaining({
        action: 'reopen',
        detail: expect.objectContaining({ reason: 'power cut', submitReason: 'candidate' }),
      }),
    ])
  })

  it('is refused before the start, while it is open, and without a reason or minutes', async () => {
    const { code, candidate } = await startedSeat(rig)
    const absent = await makeCandidate(rig, code)
    expect(await refusalOf(() => reopen(code, absent.username))).toMatch(/has not started/)
    expect(await refusalOf(() => reopen(code, candidate.username))).toMatch(
      /still open.*extra-time/,
    )
    expect(await refusalOf(() => reopen(code, candidate.username, 0))).toMatch(/minutes from now/)
    expect(await refusalOf(() => reopen(code, candidate.username, 5, ' '))).toMatch(/reason/)
    expect(await auditOf(rig, code)).toEqual([])
  })

  it('warns when the candidate is revoked or the test is no longer listed', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig, {
      closesAt: afterStart(60_000),
    })
    await seat.submit(rightAnswers(items))
    await rig.db.execute(sql`update candidates set revoked_at = ${DAY} where id = ${candidate.id}`)
    rig.clock.now = afterStart(60_000 + 24 * 3_600_000)
    expect(await reopen(code, candidate.username)).toMatchObject({
      isRevoked: true,
      isListed: false,
    })
  })
})
