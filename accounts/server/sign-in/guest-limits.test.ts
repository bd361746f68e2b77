import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  makeAssessment,
  makeCandidate,
  PASSWORD as SOCIETY_PASSWORD,
} from '../../../tests/rig/assessment-rig.ts'
import { authCall, PASSWORD, watchLog } from '../../../tests/rig/auth-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { LIMITS } from './rate-limits.ts'

const rig = useRig({ rateLimits: true, trustProxy: true })
watchLog(rig)
beforeEach(() => rig.db.$client.query('delete from rate_limits'))

const signUpFrom = (address: string, body: unknown) =>
  authCall(rig, 'POST', '/signup', body, { headers: { 'X-Forwarded-For': address } })
const signUpAt = (address: string) =>
  signUpFrom(address, { email: `g${randomUUID().slice(0, 8)}@example.com`, password: PASSWORD })
const asGuest = (address: string, proof?: unknown) =>
  signUpFrom(address, {
    data: {},
    ...(proof === undefined
      ? {}
      : { gotrue_meta_security: { captcha_token: JSON.stringify(proof) } }),
  })

/** Simulates `points` guests in this window. */
async function spend(prefix: string, points: number) {
  const { rowCount } = await rig.db.$client.query(
    'update rate_limits set points = $1 where key like $2',
    [points, `${prefix}:%`],
  )
  expect(rowCount, prefix).toBe(1)
}

const tooMany = { status: 429, body: { code: 'over_request_rate_limit' } }

describe('guest sign-ups', () => {
  test.each([
    ['/64', 'guestPerAddress', '2001:db8:1:1::1', '2001:db8:1:1::2', '2001:db8:1:2::1'],
    ['/48', 'guestPerSite', '2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:2:1::1'],
    ['/32', 'guestPerProvider', '2001:db8:1:1::1', '2001:db8:2:1::1', '2001:db9:1:1::1'],
  ] as const)('from one IPv6 %s share a limit', async (_, prefix, first, same, other) => {
    expect((await asGuest(first)).status).toBe(200)
    await spend(prefix, LIMITS[prefix].points)
    const refused = await asGuest(same)
    expect(refused).toMatchObject(tooMany)
    expect(refused.body.message).toMatch(/^Too many guests are joining .* 5 minutes .* account\.$/)
    expect((await asGuest(other)).status).toBe(200)
  })

  test('from all networks share a limit, which does not stop accounts or candidates', async () => {
    const shards = 8
    const random = vi.spyOn(rig.dependencies, 'random')
    for (let shard = 0; shard < shards; shard += 1) {
      random.mockReturnValue(shard / shards)
      expect((await asGuest(`192.0.2.${shard}`)).status).toBe(200)
    }
    random.mockRestore()
    const { points } = LIMITS.guestOverall
    const { rowCount } = await rig.db.$client.query(
      "update rate_limits set points = $1 where key like 'guestOverall:%'",
      [points],
    )
    expect([rowCount, points * shards]).toEqual([shards, 15_000])
    expect(await asGuest('198.51.100.1')).toMatchObject(tooMany)
    expect((await signUpAt('198.51.100.1')).status).toBe(200)
  })

  test('of listed candidates are exempt from the limit, ten times in five minutes', async () => {
    const { code } = await makeAssessment(rig)
    const { username } = await makeCandidate(rig, code)
    const password = SOCIETY_PASSWORD
    const hall = '192.0.2.1'
    await asGuest(hall)
    await spend('guestPerAddress', 400)
    for (const proof of [
      { username, password: 'wrong' },
      { username: 'nobody', password },
      { username, password, code },
      'text',
      null,
      { username: '\0', password: '\ud800' },
    ]) {
      expect((await asGuest(hall, proof)).status).toBe(429)
    }
    for (let n = 0; n < 10; n++) {
      const { status, body } = await asGuest(hall, { username: username.toUpperCase(), password })
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toContain(password)
    }
    expect((await asGuest(hall, { username, password })).status).toBe(429)
    await rig.db.$client.query("delete from rate_limits where key like 'guestPerCandidate:%'")
    await rig.db.$client.query('update candidates set revoked_at = now()')
    expect((await asGuest(hall, { username, password })).status).toBe(429)
  })
})
