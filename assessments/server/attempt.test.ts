import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  DAY,
  makeAssessment,
  makeCandidate,
  moveClock,
  PASSWORD,
  startedSeat,
  takeSeat,
} from '../../tests/rig/assessment-rig.ts'
import { signUp, useRig } from '../../tests/rig/rig.ts'
import { beat } from './pulse.ts'
import { sweepOnce } from './sweep.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

const answerRows = async (candidateId: string) =>
  (
    await rig.db.execute<{ item_id: number; choice: string; revision: number }>(sql`
      select item_id, choice, revision from attempt_answers
      join attempts on attempts.id = attempt_id where candidate_id = ${candidateId} order by item_id`)
  ).rows
const attemptRow = async (candidateId: string) =>
  (
    await rig.db.execute<{
      id: string
      submitted_at: string
      submit_reason: string
      deadline_at: string
    }>(sql`select * from attempts where candidate_id = ${candidateId}`)
  ).rows[0]
const resultRow = async (code: string) =>
  (
    await rig.db.execute(sql`
      select "user", correct, incorrect, time, cheated from assessment_results where assessment = ${code}`)
  ).rows[0]
const afterStart = (ms: number) => new Date(DAY.getTime() + ms)

describe('verifying', () => {
  it('in the instant in which an organiser takes the password back, gives no token', async () => {
    const { code } = await makeAssessment(rig)
    const candidate = await makeCandidate(rig, code)
    const { token } = await signUp(rig)
    const organiser = await rig.db.$client.connect()
    await organiser.query('begin')
    await organiser.query('update candidates set password_hash = $2 where id = $1', [
      candidate.id,
      Buffer.alloc(32),
    ])
    await organiser.query('delete from candidate_tokens where candidate_id = $1', [candidate.id])
    const verifying = rig.call('POST', `/api/assessments/${code}/verify`, {
      token,
      body: { username: candidate.username, password: PASSWORD },
    })
    await untilLocked()
    await organiser.query('commit')
    organiser.release()
    expect(await verifying).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
  })

  it.each([
    ['the right password', 'Ana', PASSWORD, 200],
    ['the password without hyphens, in capitals, with blanks', ' ana ', 'ABCD EFGH JKMNP', 200],
    ['a wrong password', 'Ana', 'abcd-efgh-jkmnq', 401],
    ['a wrong username', 'Anna', PASSWORD, 401],
  ])('with %s', async (_, username, password, status) => {
    const { code } = await makeAssessment(rig)
    await makeCandidate(rig, code, 'Ana')
    const { token } = await signUp(rig)
    const answer = await rig.call('POST', `/api/assessments/${code}/verify`, {
      token,
      body: { username, password },
    })
    expect(answer.status).toBe(status)
    if (status === 200) {
      expect(answer.body).toEqual({ candidateToken: expect.any(String), status: 'not_started' })
    } else {
      expect(answer.body).toEqual({
        code: 'invalid_credentials',
        message: 'The username or password you entered is incorrect. Please try again.',
      })
    }
  })

  it.each([
    ['blank username', { username: '   ', password: PASSWORD }],
    ['blank password', { username: 'Ana', password: ' ' }],
    ['missing password', { username: 'Ana' }],
    ['an extra field', { username: 'Ana', password: PASSWORD, admin: true }],
  ])('with %s is 400', async (_, body) => {
    const { code } = await makeAssessment(rig)
    const { token } = await signUp(rig)
    expect(
      (await rig.call('POST', `/api/assessments/${code}/verify`, { token, body })).status,
    ).toBe(400)
  })

  it('gives a token for this user, this assessment and this session only', async () => {
    const [{ code }, other] = [await makeAssessment(rig), await makeAssessment(rig)]
    const { username } = await makeCandidate(rig, code)
    const seat = await takeSeat(rig, code, username)
    const stranger = await signUp(rig)
    const start = (route: string, token: string, candidateToken = seat.candidateToken) =>
      rig.call('POST', `/api/assessments/${route}/attempt`, {
        token,
        headers: { 'X-Candidate-Token': candidateToken },
        body: {},
      })
    for (const answer of [
      await start(other.code, seat.token),
      await start(code, stranger.token),
      await start(code, seat.token, 'made-up'),
      await rig.call('POST', `/api/assessments/${code}/attempt`, { token: seat.token, body: {} }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'bad_candidate_token'])
    }
    await rig.call('POST', '/auth/v1/logout?scope=local', { token: seat.token })
    expect((await seat.start()).status).toBe(401)
    const { rows } = await rig.db.execute(
      sql`select 1 from candidate_tokens where user_id = ${seat.userId}`,
    )
    expect(rows).toHaveLength(0)
  })

  it('of a revoked candidate is refused, and so is the token from before', async () => {
    const { seat, candidate, code } = await startedSeat(rig)
    await rig.db.execute(sql`update candidates set revoked_at = ${DAY} where id = ${candidate.id}`)
    expect((await seat.status()).body.code).toBe('bad_candidate_token')
    const again = await rig.call('POST', `/api/assessments/${code}/verify`, {
      token: seat.token,
      body: { username: candidate.username, password: PASSWORD },
    })
    expect(again.status).toBe(401)
  })
})

/** Resolves when some statement waits for a lock of another. */
async function untilLocked(): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await rig.db.execute(sql`select from pg_locks where not granted`)
      return rows.length
    })
    .toBeGreaterThan(0)
}

describe('starting', () => {
  it('answers paper, time and state, with exactly these fields', async () => {
    const { started, items, candidate } = await startedSeat(rig, {
      society: 'School',
      session: 'Morning',
    })
    const attempt = await attemptRow(candidate.id)
    expect(started.status).toBe(200)
    expect(started.body).toEqual({
      reference: attempt?.id.slice(0, 8),
      title: 'School - Morning',
      questions: items.map(({ id }, index) => ({
        id,
        question: expect.stringContaining(`Stem ${index + 1}`),
        options: {
          A: `alpha ${index + 1}`,
          B: `beta ${index + 1}`,
          C: `gamma ${index + 1}`,
          D: `delta ${index + 1}`,
        },
      })),
      answers: [],
      remainingMs: 1_200_000,
      violations: 0,
      maxViolations: 3,
      status: 'in_progress',
    })
  })

  it('in the instant in which an organiser gives extra time, counts that time', async () => {
    const { code } = await makeAssessment(rig)
    const candidate = await makeCandidate(rig, code)
    const seat = await takeSeat(rig, code, candidate.username)
    const organiser = await rig.db.$client.connect()
    await organiser.query('begin')
    await organiser.query('update candidates set extra_seconds = 600 where id = $1', [candidate.id])
    const starting = seat.start()
    await untilLocked()
    await organiser.query('commit')
    organiser.release()
    expect((await starting).body.remainingMs).toBe(1_800_000)
  })

  it('50 times at once makes one attempt', async () => {
    const { code } = await makeAssessment(rig)
    const candidate = await makeCandidate(rig, code)
    const seat = await takeSeat(rig, code, candidate.username)
    const answers = await Promise.all(Array.from({ length: 50 }, () => seat.start()))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => answer.body.reference)).size).toBe(1)
    const { rows } = await rig.db.execute(
      sql`select 1 from attempts where candidate_id = ${candidate.id}`,
    )
    expect(rows).toHaveLength(1)
    const events = await rig.db.execute(
      sql`select kind from attempt_events where candidate_id = ${candidate.id} and kind in ('started', 'taken_over')`,
    )
    expect(events.rows).toEqual([{ kind: 'started' }])
  })

  it('again resumes: same paper in the same order, saved answers, time that has run', async () => {
    const { seat, started, items } = await startedSeat(rig, { shuffle: true, itemCount: 12 })
    const chosen = items[5]?.id ?? 0
    await seat.save([{ questionId: chosen, choice: 'C', revision: 3 }])
    await moveClock(rig, 61_000)
    const other = await takeSeat(rig, seat.code, seat.username)
    const resumed = await other.start()
    expect(resumed.body.questions).toEqual(started.body.questions)
    expect(resumed.body.answers).toEqual([{ questionId: chosen, choice: 'C', revision: 3 }])
    expect(resumed.body.remainingMs).toBe(1_200_000 - 61_000)
  })

  it('shuffles where the assessment says so, else keeps table order', async () => {
    const orders = async (shuffle: boolean) => {
      const { code, items } = await makeAssessment(rig, { shuffle, itemCount: 20 })
      const positions = new Map(items.map(({ id }, index) => [id, index]))
      const { username } = await makeCandidate(rig, code)
      const { body } = await (await takeSeat(rig, code, username)).start()
      return body.questions.map(({ id }: { id: number }) => positions.get(id))
    }
    const inOrder = Array.from({ length: 20 }, (_, index) => index)
    expect(await orders(false)).toEqual(inOrder)
    const shuffled = await orders(true)
    expect(shuffled).not.toEqual(inOrder)
    expect([...shuffled].sort((a, b) => a - b)).toEqual(inOrder)
  })

  it.each([
    ['a second before it opens', -1_000, 403, 'not_open'],
    ['when it opens', 0, 200, undefined],
    ['at the last moment', 3_600_000, 200, undefined],
    ['a second after it closed', 3_601_000, 403, 'closed'],
  ])('%s', async (_, offset, status, code) => {
    const opensAt = new Date('2026-03-02T12:00:00Z')
    const made = await makeAssessment(rig, {
      opensAt,
      closesAt: new Date(opensAt.getTime() + 3_600_000),
    })
    const { username } = await makeCandidate(rig, made.code)
    const seat = await takeSeat(rig, made.code, username)
    rig.clock.now = new Date(opensAt.getTime() + offset)
    // The access token of the test lives an hour.
    const answer = await (await takeSeat(rig, made.code, username)).start()
    expect([answer.status, answer.body.code]).toEqual([status, code])
    if (code === 'not_open') expect(answer.body.opensAt).toBe('2026-03-02T12:00:00.000Z')
    if (status !== 200) expect(JSON.stringify(answer.body)).not.toMatch(/Stem/)
    void seat
  })

  it('before closes_at keeps the whole time, and may be resumed after it', async () => {
    const { seat } = await startedSeat(rig, { closesAt: afterStart(60_000) })
    await moveClock(rig, 600_000)
    const resumed = await seat.start()
    expect([resumed.status, resumed.body.remainingMs]).toEqual([200, 600_000])
  })

  it('with extra time has a later deadline', async () => {
    const { code } = await makeAssessment(rig)
    const { username } = await makeCandidate(rig, code, undefined, { extraSeconds: 300 })
    const { body } = await (await takeSeat(rig, code, username)).start()
    expect(body.remainingMs).toBe(1_500_000)
  })

  it('of an assessment without questions says so', async () => {
    const { code } = await makeAssessment(rig, { itemCount: 0 })
    const { username } = await makeCandidate(rig, code)
    const answer = await (await takeSeat(rig, code, username)).start()
    expect([answer.status, answer.body.code]).toEqual([409, 'no_questions'])
  })
})

describe('saving', () => {
  it('keeps the newest revision, whatever arrives late or twice', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    const [item] = items.map(({ id }) => id)
    const questionId = item ?? 0
    const save = (choice: string, revision: number) => seat.save([{ questionId, choice, revision }])
    expect((await save('A', 1)).body).toEqual({ saved: [{ questionId, revision: 1 }] })
    expect((await save('C', 3)).body).toEqual({ saved: [{ questionId, revision: 3 }] })
    expect((await save('B', 2)).body).toEqual({ saved: [{ questionId, revision: 3 }] })
    expect((await save('D', 3)).body).toEqual({ saved: [{ questionId, revision: 3 }] })
    expect(await answerRows(candidate.id)).toEqual([
      { item_id: questionId, choice: 'C', revision: 3 },
    ])
  })

  it('takes several, and the newest of one sent twice', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    const [first, second] = items.map(({ id }) => id) as [number, number]
    const { body } = await seat.save([
      { questionId: first, choice: 'B', revision: 2 },
      { questionId: first, choice: 'A', revision: 1 },
      { questionId: second, choice: 'D', revision: 1 },
    ])
    expect(body.saved).toHaveLength(2)
    expect(await answerRows(candidate.id)).toEqual([
      { item_id: first, choice: 'B', revision: 2 },
      { item_id: second, choice: 'D', revision: 1 },
    ])
  })

  it.each([
    ['an unknown item', { questionId: 99_999_999, choice: 'A', revision: 1 }, 'unknown_item'],
    ['option E', { choice: 'E', revision: 1 }, 'bad_choice'],
    ['a choice that is no letter', { choice: 'AB', revision: 1 }, 'bad_choice'],
    ['revision 0', { choice: 'A', revision: 0 }, 'bad_request'],
    ['an extra field', { choice: 'A', revision: 1, isCorrect: true }, 'bad_request'],
  ])('refuses %s and stores nothing of the call', async (_, bad, code) => {
    const { seat, items, candidate } = await startedSeat(rig)
    const [first, second] = items.map(({ id }) => id) as [number, number]
    const answer = await seat.save([
      { questionId: first, choice: 'A', revision: 1 },
      { questionId: second, ...bad },
    ])
    expect([answer.status, answer.body.code]).toEqual([400, code])
    expect(await answerRows(candidate.id)).toEqual([])
  })

  it('refuses an item of another assessment', async () => {
    const other = await makeAssessment(rig)
    const { seat } = await startedSeat(rig)
    const answer = await seat.save([
      { questionId: other.items[0]?.id ?? 0, choice: 'A', revision: 1 },
    ])
    expect([answer.status, answer.body.code]).toEqual([400, 'unknown_item'])
  })

  it('before the start is refused', async () => {
    const { code, items } = await makeAssessment(rig)
    const { username } = await makeCandidate(rig, code)
    const seat = await takeSeat(rig, code, username)
    const answer = await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }])
    expect([answer.status, answer.body.code]).toEqual([409, 'not_started'])
  })
})

describe('two windows', () => {
  it('the newest owns the attempt; the other is told, and its save and submit change nothing', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    const questionId = items[0]?.id ?? 0
    const second = await takeSeat(rig, seat.code, seat.username)
    await second.start()
    await second.save([{ questionId, choice: 'B', revision: 1 }])
    for (const answer of [
      await seat.save([{ questionId, choice: 'A', revision: 9 }]),
      await seat.submit(items.map(({ id }) => ({ questionId: id, choice: 'A', revision: 9 }))),
      await seat.report({ id: 1, kind: 'copy', at: 1 }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'taken_over'])
    }
    expect(await answerRows(candidate.id)).toEqual([
      { item_id: questionId, choice: 'B', revision: 1 },
    ])
    const { rows } = await rig.db.execute(
      sql`select kind, user_id from attempt_events where candidate_id = ${candidate.id} and kind in ('started', 'taken_over') order by id`,
    )
    expect(rows).toEqual([
      { kind: 'started', user_id: seat.userId },
      { kind: 'taken_over', user_id: second.userId },
    ])
  })
})

describe('submitting', () => {
  const all = (items: { id: number; correctOption: string }[], wrong = 0) =>
    items.map(({ id, correctOption }, index) => ({
      questionId: id,
      choice: index < wrong ? (correctOption === 'A' ? 'B' : 'A') : correctOption,
      revision: 1,
    }))

  it('50 times at once makes one result and one answer to all (double submission)', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    await moveClock(rig, 65_000)
    const answers = await Promise.all(Array.from({ length: 50 }, () => seat.submit(all(items, 1))))
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

  it('again, a day later, gets the same answer', async () => {
    const { seat, items } = await startedSeat(rig)
    const first = await seat.submit(all(items))
    await moveClock(rig, 50 * 60_000)
    const again = await seat.submit(all(items, 4))
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await resultRow(seat.code)).toMatchObject({ correct: 4 })
  })

  it('incomplete is 422 before the deadline, and stores nothing', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    const answer = await seat.submit(all(items).slice(1))
    expect([answer.status, answer.body.code]).toEqual([422, 'incomplete'])
    expect(answer.body.message).toBe(
      'One question has no answer yet. Please answer it before you submit.',
    )
    expect(await answerRows(candidate.id)).toEqual([])
    expect((await attemptRow(candidate.id))?.submitted_at).toBeNull()
  })

  it('counts what was saved before', async () => {
    const { seat, items } = await startedSeat(rig)
    await seat.save(all(items))
    expect((await seat.submit()).status).toBe(200)
    expect(await resultRow(seat.code)).toMatchObject({ correct: 4, incorrect: 0 })
  })

  it('is then shown to who comes back, with the reason and no result', async () => {
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
      reference: body.reference,
      submittedAt: body.submittedAt,
      reason: 'candidate',
    })
    const save = await back.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 5 }])
    expect([save.status, save.body.code]).toEqual([409, 'already_submitted'])
    // Nothing of it is kept for accept-late: who has submitted has submitted.
    const { rows } = await rig.db.execute(sql`
      select 1 from attempt_events e join attempts a on a.id = e.attempt_id
      where a.assessment = ${seat.code} and kind = 'late_answer'`)
    expect(rows).toHaveLength(0)
  })

  it('racing a save, the save is either counted or refused, never half', async () => {
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
    ['a save 9 s after by a page that decided itself', LIMIT + 9_000, undefined, 200, undefined],
    ['a save 11 s after, chosen before', LIMIT + 11_000, BEFORE, 409, 'attempt_closed'],
    ['a save 11 s after, chosen after', LIMIT + 11_000, AFTER, 409, 'attempt_closed'],
  ])('%s', async (_, at, chosenAt, status, code) => {
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
  ])('%s', async (_, at, chosenAt, status, reason, correct) => {
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
  ])('the sweep %i ms after closes %i', async (after, closed) => {
    const { candidate } = await startedSeat(rig)
    await moveClock(rig, afterStart(LIMIT + after))
    await sweepOnce(rig.dependencies)
    const row = await attemptRow(candidate.id)
    expect(row?.submitted_at === null ? 0 : 1).toBe(closed)
    if (closed) expect(new Date(row?.submitted_at ?? '')).toEqual(afterStart(LIMIT))
  })

  it('a look at it closes an overdue attempt too', async () => {
    const { seat } = await startedSeat(rig)
    await moveClock(rig, afterStart(LIMIT + 10_000))
    expect((await seat.status()).body).toMatchObject({
      status: 'submitted',
      reason: 'deadline',
      submittedAt: afterStart(LIMIT).toISOString(),
    })
  })

  it('two sweeps at once close each attempt once', async () => {
    const made = await makeAssessment(rig)
    rig.clock.now = DAY
    await beat(rig.dependencies)
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

  it('a service that was away across the deadline waits 60 s and takes what was in the queue', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    await moveClock(rig, afterStart(LIMIT - 30_000))
    // Nobody beats for ten minutes: no node, or no database.
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

describe('what leaves the server', () => {
  it('is the same whatever the keys are, and names no key (key or explanation in a response)', async () => {
    const traffic = async (shift: number) => {
      const { seat, items } = await startedSeat(rig, { code: `SAME${shift}` })
      await rig.db.execute(sql`
        update assessment_items set correct_option = translate(correct_option, 'ABCD', ${['ABCD', 'BCDA'][shift]})
        where assessment = ${seat.code}`)
      const answers = items.map(({ id }) => ({ questionId: id, choice: 'A', revision: 1 }))
      const parts = [
        await seat.start(),
        await seat.save(answers.slice(0, 2)),
        await seat.report({ id: 1, kind: 'ready', at: 0 }),
        await seat.status(),
        await seat.submit(answers),
        await seat.status(),
      ]
      let text = JSON.stringify(parts.map(({ status, body }) => [status, body]))
      // Ids and the code are this run's own.
      items.forEach(({ id }, index) => {
        text = text.replaceAll(`:${id},`, `:${index},`)
      })
      const { reference } = parts[0]?.body ?? {}
      return text.replaceAll(String(reference), 'REF').replaceAll(seat.code, 'CODE')
    }
    const [one, other] = [await traffic(0), await traffic(1)]
    expect(one).toBe(other)
    expect(one).not.toMatch(/correct|key|score|explanation|isRight|accepted/i)
  })
})

describe('the list of open processes', () => {
  it('names what a candidate needs and no key', async () => {
    const { code } = await makeAssessment(rig, { society: 'Listed', session: 'Morning' })
    const { token } = await signUp(rig)
    const { body } = await rig.call('GET', '/api/assessments', { token })
    expect(body.find((one: { code: string }) => one.code === code)).toEqual({
      code,
      society: 'Listed',
      label: 'Listed - Morning',
      session: 'Morning',
      durationSeconds: 1200,
      questionCount: 4,
      navigator: false,
      rules: { timing: [], allowed: [], forbidden: [], contact: null },
      opensAt: null,
      closesAt: null,
      timeZone: 'Europe/Lisbon',
    })
  })
})

describe('an account that goes', () => {
  it('during the test leaves the attempt, and verifying again resumes', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }])
    await rig.db.execute(sql`delete from users where id = ${seat.userId}`)
    const resumed = await (await takeSeat(rig, seat.code, seat.username)).start()
    expect(resumed.body.answers).toHaveLength(1)
    expect(await attemptRow(candidate.id)).toBeDefined()
  })

  it('after the test leaves the result, and verifying again says already submitted', async () => {
    const { seat, items } = await startedSeat(rig)
    await seat.submit(
      items.map(({ id, correctOption }) => ({
        questionId: id,
        choice: correctOption,
        revision: 1,
      })),
    )
    await rig.db.execute(sql`delete from users where id = ${seat.userId}`)
    expect(await resultRow(seat.code)).toMatchObject({ correct: 4 })
    const back = await takeSeat(rig, seat.code, seat.username)
    expect((await back.start()).body.status).toBe('submitted')
  })
})

describe('the views of results (product 6.11.1)', () => {
  beforeAll(async () => {
    for (const code of ['PCF', 'ESFS_MORNING', 'ESFS_AFTERNOON']) {
      await makeAssessment(rig, { code, itemCount: 4 })
    }
  })

  it.each(['PCF', 'ESFS_MORNING', 'ESFS_AFTERNOON'])(
    '%s_results has its five columns',
    async (code) => {
      rig.clock.now = DAY
      await rig.db.$client.query('delete from service_pulse')
      const { username } = await makeCandidate(rig, code, `of-${code}`)
      const demo = await makeCandidate(rig, code, `demo-${code}`, { isDemo: true })
      for (const name of [username, demo.username]) {
        const seat = await takeSeat(rig, code, name)
        const { body } = await seat.start()
        await seat.save([{ questionId: body.questions[0].id, choice: 'A', revision: 1 }])
        await seat.report({ id: 1, kind: 'paste', at: 10 })
      }
      await moveClock(rig, 1_211_000)
      await sweepOnce(rig.dependencies)
      const { rows } = await rig.db.$client.query(`select * from "${code}_results"`)
      expect(rows).toEqual([
        { user: username, correct: '1', incorrect: '3', time: '20:00', cheated: true },
      ])
    },
  )
})

describe('codes that are none', () => {
  it.each(['nothing', 'PCF%27', 'a'.repeat(50)])('%s is refused', async (code) => {
    const { token } = await signUp(rig)
    const { status } = await rig.call('POST', `/api/assessments/${code}/verify`, {
      token,
      body: { username: randomUUID(), password: 'x' },
    })
    expect([400, 401]).toContain(status)
  })
})
