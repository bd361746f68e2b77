import { describe, expect, it } from 'vitest'
import { sweepOnce } from '../../../assessments/server/sweep.ts'
import { changeTimeOf } from '../../../tests/rig/acts-rig.ts'
import { takeSeat } from '../../../tests/rig/assessment-rig.ts'
import { liveRoom } from '../../../tests/rig/live-rig.ts'
import { organiserOf } from '../../../tests/rig/organiser-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { sized } from '../../../tests/setup/size.ts'
import { takeStrikesBack } from '../incidents/strikes.ts'
import type { Picture } from './picture.ts'

const rig = useRig()

/** Numbers in [0, 1), the same for a seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

const shownOf = (picture: Picture) =>
  [...picture.shown.values()]
    .map(({ candidate }) => candidate)
    .sort((a, b) => a.id.localeCompare(b.id))

/** As it is shown after following alone, and as a picture made anew shows it. */
async function expectAsStored(room: Awaited<ReturnType<typeof liveRoom>>, picture: Picture) {
  if (await picture.update(rig.db.$client, rig.clock.now)) await room.compare(picture)
  const made = await room.picture()
  expect(shownOf(picture)).toEqual(shownOf(made))
  expect(picture.lines).toEqual(made.lines)
  expect(picture.savesPerMinute(null)).toEqual(made.savesPerMinute(null))
  expect(picture.savesPerMinute('1.04')).toEqual(made.savesPerMinute('1.04'))
  expect(await room.compare(picture)).toBe(0)
}

describe('an updated Live snapshot', () => {
  it.each(sized([1, 2, 3, 4], [1]))(
    'equals a fresh one after random changes (%i)',
    async (seed) => {
      const random = randomOf(seed)
      const room = await liveRoom(rig)
      const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
      const rooms = ['1.04', '2.11', null]
      const people = [await room.candidate('1.04'), await room.candidate('2.11')]
      const picture = await room.picture()
      const organiser = () => organiserOf(rig)
      const strikesOf = async (id: string) =>
        (
          await rig.db.$client.query<{ id: number }>(
            `select id::float8 as id from attempt_events
           where candidate_id = $1 and is_violation and voided_at is null`,
            [id],
          )
        ).rows
      const acts: (() => Promise<unknown>)[] = [
        ...Array<() => Promise<unknown>>(6).fill(async () =>
          pick(people).answer(Math.floor(random() * 6), 1 + Math.floor(random() * 3)),
        ),
        ...Array<() => Promise<unknown>>(3).fill(async () => pick(people).tell('heartbeat')),
        async () => pick(people).tell('ready'),
        async () => pick(people).tell('page_hidden'),
        async () => pick(people).tell('page_visible'),
        async () => pick(people).tell('copy'),
        async () => pick(people).seat?.submit(),
        async () => people.push(await room.candidate(pick(rooms), { starts: random() < 0.7 })),
        async () => takeSeat(rig, room.code, pick(people).username).then((seat) => seat.start()),
        async () => {
          const { id } = pick(people)
          const [strike] = await strikesOf(id)
          if (!strike) return
          await takeStrikesBack(organiser(), { code: room.code }, [strike.id], 'fire alarm')
        },
        async () => changeTimeOf(rig, room.code, 'plan', 300, pick(people).id),
        async () => changeTimeOf(rig, room.code, 'reopen', 300, pick(people).id),
        async () => room.pass(pick([1_000, 20_000, 70_000, 200_000])),
        async () => sweepOnce({ db: rig.db, now: () => rig.clock.now }),
      ]
      for (let step = 0; step < 60; step += 1) {
        await pick(acts)()
        if (step % 6 === 5) await expectAsStored(room, picture)
      }
      expect(picture.version).toBeGreaterThan(1)
    },
  )

  it('misses nothing that commits after what began later', async () => {
    const room = await liveRoom(rig)
    const [slow, quick] = [await room.candidate('1.04'), await room.candidate('1.04')]
    const picture = await room.picture()
    const answeredOf = (id: string) => picture.shown.get(id)?.candidate.answered
    const insert = `
      insert into attempt_events (candidate_id, attempt_id, kind, window_id, at_ms, detail, received_at)
      select candidate_id, id, 'saved', window_id, 1, $2, $3 from attempts where candidate_id = $1`
    const detail = JSON.stringify([[room.items[0]?.id, 'A', 1, 5]])
    const holder = await rig.db.$client.connect()
    await holder.query('begin')
    await holder.query(insert, [slow.id, detail, rig.clock.now])
    await quick.answer(0)
    // Two looks, and a third by which the log has gone on: the slow one's number lies far behind.
    for (let look = 0; look < 4; look += 1) {
      await quick.answer(look)
      await picture.update(rig.db.$client, rig.clock.now)
    }
    expect([answeredOf(slow.id), answeredOf(quick.id)]).toEqual([0, 4])
    await holder.query('commit')
    holder.release()
    await picture.update(rig.db.$client, rig.clock.now)
    expect(answeredOf(slow.id)).toBe(1)
    expect(picture.savesPerMinute(null).at(-1)).toBe(6)
    // Told once: what was seen is left behind when nothing is under way any more.
    const { rows } = await rig.db.$client.query('select max(id)::float8 as id from attempt_events')
    // As long as any transaction of the whole server is under way, of other tests too, nothing is.
    const low = async () => {
      await picture.update(rig.db.$client, rig.clock.now)
      return picture.low.event
    }
    await expect.poll(low, { timeout: 20_000, interval: 100 }).toBe(rows[0].id)
    expect(picture.savesPerMinute(null).at(-1)).toBe(6)
  }, 30_000)

  it('counts what it had not made as it is stored', async () => {
    const room = await liveRoom(rig)
    const one = await room.candidate('1.04')
    const picture = await room.picture()
    // Behind its back: no event tells of it.
    await rig.db.$client.query(
      'update attempts set deadline_at = deadline_at + $2 where candidate_id = $1',
      [one.id, '1 minute'],
    )
    expect(await room.compare(picture)).toBe(1)
    expect(await room.compare(picture)).toBe(0)
  })

  it('tells what time alone brings, at its moment, of nobody before', async () => {
    const room = await liveRoom(rig)
    const people = [await room.candidate('1.04'), await room.candidate('1.04')]
    const [early, late] = people as [(typeof people)[number], (typeof people)[number]]
    const picture = await room.picture()
    const update = () => picture.update(rig.db.$client, rig.clock.now)
    const silent = () => picture.lines.map(({ candidate, trouble }) => [candidate, trouble])
    for (const one of people) await one.tell('ready')
    await early.answer(0)
    await update()
    await room.pass(60_000)
    await late.answer(0)
    await update()
    await room.pass(119_999)
    await update()
    expect(silent()).toEqual([])
    await room.pass(1)
    await update()
    expect(silent()).toEqual([[early.id, 'no_save']])
    await room.pass(60_000)
    await update()
    expect(silent()).toEqual([
      [early.id, 'no_save'],
      [late.id, 'no_save'],
    ])
    // Who saves again has a moment of the own again.
    await early.answer(1)
    await update()
    expect(silent()).toEqual([[late.id, 'no_save']])
    await room.pass(180_000)
    await update()
    expect(silent()).toHaveLength(2)
  })

  it('tells who is gone', async () => {
    const room = await liveRoom(rig)
    const one = await room.candidate('1.04', { starts: false })
    const picture = await room.picture()
    await rig.db.$client.query('delete from candidates where id = $1', [one.id])
    await rig.db.$client.query(
      `insert into admin_actions (at, actor, action, assessment, detail)
       values ($1, 'tester', 'remove-candidates', $2, '{}')`,
      [rig.clock.now, room.code],
    )
    await expectAsStored(room, picture)
    expect(picture.gone.map(({ id }) => id)).toEqual([one.id])
  })
})
