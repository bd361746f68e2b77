import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { actsRig, doTime, EVERYBODY, toOne, withAna } from '../../../tests/rig/acts-rig.ts'
import { moveClock } from '../../../tests/rig/assessment-rig.ts'
import { actionsOf, resultOf, rightAnswers } from '../../../tests/rig/organizer-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'

const rig = useRig()

describe('a message to candidates', () => {
  const send = (to: object, text: string) => ({ requestId: randomUUID(), to, text })
  type Inside = Awaited<ReturnType<Awaited<ReturnType<typeof actsRig>>['inside']>>
  const readBy = async ({ seat }: Inside) =>
    ((await seat.status()).body.messages ?? []).map(({ text }: { text: string }) => text)

  it("reaches its recipients only, without the author's name", async () => {
    const { owner, ana, inside, code } = await withAna(rig, { room: '2.11' })
    const ben = await inside('ben', { room: '1.04' })
    expect((await ana.seat.status()).body).not.toHaveProperty('messages')
    const sent = await owner('POST', 'messages', send(EVERYBODY, 'To all.'))
    expect(sent.body).toMatchObject({ inside: 2, ids: [expect.any(Number)] })
    await owner('POST', 'messages', send({ candidates: null, room: '2.11' }, 'To the room.'))
    await owner('POST', 'messages', send(toOne(ben.id), 'To Ben.'))
    expect(await readBy(ana)).toEqual(['To the room.', 'To all.'])
    expect(await readBy(ben)).toEqual(['To Ben.', 'To all.'])
    expect(Object.keys((await ben.seat.status()).body.messages[0])).toEqual(['id', 'text', 'at'])
    const listed = (await owner('GET', 'messages')).body.messages
    expect(listed.map(({ to, text }: { to: string; text: string }) => [to, text])).toEqual([
      ['ben', 'To Ben.'],
      ['room 2.11', 'To the room.'],
      ['everybody', 'To all.'],
    ])
    expect(await actionsOf(rig, code)).toEqual(Array(3).fill('message'))
  })

  it('is announced by the next save or event, without a call of its own', async () => {
    const { owner, ana, items } = await withAna(rig)
    const { seat } = ana
    const save = async (revision: number) => {
      const choice = { questionId: items[0]?.id ?? 0, choice: 'A', revision }
      return (await seat.save([choice])).body
    }
    expect(await save(1)).not.toHaveProperty('news')
    const { ids } = (await owner('POST', 'messages', send(EVERYBODY, 'Carry on.'))).body
    let revision = 1
    // Saves don't query messages themselves. A later save returns what was loaded in the meantime.
    await expect.poll(async () => (await save(++revision)).news, { timeout: 5_000 }).toBe(ids[0])
    const told = await seat.report({ id: 1, kind: 'ready', at: 0 })
    expect(told.body).toMatchObject({ violations: 0, news: ids[0] })
    expect((await seat.status()).body).toMatchObject({ news: ids[0] })
  })

  it('sent once per request id disappears for unread recipients when withdrawn', async () => {
    const { owner, ana } = await withAna(rig)
    // These texts are empty, too long, or have invisible characters. The first reverses the text after it.
    for (const text of [' ', 'a\u202eb', 'a\u0007b', 'x'.repeat(501)]) {
      expect((await owner('POST', 'messages', send(EVERYBODY, text))).status).toBe(400)
    }
    const message = send(EVERYBODY, 'The lift is broken.')
    const [first, second] = await Promise.all([
      owner('POST', 'messages', message),
      owner('POST', 'messages', message),
    ])
    expect(first.body).toEqual(second.body)
    const again = await owner('POST', 'messages', { ...message, text: 'Else.' })
    expect(again.body.code).toBe('request_used')
    expect(first.body.text).toBe('The lift is broken.')
    expect(await readBy(ana)).toEqual(['The lift is broken.'])
    const back = await owner('POST', 'messages/withdraw', { ids: first.body.ids })
    expect(back.body).toEqual({ withdrawn: 1 })
    expect(await readBy(ana)).toEqual([])
    expect((await owner('GET', 'messages')).body.messages).toMatchObject([{ isWithdrawn: true }])
    const other = await actsRig(rig)
    const stranger = await other.member('owner')
    const theirs = await stranger('POST', 'messages/withdraw', { ids: first.body.ids })
    expect(theirs.body).toEqual({ withdrawn: 0 })
  })

  it('from an invigilator with a room stays in that room', async () => {
    const { owner, ana, member, inside } = await withAna(rig, { room: '2.11' })
    const helper = await member('invigilator', '2.11')
    const ben = await inside('ben', { room: '1.04' })
    const all = await owner('POST', 'messages', send(EVERYBODY, 'To all.'))
    await owner('POST', 'messages', send(toOne(ben.id), 'To Ben.'))
    for (const to of [EVERYBODY, { candidates: null, room: '1.04' }, toOne(ana.id, ben.id)]) {
      const refused = await helper('POST', 'messages', send(to, 'Hello.'))
      expect([refused.status, refused.body.code]).toEqual([403, 'not_your_room'])
    }
    expect((await helper('POST', 'messages/withdraw', { ids: all.body.ids })).status).toBe(403)
    expect((await helper('POST', 'messages', send(toOne(ana.id), 'Hello.'))).status).toBe(200)
    const listed = (await helper('GET', 'messages')).body.messages
    expect(listed.map(({ text }: { text: string }) => text)).toEqual(['Hello.', 'To all.'])
  })
})

describe('strikes on the exam day', () => {
  const leave = (id: number) => [
    { id, kind: 'page_hidden', at: id * 10 },
    { id: id + 1, kind: 'page_visible', at: id * 10 + 5 },
  ]

  it('can be voided together and restored for one minute in one room', async () => {
    const { member, inside, code, items } = await actsRig(rig)
    const reviewer = await member('reviewer')
    const people = [
      await inside('ana', { room: '2.11' }),
      await inside('ben', { room: '2.11' }),
      await inside('cleo', { room: '1.04' }),
    ]
    await moveClock(rig, 60_000)
    for (const { seat } of people) await seat.report(...leave(1))
    const of = { to: { candidates: null, room: '2.11' } }
    const { strikes } = (await reviewer('POST', 'strikes/read', of)).body
    expect(strikes).toMatchObject([
      { username: expect.stringMatching(/^candidate /), kind: 'page_hidden', takenBack: null },
      { room: '2.11' },
    ])
    const events = strikes.map(({ event }: { event: number }) => event)
    const body = { requestId: randomUUID(), events, reason: 'alarm' }
    const taken = await reviewer('POST', 'strikes/take-back', body)
    expect(taken.body).toEqual({ events, mayBeReopened: [] })
    const violations = async () =>
      Promise.all(people.map(async ({ seat }) => (await seat.status()).body.violations))
    expect(await violations()).toEqual([0, 0, 1])
    expect((await reviewer('POST', 'strikes/take-back', body)).body).toEqual(taken.body)
    const another = { ...body, requestId: randomUUID() }
    expect((await reviewer('POST', 'strikes/take-back', another)).body.events).toEqual([])
    const restored = await reviewer('POST', 'strikes/restore', { events, reason: 'undone' })
    expect(restored.body).toEqual({ events })
    expect(await violations()).toEqual([1, 1, 1])
    const log = await actionsOf(rig, code)
    // An action that took back no strike isn't logged.
    expect(log).toEqual(['take-strikes-back', 'restore-strikes'])
    const again = { ...another, requestId: randomUUID(), events: events.slice(1) }
    await reviewer('POST', 'strikes/take-back', again)
    for (const { seat } of people) await seat.submit(rightAnswers(items))
    const results = await Promise.all(people.map(({ id }) => resultOf(rig, id)))
    expect(results.map(({ cheated }) => cheated)).toEqual([true, false, true])
  })

  it('list the tests they ended when voided, and end no running test when restored', async () => {
    const { owner, ana } = await withAna(rig)
    await ana.seat.report(...leave(1), ...leave(3), ...leave(5))
    expect((await ana.seat.status()).body.status).toBe('submitted')
    const { strikes } = (await owner('POST', 'strikes/read', { to: toOne(ana.id) })).body
    const ended = strikes.map(({ endedTest }: { endedTest: boolean }) => endedTest)
    expect(ended).toEqual([false, false, true])
    const events = [strikes[0].event]
    const back = { requestId: randomUUID(), events, reason: 'alarm' }
    const taken = await owner('POST', 'strikes/take-back', back)
    expect(taken.body.mayBeReopened).toEqual([{ id: ana.id, username: 'ana' }])
    const asked = { to: toOne(ana.id), kind: 'reopen', seconds: 300, reopens: false }
    await doTime(owner, asked)
    const refused = await owner('POST', 'strikes/restore', { events, reason: 'wrong' })
    expect(refused.body.code).toBe('strikes_would_end')
    expect((await ana.seat.status()).body).toMatchObject({ status: 'in_progress', violations: 2 })
  })

  it('are rejected if they belong to another assessment or were not caused by a candidate', async () => {
    const { owner, ana } = await withAna(rig)
    await ana.seat.report(...leave(1))
    const other = await actsRig(rig)
    const theirs = await other.inside('ben')
    await theirs.seat.report(...leave(1))
    const stranger = await other.member('owner')
    const { strikes } = (await stranger('POST', 'strikes/read', { to: EVERYBODY })).body
    const body = { requestId: randomUUID(), events: [strikes[0].event], reason: 'x' }
    expect((await owner('POST', 'strikes/take-back', body)).body.code).toBe('no_such_event')
    expect((await theirs.seat.status()).body.violations).toBe(1)
  })
})
