import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeAssessment } from '../../../tests/rig/assessment-rig.ts'
import {
  authCall,
  HOUR,
  PASSWORD,
  passTime,
  signIn,
  watchLog,
} from '../../../tests/rig/auth-rig.ts'
import { useMail } from '../../../tests/rig/auth-smtp.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { useSociety } from '../../../tests/rig/society-rig.ts'

const rig = useRig()
const mail = useMail(rig)
watchLog(rig)

const { here, member, call, mine, log } = useSociety(rig)

const fresh = () => `p${randomUUID().slice(0, 8)}@example.com`
const ask = (email: string, more: object = {}, token?: string) => {
  const body = { emails: [email], roles: ['reviewer'], assessment: null, ...more }
  return call('POST', '/invitations', body, token)
}
const letterTo = (email: string) =>
  mail.smtp.received.findLast(({ recipients }) => recipients.includes(email))?.text ?? ''
const linkIn = (text: string) => new URL(/^https?:\S+$/m.exec(text)?.[0] ?? '')

/** Returns the token in the newest mail to an address, after running the queue. */
async function tokenFor(email: string): Promise<string> {
  await mail.queue.runOnce()
  const { origin, pathname, search, hash } = linkIn(letterTo(email))
  expect([origin + pathname, search]).toEqual(['http://localhost:3000/organise/invitations', ''])
  return hash.slice(1)
}
/** Invites a person and returns their address, the invitation's id, and the token in the mail. */
async function invited(more: object = {}, token?: string) {
  const email = fresh()
  const { body } = await ask(email, more, token)
  return { email, id: body[0].id as string, token: await tokenFor(email) }
}
const open = (token: string) => rig.call('POST', '/api/invitations/read', { body: { token } })
const accept = (token: string, account: { token: string }) =>
  rig.call('POST', '/api/invitations/accept', { token: account.token, body: { token } })
const act = (id: string, what: string) => call('POST', `/invitations/${id}/${what}`)
const stateOf = async (email: string) => {
  const { body } = await call('GET', '/invitations')
  return body
    .filter((one: { email: string }) => one.email === email)
    .map((one: { state: string }) => one.state)
}

describe('an invitation', () => {
  it('comes by mail, says what it is for, and can be accepted by the account with its address', async () => {
    const { code } = await makeAssessment(rig, { societyId: here.id })
    const { code: theirs } = await makeAssessment(rig)
    expect((await ask(fresh(), { assessment: theirs })).body).toEqual({
      ...{ code: 'not_of_society', message: `The society has no test with the code ${theirs}.` },
    })
    const email = fresh()
    const asked = await ask(`  ${email.toUpperCase()} `, {
      roles: ['reviewer', 'author'],
      assessment: code,
    })
    expect([asked.status, asked.body]).toEqual([201, [{ id: expect.any(String), email }]])
    const token = await tokenFor(email)
    // Invited people don't know any codes yet.
    expect(letterTo(email).replace(/\s+/g, ' ')).toContain(`This is for Test Society (${code}).`)
    const stored = await rig.sql`select i::text as row from society_invitations i`
    expect(JSON.stringify([stored, rig.logged])).not.toContain(token)

    const shown = await open(token)
    expect(shown.body).toEqual({
      society: here.name,
      invitedBy: here.owner.email.split('@')[0],
      email,
      roles: ['reviewer', 'author'],
      assessment: { code, society: 'Test Society', session: null, season: null },
      room: null,
      expiresAt: new Date(rig.clock.now.getTime() + 7 * 24 * HOUR).toISOString(),
    })
    expect(await stateOf(email)).toEqual(['pending'])

    const account = await signUp(rig, email)
    expect(await mine(account)).toEqual([])
    const accepted = await accept(token, account)
    const society = { id: here.id, name: here.name }
    expect([accepted.status, accepted.body]).toEqual([200, society])
    const scope = { assessment: code, room: null }
    expect(await mine(account)).toEqual([
      {
        ...society,
        timeZone: 'Europe/Lisbon',
        roles: [
          { role: 'author', ...scope },
          { role: 'reviewer', ...scope },
        ],
      },
    ])
    expect(await stateOf(email)).toEqual(['accepted'])
    const rows = await rig.sql`
      select email_verified_at as at from users where id = ${account.userId}`
    expect(rows[0].at).toEqual(rig.clock.now)
    const lines = await log()
    expect(lines.map(({ action, user_id }) => [action, user_id])).toEqual([
      ['invite', here.owner.userId],
      ['accept-invitation', account.userId],
    ])
    expect(JSON.stringify(lines)).not.toContain(token)
  })

  it('works only for its address, and not for a guest; accepting it repeatedly or concurrently creates one membership', async () => {
    const { email, token } = await invited()
    const other = await member(null)
    const refused = await accept(token, other)
    expect([refused.status, refused.body.code]).toEqual([403, 'other_address'])
    expect(refused.body.message).toContain(
      `sent to ${email}, and you are signed in as ${other.email}`,
    )
    const guest = await accept(token, await signUp(rig))
    expect([guest.status, guest.body.code]).toEqual([403, 'account_needed'])
    const nobody = await rig.call('POST', '/api/invitations/accept', { body: { token } })
    expect(nobody.status).toBe(401)
    expect(await stateOf(email)).toEqual(['pending'])
    expect(await mine(other)).toEqual([])
    const account = await signUp(rig, email)
    const presses = await Promise.all([1, 2, 3, 4].map(() => accept(token, account)))
    expect(presses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const made = await rig.sql`select from memberships where user_id = ${account.userId}`
    expect(made).toHaveLength(1)
    expect((await log()).filter(({ action }) => action === 'accept-invitation')).toHaveLength(1)
  })

  it('cannot be accepted during password recovery before the new password is set', async () => {
    const { email, token } = await invited()
    await signUp(rig, email)
    await authCall(rig, 'POST', '/recover', { email })
    await mail.queue.runOnce()
    const token_hash = linkIn(letterTo(email)).searchParams.get('recovery')
    const { body } = await authCall(rig, 'POST', '/verify', { type: 'recovery', token_hash })
    const halfway = await accept(token, { token: body.access_token })
    expect([halfway.status, halfway.body.code]).toEqual([403, 'new_password_needed'])
    const password = `${PASSWORD} new`
    const by = { token: body.access_token }
    const set = await authCall(rig, 'PUT', '/user', { password }, by)
    expect((await accept(token, { token: set.body.session.access_token })).status).toBe(200)
  })

  it('has a separate error message when it is expired, used, revoked or replaced', async () => {
    const seen: Record<string, [number, string, string]> = {}
    const account = await member(null)
    const look = async (name: string, token: string) => {
      const answers = [await open(token), await accept(token, account)]
      expect(answers[1]?.body).toEqual(answers[0]?.body)
      const { status, body } = answers[0] as (typeof answers)[0]
      seen[name] = [status, body.code, body.message]
    }
    const used = await invited()
    await accept(used.token, await signUp(rig, used.email))
    await look('used', used.token)
    const revoked = await invited()
    expect((await act(revoked.id, 'revoke')).body).toEqual({ done: true })
    await look('revoked', revoked.token)
    const replaced = await invited()
    expect((await act(replaced.id, 'resend')).body).toEqual({ done: true })
    // The old link is void immediately, even before the new mail is sent.
    await look('replaced', replaced.token)
    const newer = await tokenFor(replaced.email)
    expect((await open(replaced.token)).body.code).toBe('invitation_unknown')
    expect((await open(newer)).status).toBe(200)
    await look('forged', 'A'.repeat(43))
    passTime(rig, 7 * 24 * HOUR - 1)
    expect((await open(newer)).status).toBe(200)
    passTime(rig, 1)
    // Access tokens expire after an hour, so both sign in again.
    for (const one of [account, here.owner]) {
      one.token = (await signIn(rig, one.email)).body.access_token
    }
    await look('expired', newer)
    expect(await stateOf(replaced.email)).toEqual(['expired'])

    const sentence = expect.stringMatching(/^[A-Z].+\.$/)
    expect(seen).toEqual({
      used: [410, 'invitation_used', sentence],
      revoked: [410, 'invitation_revoked', sentence],
      replaced: [404, 'invitation_unknown', sentence],
      forged: [404, 'invitation_unknown', sentence],
      expired: [410, 'invitation_expired', sentence],
    })

    expect((await act(replaced.id, 'resend')).status).toBe(200)
    expect((await open(await tokenFor(replaced.email))).status).toBe(200)
    expect((await act(used.id, 'resend')).body.code).toBe('invitation_closed')
    expect((await act(used.id, 'revoke')).body.code).toBe('invitation_closed')
    expect((await act(revoked.id, 'resend')).body.code).toBe('invitation_closed')
  })

  it("is void when its sender's role ends; another owner can send it again", async () => {
    const second = await member('owner')
    const { email, id, token } = await invited({}, second.token)
    await call('POST', '/leave', undefined, second.token)
    expect((await open(token)).body.code).toBe('invitation_withdrawn')
    expect((await accept(token, await signUp(rig, email))).body.code).toBe('invitation_withdrawn')
    expect(await stateOf(email)).toEqual(['withdrawn'])
    expect((await act(id, 'resend')).status).toBe(200)
    expect((await open(await tokenFor(email))).status).toBe(200)
  })

  it("adds to an account's roles and never removes any", async () => {
    const one = await makeAssessment(rig, { societyId: here.id })
    const two = await makeAssessment(rig, { societyId: here.id })
    const email = fresh()
    const account = await signUp(rig, email)
    const rolesAfter = async (more: object) => {
      await ask(email, more)
      expect((await accept(await tokenFor(email), account)).status).toBe(200)
      const { roles } = (await mine(account))[0]
      return roles.map(({ room: _, ...role }: { room: null }) => role)
    }
    const [first, second] = [one.code, two.code].sort()
    const reviewer = (assessment: string | undefined | null) => ({ role: 'reviewer', assessment })
    expect(await rolesAfter({ assessment: second })).toEqual([reviewer(second)])
    expect(await rolesAfter({ assessment: first })).toEqual([reviewer(first), reviewer(second)])
    const all = [reviewer(first), reviewer(second), reviewer(null)]
    expect(await rolesAfter({})).toEqual(all)
    expect(await rolesAfter({})).toEqual(all)
    expect(await rolesAfter({ assessment: first, roles: ['author'] })).toEqual([
      { role: 'author', assessment: first },
      ...all,
    ])
  })

  it('has a room that a newer invitation replaces, but never limits a member with every room', async () => {
    const email = fresh()
    const account = await signUp(rig, email)
    const roomAfter = async (room?: string) => {
      const asked = await ask(email, { roles: ['invigilator', 'author'], ...(room && { room }) })
      expect(asked.status).toBe(201)
      const token = await tokenFor(email)
      expect((await open(token)).body.room).toBe(room ?? null)
      expect((await accept(token, account)).status).toBe(200)
      const { roles } = (await mine(account))[0]
      return roles.map(({ role, room }: { role: string; room: string | null }) => [role, room])
    }
    const rolesWith = (room: string | null) => [
      ['author', null],
      ['invigilator', room],
    ]
    expect(await roomAfter('2.11')).toEqual(rolesWith('2.11'))
    expect(await roomAfter('1.04')).toEqual(rolesWith('1.04'))
    expect(await roomAfter()).toEqual(rolesWith(null))
    expect(await roomAfter('2.11')).toEqual(rolesWith(null))
  })

  it.each([
    [
      'a room for a member who is not an invigilator',
      { room: '2.11' },
      'room_without_role',
      /invigilator/,
    ],
    ['no address', { emails: ['a@example.com', 'nobody', 'x@y'] }, 'bad_addresses', /nobody, x@y/],
    ['an owner of one test', { roles: ['owner'], assessment: 'X' }, 'owner_is_unlimited', /whole/],
    ['too many at once', { emails: Array(51).fill('a@example.com') }, 'bad_request', /emails/],
  ])('to %s is rejected, and no invitation is sent', async (_, more, code, sentence) => {
    const refused = await ask(fresh(), more)
    expect([refused.status, refused.body.code]).toEqual([400, code])
    expect(refused.body.message).toMatch(sentence)
    expect((await call('GET', '/invitations')).body).toEqual([])
  })
})
