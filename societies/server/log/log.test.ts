import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeAssessment } from '../../../tests/rig/assessment-rig.ts'
import { watchLog } from '../../../tests/rig/auth-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { makeMember, makeSociety } from '../../../tests/rig/society-rig.ts'
import { actInSociety } from '../action.ts'

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

const log = async (query = '', { token } = owner, code?: string) =>
  (
    await rig.call(
      'GET',
      `/api/societies/${society.id}${code ? `/assessments/${code}` : ''}/log${query}`,
      { token },
    )
  ).body
const noted = (action: string, detail: Record<string, unknown> = {}, who: Account = owner) =>
  actInSociety(
    { db: rig.db, now: rig.clock.now, actor: who.userId.slice(0, 6), userId: who.userId },
    action,
    society.id,
    () => Promise.resolve({ result: null, detail }),
  )
const db = () => rig.db.$client
/** As only whoever has the database itself can. */
async function tamper(text: string): Promise<void> {
  const client = await db().connect()
  try {
    await client.query('begin')
    await client.query('alter table admin_actions disable trigger user')
    await client.query(text, [society.id])
    await client.query('alter table admin_actions enable trigger user')
    await client.query('commit')
  } finally {
    client.release()
  }
}

describe('the audit log', () => {
  it('shows who did what, newest first, with the reason and the earlier value', async () => {
    await noted('invite', { emails: ['a@example.com'] })
    await noted('extra-time', {
      username: 'ana',
      secondsBefore: 0,
      secondsAfter: 600,
      reason: 'by agreement',
    })
    const { entries, count, chain, actors } = await log()
    expect(entries).toMatchObject([
      {
        number: 2,
        isYou: true,
        via: 'console',
        what: 'set the extra time of ana',
        reason: 'by agreement',
        facts: [
          { name: 'username', before: null, after: 'ana' },
          { name: 'seconds', before: '0', after: '600' },
        ],
      },
      { number: 1, action: 'invite', isEmptied: false },
    ])
    expect([count, actors, chain]).toEqual([
      2,
      [owner.userId.slice(0, 6)],
      { count: 2, brokenAt: null },
    ])
  })

  it('shows which fields of a form were changed', async () => {
    await noted('edit-society', {
      ...{ name: 'Club', timeZone: 'Europe/London', contact: 'Dev' },
      before: { name: 'Club', timeZone: 'Europe/Lisbon', contact: null },
    })
    expect((await log()).entries[0].facts).toEqual([
      { name: 'contact', before: 'nothing', after: 'Dev' },
      { name: 'time zone', before: 'Europe/Lisbon', after: 'Europe/London' },
    ])
  })

  it('is paged, and filtered by person, kind and candidate', async () => {
    for (let index = 1; index <= 103; index++) await noted('settings', { index })
    await noted('reset', { username: 'Ben' })
    const first = await log()
    expect([first.entries.length, first.hasOlder, first.entries[0].number]).toEqual([
      100,
      true,
      104,
    ])
    const rest = await log('?before=5')
    expect([rest.entries.map(({ number }: { number: number }) => number), rest.hasOlder]).toEqual([
      [4, 3, 2, 1],
      false,
    ])
    expect([first.chain, rest.chain]).toEqual([{ count: 104, brokenAt: null }, null])
    expect((await log('?action=reset')).entries).toHaveLength(1)
    expect((await log('?about=ben')).entries).toHaveLength(1)
    expect((await log('?about=ana')).entries).toHaveLength(0)
    expect((await log('?actor=nobody')).entries).toHaveLength(0)
  })

  it('shows authors and invigilators their own actions only, without the chain', async () => {
    const author = await member('author')
    await noted('invite')
    await noted('settings', {}, author)
    const { entries, chain, count } = await log('', author)
    expect([entries.length, entries[0].action, chain, count]).toEqual([1, 'settings', null, 1])
  })

  it('shows a reviewer of one test its entries only, without names', async () => {
    const { code } = await makeAssessment(rig, { societyId: society.id })
    const other = (await makeAssessment(rig, { societyId: society.id })).code
    const reviewer = await member('reviewer', { assessment: code })
    await db().query(
      `insert into admin_actions (at, actor, action, society_id, assessment, detail)
       select now(), 'ana', 'extra-time', $1, code, '{"username":"ben","secondsAfter":60}'
       from unnest($2::text[]) code`,
      [society.id, [code, other]],
    )
    await noted('invite')
    const { entries } = await log('', reviewer)
    expect(entries).toMatchObject([{ assessment: code, what: 'set the extra time of a candidate' }])
    expect(JSON.stringify(entries)).not.toContain('ben')
    expect((await log('?about=nobody', reviewer)).entries).toHaveLength(1)
    expect((await log('', reviewer, code)).entries).toHaveLength(1)
    expect((await log('', reviewer, other)).code).toBe('no_society')
  })

  it('can be downloaded as CSV, which is logged', async () => {
    await noted('invite', { reason: '=1+1' })
    const path = `/api/societies/${society.id}/log/csv`
    const { body } = await rig.call('POST', path, { token: owner.token, body: {} })
    expect(body.csv.split('\n')[1]).toMatch(/^1,.*,console,,invite,.*"?'=1\+1/)
    expect((await log()).entries[0]).toMatchObject({ action: 'export-log', number: 2 })
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
    expect((await log()).chain).toEqual({ count: 1, brokenAt: null })
  })

  it('loses its account and personal details when those are deleted, and the chain stays valid', async () => {
    await noted('invite', { n: 1 })
    await noted('invite', { n: 2 })
    await db().query(
      `update admin_actions set user_id = null, detail = '{}' where society_id = $1 and number = 1`,
      [society.id],
    )
    const { entries, chain } = await log()
    expect(chain).toEqual({ count: 2, brokenAt: null })
    expect(entries[1]).toMatchObject({ isEmptied: true, isYou: false })
  })

  it.each([
    ['changed', 2, `update admin_actions set actor = 'eve' where society_id = $1 and number = 2`],
    [
      'given other details',
      2,
      `update admin_actions set detail = '{"n":9}' where society_id = $1 and number = 2`,
    ],
    ['removed', 2, `delete from admin_actions where society_id = $1 and number = 2`],
    ['removed from the end', 3, `delete from admin_actions where society_id = $1 and number = 3`],
    ['removed with all others', 1, `delete from admin_actions where society_id = $1`],
  ])('that was %s in the database is detected', async (_, brokenAt, text) => {
    for (let n = 1; n <= 3; n++) await noted('invite', { n })
    await tamper(text)
    expect((await log()).chain?.brokenAt ?? null).toBe(brokenAt)
  })

  it('has consecutive numbers when twenty are logged at once and some roll back', async () => {
    await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        actInSociety(
          { db: rig.db, now: rig.clock.now, actor: 'ana', userId: owner.userId },
          'invite',
          society.id,
          () =>
            n % 4 === 0
              ? Promise.reject(new Error('no'))
              : Promise.resolve({ result: null, detail: { n } }),
        ),
      ),
    )
    const { entries, chain } = await log()
    expect(chain).toEqual({ count: 15, brokenAt: null })
    expect(entries.map(({ number }: { number: number }) => number)).toEqual(
      Array.from({ length: 15 }, (_, index) => 15 - index),
    )
  })
})
