import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { fillBank, keyOf, wrongOf } from '../rig/bank-fixture.ts'
import { signUp, useRig } from '../rig/rig.ts'

// What a guest's own answers can cost other users' calls.
const rig = useRig()
const ZONE = 'timeZone=Europe/Lisbon'

beforeAll(() => fillBank(rig))

const answer = (place: number, item: string, more = {}) => ({
  ...{ place, item, choice: keyOf(Number(item)), tookMs: 1_000 },
  answeredAt: rig.clock.now.toISOString(),
  ...more,
})

const saveSession = (token: string, answers: object[], id: string = randomUUID()) =>
  rig.call('PUT', `/api/practice/sessions/${id}`, {
    token,
    body: {
      ...{ kind: 'due', about: {}, answers, isFinished: false },
      ...{ completedAt: rig.clock.now.toISOString(), timeZone: 'Europe/Lisbon' },
    },
  })

describe('guests of one network', () => {
  it('have at most four calls of practice answered at the same time, and none is refused', async () => {
    const guests = await Promise.all(Array.from({ length: 30 }, () => signUp(rig)))
    let [underWay, most] = [0, 0]
    const query = rig.db.$client.query.bind(rig.db.$client) as (
      ...asked: unknown[]
    ) => Promise<unknown>
    const spy = vi.spyOn(rig.db.$client, 'query').mockImplementation(((...asked: unknown[]) => {
      if ((asked[0] as { name?: string }).name !== 'read-cards') return query(...asked)
      underWay += 1
      most = Math.max(most, underWay)
      return query(...asked).finally(() => {
        underWay -= 1
      })
    }) as never)
    const answers = await Promise.all(
      guests.map((guest) => rig.call('GET', `/api/practice/build?${ZONE}`, { token: guest.token })),
    )
    spy.mockRestore()
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(most).toBeLessThanOrEqual(4)
    expect(most).toBeGreaterThan(1)
  })
})

describe('answers to one question', () => {
  it('are stored at most twelve times in twelve hours, however they are sent', async () => {
    const { token, userId } = await signUp(rig)
    const stored = () => rig.sql`
      select place, is_guess as "isGuess" from answered_questions where user_id = ${userId} order by place`
    const many = Array.from({ length: 100 }, (_, place) => answer(place, '2001'))
    const session = randomUUID()
    expect((await saveSession(token, many, session)).body).toMatchObject({ score: 1, total: 1 })
    expect(await stored()).toHaveLength(12)
    for (const place of [20, 21, 22]) await saveSession(token, [answer(place, '2001')], session)
    await saveSession(token, many)
    expect(await stored()).toHaveLength(12)
    // Already stored answers are sent again with new ones.
    const again = [answer(9, '2001', { isGuess: true }), answer(30, '2002')]
    expect((await saveSession(token, again, session)).status).toBe(200)
    const kept = await stored()
    expect(kept).toHaveLength(13)
    expect(kept).toContainEqual({ place: 9, isGuess: true })
  })
})

describe('a guest with 19,000 answers', () => {
  let token: string
  let session: string
  const READS = [
    ...['today', 'due', 'slips', 'mastery', 'build'].map((name) => `practice/${name}?${ZONE}`),
    'practice/weak-topics',
    'practice/returns?items=2001,2002',
    'mistakes?category=Financial+Accounting+%26+Analysis&difficulty=Intern',
  ]

  beforeAll(async () => {
    const person = await signUp(rig)
    token = person.token
    session = randomUUID()
    await rig.sql(
      `with asked as (
         select row_number() over (order by id) as nth, id::text as item from questions
       ), given as (
         select item, n, $2::timestamptz - n * interval '7 minutes' as at
         from generate_series(1, 19000) n join asked on nth = 1 + n % (select count(*) from asked)
       ), facts as (
         insert into answered_questions (user_id, session_id, place, kind, item, family, choice, is_right,
           is_guess, answered_at, day)
         select $1, gen_random_uuid(), 0, 'due', item, item, 'A', true, false, at, at::date from given
       )
       insert into review_cards (user_id, family, item) select $1, item, item from asked`,
      ...[person.userId, rig.clock.now],
    )
    await rig.sql(`vacuum analyze answered_questions`)
    await rig.call('GET', `/api/practice/today?${ZONE}`, { token })
    const saved = await saveSession(token, [answer(0, '2001', { choice: wrongOf(2001) })], session)
    expect(saved.status).toBe(200)
  })

  /** Answer rows that PostgreSQL has read so far, in all its processes. */
  async function countRead(): Promise<number> {
    await Promise.all(
      Array.from({ length: 10 }, () => rig.sql`select pg_stat_force_next_flush(), pg_sleep(0.05)`),
    )
    const [{ read }] = await rig.sql`
      select (seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes where relid = t.relid))::int
        as read
      from pg_stat_user_tables t where relname = 'answered_questions'`
    return read
  }

  it.each(READS)('has %s without a read of all of them', async (path) => {
    const before = await countRead()
    const { status } = await rig.call('GET', `/api/${path}`, { token })
    expect(status).toBe(200)
    expect((await countRead()) - before).toBeLessThan(6_000)
  })

  it('has the mistakes of before a session without a read of all of them', async () => {
    const before = await countRead()
    const path = `/api/practice/slips?${ZONE}&before=${session}`
    expect((await rig.call('GET', path, { token })).status).toBe(200)
    expect((await countRead()) - before).toBeLessThan(6_000)
  })
})
