import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  freshPulse,
  makeAssessment,
  makeCandidate,
  takeSeat,
} from '../../../tests/rig/assessment-rig.ts'
import {
  claimsOf,
  codeOf,
  getUser,
  HOUR,
  MINUTE,
  PASSWORD,
  passTime,
  setUpApp,
  signIn,
  watchLog,
} from '../../../tests/rig/auth-rig.ts'
import { typeAt } from '../../../tests/rig/organizer-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { makeMember, makeSociety, useSociety } from '../../../tests/rig/society-rig.ts'
import { createSocietyMails } from './mails.ts'
import { FACTOR_RESET_MAIL } from './members.ts'

const rig = useRig()
watchLog(rig)

beforeEach(() => passTime(rig, MINUTE))
const { here, member, call: callAs, log } = useSociety(rig)

const call = (method: string, rest: string, token?: string, body?: object) =>
  callAs(method, rest, body, token)
const look = (token?: string) => call('GET', '/assessments', token)
const prove = (token: string, body: object = { password: PASSWORD }) =>
  rig.call('POST', '/api/proof', { token, body })
const reset = (membership: string, token?: string) =>
  call('POST', `/members/${membership}/reset-factor`, token)
const signOut = (membership: string) => call('POST', `/members/${membership}/sign-out`)

it('simultaneous organizer calls share one session lookup, and each gets its own answer', async () => {
  const elsewhere = await makeSociety(rig)
  const stranger = await member('owner', { of: elsewhere.id })
  const gone = await member('author')
  const helper = await member('invigilator')
  expect((await signOut(gone.membership)).status).toBe(200)
  const reads: string[] = []
  const pool = rig.db.$client
  const query = pool.query.bind(pool)
  pool.query = ((...args: Parameters<typeof query>) => {
    const [asked] = args as unknown as [{ name?: string }]
    if (asked.name?.startsWith('organizers-of-')) reads.push(asked.name)
    return query(...args)
  }) as typeof pool.query
  try {
    const callers = [here.owner, stranger, gone, helper, here.owner]
    const answers = await Promise.all([
      ...callers.map(({ token }) => look(token)),
      ...callers.map(({ token }) => call('GET', '/members', token)),
    ])
    expect(answers.map(({ status }) => status)).toEqual([
      ...[200, 404, 403, 200, 200],
      ...[200, 404, 404, 404, 200],
    ])
    expect(reads.length).toBeLessThan(4)
  } finally {
    pool.query = query as typeof pool.query
  }
  const rows = await rig.sql`
    select user_id as "userId" from sessions
    where user_id = any(${[here.owner.userId, stranger.userId, helper.userId]})
      and organiser_at is not null`
  expect(rows.map(({ userId }) => userId).sort()).toEqual([here.owner.userId, helper.userId].sort())
})

describe('an owner managing sessions', () => {
  it("removes a member's lost second factor, requires re-authentication in each session, and sends a mail", async () => {
    const author = await member('author')
    const app = await setUpApp(rig, author.token)
    const listed = (await call('GET', '/members')).body as { email: string; hasFactor: boolean }[]
    expect(listed.map(({ email, hasFactor }) => [email, hasFactor])).toEqual([
      [here.owner.email, false],
      [author.email, true],
    ])
    expect((await reset(author.membership)).body).toEqual({ done: true })
    expect((await getUser(rig, app.token)).body.factors).toBeUndefined()
    expect((await look(app.token)).body.code).toBe('organiser_session_over')
    const again = (await signIn(rig, author.email)).body
    await setUpApp(rig, again.access_token)
    // Setting up another app ends sessions that haven't used it.
    expect((await getUser(rig, app.token)).status).toBe(403)
    expect(await log()).toEqual([
      {
        action: 'reset-second-factor',
        actor: here.owner.email.split('@')[0],
        user_id: here.owner.userId,
        detail: { member: author.email },
      },
    ])
    const mails = await rig.sql`
      select * from mails where recipient = ${author.email} and kind = ${FACTOR_RESET_MAIL}`
    const { about, created_at: createdAt } = mails[0]
    const { db, now, publicUrl, secretKey } = rig.dependencies
    const kinds = createSocietyMails({ db, now, publicUrl, secretKey })
    const letter = await kinds[FACTOR_RESET_MAIL].write({ about, createdAt } as never)
    expect(letter?.text).toContain(`for ${here.name}`)
  })

  it("cannot remove the second factor of a member who also helps another society; the server's operator can", async () => {
    const other = (await makeSociety(rig)).id
    const victim = await member('owner', { of: other })
    const app = await setUpApp(rig, victim.token)
    // An owner also can't remove their own factor, a missing one, or one of a member of another society.
    const own = await setUpApp(rig, here.owner.token)
    expect((await reset(here.owner.membership, own.token)).body.code).toBe('own_factor')
    const author = await member('author')
    expect((await reset(author.membership, own.token)).body.code).toBe('no_factor')
    expect((await reset(victim.membership, own.token)).body.code).toBe('no_such_member')
    const membership = await makeMember(rig, here.id, victim.userId, 'invigilator')
    const refused = await reset(membership, own.token)
    expect(refused).toMatchObject({ status: 409, body: { code: 'roles_elsewhere' } })
    expect((await getUser(rig, app.token)).body.factors).toHaveLength(1)
    const type = (email: string) => typeAt(rig, 'societies', 'reset-factor', here.name, email)
    expect((await type(` ${victim.email.toUpperCase()} `)).out).toBe(
      `${victim.email} no longer has a second factor, and is an organizer again after the password.\n`,
    )
    expect((await getUser(rig, app.token)).body.factors).toBeUndefined()
    expect((await type('nobody@example.com')).refusal).toMatch(/^nobody@example.com has no role in/)
  })

  it('signs a member out of the console on all devices, which is logged and does not stop a test', async () => {
    const author = await member('author')
    await signIn(rig, author.email)
    // The same account is a candidate in another society's test.
    await freshPulse(rig)
    const { code, items } = await makeAssessment(rig)
    const seat = await takeSeat(rig, code, (await makeCandidate(rig, code)).username, author)
    await seat.start()
    expect((await signOut(author.membership)).body).toEqual({ done: true })
    expect((await look(author.token)).body.code).toBe('organiser_session_over')
    expect((await getUser(rig, author.token)).status).toBe(200)
    const answer = { questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }
    expect((await seat.save([answer])).status).toBe(200)
    await prove(author.token)
    expect((await look(author.token)).status).toBe(200)
    const detail = { member: author.email, sessions: 2 }
    expect(await log()).toMatchObject([{ action: 'sign-member-out', detail }])
  })
})

it('managing members needs re-authentication within five minutes: the password, or a code with an app', async () => {
  const author = await member('author')
  const invite = (token: string) =>
    call('POST', '/invitations', token, {
      ...{ emails: ['new@example.com'], roles: ['author'], assessment: null },
    })
  const acts = (token: string) => [
    () => invite(token),
    () => call('POST', `/members/${randomUUID()}/end`, token),
    () => call('POST', `/members/${randomUUID()}/reset-factor`, token),
    () => call('POST', `/members/${randomUUID()}/sign-out`, token),
    () => call('POST', `/invitations/${randomUUID()}/resend`, token),
    () =>
      call('PUT', `/members/${author.membership}`, token, {
        was: { role: 'author', assessment: null, room: null },
        ...{ role: 'reviewer', assessment: null },
      }),
  ]
  passTime(rig, 5 * MINUTE)
  for (const act of acts(here.owner.token)) {
    expect(await act()).toMatchObject({
      status: 403,
      body: { code: 'fresh_proof_required', by: 'password' },
    })
  }
  expect((await look()).status).toBe(200)
  await prove(here.owner.token)
  passTime(rig, 5 * MINUTE - 1)
  for (const act of acts(here.owner.token)) {
    expect((await act()).body.code).not.toBe('fresh_proof_required')
  }
  await prove(here.owner.token)
  const app = await setUpApp(rig, here.owner.token)
  passTime(rig, 5 * MINUTE)
  expect((await invite(app.token)).body).toMatchObject({
    code: 'fresh_proof_required',
    by: 'code',
  })
  await prove(app.token, { code: codeOf(rig, app) })
  expect((await invite(app.token)).status).toBe(201)
})

describe("an organizer's session", () => {
  it('ends 12 hours after its sign-in, and re-authentication restarts it', async () => {
    const start = rig.clock.now
    const { access_token: token } = (await signIn(rig, here.owner.email)).body
    // Regular requests keep the session from being idle.
    const at = async (ms: number) => {
      rig.clock.now = new Date(start.getTime() + ms)
      await rig.sql`update sessions set organiser_at = ${rig.clock.now}
        where user_id = ${here.owner.userId} and organiser_at is not null`
      return look(await renewedToken(token))
    }
    expect((await at(0)).status).toBe(200)
    expect((await at(12 * HOUR - 1)).status).toBe(200)
    expect(await at(12 * HOUR)).toMatchObject({
      status: 403,
      body: { code: 'organiser_session_over', by: 'password' },
    })
    await prove(await renewedToken(token))
    expect((await at(12 * HOUR + 1)).status).toBe(200)
    expect((await at(24 * HOUR)).body.code).toBe('organiser_session_over')
    // The session still works for a student's requests.
    const profile = await rig.call('GET', '/api/profile', { token: await renewedToken(token) })
    expect(profile.status).toBe(200)
    rig.clock.now = start
  })

  it('ends after half an hour without a call, at most a minute late', async () => {
    expect((await look()).status).toBe(200)
    passTime(rig, 30 * MINUTE)
    expect((await look()).status).toBe(200)
    passTime(rig, 59_000)
    // Activity is stored at most once a minute.
    expect((await look()).status).toBe(200)
    const token = await renewedToken(here.owner.token)
    passTime(rig, 30 * MINUTE + 1_000)
    expect((await look(token)).body.code).toBe('organiser_session_over')
    // A rejected request doesn't extend the session.
    expect((await look(token)).body.code).toBe('organiser_session_over')
    await prove(token)
    expect((await look(token)).status).toBe(200)
  })

  it('needs a code from the authenticator app if there is one, but not for an invigilator', async () => {
    for (const role of ['owner', 'author', 'reviewer', 'invigilator'] as const) {
      const one = await member(role)
      const app = await setUpApp(rig, one.token)
      passTime(rig, MINUTE)
      const { access_token: token } = (await signIn(rig, one.email)).body
      const seen = await look(token)
      if (role === 'invigilator') expect(seen.status).toBe(200)
      else expect(seen.body).toMatchObject({ code: 'second_factor_required', factor: 'verified' })
      expect((await look(app.token)).status).toBe(200)
    }
  })
})

describe('if a second factor is required', () => {
  const strict = useRig({ secondFactorRequired: true })
  const there = useSociety(strict)
  const NONE = { code: 'second_factor_required', factor: 'none' }

  it('owners, authors and reviewers need one for every call, and invigilators do not', async () => {
    const seen = (token: string) => there.call('GET', '/assessments', undefined, token)
    for (const role of ['owner', 'author', 'reviewer'] as const) {
      const { token } = await there.member(role)
      const message = 'You need a second factor for this. Please set one up in your Personal Hub.'
      expect(await seen(token)).toMatchObject({ status: 403, body: { ...NONE, message } })
      const app = await setUpApp(strict, token)
      expect((await seen(app.token)).status).toBe(200)
    }
    const helper = await there.member('invigilator')
    expect((await seen(helper.token)).status).toBe(200)
    // Requests that create a password need the second factor for every role.
    const { code } = await makeAssessment(strict, { societyId: there.here.id })
    const { id } = await makeCandidate(strict, code)
    for (const path of ['slips', 'send']) {
      const rest = `/assessments/${code}/candidates/${path}`
      const { body } = await there.call('POST', rest, { candidates: [id] }, helper.token)
      expect(body).toMatchObject(NONE)
    }
    // The error reveals nothing to an account without a role.
    const stranger = await there.member(null)
    expect(await seen(stranger.token)).toMatchObject({ status: 404, body: { code: 'no_society' } })
  })
})

/** Returns a token of the same session that has not expired by the application's clock. */
async function renewedToken(token: string): Promise<string> {
  const { signAccessToken } = await import('../../../accounts/server/sessions/access-token.ts')
  const { sub, session_id: id } = claimsOf(token)
  const rows = await rig.sql`select * from sessions where id = ${id}`
  const user = { id: sub, email: '', isAnonymous: false, metadata: {}, emailVerifiedAt: null }
  return (await signAccessToken(rig.dependencies, user as never, rows[0])).token
}
