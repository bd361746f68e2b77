import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../../platform/database/database.ts'
import { attemptRowOf, startedSeat } from '../../tests/rig/assessment-rig.ts'
import {
  authCall,
  PASSWORD,
  passTime,
  refresh,
  signIn,
  watchLog,
} from '../../tests/rig/auth-rig.ts'
import { signUp, useRig } from '../../tests/rig/rig.ts'
import { deleteClosedAccounts, startDeletions } from './deletion.ts'

const rig = useRig({ rateLimits: true })
watchLog(rig)

const fresh = () => `d${randomUUID().slice(0, 8)}@example.com`
const close = (token: string, body: object) => rig.call('DELETE', '/api/profile', { token, body })
const exists = async (userId: string) =>
  (await rig.db.$client.query('select from users where id = $1', [userId])).rowCount === 1
/** Inserts as many rows as many years would. */
const addEvents = (userId: string, count: number) =>
  rig.db.$client.query(
    `insert into attempt_events (candidate_id, attempt_id, kind, window_id, at_ms, user_id, received_at)
     select candidate_id, id, 'saved', window_id, n, user_id, now()
     from attempts, generate_series(1, $2::int) n where user_id = $1`,
    [userId, count],
  )
const eventsOf = async (userId: string) =>
  (await rig.db.$client.query('select from attempt_events where user_id = $1', [userId])).rowCount

describe('deleting an account', () => {
  it('takes effect immediately: all sessions end, sign-in fails, the address is free, no response mentions the person', async () => {
    const email = fresh()
    const { token, userId, refreshToken } = await signUp(rig, email)
    const second = await signIn(rig, email)
    expect((await close(token, { password: PASSWORD })).body).toEqual({ deleting: true })
    for (const dead of [token, second.body.access_token]) {
      expect((await rig.call('GET', '/api/profile', { token: dead })).status).toBe(401)
    }
    expect((await refresh(rig, refreshToken)).status).toBe(400)
    expect((await signIn(rig, email)).body.code).toBe('invalid_credentials')
    const { rows } = await rig.db.$client.query('select * from users where id = $1', [userId])
    expect(rows[0]).toMatchObject({ email: null, password_hash: null, metadata: {} })
    const again = await signUp(rig, email, 'another horse battery')
    expect(again.userId).not.toBe(userId)
    await deleteClosedAccounts(rig)
    expect(await exists(userId)).toBe(false)
    expect((await signIn(rig, email, 'another horse battery')).status).toBe(200)
  })

  it('requires the password again, rate-limited like a sign-in; a guest needs none', async () => {
    const { token } = await signUp(rig, fresh())
    for (const path of ['/api/profile', '/api/profile/export']) {
      const method = path === '/api/profile' ? 'DELETE' : 'POST'
      const ask = (body: object) => rig.call(method, path, { token, body })
      expect(await ask({})).toMatchObject({
        status: 403,
        body: { code: 'password_required', message: 'Please enter your password.' },
      })
      expect(await ask({ password: 'not my password' })).toMatchObject({
        status: 403,
        body: { code: 'wrong_password', message: 'That isn’t your password.' },
      })
    }
    for (let n = 2; n < 10; n++) await close(token, { password: 'guess' })
    const stopped = await close(token, { password: PASSWORD })
    expect(stopped).toMatchObject({ status: 429, body: { code: 'too_many_tries' } })
    expect(Number(stopped.headers.get('Retry-After'))).toBeGreaterThan(0)
    await rig.db.$client.query('delete from rate_limits')
    const data = await rig.call('POST', '/api/profile/export', {
      token,
      body: { password: PASSWORD },
    })
    expect([data.status, data.body.users.length]).toEqual([200, 1])
    const guest = await signUp(rig)
    expect((await close(guest.token, {})).status).toBe(200)
  })

  it('runs in batches, and another node continues after one stops', async () => {
    const { seat, candidate } = await startedSeat(rig)
    await addEvents(seat.userId, 3_500)
    await close(seat.token, {})
    expect(await eventsOf(seat.userId)).toBeGreaterThanOrEqual(3_500)
    let batches = 0
    await deleteClosedAccounts(rig, () => batches++ === 2)
    const left = await eventsOf(seat.userId)
    expect(left).toBeLessThan(3_500)
    expect(left).toBeGreaterThan(1_000)
    expect(await exists(seat.userId)).toBe(true)
    const nodes = [openDatabase(rig.databaseUrl), openDatabase(rig.databaseUrl)]
    const gone = await Promise.all(nodes.map((db) => deleteClosedAccounts({ db })))
    expect(gone[0] as number).toBeLessThanOrEqual(2)
    expect(await exists(seat.userId)).toBe(false)
    // The society keeps the events, without the person.
    const { rows } = await rig.db.$client.query(
      `select count(*)::int as events, count(user_id)::int as linked from attempt_events
       where candidate_id = $1`,
      [candidate.id],
    )
    expect(rows[0].events).toBeGreaterThanOrEqual(3_500)
    expect(rows[0].linked).toBe(0)
    expect(await attemptRowOf(rig, candidate.id)).toMatchObject({ user_id: null })
    await Promise.all(nodes.map((db) => db.$client.end()))
  })

  it('skips locked rows and blocks no other query', async () => {
    const { seat, items, code } = await startedSeat(rig)
    void code
    await addEvents(seat.userId, 1_500)
    await close(seat.token, {})
    const client = await rig.db.$client.connect()
    // Another call holds one of the rows and refers to this user.
    await client.query('begin')
    await client.query(
      'select from attempt_events where user_id = $1 order by id limit 1 for update',
      [seat.userId],
    )
    let batches = 0
    const begun = performance.now()
    await deleteClosedAccounts(rig, () => batches++ === 1)
    expect(performance.now() - begun).toBeLessThan(2_000)
    await client.query('rollback')
    client.release()
    expect(items.length).toBeGreaterThan(0)
    expect(await deleteClosedAccounts(rig)).toBe(1)
  })

  it('is done by the worker, which continues after an error and after a restart', async () => {
    const guest = await signUp(rig)
    await close(guest.token, {})
    const log = { ...rig.dependencies.log, info: vi.fn(), warn: vi.fn() }
    const worker = startDeletions({
      db: rig.db,
      log: log as unknown as typeof rig.dependencies.log,
    })
    await expect.poll(() => exists(guest.userId), { timeout: 10_000 }).toBe(false)
    await worker.stop()
    expect(log.info).toHaveBeenCalledWith({ gone: 1 }, 'accounts deleted')
  })

  it("is final: an earlier recovery mail or a guest's sign-up does not reopen it", async () => {
    const email = fresh()
    const { token, userId } = await signUp(rig, email)
    const guest = await signUp(rig)
    await close(token, { password: PASSWORD })
    const [converted] = await Promise.all([
      authCall(rig, 'PUT', '/user', { email: fresh(), password: PASSWORD }, { token: guest.token }),
      close(guest.token, {}),
    ])
    expect([200, 403, 409]).toContain(converted.status)
    passTime(rig, 1_000)
    await deleteClosedAccounts(rig)
    expect(await exists(userId)).toBe(false)
    const { rows } = await rig.db.$client.query(
      'select from sessions s left join users u on u.id = s.user_id where u.id is null',
    )
    expect(rows).toEqual([])
  })
})
