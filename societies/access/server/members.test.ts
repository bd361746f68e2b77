import { describe, expect, it } from 'vitest'
import { closeAccounts, deleteClosedAccounts } from '../../../accounts/server/deletion.ts'
import {
  freshPulse,
  makeAssessment,
  makeCandidate,
  takeSeat,
} from '../../../tests/rig/assessment-rig.ts'
import { watchLog } from '../../../tests/rig/auth-rig.ts'
import { deleteAssessment, organizerOf, rightAnswers } from '../../../tests/rig/organizer-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { makeMember, makeSociety, useSociety } from '../../../tests/rig/society-rig.ts'

const rig = useRig()
watchLog(rig)
const { here, member, call, mine, log } = useSociety(rig)

const list = async () => (await call('GET', '/members')).body
/** Returns a listed role, or a placeholder for a role that isn't in the list. */
const readOf = async (id: string) => {
  const found = (await list()).find((one: { id: string }) => one.id === id)
  const { role, assessment, room } = found ?? { role: 'author' }
  return { role, assessment: assessment ?? null, room: room ?? null }
}
const change = async (id: string, body: object, token?: string) =>
  call('PUT', `/members/${id}`, { was: await readOf(id), assessment: null, ...body }, token)
const end = (id: string, token?: string) => call('POST', `/members/${id}/end`, undefined, token)
const makeTest = async () => (await makeAssessment(rig, { societyId: here.id })).code

describe('a member of a society', () => {
  it('has a changed role and test from the next request on', async () => {
    const code = await makeTest()
    const helper = await member('reviewer')
    const id = helper.membership
    const changed = await change(id, { role: 'invigilator', assessment: code })
    expect(changed.body).toEqual({ done: true })
    expect((await mine(helper))[0].roles).toEqual([
      { role: 'invigilator', assessment: code, room: null },
    ])
    expect((await list())[1]).toMatchObject({ id, role: 'invigilator', isInForce: true })
    const detail = { member: helper.email, before: 'reviewer', role: 'invigilator' }
    expect(await log()).toEqual([
      {
        action: 'change-role',
        actor: here.owner.email.split('@')[0],
        user_id: here.owner.userId,
        detail: { ...detail, assessment: code },
      },
    ])
  })

  it('who is an invigilator of one test loses the role when it has closed and all candidates have finished', async () => {
    await freshPulse(rig)
    const closesAt = new Date(rig.clock.now.getTime() + 60_000)
    const { code, items } = await makeAssessment(rig, { societyId: here.id, closesAt })
    const candidate = await makeCandidate(rig, code)
    const invigilator = await member('invigilator', { assessment: code })
    const author = await member('author', { assessment: code })
    const whole = await member('invigilator')
    const seen = async () => {
      const answers = []
      for (const { token } of [invigilator, author, whole]) {
        for (const url of ['/assessments', `/assessments/${code}`]) {
          answers.push((await call('GET', url, undefined, token)).status)
        }
      }
      return answers
    }
    const [open, over] = [
      [200, 200, 200, 200, 200, 200],
      [404, 404, 200, 200, 200, 200],
    ]
    // The last moment to start is inclusive.
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
    expect(await mine(invigilator)).toEqual([])
    const later = new Date(closesAt.getTime() + 3_600_000)
    await rig.sql`update assessments set closes_at = ${later} where code = ${code}`
    expect(await seen()).toEqual(open)
  })

  it('who is an invigilator can have a room, until it is removed or the role changes', async () => {
    const { membership } = await member('invigilator')
    const roomAfter = async (body: object) => {
      const { status } = await change(membership, body)
      return [status, (await list())[1].room]
    }
    expect(await roomAfter({ role: 'invigilator', room: ' 2.11 ' })).toEqual([200, '2.11'])
    expect(await roomAfter({ role: 'reviewer', room: '2.11' })).toEqual([400, '2.11'])
    expect(await roomAfter({ role: 'invigilator', room: '' })).toEqual([400, '2.11'])
    expect(await roomAfter({ role: 'reviewer' })).toEqual([200, null])
  })

  it('keeps the first change when two owners change it, and the other owner sees that', async () => {
    const other = await member('owner')
    const { membership: id } = await member('invigilator')
    const was = await readOf(id)
    const changeRoom = (room: string, token?: string) =>
      change(id, { was, role: 'invigilator', room }, token)
    expect((await changeRoom('2.11', other.token)).status).toBe(200)
    expect(await changeRoom('1.04')).toMatchObject({
      status: 409,
      body: { code: 'stale', by: other.email.split('@')[0], at: rig.clock.now.toISOString() },
    })
    expect((await readOf(id)).room).toBe('2.11')
    // Repeating the current value counts as a second click.
    expect((await changeRoom('2.11')).status).toBe(200)
  })

  it('can have one of the rooms in the candidate lists, which are suggested', async () => {
    const code = await makeTest()
    const theirs = await makeAssessment(rig, { societyId: (await makeSociety(rig)).id })
    for (const room of ['2.11', '1.04', '2.11']) {
      await makeCandidate(rig, code, undefined, { room })
    }
    await makeCandidate(rig, theirs.code, undefined, { room: '9.99' })
    expect((await call('GET', '/rooms')).body).toEqual(['1.04', '2.11'])
  })

  it('whose role ended loses access and stays in the list, and another society cannot change the role', async () => {
    const helper = await member('author')
    const theirs = await member('author', { of: (await makeSociety(rig)).id })
    const id = helper.membership
    expect((await end(id)).body).toEqual({ done: true })
    expect(await mine(helper)).toEqual([])
    expect((await list())[1]).toMatchObject({ id, isInForce: false, endedAt: expect.any(String) })
    const { membership } = theirs
    const moved = await change(membership, { role: 'reviewer' })
    for (const { status, body } of [moved, await end(id), await end(membership)]) {
      expect([status, body.code]).toEqual([404, 'no_such_member'])
    }
    expect(await mine(theirs)).toHaveLength(1)
  })

  it('has each role once for the society, and once for each test', async () => {
    const code = await makeTest()
    const { userId } = await member('author')
    const id = await makeMember(rig, here.id, userId, 'reviewer')
    expect((await change(id, { role: 'author' })).body.code).toBe('role_held')
    expect((await change(id, { role: 'author', assessment: code })).status).toBe(200)
  })

  it.each([
    ['a test that there is not', { role: 'author', assessment: 'NONE' }, 'not_of_society'],
    ['one test as an owner', { role: 'owner' }, 'owner_is_unlimited'],
  ])('cannot get a role for %s', async (_, body, refused) => {
    const { membership } = await member('reviewer')
    const answer = await change(membership, { assessment: await makeTest(), ...body })
    expect([answer.status, answer.body.code]).toEqual([400, refused])
  })

  it("with a role for one season has none for the next season's same code", async () => {
    const code = await makeTest()
    const helper = await member('author', { assessment: code })
    const look = async () =>
      (await call('GET', `/assessments/${code}`, undefined, helper.token)).status
    expect(await look()).toBe(200)
    // Deleting a draft frees its code. A published test's code stays taken.
    await rig.sql`update assessments set is_draft = true where code = ${code}`
    await deleteAssessment(organizerOf(rig), code)
    await makeAssessment(rig, { code, societyId: here.id })
    expect(await look()).toBe(404)
    expect(await mine(helper)).toEqual([])
  })

  it('sees only the assessments of their roles', async () => {
    const [one, two] = [await makeTest(), await makeTest()]
    await makeAssessment(rig)
    const helper = await member('author', { assessment: two })
    const codes = async (token: string) => {
      const { body } = await call('GET', '/assessments', undefined, token)
      return body.map(({ code }: { code: string }) => code)
    }
    expect(await codes(helper.token)).toEqual([two])
    expect(await codes(here.owner.token)).toEqual([one, two].sort())
  })
})

describe('the last owner of a society', () => {
  it.each([
    ['leave', () => call('POST', '/leave')],
    ['end their own role', () => end(here.owner.membership)],
    ['take another role', () => change(here.owner.membership, { role: 'author' })],
  ])('cannot %s, even with another account in another role', async (_, act) => {
    await member('author')
    // An owner whose account is being deleted doesn't count.
    const going = await member('owner')
    await closeAccounts(rig.db, rig.clock.now, [going.userId])
    const refused = await act()
    expect([refused.status, refused.body.code]).toEqual([409, 'last_owner'])
    await deleteClosedAccounts(rig)
    expect((await mine(here.owner))[0].roles).toMatchObject([{ role: 'owner' }])
  })

  it.each([1, 2, 3])('stays if two owners end each other’s roles together (%i)', async () => {
    const other = await member('owner')
    const answers = await Promise.all([
      end(other.membership),
      end(here.owner.membership, other.token),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect([...(await mine(here.owner)), ...(await mine(other))]).toHaveLength(1)
  })
})
