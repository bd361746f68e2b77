import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { watchLog } from '../../../tests/rig/auth-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { makeMember, makeSociety } from '../../../tests/rig/society-rig.ts'
import { societyForNew } from './societies.ts'

const rig = useRig()
watchLog(rig)

type Account = Awaited<ReturnType<typeof signUp>>
const fresh = () => `s${randomUUID().slice(0, 8)}@example.com`
let society: { id: string; name: string }
let owner: Account
let was: { name: string; timeZone: string; contact: string | null; retentionMonths: number }

beforeEach(async () => {
  society = await makeSociety(rig)
  owner = await signUp(rig, fresh())
  await makeMember(rig, society.id, owner.userId, 'owner')
  was = { name: society.name, timeZone: 'Europe/Lisbon', contact: null, retentionMonths: 12 }
})

const read = async (token = owner.token) =>
  (await rig.call('GET', `/api/societies/${society.id}/settings`, { token })).body
const change = (more: object, token = owner.token) => {
  const { name: _, ...rest } = was
  const body = { ...rest, ...more, was }
  return rig.call('PUT', `/api/societies/${society.id}/settings`, { token, body })
}

describe("a society's settings", () => {
  it('are readable for every member and changed by an owner, with both values logged', async () => {
    const author = await signUp(rig, fresh())
    await makeMember(rig, society.id, author.userId, 'author')
    expect(await read(author.token)).toEqual(was)
    expect((await change({}, author.token)).status).toBe(404)

    const next = {
      name: `${society.name} Lisbon`,
      timeZone: 'Europe/London',
      contact: 'a@b.example',
      retentionMonths: 6,
    }
    const changed = await change({ ...next, contact: ' a@b.example ' })
    expect([changed.status, changed.body]).toEqual([200, next])
    expect(await read()).toEqual(next)
    const { rows } = await rig.db.$client.query(
      'select action, user_id, detail from admin_actions where society_id = $1',
      [society.id],
    )
    expect(rows).toEqual([
      { action: 'edit-society', user_id: owner.userId, detail: { ...next, before: was } },
    ])
  })

  it('changed by another owner meanwhile are kept; repeating a change is no conflict', async () => {
    const other = await signUp(rig, fresh())
    await makeMember(rig, society.id, other.userId, 'owner')
    expect((await change({ contact: 'first' }, other.token)).status).toBe(200)
    const late = await change({ timeZone: 'Europe/Madrid' })
    expect([late.status, late.body]).toMatchObject([
      409,
      { code: 'stale', by: other.email?.split('@')[0], at: rig.clock.now.toISOString() },
    ])
    expect(await read()).toEqual({ ...was, contact: 'first' })
    expect((await change({ contact: 'first' })).status).toBe(200)
  })

  it.each([
    ['a taken name', 409, 'society_exists', { name: 'TAKEN club' }],
    ['an address as its name', 400, 'bad_request', { name: 'see https://evil.example/' }],
    ['an unknown zone', 400, 'zone_unknown', { timeZone: 'EST' }],
    ['two lines of contact', 400, 'bad_request', { contact: 'one\ntwo' }],
    ['an empty contact', 400, 'bad_request', { contact: ' ' }],
  ])('refuse %s', async (_, status, code, more) => {
    await makeSociety(rig, 'Taken Club')
    const refused = await change(more)
    expect([refused.status, refused.body.code]).toEqual([status, code])
    expect(await read()).toEqual(was)
  })

  it('never attach a test by a name that an owner chose in the browser', async () => {
    const { $client } = rig.db
    const asked = { named: undefined, now: rig.clock.now }
    expect(await societyForNew($client, { ...asked, read: society.name })).toBe(society.id)
    const name = `Rival ${society.name}`
    expect((await change({ name })).status).toBe(200)
    await expect(societyForNew($client, { ...asked, read: name })).rejects.toThrow(
      /^Somebody founded a society/,
    )
  })
})
