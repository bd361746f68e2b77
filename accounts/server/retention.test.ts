import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { makeAssessment, makeCandidate, takeSeat } from '../../tests/rig/assessment-rig.ts'
import { signUp, useRig } from '../../tests/rig/rig.ts'
import { GUEST_DAYS } from '../limits.ts'
import { deleteClosedAccounts, dropOldTokens, purgeGuests } from './deletion.ts'
import { makeRecoveryToken } from './recovery/recovery.ts'

const rig = useRig()
const DAY_MS = 24 * 3_600_000

const passDays = (days: number) => {
  rig.clock.now = new Date(rig.clock.now.getTime() + days * DAY_MS)
}
const exists = async (userId: string) =>
  (await rig.db.execute(sql`select from users where id = ${userId}`)).rows.length === 1

it('the nightly cleanup deletes guests unused for 30 days and no other users', async () => {
  const account = await signUp(rig, 'stays@example.com')
  const unused = await signUp(rig)
  const returning = await signUp(rig)
  passDays(GUEST_DAYS - 1)
  const refreshed = await rig.call('POST', '/auth/v1/token?grant_type=refresh_token', {
    body: { refresh_token: returning.refreshToken },
  })
  expect(refreshed.status).toBe(200)
  expect(await purgeGuests(rig.dependencies), 'a day early').toBe(0)
  passDays(2)
  expect(await purgeGuests(rig.dependencies)).toBe(1)
  expect(await deleteClosedAccounts(rig)).toBe(1)
  expect(await exists(unused.userId)).toBe(false)
  expect(await exists(returning.userId)).toBe(true)
  expect(await exists(account.userId)).toBe(true)
})

it("a purged guest's attempt stays, without the link to the guest", async () => {
  const { code } = await makeAssessment(rig)
  const candidate = await makeCandidate(rig, code)
  const seat = await takeSeat(rig, code, candidate.username)
  await seat.start()
  passDays(GUEST_DAYS + 1)
  await purgeGuests(rig.dependencies)
  await deleteClosedAccounts(rig)
  expect(await exists(seat.userId)).toBe(false)
  const { rows } = await rig.db.execute(
    sql`select user_id from attempts where candidate_id = ${candidate.id}`,
  )
  expect(rows).toEqual([{ user_id: null }])
})

it('a recovery token is deleted a week after it expires', async () => {
  const { db, now, secretKey } = rig.dependencies
  const { userId } = await signUp(rig, 'forgetful@example.com')
  await makeRecoveryToken(db, secretKey, now(), userId)
  const tokens = async () => (await db.$client.query('select from recovery_tokens')).rowCount
  const madeAt = rig.clock.now.getTime()
  rig.clock.now = new Date(madeAt + 7 * DAY_MS)
  await dropOldTokens(rig.dependencies)
  expect(await tokens(), 'an hour early').toBe(1)
  rig.clock.now = new Date(madeAt + 7 * DAY_MS + 3_600_001)
  await dropOldTokens(rig.dependencies)
  expect(await tokens()).toBe(0)
})
