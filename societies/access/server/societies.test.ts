import { describe, expect, it } from 'vitest'
import { createApp } from '../../../app/server/app.ts'
import {
  DAY,
  makeAssessment,
  makeCandidate,
  startedSeat,
} from '../../../tests/rig/assessment-rig.ts'
import { watchLog } from '../../../tests/rig/auth-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { makeSociety, useSociety } from '../../../tests/rig/society-rig.ts'
import { listReachedWith } from './assessments.ts'
import { societyForNew } from './societies.ts'

const rig = useRig()
watchLog(rig)
const { here, member, call, mine, log } = useSociety(rig)

describe("a society's settings", () => {
  const read = async (token?: string) => (await call('GET', '/settings', undefined, token)).body
  const was = () => ({
    ...{ name: here.name, timeZone: 'Europe/Lisbon', contact: null, retentionMonths: 12 },
  })
  const change = (more: object, token?: string) => {
    const { name: _, ...rest } = was()
    return call('PUT', '/settings', { ...rest, ...more, was: was() }, token)
  }

  it('are readable for every member and changed by an owner, with both values logged', async () => {
    const author = await member('author')
    expect(await read(author.token)).toEqual(was())
    expect((await change({}, author.token)).status).toBe(404)
    const next = {
      name: `${here.name} Lisbon`,
      timeZone: 'Europe/London',
      contact: 'a@b.example',
      retentionMonths: 6,
    }
    const changed = await change({ ...next, contact: ' a@b.example ' })
    expect([changed.status, changed.body]).toEqual([200, next])
    expect(await read()).toEqual(next)
    expect(await log()).toMatchObject([
      { action: 'edit-society', user_id: here.owner.userId, detail: { ...next, before: was() } },
    ])
  })

  it('keep a change that another owner made meanwhile, and repeating a change is not a conflict', async () => {
    const other = await member('owner')
    expect((await change({ contact: 'first' }, other.token)).status).toBe(200)
    const late = await change({ timeZone: 'Europe/Madrid' })
    expect([late.status, late.body]).toMatchObject([
      409,
      { code: 'stale', by: other.email.split('@')[0], at: rig.clock.now.toISOString() },
    ])
    expect(await read()).toEqual({ ...was(), contact: 'first' })
    expect((await change({ contact: 'first' })).status).toBe(200)
  })

  it.each([
    ['a taken name', 409, 'society_exists', { name: 'TAKEN club' }],
    ['an address as its name', 400, 'bad_request', { name: 'see https://evil.example/' }],
    ['an unknown zone', 400, 'zone_unknown', { timeZone: 'EST' }],
    ['two lines of contact', 400, 'bad_request', { contact: 'one\ntwo' }],
    ['an empty contact', 400, 'bad_request', { contact: ' ' }],
  ])('reject %s', async (_, status, code, more) => {
    await makeSociety(rig, 'Taken Club')
    const refused = await change(more)
    expect([refused.status, refused.body.code]).toEqual([status, code])
    expect(await read()).toEqual(was())
  })

  it('never assign a test by a name that an owner chose in the browser', async () => {
    const attach = (read: string) =>
      societyForNew(rig.db.$client, { named: undefined, now: rig.clock.now, read })
    expect(await attach(here.name)).toBe(here.id)
    const name = `Rival ${here.name}`
    expect((await change({ name })).status).toBe(200)
    await expect(attach(name)).rejects.toThrow(/^An account founded the society/)
  })
})

describe('creating a society', () => {
  const found = (token: string, name: string) =>
    rig.call('POST', '/api/societies', { token, body: { name } })
  const verify = ({ userId }: { userId: string }) =>
    rig.sql`update users set email_verified_at = ${rig.clock.now} where id = ${userId}`

  it('is open to accounts with a verified address, and makes them owner', async () => {
    const account = await member(null)
    const { token } = account
    expect((await found(token, 'Finance Club')).body.code).toBe('address_unverified')
    await verify(account)
    const { status, body } = await found(token, ' Finance Club ')
    expect([status, body]).toEqual([201, { id: expect.any(String), name: 'Finance Club' }])
    expect(await mine(account)).toMatchObject([
      { name: 'Finance Club', roles: [{ role: 'owner' }] },
    ])
    expect((await found(token, 'finance club')).body.code).toBe('society_exists')
    expect((await found((await signUp(rig)).token, 'Guests')).body.code).toBe('account_needed')
    expect((await found(token, 'see https://evil.example/')).status).toBe(400)
  })

  it('never gives a society or a test the name of another society, in any case or spacing', async () => {
    const account = await member(null)
    await verify(account)
    await makeSociety(rig, 'Bocconi Students')
    const theirs = await makeAssessment(rig, { society: 'Second Society' })
    await rig.sql`update assessments set society = 'Shown Name' where code = ${theirs.code}`
    const taken = ['bocconi  students', 'BocconiStudents', 'SHOWN NAME']
    for (const name of taken) {
      expect((await found(account.token, name)).body.code, name).toBe('society_exists')
    }
    await rig.sql`update societies set via = 'console' where id = ${here.id}`
    const own = await makeAssessment(rig, { societyId: here.id, society: here.name })
    const path = `/assessments/${own.code}`
    await rig.sql`update assessments set is_draft = true, opens_at = null, closes_at = null
      where code = ${own.code}`
    const { version } = (await call('GET', `${path}/settings`)).body
    const rename = (society: string) =>
      call('PUT', `${path}/settings`, { version, change: { society } })
    for (const name of taken) {
      expect((await rename(name)).body.code, name).toBe('society_exists')
    }
    // A name that became another society's after the draft was made.
    await rig.sql`update assessments set society = 'Bocconi  Students' where code = ${own.code}`
    expect((await call('POST', `${path}/publication`, { version })).body).toMatchObject({
      code: 'society_exists',
    })
    expect((await rename(`${here.name} Finals`)).status).toBe(200)
  })

  it('is rejected when the server disables it', async () => {
    const account = await member(null)
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

it('the list of tests counts questions, candidates and running attempts, without demo candidates', async () => {
  const { code } = await startedSeat(rig, { itemCount: 7, societyId: here.id })
  await makeCandidate(rig, code)
  await makeCandidate(rig, code, undefined, { revokedAt: DAY })
  await makeCandidate(rig, code, 'demo', { isDemo: true })
  const of = { societyId: here.id, userId: here.owner.userId, code }
  const [listed] = await listReachedWith(rig.db.$client, rig.clock.now, of)
  const counts = { itemCount: 7, candidateCount: 2, runningCount: 1, submittedCount: 0 }
  expect(listed).toMatchObject({ ...counts, isSample: false })
})
