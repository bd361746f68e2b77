import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sweepOnce } from '../../../assessments/server/sweep.ts'
import { changeTimeOf, doTime, EVERYBODY, toOne, withAna } from '../../../tests/rig/acts-rig.ts'
import {
  afterStart,
  DAY,
  LIMIT,
  makeAssessment,
  makeCandidate,
  moveClock,
  startedSeat,
  takeSeat,
} from '../../../tests/rig/assessment-rig.ts'
import {
  actAhead,
  attemptOf,
  auditOf,
  interventionsOf,
  resultOf,
  rightAnswers,
} from '../../../tests/rig/organizer-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'

const rig = useRig({}, DAY)
const asked = { to: EVERYBODY, kind: 'give', seconds: 600, reopens: true }
const at = (ms: number) => new Date(DAY.getTime() + ms).toISOString()

describe('changing time', () => {
  it('moves each end as previewed, keeps planned time apart, and tells each candidate', async () => {
    const { owner, ana, inside, code, items } = await withAna(rig, { room: '1' })
    const ben = await inside('ben', { name: 'Ben', room: '2', extraSeconds: 480 })
    const cleo = await inside('cleo')
    await cleo.seat.submit(rightAnswers(items))
    await makeCandidate(rig, code, 'dora')
    const before = await attemptOf(rig, cleo.id)
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
    expect(done.body).toEqual({ text: 'Gave 10 min to 2', canBeUndone: true })
    for (const { id, becomes } of preview.body.people) {
      expect((await attemptOf(rig, id)).deadlineAt.toISOString()).toBe(becomes)
    }
    expect(await attemptOf(rig, cleo.id)).toEqual(before)
    const dora = await (await takeSeat(rig, code, 'dora')).start()
    expect(dora.body.remainingMs).toBe(LIMIT)
    expect((await ana.seat.status()).body).toMatchObject({
      ...{ extraSeconds: 0, givenSeconds: 600, remainingMs: LIMIT + 540_000 },
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

  it('is previewed with the names of 300 candidates, the rarest outcomes first, and counts of all', async () => {
    const { owner, ana, code } = await withAna(rig)
    await rig.sql`insert into candidates (id, assessment, username, password_hash, created_at)
      select gen_random_uuid(), ${code}, 'm' || n, 'x', now() from generate_series(1, 340) n`
    const plan = { to: EVERYBODY, kind: 'plan', seconds: 600, reopens: false }
    const { body } = await owner('POST', 'time/preview', plan)
    expect(body.groups).toEqual([
      { group: 'plans', count: 340 },
      { group: 'has_extra', count: 1 },
    ])
    expect(body.inside).toBe(1)
    expect(body.people).toHaveLength(300)
    expect(body.people.some(({ id }: { id: string }) => id === ana.id)).toBe(false)
    const one = await owner('POST', 'time/preview', { ...plan, to: toOne(ana.id), kind: 'end_now' })
    expect(one.body).toMatchObject({ groups: [{ group: 'ends', count: 1 }], unanswered: 1 })
  })

  it('happens once per request id: a retry gets the same response, and a different body is rejected', async () => {
    const { owner, ana, member, code } = await withAna(rig)
    const other = await member('owner')
    const { body, done } = await doTime(owner, { kind: 'give', seconds: 300 })
    const again = await owner('POST', 'time', body)
    expect([again.status, again.body]).toEqual([200, done.body])
    const ending = { kind: 'end_at', at: '2026-03-02 10:00' }
    for (const more of [{ seconds: 600 }, { to: toOne(randomUUID()) }, ending]) {
      const refused = await owner('POST', 'time', { ...body, ...more })
      expect([refused.status, refused.body.code]).toEqual([409, 'request_used'])
    }
    expect((await other('POST', 'time', body)).body.code).toBe('request_used')
    const end = new Date(DAY.getTime() + LIMIT + 300_000)
    expect((await attemptOf(rig, ana.id)).deadlineAt).toEqual(end)
    expect(await auditOf(rig, code)).toHaveLength(1)
    // Another organizer sees who gave time recently.
    expect((await other('POST', 'time/preview', asked)).body).toMatchObject({
      recent: [{ text: 'gave 5 min to all (1)', isYou: false }],
      people: [{ becomes: at(LIMIT + 900_000) }],
    })
  })

  it('reopens tests that the clock closed', async () => {
    const { owner, ana, inside } = await withAna(rig)
    await moveClock(rig, 300_000)
    await inside('ben', { name: 'Ben' })
    await moveClock(rig, LIMIT - 300_000 + 11_000)
    await sweepOnce(rig.dependencies)
    const { preview, done } = await doTime(owner, { kind: 'give', seconds: 600, reopens: true })
    expect(preview.body.summary).toBe(
      'Ben now ends 09:25 → 09:35 (Lisbon). Ana opens again, until 09:30.',
    )
    expect(done.body).toEqual({ text: 'Gave 10 min to 1, opened 1 again', canBeUndone: false })
    expect((await ana.seat.status()).body).toMatchObject({ status: 'in_progress' })
  })

  it('sets planned time for running and future attempts, and repeating it changes nothing', async () => {
    const { owner, ana, code } = await withAna(rig)
    const dora = await makeCandidate(rig, code, 'dora')
    const planned = { to: toOne(ana.id, dora.id), kind: 'plan', seconds: 480 }
    expect((await doTime(owner, planned)).done.body.text).toBe('Planned 8 min for 2')
    expect((await doTime(owner, planned, { reason: undefined })).done.body).toEqual({
      text: 'No candidate’s time has changed',
      canBeUndone: false,
    })
    const noReason = await doTime(owner, { kind: 'give', seconds: 60 }, { reason: undefined })
    expect(noReason.done.body.code).toBe('reason_missing')
    expect((await ana.seat.status()).body).toMatchObject({
      ...{ extraSeconds: 480, remainingMs: LIMIT + 480_000 },
    })
    const { body } = await (await takeSeat(rig, code, 'dora')).start()
    expect(body.remainingMs).toBe(LIMIT + 480_000)
  })

  it('to a common end uses the zone’s clock, must be in the future, and names candidates who lose time', async () => {
    const { owner, ana } = await withAna(rig)
    const past = { to: EVERYBODY, kind: 'end_at', at: '2026-03-02 09:00', reopens: false }
    expect((await owner('POST', 'time/preview', past)).body.code).toBe('end_is_past')
    const { preview } = await doTime(owner, { kind: 'end_at', at: '2026-03-02 09:15' })
    expect(preview.body.summary).toBe('Ana now ends 09:20 → 09:15 (Lisbon). Ana loses time.')
    expect((await ana.seat.status()).body).toMatchObject({
      ...{ remainingMs: 900_000, givenSeconds: -300 },
      messages: [{ text: expect.stringContaining('ends at 09:15 (Lisbon), 5 min earlier') }],
    })
  })

  it('can be undone for a short time, unless another change followed', async () => {
    const { owner, ana, member } = await withAna(rig)
    const undo = async (requestId: string, by = owner) => by('POST', 'time/undo', { requestId })
    await moveClock(rig, 1_000)
    const { body } = await doTime(owner, { kind: 'give', seconds: 300 })
    expect((await undo(body.requestId, await member('owner'))).status).toBe(409)
    await moveClock(rig, 8_000)
    expect((await undo(body.requestId)).body).toEqual({ undone: 1 })
    const { remainingMs, givenSeconds, messages } = (await ana.seat.status()).body
    expect([remainingMs, givenSeconds, messages]).toEqual([LIMIT - 9_000, undefined, []])
    expect((await undo(body.requestId)).body.code).toBe('undo_too_late')
    const second = await doTime(owner, { kind: 'give', seconds: 300 })
    await doTime(owner, { kind: 'give', seconds: 60 })
    expect((await undo(second.body.requestId)).body.code).toBe('undo_too_late')
    const third = await doTime(owner, { kind: 'give', seconds: 300 })
    await moveClock(rig, 21_000)
    expect((await undo(third.body.requestId)).body.code).toBe('undo_too_late')
  })

  it('ends tests now only after re-authentication in the last five minutes', async () => {
    const { owner, ana } = await withAna(rig)
    await moveClock(rig, 5 * 60_000)
    const { done } = await doTime(owner, { kind: 'end_now' })
    expect(done.body.code).toBe('fresh_proof_required')
    expect((await ana.seat.status()).body.status).toBe('in_progress')
    expect((await doTime(owner, { kind: 'give', seconds: 60 })).done.status).toBe(200)
  })

  it('ends tests now and keeps their answers; pending saves still count, and candidates see the reason', async () => {
    const { owner, ana, items } = await withAna(rig)
    await moveClock(rig, 60_000)
    const { preview, done } = await doTime(owner, { to: toOne(ana.id), kind: 'end_now' })
    expect(preview.body).toMatchObject({
      ...{ itemCount: 4, summary: 'Ana ends now, with the answers so far.' },
      people: [{ outcome: 'ends', answered: 0 }],
    })
    expect(done.body).toEqual({ text: 'Ended 1', canBeUndone: false })
    await moveClock(rig, 3_000)
    const meanwhile = await doTime(owner, { to: toOne(ana.id), kind: 'give', seconds: 600 })
    expect(meanwhile.preview.body.people).toMatchObject([{ outcome: 'closed' }])
    expect(meanwhile.done.body.text).toBe('No candidate’s time has changed')
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
    // Giving everyone minutes doesn't reopen a test that an organizer ended.
    const all = await doTime(owner, { kind: 'give', seconds: 600, reopens: true })
    expect(all.preview.body.people).toMatchObject([{ outcome: 'closed' }])
    const again = await doTime(owner, { to: toOne(ana.id), kind: 'reopen', seconds: 300 })
    expect(again.done.body.text).toBe('Opened 1 again')
    expect((await ana.seat.status()).body).toMatchObject({ status: 'in_progress' })
  })
})

it('an invigilator can extend one candidate in their room by up to 15 minutes in total', async () => {
  const { ana, member, inside } = await withAna(rig, { room: '2.11' })
  const helper = await member('invigilator', '2.11')
  const ben = await inside('ben', { room: '1.04' })
  const give = async (id: string, seconds: number) => {
    const path = `candidates/by-id/${id}/minutes`
    const preview = await helper('POST', `${path}/preview`, { seconds })
    if (preview.status !== 200) return preview
    return helper('POST', path, { seconds, requestId: randomUUID(), reason: 'device' })
  }
  expect((await give(ana.id, 600)).body).toEqual({ text: 'Gave 10 min to 1', canBeUndone: true })
  expect((await give(ana.id, 360)).body).toMatchObject({
    code: 'most_given',
    message: expect.stringContaining('You can give 5 min more (15 min in all)'),
  })
  expect((await give(ana.id, 300)).body.text).toBe('Gave 5 min to 1')
  expect((await give(ben.id, 60)).body.code).toBe('not_your_room')
  const to = toOne(ana.id)
  const end = { to, requestId: randomUUID(), reason: 'x' }
  expect((await helper('POST', 'time/end-now', end)).body.code).toBe('no_society')
  const asked = { to, kind: 'give', seconds: 60, reopens: false }
  expect((await helper('POST', 'time/preview', asked)).body.code).toBe('no_society')
})

it('an invigilator can’t give time after an owner took some away, unless the owner undid that', async () => {
  const { owner, ana, member } = await withAna(rig, { room: '2.11' })
  const helper = await member('invigilator', '2.11')
  const give = async () => {
    const body = { seconds: 60, requestId: randomUUID(), reason: 'device' }
    const { body: answer } = await helper('POST', `candidates/by-id/${ana.id}/minutes`, body)
    return answer.code ?? answer.text
  }
  const { body } = await doTime(owner, { kind: 'give', seconds: 600 })
  expect((await owner('POST', 'time/undo', { requestId: body.requestId })).status).toBe(200)
  await doTime(owner, { kind: 'plan', seconds: 600 })
  expect(await give()).toBe('Gave 1 min to 1')
  const cut = await doTime(owner, { kind: 'plan', seconds: 300 })
  expect(await give()).toBe('most_given')
  const undone = await owner('POST', 'time/undo', { requestId: cut.body.requestId })
  expect(undone.status).toBe(200)
  expect(await give()).toBe('Gave 1 min to 1')
  await doTime(owner, { kind: 'give', seconds: 600 })
  await doTime(owner, { kind: 'end_at', at: '2026-03-02 09:30' })
  expect(await give()).toBe('most_given')
})

describe('minutes for all candidates', () => {
  const give = (code: string, minutes: number) => changeTimeOf(rig, code, 'give', minutes * 60)

  it('after the deadline reopen closed tests until the new end', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await seat.save(rightAnswers(items.slice(0, 1)))
    await moveClock(rig, LIMIT + 11_000)
    await sweepOnce(rig.dependencies)
    await moveClock(rig, 49_000)
    const end = afterStart(LIMIT + 600_000)
    await give(code, 10)
    const { body } = await seat.status()
    expect(body).toMatchObject({ status: 'in_progress', remainingMs: 540_000 })
    // The candidate continues both on another computer and in the page that was already open.
    const back = await takeSeat(rig, code, candidate.username)
    expect((await back.start()).body.answers).toHaveLength(1)
    expect((await back.save(rightAnswers(items.slice(1, 2)))).status).toBe(200)
    await moveClock(rig, new Date(end.getTime() + 10_000))
    await sweepOnce(rig.dependencies)
    expect(await attemptOf(rig, candidate.id)).toMatchObject({
      submittedAt: end,
      submitReason: 'deadline',
      pausedMs: 60_000,
    })
    // The attempt took 30 minutes from start to end and was closed for one of them.
    const result = { correct: 2, incorrect: 2, time: '29:00' }
    expect(await resultOf(rig, candidate.id)).toMatchObject(result)
    expect(await interventionsOf(rig, candidate.id)).toEqual(['submitted', 'reopened', 'submitted'])
  })

  it('do not reopen a test whose new end would be in the past', async () => {
    const { code, candidate } = await startedSeat(rig)
    await moveClock(rig, 300_000)
    const second = await makeCandidate(rig, code)
    await (await takeSeat(rig, code, second.username)).start()
    await moveClock(rig, LIMIT + 60_000)
    await sweepOnce(rig.dependencies)
    // The first test ended at 09:20 and the second at 09:25. It is now 09:26.
    expect((await give(code, 5)).text).toBe('Opened 1 again')
    expect((await attemptOf(rig, second.id)).deadlineAt).toEqual(afterStart(LIMIT + 600_000))
    expect((await attemptOf(rig, candidate.id)).submitReason).toBe('deadline')
  })

  it('also extend attempts that are still open because the server was down', async () => {
    const { seat, code } = await startedSeat(rig)
    // The deadline passed ten minutes ago, and no heartbeat arrived.
    rig.clock.now = afterStart(LIMIT + 600_000)
    expect((await give(code, 15)).text).toBe('Gave 15 min to 1')
    await sweepOnce(rig.dependencies)
    expect((await seat.status()).body.remainingMs).toBe(300_000)
  })

  it.each([
    ['ahead of a submit move the deadline of a test that is then submitted', true],
    ['behind a submit leave the closed test alone', false],
  ])('%s', async (_, isAhead) => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    const submit = () => seat.submit(rightAnswers(items))
    if (isAhead) await actAhead(rig, () => give(code, 5), submit)
    else await submit().then(() => give(code, 5))
    expect(await attemptOf(rig, candidate.id)).toMatchObject({
      submittedAt: DAY,
      submitReason: 'candidate',
      deadlineAt: afterStart(LIMIT + (isAhead ? 300_000 : 0)),
    })
    expect(await interventionsOf(rig, candidate.id)).toEqual(
      isAhead ? ['extended', 'submitted'] : ['submitted'],
    )
  })
})

describe('planned time', () => {
  const planned = (code: string, id: string, minutes: number) =>
    changeTimeOf(rig, code, 'plan', minutes * 60, id)

  it('keeps milliseconds, so the expiry job closes at the new deadline', async () => {
    rig.clock.now = new Date(DAY.getTime() + 123)
    const { code } = await makeAssessment(rig)
    const candidate = await makeCandidate(rig, code)
    await (await takeSeat(rig, code, candidate.username)).start()
    await moveClock(rig, 5_777)
    await planned(code, candidate.id, 1)
    const deadline = afterStart(123 + LIMIT + 60_000)
    expect((await attemptOf(rig, candidate.id)).deadlineAt).toEqual(deadline)
    await moveClock(rig, new Date(deadline.getTime() + 9_999))
    await sweepOnce(rig.dependencies)
    expect((await attemptOf(rig, candidate.id)).submittedAt).toBeNull()
    await moveClock(rig, 1)
    await sweepOnce(rig.dependencies)
    expect((await attemptOf(rig, candidate.id)).submittedAt).toEqual(deadline)
  })

  it('still works in the grace period after the deadline, ahead of the expiry job', async () => {
    const { code, candidate } = await startedSeat(rig)
    await moveClock(rig, LIMIT + 10_000)
    const sweep = () => sweepOnce(rig.dependencies)
    const given = await actAhead(rig, () => planned(code, candidate.id, 5), sweep)
    expect(given.status).toBe('fulfilled')
    await sweep()
    expect(await attemptOf(rig, candidate.id)).toMatchObject({
      deadlineAt: afterStart(LIMIT + 300_000),
      submittedAt: null,
    })
  })
})

it('a reopened test continues without counting the pause (power cut)', async () => {
  const { seat, code, candidate, items } = await startedSeat(rig)
  await moveClock(rig, 300_000)
  const answers = rightAnswers(items).map((answer) => ({ ...answer, choice: 'A' }))
  const first = await seat.submit(answers)
  await moveClock(rig, 600_000)
  await changeTimeOf(rig, code, 'reopen', 300, candidate.id)
  const back = await takeSeat(rig, code, candidate.username)
  const { body } = await back.start()
  expect([body.status, body.remainingMs, body.answers.length]).toEqual(['in_progress', 300_000, 4])
  expect(await resultOf(rig, candidate.id)).toBeUndefined()
  await moveClock(rig, 60_000)
  const second = await back.submit(rightAnswers(items, 2))
  expect(second.body).toMatchObject({ reference: first.body.reference })
  // The candidate worked 5 minutes before the 10-minute pause and one minute after it.
  expect(await resultOf(rig, candidate.id)).toMatchObject({ correct: 4, time: '06:00' })
  expect(await interventionsOf(rig, candidate.id)).toEqual(['submitted', 'reopened', 'submitted'])
})
