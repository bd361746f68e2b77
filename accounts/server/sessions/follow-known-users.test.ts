import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../../app/server/app.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { makeAssessment, makeCandidate, PASSWORD } from '../../../tests/rig/assessment-rig.ts'
import { authCall, claimsOf, statementsOf } from '../../../tests/rig/auth-rig.ts'
import { startSilentProxy } from '../../../tests/rig/network/silent-proxy.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { closeAccounts } from '../deletion.ts'
import { followKnownUsers } from './follow-known-users.ts'

// Two nodes share a database. Only a notification tells one node that the other ended a session.
type Node = ReturnType<typeof followKnownUsers> & { app: ReturnType<typeof createApp> }
const rig = useRig()
const nodes: Node[] = []
let here: Node
let there: Node

async function startNode(url = rig.databaseUrl, options = {}): Promise<Node> {
  const known = followKnownUsers(url, rig.dependencies.log, options)
  const app = createApp({ ...rig.dependencies, knownUsers: known.users })
  const node = { ...known, app }
  nodes.push(node)
  await isHeard(node, true)
  return node
}

/** Waits until a node caches the session, or drops it. */
const isHeard = ({ users }: Node, expected: boolean) =>
  vi.waitFor(
    () => {
      const user = { id: 'probe', sessionId: 'probe', email: null }
      const { sessions } = users
      const reading = sessions.beginRead()
      sessions.remember(
        'probe',
        'probe',
        { ...user, isAnonymous: true, contentVersion: 0 },
        reading,
      )
      sessions.endRead(reading)
      const isKnown = users.sessions.recall('probe') !== undefined
      users.forget('probe')
      expect(isKnown).toBe(expected)
    },
    { timeout: 10_000, interval: 10 },
  )

beforeAll(async () => {
  here = await startNode()
  there = await startNode()
})
afterAll(() => Promise.all(nodes.map((node) => node.stop())))

const practise = async ({ app }: Node, token: string) =>
  (await app.request('/api/questions/counts', { headers: { Authorization: `Bearer ${token}` } }))
    .status
const sessionOf = (token: string) => claimsOf(token).session_id as string

/** Signs up a user and makes a node cache them. A late notification of an earlier change can evict them once. */
async function knownAt(node: Node, email?: string) {
  const person = await signUp(rig, email)
  await vi.waitFor(async () => {
    expect(await practise(node, person.token)).toBe(200)
    expect(node.users.sessions.recall(sessionOf(person.token))?.id).toBe(person.userId)
  })
  return person
}

/** Ends a node's listening connection at the server. @returns how many there were */
async function killLines(): Promise<number> {
  const { rowCount } = await rig.db.$client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'superday announcements'`,
  )
  return rowCount ?? 0
}

const sql = (text: string, ...values: unknown[]) => rig.db.$client.query(text, values)

describe('another node drops from its cache', () => {
  test.each<[string, (userId: string) => Promise<unknown>]>([
    ['a session that is deleted', (id) => sql('delete from sessions where user_id = $1', id)],
    ['the sessions of a deleted user', (id) => sql('delete from users where id = $1', id)],
    ['the sessions of a closed account', (id) => closeAccounts(rig.db, rig.clock.now, [id])],
    [
      'a user whose address changed',
      (id) => sql(`update users set email = gen_random_uuid() || '@example.com' where id = $1`, id),
    ],
    [
      'all users when the question bank changes',
      () => sql('update bank set version = version + 1'),
    ],
    ['all users when all sessions end', () => sql('truncate sessions cascade')],
    ['all users after an announcement that it cannot read', () => sql(`notify known_users, '💣'`)],
    [
      'hundreds of sessions deleted at once',
      async (id) => {
        await sql(`
          with crowd as (
            insert into users (id, is_anonymous, created_at, updated_at)
            select gen_random_uuid(), true, now(), now() from generate_series(1, 300) returning id
          )
          insert into sessions (id, user_id, amr, created_at, refreshed_at)
          select gen_random_uuid(), id, '[]', now(), now() from crowd`)
        expect((await sql('delete from sessions')).rowCount).toBeGreaterThan(300)
        expect(id).toBeDefined()
      },
    ],
  ])('%s', async (_, change) => {
    await sql(`insert into bank values (1, 1, 'x') on conflict do nothing`)
    const { token, userId } = await knownAt(there, `${randomUUID()}@example.com`)
    await change(userId)
    await vi.waitFor(() => expect(there.users.sessions.recall(sessionOf(token))).toBeUndefined(), {
      timeout: 5_000,
      interval: 1,
    })
  })

  test('nothing after a refresh, a sign-in or a rolled-back change', async () => {
    const { token, userId } = await knownAt(there, `${randomUUID()}@example.com`)
    await sql(
      'update sessions set refresh_counter = refresh_counter + 1 where user_id = $1',
      userId,
    )
    await sql('update users set last_sign_in_at = now(), email = email where id = $1', userId)
    const client = await rig.db.$client.connect()
    await client.query('begin')
    await client.query('delete from sessions where user_id = $1', [userId])
    await client.query('rollback')
    client.release()
    // Notifications arrive in commit order, so the earlier ones have arrived after this one.
    const last = await knownAt(there)
    await sql('delete from sessions where user_id = $1', last.userId)
    await vi.waitFor(() =>
      expect(there.users.sessions.recall(sessionOf(last.token))).toBeUndefined(),
    )
    expect(there.users.sessions.recall(sessionOf(token))?.id).toBe(userId)
  })
})

test('a session that ends amid hundreds of calls ends immediately here and on another node after one notification', async () => {
  const person = await knownAt(there, `${randomUUID()}@example.com`)
  expect(await practise(here, person.token)).toBe(200)
  let endedAt = Number.POSITIVE_INFINITY
  let isOver = false
  const admitted: { node: Node; begunAt: number }[] = []
  let calls = 0
  const callOn = async (node: Node) => {
    while (!isOver) {
      const begunAt = performance.now()
      const status = await practise(node, person.token)
      calls += 1
      if (status === 200 && begunAt > endedAt) admitted.push({ node, begunAt })
      // Calls answered from the cache never wait, so this lets notifications arrive.
      await new Promise(setImmediate)
    }
  }
  const calling = [here, there].flatMap((node) => Array.from({ length: 10 }, () => callOn(node)))
  const untilCalls = (count: number) =>
    vi.waitFor(() => expect(calls).toBeGreaterThan(count), { timeout: 20_000, interval: 5 })
  await untilCalls(300)
  const answer = await here.app.request('/auth/v1/logout?scope=local', {
    method: 'POST',
    headers: { Authorization: `Bearer ${person.token}` },
  })
  endedAt = performance.now()
  expect(answer.status).toBe(204)
  await untilCalls(calls + 300)
  isOver = true
  await Promise.all(calling)
  expect(admitted.filter(({ node }) => node === here)).toEqual([])
  const lagMs = Math.max(0, ...admitted.map(({ begunAt }) => begunAt - endedAt))
  expect(lagMs).toBeLessThan(1_000)
  expect(await practise(there, person.token)).toBe(401)
}, 60_000)

test('a cached session gets no candidate token once its row is gone', async () => {
  const { code } = await makeAssessment(rig)
  const { username } = await makeCandidate(rig, code)
  const { token, userId } = await knownAt(there)
  const { sessions } = there.users
  const known = sessions.recall(sessionOf(token))
  await sql('delete from sessions where user_id = $1', userId)
  await vi.waitFor(() => expect(sessions.recall(sessionOf(token))).toBeUndefined())
  // Simulates a notification that hasn't arrived yet.
  const reading = sessions.beginRead()
  if (known) sessions.remember(sessionOf(token), userId, known, reading)
  sessions.endRead(reading)
  const answer = await there.app.request(`/api/assessments/${code}/verify`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD }),
  })
  expect(sessions.recall(sessionOf(token))).toBeDefined()
  expect(answer.status).toBe(401)
  expect((await sql('select from candidate_tokens where user_id = $1', userId)).rowCount).toBe(0)
})

describe('a node whose notification connection is lost', () => {
  test('reads each session from the database until it reconnects', async () => {
    const { token, userId } = await knownAt(there)
    const reads = () => statementsOf(() => practise(there, token))
    expect(await reads()).toEqual([])
    expect(await killLines()).toBe(nodes.length)
    await isHeard(there, false)
    expect((await reads()).length).toBeGreaterThan(0)
    await sql('delete from sessions where user_id = $1', userId)
    expect(await practise(there, token)).toBe(401)
    await isHeard(there, true)
    const next = await knownAt(there)
    await sql('delete from sessions where user_id = $1', next.userId)
    await vi.waitFor(() =>
      expect(there.users.sessions.recall(sessionOf(next.token))).toBeUndefined(),
    )
  })

  test('drops its cache, so that sessions that ended meanwhile are rejected', async () => {
    const { token, userId } = await knownAt(there)
    await killLines()
    await sql('delete from sessions where user_id = $1', userId)
    await isHeard(there, false)
    await isHeard(there, true)
    expect(await practise(there, token)).toBe(401)
  })

  test('without an error notices within two seconds and reconnects', {
    tags: ['full'],
    timeout: 20_000,
  }, async () => {
    const proxy = await startSilentProxy(rig.databaseUrl)
    try {
      const cut = await startNode(proxy.url, { silentMs: 1_800 })
      const { token, userId } = await knownAt(cut)
      proxy.silence(true)
      const begunAt = performance.now()
      await sql('delete from sessions where user_id = $1', userId)
      await vi.waitFor(async () => expect(await practise(cut, token)).toBe(401), {
        timeout: 5_000,
        interval: 5,
      })
      expect(performance.now() - begunAt).toBeLessThan(2_000)
      proxy.silence(false)
      await isHeard(cut, true)
    } finally {
      proxy.end()
    }
  })

  test('because the server became read-only reconnects as soon as a call reports it', async () => {
    const lines = async () => {
      const { rows } = await sql(
        `select pid from pg_stat_activity where datname = current_database()
         and application_name = 'superday announcements' order by pid`,
      )
      return rows.map(({ pid }) => pid as number)
    }
    const node = await startNode()
    const { token } = await knownAt(node)
    const before = await lines()
    const db = openDatabase(rig.databaseUrl, { onServerLost: node.renew })
    try {
      await expect(
        db.$client.query('begin; set transaction read only; delete from sessions where false'),
      ).rejects.toMatchObject({ code: '25006' })
      expect(node.users.sessions.recall(sessionOf(token))).toBeUndefined()
      await isHeard(node, true)
      await vi.waitFor(async () => {
        const after = await lines()
        expect(after.filter((pid) => before.includes(pid))).toHaveLength(before.length - 1)
        expect(after).toHaveLength(before.length)
      })
    } finally {
      await db.$client.end()
    }
  })
})

test('a cached user gets the new bank version as soon as it is announced', async () => {
  const { token } = await knownAt(there)
  const version = () => there.users.sessions.recall(sessionOf(token))?.contentVersion
  const before = version() as number
  await sql('update bank set version = version + 1')
  await vi.waitFor(async () => {
    expect(await practise(there, token)).toBe(200)
    expect(version()).toBe(before + 1)
  })
})

test('a stopped node closes its notification connection', async () => {
  const node = await startNode()
  await node.stop()
  // PostgreSQL lists a closed connection for a moment.
  await vi.waitFor(async () => {
    const { rows } = await sql(
      `select count(*)::int as lines from pg_stat_activity where datname = current_database()
       and application_name = 'superday announcements'`,
    )
    expect(rows[0].lines).toBeLessThanOrEqual(nodes.length - 1)
  })
  expect((await authCall(rig, 'GET', '/health')).status).toBe(200)
})
