import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { followKnownUsers } from '../../../accounts/server/sessions/follow-known-users.ts'
import { createApp } from '../../../app/server/app.ts'
import { KnownUsers } from '../../../platform/server/known-users.ts'
import { DAY, makeAssessment, makeCandidate } from '../../../tests/rig/assessment-rig.ts'
import { statementsOf } from '../../../tests/rig/auth-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { callerOf, makeMember, makeSociety, proveAgain } from '../../../tests/rig/society-rig.ts'

// Viewers of Live are cached (product 7.14.13). One node receives no notifications, the other does.
let elapsedMs = 0
const rig = useRig({ knownUsers: new KnownUsers(() => true, { elapsedMs: () => elapsedMs }) })
let there: ReturnType<typeof createApp>
let line: ReturnType<typeof followKnownUsers>
let society: { id: string }
let code: string
const { sql } = rig

beforeAll(async () => {
  rig.clock.now = DAY
  society = await makeSociety(rig)
  code = (await makeAssessment(rig, { societyId: society.id })).code
  line = followKnownUsers(rig.databaseUrl, rig.dependencies.log)
  there = createApp({ ...rig.dependencies, knownUsers: line.users })
})
afterEach(async () => {
  rig.clock.now = DAY
  await sql`update assessments set closes_at = null, deleted_at = null where code = ${code}`
})
afterAll(() => line.stop())

const live = () => `/api/societies/${society.id}/assessments/${code}/live`
const look = (token: string) => rig.call('GET', live(), { token })
const lookThere = async (token: string) =>
  (await there.request(live(), { headers: { Authorization: `Bearer ${token}` } })).status

/** Counts how often a request reads roles. */
const readsOf = async (call: () => Promise<unknown>) =>
  (await statementsOf(call)).filter((text) => text.includes('join memberships m on')).length

/** Creates an invigilator of one test who has already viewed Live. */
async function invigilator(more: Parameters<typeof makeMember>[4] = { assessment: code }) {
  const account = await signUp(rig, `${randomUUID()}@example.com`)
  const membership = await makeMember(rig, society.id, account.userId, 'invigilator', more)
  expect((await look(account.token)).status).toBe(200)
  const rows = await sql`select email from users where id = ${account.userId}`
  return { ...account, membership, email: rows[0].email as string }
}

describe('a cached watcher of Live', () => {
  test('is read once in ten seconds for that test only, and on each request of another kind', async () => {
    const { token } = await invigilator()
    expect(await readsOf(() => look(token))).toBe(0)
    elapsedMs += 9_999
    expect(await readsOf(() => look(token))).toBe(0)
    elapsedMs += 1
    expect(await readsOf(() => look(token))).toBe(1)
    const read = () => rig.call('GET', `/api/societies/${society.id}/assessments`, { token })
    expect([await readsOf(read), await readsOf(read)]).toEqual([1, 1])
    const other = (await makeAssessment(rig, { societyId: society.id })).code
    const path = `/api/societies/${society.id}/assessments/${other}/live`
    expect((await rig.call('GET', path, { token })).status).toBe(404)
  })

  test('is rejected once the role has expired with its test', async () => {
    const closesAt = new Date(DAY.getTime() + 60_000)
    await sql`update assessments set closes_at = ${closesAt} where code = ${code}`
    const { token } = await invigilator()
    rig.clock.now = new Date(closesAt.getTime() - 1)
    expect([await readsOf(() => look(token)), (await look(token)).status]).toEqual([0, 200])
    rig.clock.now = new Date(closesAt.getTime() + 1)
    expect((await look(token)).status).toBe(404)
  })

  test('is stored as active once a minute, and read again before a rejection', async () => {
    const { token } = await invigilator()
    const notes = async () =>
      (await statementsOf(() => look(token))).filter((text) => text.includes('set organiser_at'))
    expect(await notes()).toHaveLength(0)
    rig.clock.now = new Date(DAY.getTime() + 61_000)
    expect([(await notes()).length, (await notes()).length]).toEqual([1, 0])
    // This node saw no request for half an hour. The member re-authenticated on a node that doesn't notify it.
    rig.clock.now = new Date(DAY.getTime() + 40 * 60_000)
    await proveAgain(rig)
    expect((await look(token)).status).toBe(200)
  })

  test("is read again after an organizer's action, which leaves students' sessions cached", async () => {
    const owner = await callerOf(rig, society.id, 'owner')
    const { token } = await invigilator()
    const student = await signUp(rig)
    const practise = () => rig.call('GET', '/api/questions/counts', { token: student.token })
    const sessionsRead = async () =>
      (await statementsOf(practise)).filter((text) => text.includes('join sessions')).length
    expect([await sessionsRead(), await sessionsRead()]).toEqual([1, 0])
    expect((await owner('POST', `/invitations/${randomUUID()}/revoke`)).status).toBe(404)
    expect(await sessionsRead()).toBe(0)
    expect(await readsOf(() => look(token))).toBe(1)
  })

  test('is rejected as soon as this node ends a role', async () => {
    const owner = await callerOf(rig, society.id, 'owner')
    const { token, membership } = await invigilator()
    expect((await owner('POST', `/members/${membership}/end`)).status).toBe(200)
    expect((await look(token)).status).toBe(404)
  })
})

describe('another node drops its cached watcher after', () => {
  type Member = Awaited<ReturnType<typeof invigilator>>
  let watching: string
  const isKnownThere = () =>
    vi.waitFor(async () => {
      expect(await lookThere(watching)).toBe(200)
      expect(await readsOf(() => lookThere(watching))).toBe(0)
    })
  const setTest = (column: string) =>
    sql(`update assessments set ${column} = $2 where code = $1`, code, new Date(0))
  const setRole = ({ membership }: Pick<Member, 'membership'>, column: string, value: unknown) =>
    sql(`update memberships set ${column} = $2 where id = $1`, membership, value)
  const changes: [string, number, (member: Member) => Promise<unknown>][] = [
    ['an ended session', 401, ({ userId }) => sql`delete from sessions where user_id = ${userId}`],
    ['an ended role', 404, (one) => setRole(one, 'ended_at', DAY)],
    ['a deleted role', 404, (one) => sql`delete from memberships where id = ${one.membership}`],
    [
      'a different test for the role',
      404,
      async (one) =>
        setRole(one, 'assessment', (await makeAssessment(rig, { societyId: society.id })).code),
    ],
    ['a member added to the candidate list', 403, ({ email }) => makeCandidate(rig, code, email)],
    [
      'a candidate who turns out to be a member',
      403,
      async ({ email }) => {
        const { id } = await makeCandidate(rig, code)
        await vi.waitFor(async () => expect(await readsOf(() => lookThere(watching))).toBe(0))
        await sql`update candidates set email = ${email} where id = ${id}`
      },
    ],
    ['a test that was deleted', 404, () => setTest('deleted_at')],
    ['a window that ends earlier', 404, () => setTest('closes_at')],
  ]

  test.each(changes)('%s', async (_, status, change) => {
    const member = await invigilator()
    watching = member.token
    await isKnownThere()
    await change(member)
    const changedAt = performance.now()
    await vi.waitFor(async () => expect(await lookThere(watching)).toBe(status), {
      timeout: 5_000,
      interval: 1,
    })
    // Without the notification, the cache would keep it for ten seconds.
    expect(performance.now() - changedAt).toBeLessThan(2_000)
  })

  test('a different room for the role', async () => {
    const { token, membership } = await invigilator()
    watching = token
    await makeCandidate(rig, code, undefined, { room: 'Aula 1' })
    const rooms = async () => {
      const answer = await there.request(live(), { headers: { Authorization: `Bearer ${token}` } })
      const { snapshot } = (await answer.json()) as {
        snapshot: { candidates: { room: string }[] }
      }
      return [...new Set(snapshot.candidates.map(({ room }) => room))]
    }
    await isKnownThere()
    await sql`update memberships set room = 'Aula 2' where id = ${membership}`
    await vi.waitFor(async () => expect(await rooms()).toEqual([]), { timeout: 2_000, interval: 1 })
  })
})
