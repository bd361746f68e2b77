import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  answeredOf,
  attemptRowOf,
  DAY,
  makeAssessment,
  makeCandidate,
  moveClock,
  PASSWORD,
  startedSeat,
  takeSeat,
} from '../../tests/rig/assessment-rig.ts'
import { signUp, useRig } from '../../tests/rig/rig.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

const attemptRow = (candidateId: string) => attemptRowOf(rig, candidateId)
const afterStart = (ms: number) => new Date(DAY.getTime() + ms)

describe('verifying candidate credentials', () => {
  it('issues no token if an organizer revokes the password at the same moment', async () => {
    const { code } = await makeAssessment(rig)
    const candidate = await makeCandidate(rig, code)
    const { token } = await signUp(rig)
    const organizer = await rig.db.$client.connect()
    await organizer.query('begin')
    await organizer.query('update candidates set password_hash = $2 where id = $1', [
      candidate.id,
      Buffer.alloc(32),
    ])
    await organizer.query('delete from candidate_tokens where candidate_id = $1', [candidate.id])
    const verifying = rig.call('POST', `/api/assessments/${code}/verify`, {
      token,
      body: { username: candidate.username, password: PASSWORD },
    })
    await untilLocked()
    await organizer.query('commit')
    organizer.release()
    expect(await verifying).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
  })

  it.each([
    ['the right password', 'Ana', PASSWORD, 200],
    ['the password without hyphens, in capitals and with spaces', ' ana ', 'ABCD EFGH JKMNP', 200],
    ['a wrong password', 'Ana', 'abcd-efgh-jkmnq', 401],
    ['a wrong username', 'Anna', PASSWORD, 401],
  ])('returns the right status for %s', async (_, username, password, status) => {
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
    ['a blank username', { username: '   ', password: PASSWORD }],
    ['a blank password', { username: 'Ana', password: ' ' }],
    ['a missing password', { username: 'Ana' }],
    ['an extra field', { username: 'Ana', password: PASSWORD, admin: true }],
  ])('returns 400 for %s', async (_, body) => {
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

  it('accepts a name with composed or decomposed accents', async () => {
    const { code } = await makeAssessment(rig)
    await makeCandidate(rig, code, 'Inês Conceição'.normalize('NFC'))
    const seat = await takeSeat(rig, code, 'inês conceição'.normalize('NFD'))
    expect((await seat.start()).status).toBe(200)
  })

  it('is rejected for a revoked candidate, and so is the earlier token', async () => {
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

/** Resolves when a statement is waiting for a lock. */
async function untilLocked(): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await rig.db.execute(sql`select from pg_locks where not granted`)
      return rows.length
    })
    .toBeGreaterThan(0)
}

describe('starting an attempt', () => {
  it('returns paper, time and state, with exactly these fields', async () => {
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

  it('includes extra time that an organizer gives at the same moment', async () => {
    const { code } = await makeAssessment(rig)
    const candidate = await makeCandidate(rig, code)
    const seat = await takeSeat(rig, code, candidate.username)
    const organizer = await rig.db.$client.connect()
    await organizer.query('begin')
    await organizer.query('update candidates set extra_seconds = 600 where id = $1', [candidate.id])
    const starting = seat.start()
    await untilLocked()
    await organizer.query('commit')
    organizer.release()
    expect((await starting).body.remainingMs).toBe(1_800_000)
  })

  it('50 times at once creates one attempt', async () => {
    const { code } = await makeAssessment(rig)
    const candidate = await makeCandidate(rig, code)
    const seat = await takeSeat(rig, code, candidate.username)
    const answers = answeredOf(await Promise.all(Array.from({ length: 50 }, () => seat.start())))
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

  it('again resumes with the same paper and order, saved answers and elapsed time', async () => {
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

  it("shuffles if the assessment says so, otherwise keeps the table's order", async () => {
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
  ])('is allowed only while the assessment is open: %s', async (_, offset, status, code) => {
    const opensAt = new Date('2026-03-02T12:00:00Z')
    const made = await makeAssessment(rig, {
      opensAt,
      closesAt: new Date(opensAt.getTime() + 3_600_000),
    })
    const { username } = await makeCandidate(rig, made.code)
    const seat = await takeSeat(rig, made.code, username)
    rig.clock.now = new Date(opensAt.getTime() + offset)
    // The test's access token expires after an hour, so this takes a new one.
    const answer = await (await takeSeat(rig, made.code, username)).start()
    expect([answer.status, answer.body.code]).toEqual([status, code])
    if (code === 'not_open') expect(answer.body.opensAt).toBe('2026-03-02T12:00:00.000Z')
    if (status !== 200) expect(JSON.stringify(answer.body)).not.toMatch(/Stem/)
    void seat
  })

  it('just before closes_at gives the full time and can be resumed after closes_at', async () => {
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

  it('is rejected with a message if the assessment has no questions', async () => {
    const { code } = await makeAssessment(rig, { itemCount: 0 })
    const { username } = await makeCandidate(rig, code)
    const answer = await (await takeSeat(rig, code, username)).start()
    expect([answer.status, answer.body.code]).toEqual([409, 'no_questions'])
  })
})

describe('questions that change while a room starts', () => {
  const refuseStarts = (count: number) =>
    rig.db.$client.query(`
      create sequence if not exists refused_starts; select setval('refused_starts', 1, false);
      create or replace function refuse_start() returns trigger language plpgsql as $$ begin
        if nextval('refused_starts') <= ${count} then
          raise exception 'planted' using errcode = 'check_violation';
        end if;
        return new;
      end $$;
      create or replace trigger refuse_start before insert on attempts
        for each row execute function refuse_start()`)

  it('are read again, and no start is rejected', async () => {
    const { code } = await makeAssessment(rig, { itemCount: 2 })
    const seat = await takeSeat(rig, code, (await makeCandidate(rig, code, 'ana')).username)
    try {
      await refuseStarts(4)
      expect((await seat.start()).status).toBe(200)
    } finally {
      await rig.db.$client.query('drop function refuse_start cascade; drop sequence refused_starts')
    }
  })

  it('never leave a paper incomplete', async () => {
    const { code, items } = await makeAssessment(rig, { itemCount: 2 })
    const { id: candidateId } = await makeCandidate(rig, code, 'ben')
    const start = (paper: readonly number[]) =>
      rig.db.$client.query(
        `insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, window_id, is_demo)
         values (gen_random_uuid(), $1, $2, $3, now(), now() + interval '1 min', 'window', false)`,
        [code, candidateId, paper],
      )
    const ids = items.map(({ id }) => id)
    await expect(start(ids.slice(1))).rejects.toThrow('not whole')
    await expect(start(ids)).resolves.toBeDefined()
  })
})

describe('a candidate who starts at another time', () => {
  const minutes = (count: number) => new Date(DAY.getTime() + count * 60_000)

  it('starts in a window of their own, before or after the others, and in no other', async () => {
    const { code } = await makeAssessment(rig, { opensAt: minutes(10), closesAt: minutes(20) })
    const candidate = await makeCandidate(rig, code)
    const other = await makeCandidate(rig, code)
    await rig.db.execute(sql`update candidates
      set starts_from = ${minutes(30)}, starts_until = ${minutes(40)} where id = ${candidate.id}`)
    const seat = await takeSeat(rig, code, candidate.username)
    const late = await takeSeat(rig, code, other.username)
    rig.clock.now = minutes(15)
    expect((await seat.start()).body).toMatchObject({
      ...{ code: 'not_open', opensAt: minutes(30).toISOString(), isOwn: true },
    })
    rig.clock.now = minutes(35)
    expect((await late.start()).body.code).toBe('closed')
    const { body } = await rig.call('GET', '/api/assessments', { token: seat.token })
    const found = body.find((one: { code: string }) => one.code === code)
    expect(found).toMatchObject({ closesAt: minutes(20).toISOString(), closesInMs: 300_000 })
    expect((await seat.start()).body).toMatchObject({ remainingMs: 1_200_000 })
    rig.clock.now = minutes(41)
    const tooLate = await makeCandidate(rig, code)
    await rig.db.execute(sql`update candidates
      set starts_from = ${minutes(30)}, starts_until = ${minutes(40)} where id = ${tooLate.id}`)
    expect((await (await takeSeat(rig, code, tooLate.username)).start()).body.code).toBe('closed')
  })
})
