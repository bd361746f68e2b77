import { randomUUID } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { changeTimeOf, toOne } from '../../../tests/rig/acts-rig.ts'
import { takeSeat } from '../../../tests/rig/assessment-rig.ts'
import { liveRoom } from '../../../tests/rig/live-rig.ts'
import { actionsOf } from '../../../tests/rig/organizer-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import type { Role } from '../../kit/roles.ts'
import { watchLive } from '../contract.ts'
import { OF_SIMULATION } from './view.ts'
import { Watch } from './watch.ts'

const rig = useRig()

interface Line {
  candidate: string
  trouble: string
  mark: string
  others: number | null
}
const idsIn = ({ candidates }: { candidates: { id: string }[] }) => candidates.map(({ id }) => id)
const troublesIn = ({ toLookAt }: { toLookAt: Line[] }) =>
  toLookAt.map(({ candidate, trouble }) => [candidate, trouble])

describe('the Live page', () => {
  it('shows the whole room, contains no key, choice or score, and says when nothing has changed', async () => {
    const { society, code, ...room } = await liveRoom(rig)
    const owner = await room.member('owner')
    const ana = await room.candidate('1.04', { name: 'Ana Sousa' })
    await room.candidate('1.04', { starts: false })
    const { body: first } = await owner.call('GET')
    expect(z.parse(watchLive.response, first)).toEqual(first)
    expect(first.snapshot).toMatchObject({
      counts: { toLookAt: 0, inside: 1, absent: 1, verified: 0, done: 0, saving: 1, late: 0 },
      rooms: [{ room: '1.04', listed: 2, inside: 1 }],
      toLookAt: [],
    })
    expect(first.snapshot.candidates).toHaveLength(2)
    await room.pass(2_000)
    const { body: same } = await owner.call('GET', `?have=${first.tag}`)
    expect(same).toEqual({ tag: first.tag, takenMs: first.takenMs + 2_000, snapshot: null })
    await ana.answer(0)
    await room.pass(2_000)
    const { body: changed } = await owner.call('GET', `?have=${first.tag}`)
    const shown = changed.snapshot.candidates.find(({ id }: { id: string }) => id === ana.id)
    expect(shown).toMatchObject({ answered: 1, savedMs: first.takenMs + 2_000 })
    expect(JSON.stringify(changed)).not.toMatch(/correct|choice|score|alpha|Stem|key"/i)
    expect((await owner.call('GET', '?have=nonsense')).status).toBe(400)
    // The response is compressed for browsers that accept it.
    const ask = (accepted?: string) => {
      const headers = new Headers({ Authorization: `Bearer ${owner.token}` })
      if (accepted) headers.set('Accept-Encoding', accepted)
      return rig.app.request(`/api/societies/${society.id}/assessments/${code}/live`, { headers })
    }
    const plain = await ask()
    expect(plain.headers.get('content-encoding')).toBeNull()
    const zipped = await ask('gzip, deflate, br')
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    const bytes = Buffer.from(await zipped.arrayBuffer())
    expect(gunzipSync(bytes).toString()).toBe(await plain.text())
    expect((await ask('br, gzip;q=0')).headers.get('content-encoding')).toBeNull()
  })

  it('shows a request for help first, and tells the candidate when it was read', async () => {
    const { code, ...room } = await liveRoom(rig)
    const owner = await room.member('owner')
    const ana = await room.candidate('1.04', { name: 'Ana Sousa' })
    const text = 'My laptop has no power'
    await room.pass(1_000)
    await ana.seat?.report(
      { id: 1, kind: 'ready', at: 0 },
      { id: 2, kind: 'help', at: 900, detail: { text } },
    )
    await room.pass(240_000)
    const { toLookAt } = await owner.look()
    expect(troublesIn({ toLookAt })).toEqual([
      [ana.id, 'help'],
      [ana.id, 'no_save'],
    ])
    expect(toLookAt[0].text).toBe(text)
    const helpOf = async () => (await ana.seat?.status())?.body.help
    const atMs = rig.clock.now.getTime() - 240_000
    expect(await helpOf()).toMatchObject([{ text, atMs, readMs: null }])
    const { candidate, mark } = toLookAt[0]
    expect((await owner.call('POST', '/seen', { candidate, mark })).status).toBe(200)
    expect(await helpOf()).toMatchObject([{ text, readMs: rig.clock.now.getTime() }])
    expect(troublesIn(await owner.look())).toEqual([[ana.id, 'no_save']])
    // The candidate already saw that it was read. Marking it as unseen only changes the helpers' view.
    await owner.call('POST', '/unseen', { candidate, mark })
    expect((await owner.look()).toLookAt[0]).toMatchObject({ trouble: 'help', text: null })
  })

  it('shows the start window of a candidate who starts at another time', async () => {
    const { code, ...room } = await liveRoom(rig)
    const owner = await room.member('owner')
    const ana = await room.candidate(null, { starts: false })
    const at = rig.clock.now.getTime() + 86_400_000
    await rig.db.$client.query(
      'update candidates set starts_from = $2, starts_until = $3 where id = $1',
      [ana.id, new Date(at), new Date(at + 600_000)],
    )
    expect((await owner.look()).candidates[0].startsMs).toEqual([at, at + 600_000])
  })

  it('gives an author numbers, an invigilator their room, and a reviewer no names', async () => {
    const { society, code, ...room } = await liveRoom(rig)
    const here = await room.candidate('1.04', { name: 'Ana Sousa' })
    const there = await room.candidate('2.11', { name: 'Rui Costa' })
    await there.tell('copy')
    await room.pass(3_000)
    await there.tell('paste')
    const author = await (await room.member('author')).look()
    expect(author).toMatchObject({ candidates: null, toLookAt: [], actions: [] })
    expect(author.counts).toMatchObject({ inside: 2, toLookAt: 1 })
    expect(JSON.stringify(author)).not.toMatch(/Ana Sousa|candidate-/)

    const helper = await room.member('invigilator', '1.04')
    const own = await helper.look()
    expect(own.room).toBe('1.04')
    expect(own.counts).toMatchObject({ inside: 1, toLookAt: 0 })
    expect(idsIn(own)).toEqual([here.id])
    expect(JSON.stringify(own)).not.toContain('Rui')
    const seen = { candidate: there.id, mark: 'second_strike:1' }
    expect((await helper.call('POST', '/seen', seen)).status).toBe(404)
    const everywhere = await (await room.member('invigilator')).look()
    expect(everywhere.candidates).toHaveLength(2)

    const reviewer = await (await room.member('reviewer')).look()
    expect(reviewer.candidates).toHaveLength(2)
    expect(JSON.stringify(reviewer)).not.toMatch(/Ana Sousa|Rui Costa|"candidate-/)

    // Messages to a candidate in another room are hidden until the helper is assigned to that room.
    const owner = await room.member('owner')
    const path = `/api/societies/${society.id}/assessments/${code}/messages`
    const body = { requestId: randomUUID(), to: toOne(there.id), text: 'To one.' }
    expect((await rig.call('POST', path, { token: owner.token, body })).status).toBe(200)
    const what = `wrote to ${there.username}: “To one.”`
    await room.pass(3_000)
    expect((await owner.look()).actions).toMatchObject([{ what }])
    const { body: before } = await helper.call('GET')
    expect([idsIn(before.snapshot), before.snapshot.actions]).toEqual([[here.id], []])
    await rig.sql`update memberships set room = '2.11' where id = ${helper.membership}`
    const { body: after } = await helper.call('GET', `?have=${before.tag}`)
    expect(idsIn(after.snapshot)).toEqual([there.id])
  })

  it('shows an invigilator actions for candidates during the test, but no decisions about them', async () => {
    const { society, code, ...room } = await liveRoom(rig)
    const [here, there] = [await room.candidate('1.04'), await room.candidate('2.11')]
    const all = [
      ...['exclude', 'report-incident', 'withdraw-verdict', 'accept-late', 'compare-candidates'],
      ...['export-candidates', 'withdraw-release', 'something-new', 'seen', 'give-time'],
    ]
    for (const { username } of [here, there]) {
      for (const action of all) {
        await rig.sql`insert into admin_actions (at, actor, via, action, society_id, assessment, detail)
          values (${rig.clock.now}, 'ana', 'console', ${action}, ${society.id}, ${code},
            ${JSON.stringify({ username, seconds: 60 })}::text::jsonb)`
      }
    }
    await rig.sql`insert into admin_actions (at, actor, via, action, society_id, assessment, detail)
      values (${rig.clock.now}, 'ana', 'console', 'withdraw-message', ${society.id}, ${code}, '{}')`
    await room.pass(3_000)
    const shownTo = async (role: Role, of?: string) => {
      const { actions } = await (await room.member(role, of)).look()
      return actions.map(({ what }: { what: string }) => what)
    }
    const ofHere = await shownTo('invigilator', '1.04')
    expect(ofHere).toHaveLength(2)
    expect(ofHere.every((what: string) => what.includes(here.username))).toBe(true)
    expect(await shownTo('invigilator')).toHaveLength(5)
    expect(await shownTo('owner')).toHaveLength(20)
  })

  it('lists alerts by urgency, with the other absences in that minute', async () => {
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
      // The new window starts over, so the last save counts.
      ...[struck.id, quiet.id].sort().map((id) => [id, 'no_save']),
      [struck.id, 'second_strike'],
      [silent.id, 'unmonitored'],
      [struck.id, 'accounts'],
    ])
    const line = (body.toLookAt as Line[]).find(({ trouble }) => trouble === 'second_strike')
    expect(line?.others).toBe(1)
    const ended = await room.candidate('1.04')
    for (const kind of ['copy', 'cut', 'paste']) {
      await ended.tell(kind)
      await room.pass(3_000)
    }
    // It comes before earlier alerts, because the candidate can't go on.
    expect(troublesIn(await owner.look())[0]).toEqual([ended.id, 'third_strike'])
  })

  it('hides an alert once it is marked as seen, and shows it again when that is undone', async () => {
    const room = await liveRoom(rig)
    const owner = await room.member('owner')
    const helper = await room.member('invigilator')
    const one = await room.candidate('1.04', { name: 'Ana Sousa' })
    await one.tell('copy')
    await room.pass(3_000)
    await one.tell('paste')
    const [line] = (await owner.look()).toLookAt as [Line]
    expect(line.trouble).toBe('second_strike')
    const body = { candidate: line.candidate, mark: line.mark }
    const toCome = { ...body, mark: 'third_strike:3' }
    expect((await helper.call('POST', '/seen', toCome)).body.code).toBe('not_shown')
    expect((await helper.call('POST', '/seen', body)).status).toBe(200)
    expect((await owner.call('POST', '/seen', body)).body.code).toBe('already_seen')
    const after = await owner.look()
    expect(after.toLookAt).toEqual([])
    const mark = { trouble: 'second_strike', seenBy: helper.email?.split('@')[0] }
    expect(after.candidates[0].marks).toEqual([mark])
    expect(after.actions[0]).toMatchObject({
      by: helper.email?.split('@')[0],
      what: `pressed Seen on ${one.username}: second strike`,
    })
    expect((await owner.call('POST', '/unseen', body)).status).toBe(200)
    expect((await owner.look()).toLookAt).toHaveLength(1)
    const log = await actionsOf(rig, room.code)
    expect(log.slice(-2)).toEqual(['seen', 'unseen'])
    // A later second strike is a new alert.
    await owner.call('POST', '/seen', body)
    await rig.sql`update attempt_events set voided_at = received_at, void_reason = 'alarm'
       where candidate_id = ${one.id} and kind = 'copy'`
    await room.pass(3_000)
    await one.tell('context_menu')
    await room.pass(2_000)
    const again = (await owner.look()).toLookAt as Line[]
    expect(again.map(({ trouble }) => trouble)).toEqual(['second_strike'])
    expect(again[0]?.mark).not.toBe(line.mark)
  })

  it('notices a page that went silent, a returned account and a reopened test', async () => {
    const room = await liveRoom(rig)
    const owner = await room.member('owner')
    const silent = await room.candidate('1.04')
    const shared = await room.candidate('1.04')
    const reopened = await room.candidate('1.04')
    for (const one of [silent, shared, reopened]) {
      await one.tell('ready')
      await one.tell('heartbeat')
    }
    await rig.sql`update attempts set submitted_at = ${rig.clock.now}, submit_reason = 'deadline'
      where candidate_id = ${reopened.id}`
    // The reopened candidate's account signs in as another candidate without starting.
    await takeSeat(rig, room.code, shared.username, reopened.seat ?? undefined)
    await room.pass(170_000)
    await changeTimeOf(rig, room.code, 'reopen', 600, reopened.id)
    await silent.answer(0)
    await shared.tell('heartbeat')
    await shared.answer(0)
    await room.pass(20_000)
    expect(troublesIn(await owner.look())).toEqual([
      [silent.id, 'unmonitored'],
      ...[shared.id, reopened.id].sort().map((id) => [id, 'accounts']),
    ])
  })
})

describe('a watched test', () => {
  it('is read every two or three seconds, regardless of the number of viewers', async () => {
    const room = await liveRoom(rig)
    await room.candidate('1.04')
    const watch = new Watch(rig.dependencies)
    const whose = { code: room.code, societyId: room.society.id, demo: false }
    const lookAll = () =>
      Promise.all(Array.from({ length: 20 }, () => watch.answer(whose, OF_SIMULATION, null)))
    const first = await lookAll()
    expect(new Set(first).size).toBe(1)
    await room.pass(1_800)
    expect(new Set([...first, ...(await lookAll())]).size).toBe(1)
    await room.pass(1_200)
    const next = await lookAll()
    expect(new Set(next).size).toBe(1)
    expect(next[0]).not.toBe(first[0])
  })

  it('is read again after a failure, and after a member changes something', async () => {
    const room = await liveRoom(rig)
    const watch = new Watch(rig.dependencies)
    const whose = { code: room.code, societyId: room.society.id, demo: false }
    const failing = vi
      .spyOn(rig.db.$client, 'connect')
      .mockImplementationOnce(() => Promise.reject(new Error('the database is away')))
    await expect(watch.answer(whose, OF_SIMULATION, null)).rejects.toThrow('away')
    const first = await watch.answer(whose, OF_SIMULATION, null)
    expect(await watch.answer(whose, OF_SIMULATION, null)).toBe(first)
    watch.forget(whose)
    expect(await watch.answer(whose, OF_SIMULATION, null)).not.toBe(first)
    failing.mockRestore()
  })
})
