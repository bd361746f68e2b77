import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  answeredOf,
  answerRowsOf,
  attemptRowOf,
  DAY,
  makeAssessment,
  makeCandidate,
  moveClock,
  resultRowOf,
  startedSeat,
  takeSeat,
} from '../../tests/rig/assessment-rig.ts'
import { useRig } from '../../tests/rig/rig.ts'
import { beat } from './pulse.ts'
import { sweepOnce } from './sweep.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

const answerRows = (candidateId: string) => answerRowsOf(rig, candidateId)
const attemptRow = (candidateId: string) => attemptRowOf(rig, candidateId)
const resultRow = (code: string) => resultRowOf(rig, code)
const afterStart = (ms: number) => new Date(DAY.getTime() + ms)

describe('submitting an attempt', () => {
  const all = (items: { id: number; correctOption: string }[], wrong = 0) =>
    items.map(({ id, correctOption }, index) => ({
      questionId: id,
      choice: index < wrong ? (correctOption === 'A' ? 'B' : 'A') : correctOption,
      revision: 1,
    }))

  it('50 times at once creates one result and gives all calls the same response', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    await moveClock(rig, 65_000)
    const answers = answeredOf(
      await Promise.all(Array.from({ length: 50 }, () => seat.submit(all(items, 1)))),
    )
    expect(
      new Set(answers.map((answer) => JSON.stringify([answer.status, answer.body]))).size,
    ).toBe(1)
    expect(answers[0]?.body).toEqual({
      status: 'submitted',
      reference: (await attemptRow(candidate.id))?.id.slice(0, 8),
      submittedAt: afterStart(65_000).toISOString(),
    })
    expect(await resultRow(seat.code)).toEqual({
      user: candidate.username,
      correct: 3,
      incorrect: 1,
      time: '01:05',
      cheated: false,
    })
    const { rows } = await rig.db.execute(
      sql`select 1 from attempt_events where candidate_id = ${candidate.id} and kind = 'submitted'`,
    )
    expect(rows).toHaveLength(1)
  })

  it('again a day later gets the same response', async () => {
    const { seat, items } = await startedSeat(rig)
    const first = await seat.submit(all(items))
    await moveClock(rig, 50 * 60_000)
    const again = await seat.submit(all(items, 4))
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await resultRow(seat.code)).toMatchObject({ correct: 4 })
  })

  it('with missing answers returns 422 before the deadline and stores nothing', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    const answer = await seat.submit(all(items).slice(1))
    expect([answer.status, answer.body.code]).toEqual([422, 'incomplete'])
    expect(answer.body.message).toBe(
      'One question has no answer yet. Please answer it before you submit.',
    )
    expect(await answerRows(candidate.id)).toEqual([])
    expect((await attemptRow(candidate.id))?.submitted_at).toBeNull()
  })

  it('includes the answers saved before', async () => {
    const { seat, items } = await startedSeat(rig)
    await seat.save(all(items))
    expect((await seat.submit()).status).toBe(200)
    expect(await resultRow(seat.code)).toMatchObject({ correct: 4, incorrect: 0 })
  })

  it('is shown to a returning candidate with the reason but without the result', async () => {
    const { seat, items } = await startedSeat(rig)
    const { body } = await seat.submit(all(items))
    const back = await takeSeat(rig, seat.code, seat.username)
    const started = await back.start()
    expect(started.body).toMatchObject({
      status: 'submitted',
      questions: [],
      answers: [],
      remainingMs: 0,
    })
    expect((await back.status()).body).toEqual({
      status: 'submitted',
      remainingMs: 0,
      violations: 0,
      extraSeconds: 0,
      reference: body.reference,
      submittedAt: body.submittedAt,
      reason: 'candidate',
    })
    const save = await back.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 5 }])
    expect([save.status, save.body.code]).toEqual([409, 'already_submitted'])
    // A candidate who has submitted can't have late answers accepted, so none are stored.
    const { rows } = await rig.db.execute(sql`
      select 1 from attempt_events e join attempts a on a.id = e.attempt_id
      where a.assessment = ${seat.code} and kind = 'late_answer'`)
    expect(rows).toHaveLength(0)
  })

  it('during a save either counts that save completely or rejects it', async () => {
    for (let round = 0; round < 15; round += 1) {
      const { seat, items, candidate } = await startedSeat(rig)
      await seat.save(all(items, 4))
      const [saved] = await Promise.all([
        seat.save(all(items).map((answer) => ({ ...answer, revision: 2 }))),
        seat.submit(),
      ])
      const rows = await answerRows(candidate.id)
      const revisions = new Set(rows.map((row) => row.revision))
      expect(revisions.size).toBe(1)
      expect([...revisions][0]).toBe(saved?.status === 200 ? 2 : 1)
      if (saved?.status !== 200) expect(saved?.body.code).toBe('already_submitted')
      const result = await resultRow(seat.code)
      expect(result?.correct).toBe(saved?.status === 200 ? 4 : 0)
    }
  })
})

describe('around the deadline (20 minutes after the start)', () => {
  const LIMIT = 1_200_000
  const BEFORE = LIMIT - 5_000
  const AFTER = LIMIT + 200

  it.each<[string, number, number | undefined, number, string | undefined]>([
    ['a save 1 s before', LIMIT - 1_000, LIMIT - 1_000, 200, undefined],
    ['a save at the deadline, chosen before', LIMIT, BEFORE, 200, undefined],
    ['a save at the deadline, chosen at it', LIMIT, LIMIT, 409, 'attempt_closed'],
    ['a save 9 s after, chosen before', LIMIT + 9_000, BEFORE, 200, undefined],
    ['a save 9 s after, chosen after', LIMIT + 9_000, AFTER, 409, 'attempt_closed'],
    ['a save 9 s after, without a time from the page', LIMIT + 9_000, undefined, 200, undefined],
    ['a save 11 s after, chosen before', LIMIT + 11_000, BEFORE, 409, 'attempt_closed'],
    ['a save 11 s after, chosen after', LIMIT + 11_000, AFTER, 409, 'attempt_closed'],
  ])('the grace period rule holds for %s', async (_, at, chosenAt, status, code) => {
    const { seat, items, candidate } = await startedSeat(rig)
    await moveClock(rig, afterStart(at))
    const questionId = items[0]?.id ?? 0
    const answer = await seat.save([
      { questionId, choice: 'B', revision: 1, ...(chosenAt === undefined ? {} : { at: chosenAt }) },
    ])
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(await answerRows(candidate.id)).toHaveLength(status === 200 ? 1 : 0)
    const late = await rig.db.execute(
      sql`select detail from attempt_events where candidate_id = ${candidate.id} and kind = 'late_answer'`,
    )
    expect(late.rows).toHaveLength(status === 200 ? 0 : 1)
  })

  it.each<[string, number, number, number, string, number]>([
    ['a submit 1 s before', LIMIT - 1_000, BEFORE, 200, 'candidate', 4],
    ['a submit at the deadline, chosen before', LIMIT, BEFORE, 200, 'deadline', 4],
    ['a submit 9 s after, chosen before', LIMIT + 9_000, BEFORE, 200, 'deadline', 4],
    ['a submit 9 s after, chosen after', LIMIT + 9_000, AFTER, 200, 'deadline', 0],
    ['a submit 11 s after', LIMIT + 11_000, BEFORE, 409, 'deadline', 0],
  ])('the result is right for %s', async (_, at, chosenAt, status, reason, correct) => {
    const { seat, items, candidate } = await startedSeat(rig)
    await moveClock(rig, afterStart(at))
    const answer = await seat.submit(
      items.map(({ id, correctOption }) => ({
        questionId: id,
        choice: correctOption,
        revision: 1,
        at: chosenAt,
      })),
    )
    expect(answer.status).toBe(status)
    if (status === 409) expect(answer.body.code).toBe('attempt_closed')
    await sweepOnce(rig.dependencies)
    const row = await attemptRow(candidate.id)
    expect(row?.submit_reason).toBe(reason)
    expect(new Date(row?.submitted_at ?? '')).toEqual(
      reason === 'candidate' ? afterStart(at) : afterStart(LIMIT),
    )
    expect(await resultRow(seat.code)).toMatchObject({
      correct,
      time: reason === 'candidate' ? '19:59' : '20:00',
    })
  })

  it.each([
    [9_999, 0],
    [10_000, 1],
  ])('the expiry job, %i ms after, closes %i attempts', async (after, closed) => {
    const { candidate } = await startedSeat(rig)
    await moveClock(rig, afterStart(LIMIT + after))
    await sweepOnce(rig.dependencies)
    const row = await attemptRow(candidate.id)
    expect(row?.submitted_at === null ? 0 : 1).toBe(closed)
    if (closed) expect(new Date(row?.submitted_at ?? '')).toEqual(afterStart(LIMIT))
  })

  it('reading an overdue attempt closes it too', async () => {
    const { seat } = await startedSeat(rig)
    await moveClock(rig, afterStart(LIMIT + 10_000))
    expect((await seat.status()).body).toMatchObject({
      status: 'submitted',
      reason: 'deadline',
      submittedAt: afterStart(LIMIT).toISOString(),
    })
  })

  it('two expiry jobs at once close each attempt once', async () => {
    const made = await makeAssessment(rig)
    rig.clock.now = DAY
    await beat(rig.db.$client, rig.clock.now)
    for (let count = 0; count < 20; count += 1) {
      const { username } = await makeCandidate(rig, made.code)
      await (await takeSeat(rig, made.code, username)).start()
    }
    await moveClock(rig, afterStart(LIMIT + 11_000))
    const closed = await Promise.all([1, 2, 3].map(() => sweepOnce(rig.dependencies)))
    const { rows } = await rig.db.execute(sql`
      select count(*)::int as count from attempt_events e join attempts a on a.id = e.attempt_id
      where a.assessment = ${made.code} and kind = 'submitted'`)
    expect(rows).toEqual([{ count: 20 }])
    expect(closed.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(20)
  })

  it('after an outage across the deadline the server waits 60 s and accepts queued answers', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    await moveClock(rig, afterStart(LIMIT - 30_000))
    // Removes events of tests whose clock was ahead of this one's, because they would prove that the service was up.
    await rig.db.$client.query('delete from attempt_events where received_at > $1', [rig.clock.now])
    // No heartbeat is sent for ten minutes, as without a node or a database.
    rig.clock.now = afterStart(LIMIT + 570_000)
    await sweepOnce(rig.dependencies)
    expect((await attemptRow(candidate.id))?.submitted_at).toBeNull()
    const questionId = items[0]?.id ?? 0
    await moveClock(rig, 50_000)
    expect((await seat.save([{ questionId, choice: 'A', revision: 1, at: BEFORE }])).status).toBe(
      200,
    )
    await sweepOnce(rig.dependencies)
    expect((await attemptRow(candidate.id))?.submitted_at).toBeNull()
    await moveClock(rig, 10_000)
    await sweepOnce(rig.dependencies)
    const row = await attemptRow(candidate.id)
    expect(new Date(row?.submitted_at ?? '')).toEqual(afterStart(LIMIT))
    expect(await resultRow(seat.code)).toMatchObject({ correct: 1, incorrect: 3, time: '20:00' })
  })
})
