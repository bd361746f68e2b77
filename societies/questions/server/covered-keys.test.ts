import { beforeEach, describe, expect, it } from 'vitest'
import { DAY } from '../../../tests/rig/assessment-rig.ts'
import { PASSWORD, passTime, watchLog } from '../../../tests/rig/auth-rig.ts'
import { makeContent, makeDesk } from '../../../tests/rig/questions/questions-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { proveAgain } from '../../../tests/rig/society-rig.ts'

// Keys are hidden until a member re-authenticates, and stay visible while the member keeps reading them (product
// 7.13.9).
const rig = useRig()
watchLog(rig)
const MINUTE = 60_000

let desk: Awaited<ReturnType<typeof makeDesk>>
let question: string
beforeEach(async () => {
  rig.clock.now = DAY
  desk = await makeDesk(rig)
  question = (await desk.list()).items[0].questionId
  // This resets the session, as if no key had been read yet.
  await rig.sql`update sessions set keys_at = null`
})

const COVERED = { status: 403, body: { code: 'fresh_proof_required', by: 'password' } }
const list = () => desk.call('GET', '')
const prove = () =>
  rig.call('POST', '/api/proof', { token: desk.owner.token, body: { password: PASSWORD } })

describe('answer keys', () => {
  it('are hidden everywhere five minutes after sign-in', async () => {
    passTime(rig, 5 * MINUTE)
    const places: Record<string, () => Promise<unknown>> = {
      list,
      versions: () => desk.call('GET', `/${question}/versions`),
      check: () => desk.call('PUT', `/${question}/check`, { version: 1, choice: 'A', comment: '' }),
      save: () => desk.call('PUT', `/${question}/content`, { content: makeContent(), version: 99 }),
      remove: () => desk.call('POST', `/${question}/remove`, { version: 99 }),
    }
    for (const [place, read] of Object.entries(places)) {
      expect(await read(), place).toMatchObject(COVERED)
    }
    // Calls without keys still work.
    expect((await desk.call('GET', '/bank')).status).toBe(200)
  })

  it('stay visible after one re-authentication while the member keeps using them', async () => {
    passTime(rig, 5 * MINUTE)
    expect((await prove()).status).toBe(200)
    expect((await list()).status).toBe(200)
    for (let half = 0; half < 2; half += 1) {
      passTime(rig, 25 * MINUTE)
      expect((await list()).status).toBe(200)
    }
  })

  it.each([
    ['open', 31 * MINUTE - 1, { status: 200 }],
    ['covered', 31 * MINUTE, COVERED],
  ])('are %s after half an hour on other pages, at most a minute late', async (_, ms, expected) => {
    expect((await list()).status).toBe(200)
    const elsewhere = () => desk.call('GET', '/bank')
    // The organizer stays active but reads no key.
    passTime(rig, 20 * MINUTE)
    expect((await elsewhere()).status).toBe(200)
    passTime(rig, ms - 20 * MINUTE)
    expect(await list()).toMatchObject(expected)
    expect((await elsewhere()).status).toBe(200)
  })

  it('revealed in one session stay hidden in another', async () => {
    expect((await list()).status).toBe(200)
    const carla = await desk.member('carla', 'author')
    passTime(rig, 5 * MINUTE)
    expect((await list()).status).toBe(200)
    expect(await desk.call('GET', '', undefined, carla)).toMatchObject(COVERED)
    await proveAgain(rig)
    expect((await desk.call('GET', '', undefined, carla)).status).toBe(200)
  })
})
