import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { fillBank } from '../../../tests/rig/bank-fixture.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { measureUsualTimes } from './usual-times.ts'

const rig = useRig()

it('the usual time is the median of at least 20 measured answers and ignores small changes', async () => {
  await fillBank(rig)
  const { userId } = await signUp(rig)
  const answer = (item: number, count: number, tookMs: string) =>
    rig.db.execute(sql`
      insert into answered_questions (user_id, session_id, place, kind, item, family, choice, is_right,
        took_ms, answered_at, day)
      select ${userId}, gen_random_uuid(), 0, 'test', ${String(item)}, ${String(item)}, 'A', true,
        ${sql.raw(tookMs)}, now(), current_date from generate_series(1, ${count}) n`)
  const usual = async () =>
    (
      await rig.db.execute(
        sql`select id, usual_ms from questions where usual_ms is not null order by id`,
      )
    ).rows
  await answer(2001, 21, 'n * 1000')
  await answer(2002, 19, '5000')
  await answer(2003, 30, 'null')
  expect(await measureUsualTimes(rig)).toBe(1)
  expect(await usual()).toEqual([{ id: 2001, usual_ms: 11_000 }])
  await answer(2001, 2, '90000')
  expect(await measureUsualTimes(rig)).toBe(0)
  await answer(2001, 40, '90000')
  expect(await measureUsualTimes(rig)).toBe(1)
  expect(await usual()).toEqual([{ id: 2001, usual_ms: 90_000 }])
})
