import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { actsRig, doTime, EVERYBODY, withAna } from '../../../tests/rig/acts-rig.ts'
import { moveClock } from '../../../tests/rig/assessment-rig.ts'
import { attemptOf } from '../../../tests/rig/organizer-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { sized } from '../../../tests/setup/size.ts'

const rig = useRig()
const SEATS = sized(200, 40)
/** How often each candidate saves, in milliseconds. */
const PACE_MS = sized(1_000, 200)

it('a room full of candidates saves without delay while organizers preview, extend time and write messages', {
  tags: ['full'],
  timeout: 120_000,
}, async () => {
  const { member, inside, items } = await actsRig(rig)
  const [owner, second] = [await member('owner'), await member('owner')]
  const people = []
  for (let from = 0; from < SEATS; from += 20) {
    const names = Array.from({ length: 20 }, (_, n) => `person-${from + n}`)
    people.push(...(await Promise.all(names.map((name) => inside(name)))))
  }
  await moveClock(rig, 10_000)
  const tooks: number[] = []
  let isOver = false
  const saving = Promise.all(
    people.map(async ({ seat }, index) => {
      await wait((index * PACE_MS) / SEATS)
      for (let revision = 1; !isOver; revision += 1) {
        const began = performance.now()
        const choice = { questionId: items[revision % 4]?.id ?? 0, choice: 'A', revision }
        expect((await seat.save([choice])).status).toBe(200)
        tooks.push(performance.now() - began)
        await wait(PACE_MS)
      }
    }),
  )
  await wait(1.5 * PACE_MS)
  tooks.length = 0
  const asked = { to: EVERYBODY, kind: 'give', seconds: 600, reopens: true }
  await Promise.all(Array.from({ length: 10 }, () => owner('POST', 'time/preview', asked)))
  const first = await doTime(owner, asked)
  expect(first.done.body.text).toBe(`Gave 10 min to ${SEATS}`)
  // Both organizers give time at the same moment, and both changes apply.
  const both = await Promise.all([owner, second].map((call) => doTime(call, asked)))
  expect(both.map(({ done }) => done.status)).toEqual([200, 200])
  for (let n = 0; n < 5; n += 1) {
    await owner('POST', 'messages', {
      ...{ requestId: randomUUID(), to: EVERYBODY, text: `Message ${n}` },
    })
    await owner('POST', 'time/preview', asked)
  }
  await wait(PACE_MS)
  isOver = true
  await saving
  expect(tooks.length).toBeGreaterThan(SEATS)
  // A blocked save is retried within about a second. Waiting for an organizer's action would take longer.
  expect(Math.max(...tooks)).toBeLessThan(1_500)
  const ends = await Promise.all(
    people.map(async ({ id }) => (await attemptOf(rig, id)).deadlineAt),
  )
  expect(new Set(ends.map((end) => end.getTime())).size).toBe(1)
  const [one] = people
  expect((await one?.seat.status())?.body).toMatchObject({
    givenSeconds: 1_800,
    messages: expect.arrayContaining([expect.objectContaining({ text: 'Message 4' })]),
  })
})

it('a preview neither waits for saves nor blocks them', async () => {
  const { member, inside, items } = await actsRig(rig)
  const owner = await member('owner')
  const ana = await inside('ana')
  await moveClock(rig, 10_000)
  const holder = await rig.db.$client.connect()
  await holder.query('begin')
  await holder.query('select from attempts where candidate_id = $1 for update', [ana.id])
  const asked = { to: EVERYBODY, kind: 'give', seconds: 600, reopens: true }
  const preview = await Promise.race([owner('POST', 'time/preview', asked), wait(5_000, null)])
  await holder.query('rollback')
  holder.release()
  expect(preview?.status).toBe(200)
  // The preview locks no rows, so a save and a pending change both go through.
  const before = await attemptOf(rig, ana.id)
  const saved = await Promise.all([
    ...Array.from({ length: 5 }, () => owner('POST', 'time/preview', asked)),
    ana.seat.save([{ questionId: items[0]?.id ?? 0, choice: 'B', revision: 1 }]),
  ])
  expect(saved.map(({ status }) => status)).toEqual(Array(6).fill(200))
  expect(await attemptOf(rig, ana.id)).toEqual(before)
})

it('a change of time for many counts what it stores for each candidate toward the member’s day', async () => {
  const { owner, ana, code } = await withAna(rig)
  await rig.sql`insert into candidates (id, assessment, username, password_hash, created_at)
      select gen_random_uuid(), ${code}, 'm' || n, 'x', now() from generate_series(1, 200) n`
  await rig.sql`insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at,
        window_id, is_demo)
      select gen_random_uuid(), a.assessment, c.id, a.paper, a.started_at, a.deadline_at, a.window_id, false
      from attempts a join candidates c on c.assessment = a.assessment and c.id <> a.candidate_id
      where a.candidate_id = ${ana.id}`
  const points = async () => {
    const [row] = await rig.sql`
        select sum(points)::int as count from rate_limits where key like 'organizerCalls:%'`
    return row?.count ?? 0
  }
  const before = await points()
  const { done } = await doTime(owner, { kind: 'give', seconds: 600, reopens: true })
  expect(done.body.text).toBe('Gave 10 min to 201')
  const [stored] = await rig.sql`
      select (select sum(length(answer::text)) from organiser_calls)::int
        + (select sum(length(detail::text)) from admin_actions where assessment = ${code})::int
        + (select sum(length(text)) from candidate_messages where assessment = ${code})::int
        + (select sum(length(detail::text)) from attempt_events e join attempts t on t.id = e.attempt_id
            where t.assessment = ${code} and e.kind = 'extended')::int as count`
  expect(stored?.count).toBeGreaterThan(40_000)
  expect((await points()) - before).toBeGreaterThan(0.9 * stored?.count)
})
