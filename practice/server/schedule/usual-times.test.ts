import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { fillBank } from '../../../tests/rig/bank-fixture.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { listAnswers } from '../../../tools/content/report.ts'
import { measureUsualTimes } from './usual-times.ts'

const rig = useRig()

/** Guests who finished something now and `hours` ago, on two local days either way. */
async function makeGuests(count: number, hours: number) {
  const { rows } = await rig.db.execute<{ id: string }>(sql`
    with made as (
      insert into users (id, is_anonymous, created_at, updated_at)
      select gen_random_uuid(), true, now(), now() from generate_series(1, ${count}) returning id
    ), days as (
      insert into practice_days (user_id, day, completed_at, time_zone)
      select id, date '2026-01-01' + n, now() - n * ${hours} * interval '1 hour', 'UTC'
      from made, generate_series(0, 1) n
    )
    select id from made`)
  return rows.map(({ id }) => id)
}

it('the usual time is the median of at least 20 people and ignores small changes', async () => {
  await fillBank(rig)
  const ids = await makeGuests(29, 24)
  const answer = (item: number, from: number, to: number, tookMs: string) =>
    rig.db.execute(sql`
      insert into answered_questions (user_id, session_id, place, kind, item, family, choice, is_right,
        took_ms, answered_at, day)
      select id, gen_random_uuid(), 0, 'test', ${String(item)}, ${String(item)}, 'A', true,
        ${sql.raw(tookMs)}, now(), current_date
      from json_array_elements_text(${JSON.stringify(ids)}) with ordinality as person (text, n)
        cross join lateral (select text::uuid as id) own where n between ${from} and ${to}`)
  const usual = async () =>
    (
      await rig.db.execute(
        sql`select id, usual_ms from questions where usual_ms is not null order by id`,
      )
    ).rows
  await answer(2001, 1, 21, 'n * 1000')
  await answer(2002, 1, 19, '5000')
  // Two people who answer again and again are two.
  for (let again = 0; again < 12; again += 1) await answer(2002, 1, 2, '86400000')
  await answer(2003, 1, 29, 'null')
  expect(await measureUsualTimes(rig)).toBe(1)
  expect(await usual()).toEqual([{ id: 2001, usual_ms: 11_000 }])
  await answer(2001, 22, 23, '90000')
  expect(await measureUsualTimes(rig)).toBe(0)
  await answer(2001, 24, 29, '90000')
  await answer(2003, 1, 20, '86400000')
  expect(await measureUsualTimes(rig)).toBe(2)
  expect(await usual()).toEqual([
    { id: 2001, usual_ms: 15_000 },
    { id: 2003, usual_ms: 600_000 },
  ])
})

it('the share of people who were right the first time is told from 30 people on, with what editors look at', async () => {
  const people = await makeGuests(40, 24)
  const answer = (person: number, item: number, choice: string, minutes = 0) =>
    rig.db.execute(sql`
      insert into answered_questions (user_id, session_id, place, kind, item, family, choice, is_right,
        answered_at, day)
      values (${people[person]}, gen_random_uuid(), 0, 'test', ${String(item)}, ${String(item)}, ${choice},
        ${choice === 'B'}, now() + ${minutes} * interval '1 min', current_date)`)
  for (let person = 0; person < 40; person += 1) {
    // Of 40 are 25 right at first; all are the second time, which counts nothing.
    await answer(person, 2004, person < 25 ? 'B' : 'A')
    await answer(person, 2004, 'B', 5)
    // Those who know the other get this one wrong.
    await answer(person, 2005, person < 25 ? 'C' : 'B')
    if (person < 29) await answer(person, 2006, 'B')
  }
  await measureUsualTimes(rig)
  const { rows } = await rig.db.execute(
    sql`select id, right_percent from questions where right_percent is not null order by id`,
  )
  expect(rows).toEqual([
    { id: 2004, right_percent: 63 },
    { id: 2005, right_percent: 38 },
  ])
  expect(await listAnswers(rig.db)).toEqual([
    expect.stringMatching(/^2004: 63 % of 40 right; discrimination -\d\.\d+; nobody chose C, D$/),
    expect.stringMatching(/^2005: 38 % of 40 right; discrimination -\d\.\d+; nobody chose A, D$/),
  ])
  const { token } = await signUp(rig)
  const { body } = await rig.call(
    'GET',
    '/api/questions?category=Financial%20Accounting%20%26%20Analysis&difficulty=Intern',
    { token },
  )
  expect(body.find(({ id }: { id: number }) => id === 2004)).toMatchObject({ rightPercent: 63 })
})

it('guests who practiced only once set neither the usual time nor the share of right answers', async () => {
  const guests = await makeGuests(40, 1)
  await rig.db.execute(sql`
      insert into answered_questions (user_id, session_id, place, kind, item, family, choice, is_right,
        took_ms, answered_at, day)
      select id::uuid, gen_random_uuid(), 0, 'test', '2007', '2007', 'A', false, 1, now(), current_date
      from json_array_elements_text(${JSON.stringify(guests)}) guest (id)`)
  const measured = async () => {
    await measureUsualTimes(rig)
    const { rows } = await rig.db.execute(
      sql`select usual_ms, right_percent from questions where id = 2007`,
    )
    return rows[0]
  }
  expect(await measured()).toEqual({ usual_ms: null, right_percent: null })
  expect(await listAnswers(rig.db)).not.toContainEqual(expect.stringMatching(/^2007/))
  await rig.db.execute(sql`
    update practice_days set completed_at = now() - interval '1 day'
    where day = '2026-01-02' and user_id::text = any (
      select json_array_elements_text(${JSON.stringify(guests)}))`)
  expect(await measured()).toEqual({ usual_ms: 1, right_percent: 0 })
})
