import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { closeAccounts, deleteClosedAccounts } from '../../../accounts/server/deletion.ts'
import { createApp } from '../../../app/server/app.ts'
import {
  freshPulse,
  makeAssessment,
  makeCandidate,
  takeSeat,
} from '../../../tests/rig/assessment-rig.ts'
import { watchLog } from '../../../tests/rig/auth-rig.ts'
import { deleteAssessment, organiserOf, rightAnswers } from '../../../tests/rig/organiser-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { makeMember, makeSociety } from '../../../tests/rig/society-rig.ts'

const rig = useRig()
watchLog(rig)

type Account = Awaited<ReturnType<typeof signUp>>
const fresh = () => `p${randomUUID().slice(0, 8)}@example.com`
let society: { id: string; name: string }
let owner: Account
let ownership: string

beforeEach(async () => {
  society = await makeSociety(rig)
  owner = await signUp(rig, fresh())
  ownership = await makeMember(rig, society.id, owner.userId, 'owner')
})

const path = (rest: string) => `/api/societies/${society.id}${rest}`
/** What is read of a role; of one that is not in the list, something. */
const readOf = async (id: string) => {
  const found = (await list()).find((one: { id: string }) => one.id === id)
  const { role, assessment, room } = found ?? { role: 'author' }
  return { role, assessment: assessment ?? null, room: room ?? null }
}
const change = async (id: string, body: object, token = owner.token) =>
  rig.call('PUT', path(`/members/${id}`), {
    token,
    body: { was: await readOf(id), assessment: null, ...body },
  })
const end = (id: string, token = owner.token) =>
  rig.call('POST', path(`/members/${id}/end`), { token })
const list = async () => (await rig.call('GET', path('/members'), { token: owner.token })).body
const mine = async (account: Account) =>
  (await rig.call('GET', '/api/societies', { token: account.token })).body.societies

describe('a member of a society', () => {
  it('has a changed role and test from the next call on', async () => {
    const { code } = await makeAssessment(rig, { societyId: society.id })
    const helper = await signUp(rig, fresh())
    const id = await makeMember(rig, society.id, helper.userId, 'reviewer')
    const changed = await change(id, { role: 'invigilator', assessment: code })
    expect(changed.body).toEqual({ done: true })
    expect((await mine(helper))[0].roles).toEqual([
      { role: 'invigilator', assessment: code, room: null },
    ])
    expect((await list())[1]).toMatchObject({ id, role: 'invigilator', isInForce: true })
    const { rows } = await rig.db.$client.query(
      'select action, actor, user_id, detail from admin_actions where society_id = $1',
      [society.id],
    )
    expect(rows).toEqual([
      {
        action: 'change-role',
        actor: owner.email?.split('@')[0],
        user_id: owner.userId,
        detail: {
          ...{ member: helper.email, before: 'reviewer', role: 'invigilator', assessment: code },
        },
      },
    ])
  })

  it('who is an invigilator of one test loses the role when it has closed and nobody is inside', async () => {
    await freshPulse(rig)
    const closesAt = new Date(rig.clock.now.getTime() + 60_000)
    const { code, items } = await makeAssessment(rig, { societyId: society.id, closesAt })
    const candidate = await makeCandidate(rig, code)
    const people = await Promise.all(
      (['invigilator', 'author'] as const).map(async (role) => {
        const account = await signUp(rig, fresh())
        await makeMember(rig, society.id, account.userId, role, { assessment: code })
        return account
      }),
    )
    const whole = await signUp(rig, fresh())
    await makeMember(rig, society.id, whole.userId, 'invigilator')
    const seen = async () => {
      const answers = []
      for (const { token } of [...people, whole]) {
        for (const url of ['/assessments', `/assessments/${code}`]) {
          answers.push((await rig.call('GET', path(url), { token })).status)
        }
      }
      return answers
    }
    const [open, over] = [
      [200, 200, 200, 200, 200, 200],
      [404, 404, 200, 200, 200, 200],
    ]
    // At the last moment to start somebody still can.
    rig.clock.now = closesAt
    expect(await seen()).toEqual(open)
    const seat = await takeSeat(rig, code, candidate.username)
    expect((await seat.start()).status).toBe(200)
    rig.clock.now = new Date(closesAt.getTime() + 1)
    expect(await seen()).toEqual(open)
    expect((await seat.submit(rightAnswers(items))).status).toBe(200)
    expect(await seen()).toEqual(over)
    expect((await list()).filter((one: { isInForce: boolean }) => !one.isInForce)).toMatchObject([
      { role: 'invigilator', assessment: code, endedAt: null },
    ])
    expect(await mine(people[0] as Account)).toEqual([])
    const later = new Date(closesAt.getTime() + 3_600_000)
    await rig.db.$client.query('update assessments set closes_at = $2 where code = $1', [
      code,
      later,
    ])
    expect(await seen()).toEqual(open)
  })

  it('who is an invigilator can have a room, until it is removed or the role changes', async () => {
    const helper = await signUp(rig, fresh())
    const id = await makeMember(rig, society.id, helper.userId, 'invigilator')
    const roomAfter = async (body: object) => {
      const { status } = await change(id, body)
      return [status, (await list())[1].room]
    }
    expect(await roomAfter({ role: 'invigilator', room: ' 2.11 ' })).toEqual([200, '2.11'])
    expect(await roomAfter({ role: 'reviewer', room: '2.11' })).toEqual([400, '2.11'])
    expect(await roomAfter({ role: 'invigilator', room: '' })).toEqual([400, '2.11'])
    expect(await roomAfter({ role: 'reviewer' })).toEqual([200, null])
  })

  it('changed by two owners keeps the first change, and the other owner sees it', async () => {
    const other = await signUp(rig, fresh())
    await makeMember(rig, society.id, other.userId, 'owner')
    const helper = await signUp(rig, fresh())
    const id = await makeMember(rig, society.id, helper.userId, 'invigilator')
    const was = await readOf(id)
    expect((await change(id, { was, role: 'invigilator', room: '2.11' }, other.token)).status).toBe(
      200,
    )
    const stale = await change(id, { was, role: 'invigilator', room: '1.04' })
    expect(stale).toMatchObject({
      status: 409,
      body: {
        ...{ code: 'stale', by: other.email?.split('@')[0], at: rig.clock.now.toISOString() },
      },
    })
    expect((await readOf(id)).room).toBe('2.11')
    // The same as stands is a second click.
    expect((await change(id, { was, role: 'invigilator', room: '2.11' })).status).toBe(200)
  })

  it('can have one of the rooms in the candidate lists, which are offered', async () => {
    const { code } = await makeAssessment(rig, { societyId: society.id })
    const theirs = await makeAssessment(rig, { societyId: (await makeSociety(rig)).id })
    for (const [at, room] of [
      [code, '2.11'],
      [code, '1.04'],
      [code, '2.11'],
      [theirs.code, '9.99'],
    ] as const) {
      await makeCandidate(rig, at, undefined, { room })
    }
    const rooms = await rig.call('GET', path('/rooms'), { token: owner.token })
    expect(rooms.body).toEqual(['1.04', '2.11'])
  })

  it('whose role ended loses access from the next call on and stays in the list', async () => {
    const helper = await signUp(rig, fresh())
    const id = await makeMember(rig, society.id, helper.userId, 'author')
    expect((await end(id)).body).toEqual({ done: true })
    expect(await mine(helper)).toEqual([])
    expect((await list())[1]).toMatchObject({ id, isInForce: false, endedAt: expect.any(String) })
    expect((await end(id)).body.code).toBe('no_such_member')
  })

  it('cannot be changed from another society', async () => {
    const other = await makeSociety(rig)
    const theirs = await signUp(rig, fresh())
    const id = await makeMember(rig, other.id, theirs.userId, 'author')
    for (const answer of [await end(id), await change(id, { role: 'reviewer' })]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'no_such_member'])
    }
    expect(await mine(theirs)).toHaveLength(1)
  })

  it('has each role once for the society, and once for each test', async () => {
    const { code } = await makeAssessment(rig, { societyId: society.id })
    const helper = await signUp(rig, fresh())
    await makeMember(rig, society.id, helper.userId, 'author')
    const id = await makeMember(rig, society.id, helper.userId, 'reviewer')
    expect((await change(id, { role: 'author' })).body.code).toBe('role_held')
    expect((await change(id, { role: 'author', assessment: code })).status).toBe(200)
  })

  it.each([
    ['a test that there is not', { role: 'author', assessment: 'NONE' }, 'not_of_society'],
    ['one test as an owner', { role: 'owner' }, 'owner_is_unlimited'],
  ])('is refused a role for %s', async (_, body, refused) => {
    const { code } = await makeAssessment(rig, { societyId: society.id })
    const helper = await signUp(rig, fresh())
    const id = await makeMember(rig, society.id, helper.userId, 'reviewer')
    const answer = await change(id, { assessment: code, ...body })
    expect([answer.status, answer.body.code]).toEqual([400, refused])
  })

  it("with a role for one season has none for the next season's same code", async () => {
    const { code } = await makeAssessment(rig, { societyId: society.id })
    const helper = await signUp(rig, fresh())
    await makeMember(rig, society.id, helper.userId, 'author', { assessment: code })
    const url = path(`/assessments/${code}`)
    expect((await rig.call('GET', url, { token: helper.token })).status).toBe(200)
    // A draft's code is free again; that of one that was published stays with its line.
    await rig.db.$client.query('update assessments set is_draft = true where code = $1', [code])
    await deleteAssessment(organiserOf(rig), code)
    await makeAssessment(rig, { code, societyId: society.id })
    expect((await rig.call('GET', url, { token: helper.token })).status).toBe(404)
    expect(await mine(helper)).toEqual([])
  })

  it('sees only the assessments of their roles', async () => {
    const one = await makeAssessment(rig, { societyId: society.id })
    const two = await makeAssessment(rig, { societyId: society.id })
    await makeAssessment(rig)
    const helper = await signUp(rig, fresh())
    await makeMember(rig, society.id, helper.userId, 'author', { assessment: two.code })
    const codes = async (account: Account) => {
      const { body } = await rig.call('GET', path('/assessments'), { token: account.token })
      return body.map(({ code }: { code: string }) => code)
    }
    expect(await codes(helper)).toEqual([two.code])
    expect(await codes(owner)).toEqual([one.code, two.code].sort())
  })
})

describe('the last owner of a society', () => {
  it.each([
    ['leave', () => rig.call('POST', path('/leave'), { token: owner.token })],
    ['end their own role', () => end(ownership)],
    ['take another role', () => change(ownership, { role: 'author' })],
  ])('cannot %s, even with another account in another role', async (_, act) => {
    await makeMember(rig, society.id, (await signUp(rig, fresh())).userId, 'author')
    // An owner whose account is being deleted is none.
    const going = await signUp(rig, fresh())
    await makeMember(rig, society.id, going.userId, 'owner')
    await closeAccounts(rig.db, rig.clock.now, [going.userId])
    const refused = await act()
    expect([refused.status, refused.body.code]).toEqual([409, 'last_owner'])
    await deleteClosedAccounts(rig)
    expect((await mine(owner))[0].roles).toMatchObject([{ role: 'owner' }])
  })

  it('stays when two owners end each other at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const other = await signUp(rig, fresh())
      const theirs = await makeMember(rig, society.id, other.userId, 'owner')
      const answers = await Promise.all([end(theirs), end(ownership, other.token)])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const held = [...(await mine(owner)), ...(await mine(other))]
      expect(held.filter(({ id }) => id === society.id)).toHaveLength(1)
      society = await makeSociety(rig)
      ownership = await makeMember(rig, society.id, owner.userId, 'owner')
    }
  })

  it('can leave if there is a second owner', async () => {
    const other = await signUp(rig, fresh())
    await makeMember(rig, society.id, other.userId, 'owner')
    expect((await rig.call('POST', path('/leave'), { token: other.token })).status).toBe(200)
    expect(await mine(other)).toEqual([])
  })
})

describe('founding a society', () => {
  const found = (account: Account, name: string) =>
    rig.call('POST', '/api/societies', { token: account.token, body: { name } })
  const verify = (account: Account) =>
    rig.db.$client.query('update users set email_verified_at = $2 where id = $1', [
      account.userId,
      rig.clock.now,
    ])

  it('is open to accounts with a verified address, and makes them owner', async () => {
    const account = await signUp(rig, fresh())
    expect((await found(account, 'Finance Club')).body.code).toBe('address_unverified')
    await verify(account)
    const { status, body } = await found(account, ' Finance Club ')
    expect([status, body]).toEqual([201, { id: expect.any(String), name: 'Finance Club' }])
    expect(await mine(account)).toMatchObject([
      { name: 'Finance Club', roles: [{ role: 'owner' }] },
    ])
    expect((await found(account, 'finance club')).body.code).toBe('society_exists')
    expect((await found(await signUp(rig), 'Guests')).body.code).toBe('account_needed')
    expect((await found(account, 'see https://evil.example/')).status).toBe(400)
  })

  it('is refused when the server disables it', async () => {
    const account = await signUp(rig, fresh())
    await verify(account)
    const closed = createApp({ ...rig.dependencies, foundingOpen: false })
    const headers = { Authorization: `Bearer ${account.token}`, 'Content-Type': 'application/json' }
    const answer = await closed.request('/api/societies', {
      ...{ method: 'POST', headers },
      body: JSON.stringify({ name: 'Closed Club' }),
    })
    expect([answer.status, (await answer.json()).code]).toEqual([403, 'founding_closed'])
    const listed = await closed.request('/api/societies', { headers })
    expect(await listed.json()).toEqual({ societies: [], founding: 'closed' })
  })
})
