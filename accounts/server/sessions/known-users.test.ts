import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { KnownUsers } from '../../../platform/server/known-users.ts'
import {
  makeAssessment,
  makeCandidate,
  PASSWORD as SEAT_PASSWORD,
  takeSeat,
} from '../../../tests/rig/assessment-rig.ts'
import {
  authCall,
  claimsOf,
  PASSWORD,
  passTime,
  refresh,
  setUpApp,
  signClaims,
  signIn,
  statementsOf,
} from '../../../tests/rig/auth-rig.ts'
import { recoveryIn, useMail } from '../../../tests/rig/auth-smtp.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'

// This node gets no notifications. It must still reject sessions that it ended itself.
let elapsedMs = 0
let isFollowed = true
const knownUsers = new KnownUsers(() => isFollowed, { limit: 3, elapsedMs: () => elapsedMs })
const rig = useRig({ knownUsers })
const mail = useMail(rig)

const PRACTICE = '/api/questions/counts'
const practise = async (token: string) => (await rig.call('GET', PRACTICE, { token })).status
const readsOf = async (path: string, token: string) =>
  (await statementsOf(() => rig.call('GET', path, { token }))).filter((text) =>
    text.includes('from unnest($1::uuid[]) as asked(id) join sessions'),
  ).length
const fresh = () => `${randomUUID()}@example.com`

describe('a cached session', () => {
  test('is used for practice and attempts only', async () => {
    const { token } = await signUp(rig, fresh())
    expect(await readsOf(PRACTICE, token)).toBe(1)
    expect(await readsOf(PRACTICE, token)).toBe(0)
    expect(await readsOf('/api/assessments/NONE/attempt', token)).toBe(0)
    for (const path of ['/api/profile', '/api/assessments', '/api/practice/reminders']) {
      expect([path, await readsOf(path, token)]).toEqual([path, 1])
    }
  })

  test('admits no user to an attempt once its row is gone', async () => {
    const { code } = await makeAssessment(rig, { itemCount: 1 })
    const seat = await takeSeat(rig, code, (await makeCandidate(rig, code, 'ana')).username)
    expect((await seat.start()).status).toBe(200)
    const { session_id: sessionId, sub } = claimsOf(seat.token)
    await rig.db.$client.query('delete from sessions where id = $1', [sessionId])
    expect(knownUsers.sessions.recall(sessionId as string)).toMatchObject({ id: sub })
    for (const answer of [await seat.start(), await seat.save([]), await seat.status()]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'bad_candidate_token'])
    }
  })

  test('that ends while credentials are checked is reported as ended', async () => {
    const { code } = await makeAssessment(rig, { itemCount: 1 })
    const { username } = await makeCandidate(rig, code, 'ben')
    const { token } = await signUp(rig)
    await rig.db.$client.query(`
      create function end_session() returns trigger language plpgsql as $$ begin
        delete from sessions where id = new.session_id; return new; end $$;
      create trigger end_session before insert on candidate_tokens
        for each row execute function end_session()`)
    try {
      const path = `/api/assessments/${code}/verify`
      const answer = await rig.call('POST', path, {
        token,
        body: { username, password: SEAT_PASSWORD },
      })
      expect([answer.status, answer.body.code]).toEqual([401, 'session_not_found'])
    } finally {
      await rig.db.$client.query('drop function end_session cascade')
    }
  })

  test('is kept for a minute', async () => {
    const { token } = await signUp(rig)
    await practise(token)
    elapsedMs += 59_999
    expect(await readsOf(PRACTICE, token)).toBe(0)
    elapsedMs += 1
    expect(await readsOf(PRACTICE, token)).toBe(1)
  })

  test('is not kept while the node gets no notifications', async () => {
    const { token } = await signUp(rig)
    await practise(token)
    isFollowed = false
    expect(await readsOf(PRACTICE, token)).toBe(1)
    expect(await readsOf(PRACTICE, token)).toBe(1)
    isFollowed = true
  })

  test('is not given to another user whose token names that session', async () => {
    const [one, other] = [await signUp(rig), await signUp(rig)]
    await practise(one.token)
    const { session_id: sessionId } = claimsOf(one.token)
    expect(knownUsers.sessions.recall(sessionId as string)).toBeDefined()
    const forged = await signClaims(rig, { ...claimsOf(other.token), session_id: sessionId })
    expect(await practise(forged)).toBe(401)
  })

  test('counts toward a limit; the oldest entries are dropped', async () => {
    knownUsers.forgetAll()
    const tokens = await Promise.all([1, 2, 3, 4].map(async () => (await signUp(rig)).token))
    for (const token of tokens) await practise(token)
    expect(knownUsers.sessions.size).toBe(3)
    expect(await readsOf(PRACTICE, tokens[3] as string)).toBe(0)
    expect(await readsOf(PRACTICE, tokens[0] as string)).toBe(1)
  })

  test('expires with the token', async () => {
    const { token } = await signUp(rig)
    expect(await practise(token)).toBe(200)
    const start = rig.clock.now
    passTime(rig, 3_611_000)
    expect(await practise(token)).toBe(401)
    rig.clock.now = start
  })

  test('is not stored when the session ended during the lookup', async () => {
    const user = { id: 'ann', sessionId: 'a', email: null, isAnonymous: true, contentVersion: 1 }
    const readWhile = (happens: () => void) => {
      const reading = knownUsers.sessions.beginRead()
      happens()
      knownUsers.sessions.remember('a', 'ann', user, reading)
      knownUsers.sessions.endRead(reading)
      return knownUsers.sessions.recall('a')
    }
    expect(readWhile(() => knownUsers.forget('ann'))).toBeUndefined()
    expect(readWhile(() => knownUsers.forgetAll())).toBeUndefined()
    const isLostMeanwhile = () => {
      isFollowed = false
      knownUsers.forgetAll()
      isFollowed = true
    }
    expect(readWhile(isLostMeanwhile)).toBeUndefined()
    isFollowed = false
    const begunBefore = knownUsers.sessions.beginRead()
    isFollowed = true
    knownUsers.sessions.remember('a', 'ann', user, begunBefore)
    expect(knownUsers.sessions.recall('a')).toBeUndefined()
    // While a room saves its answers, other users must stay cached.
    expect(readWhile(() => knownUsers.forget('ben'))).toBe(user)
    knownUsers.forget('ann')
  })
})

describe('the node that ends a session refuses every later call, after', () => {
  /** Signs up a user whose session this node has cached. */
  async function makePerson() {
    const email = fresh()
    await signUp(rig, email)
    const { body } = await signIn(rig, email)
    const [token, refreshToken] = [body.access_token as string, body.refresh_token as string]
    expect(await practise(token)).toBe(200)
    expect(await readsOf(PRACTICE, token)).toBe(0)
    return { email, token, refreshToken, userId: body.user.id as string }
  }
  type Person = Awaited<ReturnType<typeof makePerson>>

  test.each<[string, (person: Person) => Promise<{ status: number }>]>([
    ...['local', 'global'].map(
      (scope): [string, (person: Person) => Promise<{ status: number }>] => [
        `sign-out, ${scope}`,
        ({ token }) => authCall(rig, 'POST', `/logout?scope=${scope}`, undefined, { token }),
      ],
    ),
    [
      "another session's sign-out of all others",
      async ({ email }) => {
        const { body } = await signIn(rig, email)
        return authCall(rig, 'POST', '/logout?scope=others', undefined, {
          token: body.access_token,
        })
      },
    ],
    [
      'a new password',
      ({ token }) =>
        authCall(
          rig,
          'PUT',
          '/user',
          { password: 'another horse battery', current_password: PASSWORD },
          { token },
        ),
    ],
    [
      'a recovery',
      async ({ email }) => {
        await authCall(rig, 'POST', '/recover', { email })
        await mail.queue.runOnce()
        const { token } = recoveryIn(mail.smtp.received.at(-1))
        return authCall(rig, 'POST', '/verify', { type: 'recovery', token_hash: token })
      },
    ],
    [
      'setting up a second factor',
      async ({ token }) => {
        await setUpApp(rig, token)
        return { status: 200 }
      },
    ],
    [
      'closing the account',
      ({ token }) => rig.call('DELETE', '/api/profile', { token, body: { password: PASSWORD } }),
    ],
  ])('%s', async (_, end) => {
    const person = await makePerson()
    const { status } = await end(person)
    expect([200, 204]).toContain(status)
    expect(await practise(person.token)).toBe(401)
  })

  test('a reused old refresh token', async () => {
    const person = await makePerson()
    let { refreshToken } = person
    for (let time = 0; time < 2; time += 1) {
      refreshToken = (await refresh(rig, refreshToken)).body.refresh_token
    }
    expect(await practise(person.token)).toBe(200)
    passTime(rig, 61_000)
    expect((await refresh(rig, person.refreshToken)).status).toBe(400)
    expect(await practise(person.token)).toBe(401)
  })

  test('and a guest who becomes an account is no longer a guest from that response on', async () => {
    const { token, userId } = await signUp(rig)
    await practise(token)
    const sessionId = () =>
      rig.db.$client
        .query<{ id: string }>('select id from sessions where user_id = $1', [userId])
        .then(({ rows }) => rows[0]?.id as string)
    expect(knownUsers.sessions.recall(await sessionId())).toMatchObject({ isAnonymous: true })
    const email = fresh()
    const answer = await authCall(rig, 'PUT', '/user', { email, password: PASSWORD }, { token })
    expect(answer.status).toBe(200)
    expect(knownUsers.sessions.recall(await sessionId())).toBeUndefined()
  })
})
