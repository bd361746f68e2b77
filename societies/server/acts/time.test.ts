import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sweepOnce } from '../../../assessments/server/sweep.ts'
import { actsRig, doTime, EVERYBODY, toOne } from '../../../tests/rig/acts-rig.ts'
import { DAY, makeCandidate, moveClock, takeSeat } from '../../../tests/rig/assessment-rig.ts'
import {
  attemptOf,
  auditOf,
  interventionsOf,
  rightAnswers,
} from '../../../tests/rig/organiser-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'

const rig = useRig()
/** 20 minutes, milliseconds. */
const LIMIT = 1_200_000
const at = (ms: number) => new Date(DAY.getTime() + ms).toISOString()

describe('changing time after a preview', () => {
  it('moves each end as previewed, keeps planned time apart, and tells each candidate', async () => {
    const { member, inside, code, items } = await actsRig(rig)
    const owner = await member('owner')
    const ana = await inside('ana', { name: 'Ana', room: '1' })
    const ben = await inside('ben', { name: 'Ben', room: '2', extraSeconds: 480 })
    const cleo = await inside('cleo')
    await cleo.seat.submit(rightAnswers(items))
    await makeCandidate(rig, code, 'dora')
    await moveClock(rig, 60_000)
    const { preview, done } = await doTime(owner, { kind: 'give', seconds: 600, reopens: true })
    expect(preview.body).toMatchObject({
      notInside: 1,
      handedIn: 1,
      summary: '2 end 10 min later, the last at 09:38 (Lisbon).',
      people: [
        { name: 'Ana', outcome: 'moves', was: at(LIMIT), becomes: at(LIMIT + 600_000) },
        { name: 'Ben', plannedSeconds: 480, givenSeconds: 600, was: at(LIMIT + 480_000) },
      ],
    })
    expect(done.body).toEqual({
      ...{ moved: 2, reopened: 0, planned: 0, ended: 0, left: 0, canBeUndone: true },
    })
    for (const { id, becomes } of preview.body.people) {
      expect((await attemptOf(rig, id)).deadlineAt.toISOString()).toBe(becomes)
    }
    expect((await ana.seat.status()).body).toMatchObject({
      extraSeconds: 0,
      givenSeconds: 600,
      messages: [{ text: 'You have 10 min more. Your time: 20 min + 10.' }],
    })
    expect((await ben.seat.status()).body.messages).toMatchObject([
      { text: 'You have 10 min more. Your time: 20 min + 8 + 10.' },
    ])
    expect(await auditOf(rig, code)).toMatchObject([
      {
        action: 'give-time',
        detail: { to: 'all', seconds: 600, moved: ['ana', 'ben'], reason: 'fire alarm' },
      },
    ])
  })

  it('happens once per request id, and a different body with it is refused', async () => {
    const { member, inside } = await actsRig(rig)
    const owner = await member('owner')
    const other = await member('owner')
    const ana = await inside('ana')
    const { body, done } = await doTime(owner, { kind: 'give', seconds: 300 })
    const again = await owner('POST', 'time', body)
    expect([again.status, again.body]).toEqual([200, done.body])
    const end = new Date(DAY.getTime() + LIMIT + 300_000)
    expect((await attemptOf(rig, ana.id)).deadlineAt).toEqual(end)
    const changed = await owner('POST', 'time', { ...body, seconds: 600 })
    expect([changed.status, changed.body.code]).toEqual([409, 'key_used'])
    expect((await other('POST', 'time', body)).body.code).toBe('key_used')
    expect((await attemptOf(rig, ana.id)).deadlineAt).toEqual(end)
  })

  it('by two organizers at once happens once; the other one sees who was first', async () => {
    const { member, inside } = await actsRig(rig)
    const [first, second] = [await member('owner'), await member('owner')]
    const ana = await inside('ana')
    const asked = { to: EVERYBODY, kind: 'give', seconds: 600, reopens: true }
    const previews = await Promise.all(
      [first, second].map((call) => call('POST', 'time/preview', asked)),
    )
    const answers = await Promise.all(
      [first, second].map((call, index) => {
        const { version, asOf } = previews[index]?.body ?? {}
        const more = { version, asOf, key: randomUUID(), reason: 'alarm' }
        return call('POST', 'time', { ...asked, ...more })
      }),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const refused = answers.find(({ status }) => status === 409)?.body
    expect(refused).toMatchObject({
      code: 'changed',
      preview: {
        recent: [{ text: 'gave 10 min to all (1)', isYou: false }],
        people: [{ becomes: at(LIMIT + 1_200_000) }],
      },
    })
    expect((await attemptOf(rig, ana.id)).deadlineAt).toEqual(
      new Date(DAY.getTime() + LIMIT + 600_000),
    )
  })

  it('skips candidates who submitted or started meanwhile, without another request', async () => {
    const { member, inside, items, code } = await actsRig(rig)
    const owner = await member('owner')
    const ana = await inside('ana')
    const ben = await inside('ben')
    await moveClock(rig, 30_000)
    const asked = { to: EVERYBODY, kind: 'give', seconds: 600, reopens: true }
    const { version, asOf } = (await owner('POST', 'time/preview', asked)).body
    await moveClock(rig, 5_000)
    await ben.seat.submit(rightAnswers(items))
    const cleo = await inside('cleo')
    const done = await owner('POST', 'time', {
      ...asked,
      ...{ version, asOf, key: randomUUID(), reason: 'alarm' },
    })
    expect(done.body).toMatchObject({ moved: 1, left: 2 })
    expect(await interventionsOf(rig, ana.id)).toEqual(['extended'])
    expect(await interventionsOf(rig, ben.id)).toEqual(['submitted'])
    expect(await interventionsOf(rig, cleo.id)).toEqual([])
    expect(await auditOf(rig, code)).toHaveLength(1)
  })

  it("reopens tests that the clock closed, and says who passes the room's end", async () => {
    const { member, inside } = await actsRig(rig)
    const owner = await member('owner')
    const ana = await inside('ana', { name: 'Ana' })
    await moveClock(rig, 300_000)
    await inside('ben', { name: 'Ben' })
    await moveClock(rig, LIMIT - 300_000 + 11_000)
    await sweepOnce(rig.dependencies)
    const rooms = await owner('PUT', 'rooms-until', { was: null, at: '2026-03-02 09:33' })
    expect(rooms.body.roomsUntil).toBe('2026-03-02T09:33:00.000Z')
    const stale = await owner('PUT', 'rooms-until', { was: null, at: '2026-03-02 09:50' })
    expect(stale).toMatchObject({
      status: 409,
      body: { code: 'stale', roomsUntil: rooms.body.roomsUntil },
    })
    const { preview, done } = await doTime(owner, { kind: 'give', seconds: 600, reopens: true })
    expect(preview.body.summary).toBe(
      'Ben now ends 09:25 → 09:35 (Lisbon). Ana opens again, until 09:30. Ben would pass 09:33, when the rooms are given back.',
    )
    expect(done.body).toMatchObject({ moved: 1, reopened: 1, canBeUndone: false })
    expect((await ana.seat.status()).body).toMatchObject({ status: 'in_progress' })
  })

  it('sets planned time for running and future attempts, once however often it is sent', async () => {
    const { member, inside, code } = await actsRig(rig)
    const owner = await member('owner')
    const ana = await inside('ana')
    const dora = await makeCandidate(rig, code, 'dora')
    const asked = { to: toOne(ana.id, dora.id), kind: 'plan', seconds: 480 }
    expect((await doTime(owner, asked)).done.body).toMatchObject({ moved: 1, planned: 1 })
    expect((await doTime(owner, asked)).done.body).toMatchObject({ moved: 0, planned: 0 })
    expect((await ana.seat.status()).body).toMatchObject({
      ...{ extraSeconds: 480, remainingMs: LIMIT + 480_000 },
    })
    const { body } = await (await takeSeat(rig, code, 'dora')).start()
    expect(body.remainingMs).toBe(LIMIT + 480_000)
  })

  it('to a common end uses the zone’s clock, must be in the future, and warns who loses time', async () => {
    const { member, inside } = await actsRig(rig)
    const owner = await member('owner')
    const ana = await inside('ana', { name: 'Ana' })
    const past = { to: EVERYBODY, kind: 'end_at', at: '2026-03-02 09:00', reopens: false }
    expect((await owner('POST', 'time/preview', past)).body.code).toBe('end_is_past')
    const { preview } = await doTime(owner, { kind: 'end_at', at: '2026-03-02 09:15' })
    expect(preview.body.summary).toBe('Ana now ends 09:20 → 09:15 (Lisbon). Ana loses time.')
    expect((await ana.seat.status()).body).toMatchObject({
      ...{ remainingMs: 900_000, givenSeconds: -300 },
      messages: [{ text: expect.stringContaining('ends at 09:15 (Lisbon), 5 min earlier') }],
    })
  })

  it('can be undone for a moment, unless another change followed', async () => {
    const { member, inside } = await actsRig(rig)
    const owner = await member('owner')
    const ana = await inside('ana')
    await moveClock(rig, 1_000)
    const { body } = await doTime(owner, { kind: 'give', seconds: 300 })
    expect((await (await member('owner'))('POST', 'time/undo', { key: body.key })).status).toBe(409)
    await moveClock(rig, 8_000)
    expect((await owner('POST', 'time/undo', { key: body.key })).body).toEqual({ undone: 1 })
    const status = (await ana.seat.status()).body
    expect([status.remainingMs, status.givenSeconds, status.messages]).toEqual([
      LIMIT - 9_000,
      undefined,
      [],
    ])
    expect((await owner('POST', 'time/undo', { key: body.key })).body.code).toBe('undo_too_late')
    const second = await doTime(owner, { kind: 'give', seconds: 300 })
    await doTime(owner, { kind: 'give', seconds: 60 })
    const undo = await owner('POST', 'time/undo', { key: second.body.key })
    expect(undo.body.code).toBe('undo_too_late')
    const third = await doTime(owner, { kind: 'give', seconds: 300 })
    await moveClock(rig, 21_000)
    const late = await owner('POST', 'time/undo', { key: third.body.key })
    expect(late.body.code).toBe('undo_too_late')
  })

  it('ends tests now with their answers; saves under way still count, and candidates see the reason', async () => {
    const { member, inside, items } = await actsRig(rig)
    const owner = await member('owner')
    const ana = await inside('ana', { name: 'Ana' })
    await moveClock(rig, 60_000)
    const { preview, done } = await doTime(owner, { to: toOne(ana.id), kind: 'end_now' })
    expect(preview.body).toMatchObject({
      ...{ itemCount: 4, summary: 'Ana ends now, with what is answered.' },
      people: [{ outcome: 'ends', answered: 0 }],
    })
    expect(done.body).toMatchObject({ ended: 1, canBeUndone: false })
    await moveClock(rig, 3_000)
    const [first, second] = rightAnswers(items, 1)
    const saved = await ana.seat.save([{ ...first, at: 59_000 } as never])
    expect(saved.status).toBe(200)
    const late = await ana.seat.save([{ ...second, at: 62_000 } as never])
    expect(late.body.code).toBe('attempt_closed')
    await moveClock(rig, 10_000)
    await sweepOnce(rig.dependencies)
    expect((await ana.seat.status()).body).toMatchObject({
      ...{ status: 'submitted', reason: 'deadline', endedBySociety: true },
      submittedAt: at(60_000),
    })
    // Minutes for everybody open nobody again whom an organiser ended.
    const all = await doTime(owner, { kind: 'give', seconds: 600, reopens: true })
    expect(all.preview.body.people).toMatchObject([{ outcome: 'closed' }])
    const again = await doTime(owner, { to: toOne(ana.id), kind: 'reopen', seconds: 300 })
    expect(again.done.body).toMatchObject({ reopened: 1 })
    expect((await ana.seat.status()).body).toMatchObject({ status: 'in_progress' })
  })
})

describe('an invigilator changing time', () => {
  it('can extend one candidate of their room by up to 15 minutes in all', async () => {
    const { member, inside } = await actsRig(rig)
    const helper = await member('invigilator', '2.11')
    const ana = await inside('ana', { room: '2.11' })
    const ben = await inside('ben', { room: '1.04' })
    const give = async (id: string, seconds: number) => {
      const path = `candidates/by-id/${id}/minutes`
      const preview = await helper('POST', `${path}/preview`, { seconds })
      if (preview.status !== 200) return preview
      const { version, asOf } = preview.body
      const more = { version, asOf, key: randomUUID(), reason: 'device' }
      return helper('POST', path, { seconds, ...more })
    }
    expect((await give(ana.id, 600)).body).toMatchObject({ moved: 1, canBeUndone: true })
    expect((await give(ana.id, 360)).body).toMatchObject({
      code: 'most_given',
      message: expect.stringContaining('You may give 5 min more, 15 min in all'),
    })
    expect((await give(ana.id, 300)).body).toMatchObject({ moved: 1 })
    expect((await give(ben.id, 60)).body.code).toBe('not_your_room')
    for (const path of ['time/preview', 'time']) {
      expect(
        (
          await helper('POST', path, {
            to: toOne(ana.id),
            kind: 'end_now',
            reopens: false,
            ...(path === 'time'
              ? { version: 'x', asOf: at(0), key: randomUUID(), reason: 'x' }
              : {}),
          })
        ).body.code,
      ).toBe('no_society')
    }
  })
})
