import { describe, expect, it, onTestFinished, vi } from 'vitest'
import * as z from 'zod'
import { takeSeat } from '../../../tests/rig/assessment-rig.ts'
import { liveRoom } from '../../../tests/rig/live-rig.ts'
import { auditOf } from '../../../tests/rig/organiser-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { watchLive } from '../../contract/live.ts'
import { Watch } from './watch.ts'

const rig = useRig()

interface Line {
  candidate: string
  trouble: string
  mark: string
  others: number | null
}
const troublesIn = (body: { picture: { toLookAt: Line[] } }) =>
  body.picture.toLookAt.map(({ candidate, trouble }) => [candidate, trouble])

describe('the Live page', () => {
  it('shows the whole room once, then only changes', async () => {
    const room = await liveRoom(rig)
    const owner = await room.member('owner')
    const ana = await room.candidate('1.04', { name: 'Ana Sousa' })
    await room.candidate('1.04', { starts: false })
    const whole = await owner.look()
    expect(whole.picture).toMatchObject({
      isWhole: true,
      counts: { toLookAt: 0, inside: 1, absent: 1, verified: 0, done: 0, late: 0 },
      rooms: [{ room: '1.04', listed: 2, inside: 1 }],
      toLookAt: [],
    })
    expect(whole.picture.candidates).toHaveLength(2)
    // Written by hand, so held against its contract.
    expect(z.parse(watchLive.response, whole)).toEqual(whole)
    expect(whole.picture.savesPerMinute).toHaveLength(30)
    await room.pass(1_500)
    const same = await owner.call('GET', `?since=${whole.cursor}`)
    expect(same.body).toMatchObject({ picture: null })
    await ana.answer(0)
    await room.pass(1_500)
    const { body: changed } = await owner.call('GET', `?since=${same.body.cursor}`)
    expect(changed.picture).toMatchObject({ isWhole: false, toLookAt: null, feed: null, gone: [] })
    expect(changed.picture.candidates).toEqual([])
    expect(changed.picture.saved).toEqual([[ana.id, 1, expect.any(Number)]])
    expect(z.parse(watchLive.response, changed)).toEqual(changed)
    expect(changed.picture.savesPerMinute.at(-1)).toBe(1)
  })

  it('reaches the same state from single or combined changes', async () => {
    const room = await liveRoom(rig)
    const owner = await room.member('owner')
    const people = [await room.candidate('1.04'), await room.candidate('1.04')]
    const [one, two] = people as [(typeof people)[number], (typeof people)[number]]
    const whole = await owner.look()
    let [often, seldom] = [whole.cursor, whole.cursor]
    const rows = (body: typeof whole) => new Map(body.picture.candidates.map(withId))
    const withId = (row: { id: string }) => [row.id, row] as const
    const [seenOften, seenSeldom] = [rows(whole), rows(whole)]
    const put = (seen: typeof seenOften, { picture }: typeof whole) => {
      for (const row of picture?.candidates ?? []) seen.set(row.id, row)
      for (const [id, answered, savedMs] of picture?.saved ?? []) {
        seen.set(id, Object.assign({ id }, seen.get(id), { answered, savedMs }))
      }
    }
    const acts = [
      () => one.answer(0),
      () => one.tell('copy'),
      () => one.answer(1),
      () => two.answer(0),
      () => one.answer(2),
      () => two.tell('page_hidden'),
      () => two.answer(1),
    ]
    for (const [at, act] of acts.entries()) {
      await act()
      await room.pass(1_500)
      const { body } = await owner.call('GET', `?since=${often}`)
      often = body.cursor
      put(seenOften, body)
      if (at % 3 !== 2) continue
      const { body: late } = await owner.call('GET', `?since=${seldom}`)
      seldom = late.cursor
      put(seenSeldom, late)
    }
    const { body: last } = await owner.call('GET', `?since=${seldom}`)
    put(seenSeldom, last)
    const now = rows(await owner.look())
    expect(seenOften).toEqual(now)
    expect(seenSeldom).toEqual(now)
  })

  it('contains no key, choice or score', async () => {
    const room = await liveRoom(rig)
    const one = await room.candidate('1.04')
    await one.answer(0)
    await one.answer(1)
    const owner = await room.member('owner')
    const text = JSON.stringify(await owner.look())
    expect(text).not.toMatch(/correct|choice|score|alpha|Stem|key"/i)
  })

  it("continues from another node's state", async () => {
    const room = await liveRoom(rig)
    const [one] = [await room.candidate('1.04'), await room.candidate('1.04')]
    const owner = await room.member('owner')
    // Until it is sure what is behind it: other databases of the cluster have transactions too.
    let { cursor } = await owner.look()
    await vi.waitFor(
      async () => {
        await room.pass(1_500)
        cursor = (await owner.call('GET', `?since=${cursor}`)).body.cursor
        expect(Number(cursor.split('.')[4])).not.toBe(0)
      },
      { timeout: 20_000 },
    )
    const [, ...rest] = cursor.split('.')
    await one.answer(0)
    await room.pass(1_500)
    const { body } = await owner.call('GET', `?since=00000000.${rest.join('.')}`)
    expect(body.picture.isWhole).toBe(false)
    expect(body.picture.candidates.map(({ id }: { id: string }) => id)).toContain(one.id)
    const elsewhere = await owner.call('GET', `?since=00000000.00000000.${rest.slice(1).join('.')}`)
    expect(elsewhere.body.picture.isWhole).toBe(true)
    expect((await owner.call('GET', '?since=nonsense')).status).toBe(400)
  })

  it('gives an author numbers, an invigilator their room, and a reviewer no names', async () => {
    const room = await liveRoom(rig)
    const here = await room.candidate('1.04', { name: 'Ana Sousa' })
    const there = await room.candidate('2.11', { name: 'Rui Costa' })
    await there.tell('copy')
    await room.pass(3_000)
    await there.tell('paste')
    const author = await (await room.member('author')).look()
    expect(author.picture).toMatchObject({ candidates: null, toLookAt: [], feed: [] })
    expect(author.picture.counts).toMatchObject({ inside: 2, toLookAt: 1 })
    expect(JSON.stringify(author)).not.toMatch(/Ana Sousa|candidate-/)

    const helper = await room.member('invigilator', '1.04')
    const own = await helper.look()
    expect(own.room).toBe('1.04')
    expect(own.picture.counts).toMatchObject({ inside: 1, toLookAt: 0 })
    expect(own.picture.candidates.map(({ id }: { id: string }) => id)).toEqual([here.id])
    expect(JSON.stringify(own)).not.toContain('Rui')
    const seen = { candidate: there.id, mark: 'second_strike:1' }
    expect((await helper.call('POST', '/seen', seen)).status).toBe(404)
    const csv = await helper.call('POST', '/csv', { candidates: [here.id, there.id] })
    expect(csv.body.csv).toMatch(/Ana Sousa/)
    expect(csv.body.csv).not.toMatch(/Rui/)
    const everywhere = await (await room.member('invigilator')).look()
    expect(everywhere.picture.candidates).toHaveLength(2)

    const reviewer = await (await room.member('reviewer')).look()
    expect(reviewer.picture.candidates).toHaveLength(2)
    expect(JSON.stringify(reviewer)).not.toMatch(/Ana Sousa|Rui Costa|"candidate-/)
  })

  it("is sent whole again when an invigilator's room changes", async () => {
    const room = await liveRoom(rig)
    const there = await room.candidate('2.11')
    await room.candidate('1.04')
    const helper = await room.member('invigilator', '1.04')
    const { cursor } = await helper.look()
    await rig.db.$client.query("update memberships set room = '2.11' where id = $1", [
      helper.membership,
    ])
    const { body } = await helper.call('GET', `?since=${cursor}`)
    expect(body.picture.isWhole).toBe(true)
    expect(body.picture.candidates.map(({ id }: { id: string }) => id)).toEqual([there.id])
  })

  it("lists alerts by urgency, with the others' events of that minute", async () => {
    const room = await liveRoom(rig)
    const owner = await room.member('owner')
    const struck = await room.candidate('2.11')
    const other = await room.candidate('2.11')
    const quiet = await room.candidate('1.04')
    const silent = await room.candidate('1.04')
    for (const one of [struck, other, quiet]) await one.tell('ready')
    await silent.answer(0)
    await quiet.answer(0)
    await other.tell('page_hidden')
    await struck.tell('copy')
    await room.pass(5_000)
    await struck.tell('window_blur')
    await takeSeat(rig, room.code, struck.username).then((seat) => seat.start())
    await room.pass(170_000)
    for (const one of [other, silent]) await one.answer(1)
    await room.pass(10_000)
    const body = await owner.look()
    expect(troublesIn(body)).toEqual([
      [silent.id, 'unmonitored'],
      // The new window has begun anew: what is asked is the last save.
      ...[struck.id, quiet.id].sort().map((id) => [id, 'no_save']),
      [struck.id, 'second_strike'],
      [struck.id, 'accounts'],
    ])
    const line = (body.picture.toLookAt as Line[]).find(
      ({ trouble }) => trouble === 'second_strike',
    )
    expect(line?.others).toBe(1)
  })

  it('hides an alert once it is marked as seen, and shows it again when that is undone', async () => {
    const room = await liveRoom(rig)
    const owner = await room.member('owner')
    const helper = await room.member('invigilator')
    const one = await room.candidate('1.04', { name: 'Ana Sousa' })
    await one.tell('copy')
    await room.pass(3_000)
    await one.tell('paste')
    const [line] = (await owner.look()).picture.toLookAt as [Line]
    expect(line.trouble).toBe('second_strike')
    const body = { candidate: line.candidate, mark: line.mark }
    expect((await helper.call('POST', '/seen', body)).status).toBe(200)
    expect((await owner.call('POST', '/seen', body)).body.code).toBe('already_seen')
    const after = await owner.look()
    expect(after.picture.toLookAt).toEqual([])
    const mark = { trouble: 'second_strike', seenBy: helper.email?.split('@')[0] }
    expect(after.picture.candidates[0].marks).toEqual([mark])
    expect(after.picture.feed[0]).toMatchObject({
      by: helper.email?.split('@')[0],
      what: `pressed Seen on ${one.username}: second strike`,
    })
    expect((await owner.call('POST', '/unseen', body)).status).toBe(200)
    expect((await owner.look()).picture.toLookAt).toHaveLength(1)
    expect((await auditOf(rig, room.code)).slice(-2).map(({ action }) => action)).toEqual([
      'seen',
      'unseen',
    ])
    // Another second strike is another line.
    await owner.call('POST', '/seen', body)
    await rig.db.$client.query(
      `update attempt_events set voided_at = received_at, void_reason = 'alarm'
       where candidate_id = $1 and kind = 'copy'`,
      [one.id],
    )
    await room.pass(3_000)
    await one.tell('context_menu')
    await room.pass(1_500)
    const again = (await owner.look()).picture.toLookAt as Line[]
    expect(again.map(({ trouble }) => trouble)).toEqual(['second_strike'])
    expect(again[0]?.mark).not.toBe(line.mark)
  })
})

describe('the Live snapshots of a node', () => {
  const watchOf = () => {
    const figures = { pictures: 0, updates: 0, rebuilds: 0, differences: 0 }
    const { db, log } = rig.dependencies
    return { figures, watch: new Watch({ db, log, now: () => rig.clock.now }, figures) }
  }

  it('are read every second and a half, whatever the number of watchers, and dropped after a minute', async () => {
    const room = await liveRoom(rig)
    await room.candidate('1.04')
    const { figures, watch } = watchOf()
    const whose = { code: room.code, demo: false }
    const pictures = await Promise.all(Array.from({ length: 20 }, () => watch.see(whose)))
    expect(new Set(pictures).size).toBe(1)
    await watch.see(whose)
    expect(figures).toMatchObject({ pictures: 1, updates: 1 })
    await room.pass(1_500)
    await Promise.all(Array.from({ length: 20 }, () => watch.see(whose)))
    expect(figures.updates).toBe(2)
    await room.pass(59_000)
    await watch.tick()
    expect(figures.pictures).toBe(1)
    await room.pass(2_000)
    await watch.tick()
    expect(figures.pictures).toBe(0)
  })

  it('are refreshed before the pages ask again, and only while they do', async () => {
    const room = await liveRoom(rig)
    const { figures, watch } = watchOf()
    const whose = { code: room.code, demo: false }
    await watch.see(whose)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    watch.prepareNextLook(whose)
    watch.prepareNextLook(whose)
    await room.pass(1_900)
    await vi.advanceTimersByTimeAsync(3_200)
    await expect.poll(() => figures.updates).toBe(2)
    await watch.see(whose)
    await vi.advanceTimersByTimeAsync(3_200)
    // Long enough for a picture that is read now.
    await rig.db.$client.query('select pg_sleep(0.05)')
    expect(figures.updates).toBe(2)
  })

  it('are compared with the database, and differences are counted', async () => {
    const room = await liveRoom(rig)
    const one = await room.candidate('1.04')
    const { figures, watch } = watchOf()
    const whose = { code: room.code, demo: false }
    await watch.see(whose)
    await rig.db.$client.query(
      `update attempts set deadline_at = deadline_at + interval '1 hour' where candidate_id = $1`,
      [one.id],
    )
    for (let look = 0; look < 12; look += 1) {
      expect(figures.rebuilds).toBe(0)
      await room.pass(50_000)
      await watch.see(whose)
      await watch.tick()
    }
    expect(figures).toMatchObject({ rebuilds: 1, differences: 1 })
  })

  it('are limited in number, and the next request is told to retry', async () => {
    const { watch, figures } = watchOf()
    for (let index = 0; index < 40; index += 1)
      await watch.see({ code: `NONE_${index}`, demo: false })
    await expect(watch.see({ code: 'NONE_40', demo: false })).rejects.toMatchObject({ status: 503 })
    rig.clock.now = new Date(rig.clock.now.getTime() + 16_000)
    await watch.see({ code: 'NONE_40', demo: false })
    expect(figures.pictures).toBe(40)
  })
})
