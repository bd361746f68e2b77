import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeAssessment, makeCandidate } from '../../../tests/rig/assessment-rig.ts'
import { watchLog } from '../../../tests/rig/auth-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { makeMember, makeSociety } from '../../../tests/rig/society-rig.ts'
import { actInSociety } from '../../kit/server/action.ts'

const rig = useRig()
watchLog(rig)

type Account = Awaited<ReturnType<typeof signUp>>
const mail = () => `l${randomUUID().slice(0, 8)}@example.com`
let society: { id: string; name: string }
let owner: Account

beforeEach(async () => {
  society = await makeSociety(rig)
  owner = await member('owner')
})

async function member(role: Parameters<typeof makeMember>[3], more: { assessment?: string } = {}) {
  const account = await signUp(rig, mail())
  await makeMember(rig, society.id, account.userId, role, more)
  return account
}

const log = async (query = '', { token } = owner) =>
  (await rig.call('GET', `/api/societies/${society.id}/log${query}`, { token })).body
const noted = (action: string, detail: Record<string, unknown> = {}, who: Account = owner) =>
  actInSociety(
    { db: rig.db, now: rig.clock.now, actor: who.userId.slice(0, 6), userId: who.userId },
    action,
    society.id,
    () => Promise.resolve({ result: null, detail }),
  )
const db = () => rig.db.$client
/** An entry of another member about each of some tests. */
const notedIn = (codes: string[], action: string, detail = {}) =>
  db().query(
    `insert into admin_actions (at, actor, action, society_id, assessment, detail)
     select now(), 'ana', $3, $1, code, $4 from unnest($2::text[]) code`,
    [society.id, codes, action, detail],
  )

describe('the audit log', () => {
  it('shows who did what, newest first, with the reason and the earlier value', async () => {
    await noted('invite', { emails: ['a@example.com'] })
    const seconds = { secondsBefore: 0, secondsAfter: 600 }
    await noted('extra-time', { username: 'ana', ...seconds, reason: 'by agreement' })
    await noted('edit-society', {
      ...{ name: 'Club', timeZone: 'Europe/London', contact: 'Dev' },
      before: { name: 'Club', timeZone: 'Europe/Lisbon', contact: null },
    })
    const { entries, count, actors } = await log()
    expect(entries).toMatchObject([
      {
        facts: [
          { name: 'contact', before: 'nothing', after: 'Dev' },
          { name: 'time zone', before: 'Europe/Lisbon', after: 'Europe/London' },
        ],
      },
      {
        ...{ isYou: true, via: 'console', what: 'set the extra time of ana' },
        reason: 'by agreement',
        facts: [
          { name: 'username', before: null, after: 'ana' },
          { name: 'seconds', before: '0', after: '600' },
        ],
      },
      { action: 'invite', reason: null },
    ])
    expect([count, actors]).toEqual([3, [owner.userId.slice(0, 6)]])
  })

  it('is paged, and filtered by person, kind and candidate', async () => {
    for (let index = 1; index <= 103; index++) await noted('settings', { index })
    await noted('reset', { username: 'Ben' })
    const first = await log()
    expect([first.entries.length, first.hasOlder, first.count]).toEqual([100, true, 104])
    const rest = await log(`?before=${first.entries[99].id}`)
    expect(
      rest.entries.map(({ facts }: { facts: { after: string }[] }) => facts[0]?.after),
    ).toEqual(['4', '3', '2', '1'])
    expect(rest.hasOlder).toBe(false)
    expect(await log('?action=reset')).toMatchObject({
      ...{ entries: [{ action: 'reset' }], count: 1, actions: ['reset', 'settings'] },
    })
    expect((await log('?about=ben')).entries).toHaveLength(1)
    expect((await log('?about=ana')).entries).toHaveLength(0)
    expect((await log('?actor=nobody')).entries).toHaveLength(0)
  })

  it('shows authors and invigilators only their own actions', async () => {
    const author = await member('author')
    await noted('invite')
    await noted('settings', {}, author)
    const { entries, isAll, count } = await log('', author)
    expect([entries.length, entries[0].action, isAll, count]).toEqual([1, 'settings', false, 1])
  })

  it('shows a reviewer of one test its entries only, without names', async () => {
    const { code } = await makeAssessment(rig, { societyId: society.id })
    const other = (await makeAssessment(rig, { societyId: society.id })).code
    const reviewer = await member('reviewer', { assessment: code })
    await notedIn([code, other], 'extra-time', { username: 'ben', secondsAfter: 60 })
    await noted('invite')
    const { entries } = await log('', reviewer)
    expect(entries).toMatchObject([{ assessment: code, what: 'set the extra time of a candidate' }])
    expect(JSON.stringify(entries)).not.toContain('ben')
    expect((await log('?about=nobody', reviewer)).entries).toHaveLength(1)
    expect((await log(`?assessment=${code}`, reviewer)).entries).toHaveLength(1)
    expect((await log(`?assessment=${other}`, reviewer)).entries).toEqual([])
    expect((await log(`?assessment=${other}`)).entries).toHaveLength(1)
    expect((await log()).assessments).toEqual([code, other].sort())
  })

  it('shows names by the roles for the test of each entry, not by those for another one', async () => {
    const { code } = await makeAssessment(rig, { societyId: society.id })
    const other = (await makeAssessment(rig, { societyId: society.id })).code
    const reviewer = await member('reviewer')
    await makeMember(rig, society.id, reviewer.userId, 'invigilator', { assessment: other })
    await notedIn([code], 'extra-time', { username: 'ben', secondsAfter: 60 })
    await notedIn([other], 'extra-time', { username: 'eva', secondsAfter: 60 })
    const { entries } = await log('', reviewer)
    expect(entries.map(({ what }: { what: string }) => what)).toEqual([
      'set the extra time of eva',
      'set the extra time of a candidate',
    ])
    // Nor does the filter tell who is in it.
    const found = (query: string) => log(`?assessment=${code}&about=${query}`, reviewer)
    expect([(await found('ben')).count, (await found('nobody')).count]).toEqual([1, 1])
  })

  it('calls two members of one name by their addresses', async () => {
    const [one, two] = ['one', 'two'].map((domain) => `anna@${domain}.example`)
    const accounts = [await signUp(rig, one), await signUp(rig, two)]
    const note = (who: Account, action: string) =>
      actInSociety(
        { db: rig.db, now: rig.clock.now, actor: 'anna', userId: who.userId },
        action,
        society.id,
        () => Promise.resolve({ result: null, detail: {} }),
      )
    await note(accounts[0] as Account, 'invite')
    expect((await log()).actors).toEqual(['anna'])
    await note(accounts[1] as Account, 'settings')
    await noted('publish')
    const { entries, actors } = await log()
    expect(entries.map(({ by }: { by: string }) => by)).toEqual([
      owner.userId.slice(0, 6),
      two,
      one,
    ])
    expect(actors).toEqual([one, owner.userId.slice(0, 6), two].sort())
    expect((await log(`?actor=${one}`)).entries).toMatchObject([{ action: 'invite' }])
    const path = `/api/societies/${society.id}/log/csv`
    const { body } = await rig.call('POST', path, { token: owner.token, body: { actor: two } })
    expect(body.csv.trim().split('\n')).toHaveLength(2)
  })

  it('shows nothing of a test to a member who takes it', async () => {
    const { code } = await makeAssessment(rig, { societyId: society.id })
    await notedIn([code], 'publish')
    expect((await log()).entries).toHaveLength(1)
    const { id } = await makeCandidate(rig, code)
    await db().query(
      'update candidates set email = (select email from users where id = $2) where id = $1',
      [id, owner.userId],
    )
    expect(await log()).toMatchObject({ entries: [], count: 0, assessments: [] })
  })

  it('can be downloaded as CSV, which is logged', async () => {
    await noted('invite', { reason: '=1+1' })
    const path = `/api/societies/${society.id}/log/csv`
    const { body } = await rig.call('POST', path, { token: owner.token, body: {} })
    expect(body.csv.split('\n')[1]).toMatch(/^\d+,.*,console,,invite,.*"?'=1\+1/)
    expect((await log()).entries[0]).toMatchObject({ action: 'export-log' })
  })
})

describe('a log entry', () => {
  it.each([
    ['changed', `update admin_actions set actor = 'eve' where society_id = $1`],
    ['given other details', `update admin_actions set detail = '{"n":2}' where society_id = $1`],
    [
      'given to another account',
      `update admin_actions set user_id = (select id from users
        where id <> admin_actions.user_id limit 1) where society_id = $1`,
    ],
    ['deleted', `delete from admin_actions where society_id = $1`],
  ])('cannot be %s', async (_, text) => {
    await signUp(rig, mail())
    await noted('invite', { n: 1 })
    await expect(db().query(text, [society.id])).rejects.toThrow(/written once/)
    expect((await log()).entries).toMatchObject([{ action: 'invite', facts: [{ after: '1' }] }])
  })

  it('loses its account and personal details when those are deleted', async () => {
    await noted('invite', { n: 1 })
    await db().query(
      `update admin_actions set user_id = null, detail = '{}' where society_id = $1`,
      [society.id],
    )
    expect((await log()).entries).toMatchObject([{ action: 'invite', isYou: false, facts: [] }])
  })
})
