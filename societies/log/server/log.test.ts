import { describe, expect, it } from 'vitest'
import { makeAssessment } from '../../../tests/rig/assessment-rig.ts'
import { watchLog } from '../../../tests/rig/auth-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { makeMember, useSociety } from '../../../tests/rig/society-rig.ts'
import { actInSociety } from '../../kit/server/action.ts'

const rig = useRig()
watchLog(rig)

const { here, member, call } = useSociety(rig)

const log = async (query = '', token?: string) =>
  (await call('GET', `/log${query}`, undefined, token)).body
const noted = (
  action: string,
  detail: Record<string, unknown> = {},
  { userId } = here.owner,
  actor = userId.slice(0, 6),
) =>
  actInSociety({ db: rig.db, now: rig.clock.now, actor, userId }, action, here.id, () =>
    Promise.resolve({ result: null, detail }),
  )
/** Adds another member's entry for each of these tests. */
const notedIn = (codes: string[], action: string, detail = {}) =>
  rig.sql`insert into admin_actions (at, actor, action, society_id, assessment, detail)
     select now(), 'ana', ${action}, ${here.id}, code, ${detail} from unnest(${codes}::text[]) code`

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
    expect([count, actors]).toEqual([3, [here.owner.userId.slice(0, 6)]])
  })

  it('is paged, and filtered by person and kind', async () => {
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
    expect((await log('?actor=nobody')).entries).toHaveLength(0)
  })

  it('shows authors and invigilators only their own actions', async () => {
    const author = await member('author')
    await noted('invite')
    await noted('settings', {}, author)
    const { entries, isAll, count } = await log('', author.token)
    expect([entries.length, entries[0].action, isAll, count]).toEqual([1, 'settings', false, 1])
  })

  it('shows a reviewer of one test only that test’s entries, without names', async () => {
    const { code } = await makeAssessment(rig, { societyId: here.id })
    const other = (await makeAssessment(rig, { societyId: here.id })).code
    const reviewer = await member('reviewer', { assessment: code })
    await notedIn([code, other], 'extra-time', { username: 'ben', secondsAfter: 60 })
    await noted('invite')
    const { entries } = await log('', reviewer.token)
    expect(entries).toMatchObject([{ assessment: code, what: 'set the extra time of a candidate' }])
    expect(JSON.stringify(entries)).not.toContain('ben')
    expect((await log(`?assessment=${code}`, reviewer.token)).entries).toHaveLength(1)
    expect((await log(`?assessment=${other}`, reviewer.token)).entries).toEqual([])
    expect((await log(`?assessment=${other}`)).entries).toHaveLength(1)
    expect((await log()).assessments).toEqual([code, other].sort())
  })

  it('shows names by the member’s roles in each entry’s test, not in another one', async () => {
    const { code } = await makeAssessment(rig, { societyId: here.id })
    const other = (await makeAssessment(rig, { societyId: here.id })).code
    const reviewer = await member('reviewer')
    await makeMember(rig, here.id, reviewer.userId, 'invigilator', { assessment: other })
    await notedIn([code], 'extra-time', { username: 'ben', secondsAfter: 60 })
    await notedIn([other], 'extra-time', { username: 'eva', secondsAfter: 60 })
    const { entries } = await log('', reviewer.token)
    expect(entries.map(({ what }: { what: string }) => what)).toEqual([
      'set the extra time of eva',
      'set the extra time of a candidate',
    ])
  })

  it('shows addresses for two members with the same name', async () => {
    const accounts = [await member('owner'), await member('author')] as const
    const [one, two] = accounts.map(({ email }) => email)
    await noted('invite', {}, accounts[0], 'anna')
    expect((await log()).actors).toEqual(['anna'])
    await noted('settings', {}, accounts[1], 'anna')
    await noted('publish')
    const owner = here.owner.userId.slice(0, 6)
    const { entries, actors } = await log()
    expect(entries.map(({ by }: { by: string }) => by)).toEqual([owner, two, one])
    expect(actors.toSorted()).toEqual([one, owner, two].toSorted())
    expect((await log(`?actor=${one}`)).entries).toMatchObject([{ action: 'invite' }])
    const { body } = await call('POST', '/log/csv', { actor: two })
    expect(body.csv.trim().split('\n')).toHaveLength(2)
  })

  it('can be downloaded as CSV, which is logged', async () => {
    await noted('invite', { reason: '=1+1' })
    const { body } = await call('POST', '/log/csv', {})
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
    await member(null)
    await noted('invite', { n: 1 })
    await expect(rig.sql(text, here.id)).rejects.toThrow(/written once/)
    expect((await log()).entries).toMatchObject([{ action: 'invite', facts: [{ after: '1' }] }])
  })

  it('loses its account and personal details when those are deleted', async () => {
    await noted('invite', { n: 1 })
    await rig.sql`update admin_actions set user_id = null, detail = '{}' where society_id = ${here.id}`
    expect((await log()).entries).toMatchObject([{ action: 'invite', isYou: false, facts: [] }])
  })
})
