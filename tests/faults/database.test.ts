import { connect, createServer, type Socket } from 'node:net'
import { DatabaseError } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../app/server/app.ts'
import {
  type Database,
  isDatabaseUnavailable,
  openDatabase,
} from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { loadContent } from '../../practice/server/content/content.ts'
import { makeAssessment, makeCandidate, type Seat, takeSeat } from '../rig/assessment-rig.ts'
import { type Rig, useRig } from '../rig/rig.ts'
import { sized } from '../setup/size.ts'

// The database's faults on a small scale, in process and with short limits. tests/faults has the full length.
const rig = useRig()
/** the same application over a pool with the server's limits, but shorter */
let hurried: Rig
let db: Database
const LIMITS = {
  connectMs: 400,
  waiting: 5,
  statementMs: 10_000,
  lockMs: 300,
  idleInTransactionMs: 300,
  answerMs: 12_000,
}

beforeAll(() => {
  db = openDatabase(rig.databaseUrl, { max: 3, limits: LIMITS })
  hurried = hurry(db)
})
afterAll(() => db.$client.end())

/** The test's application over another pool. */
function hurry(pool: Database): Rig {
  const app = createApp({ ...rig.dependencies, db: pool })
  return {
    ...rig,
    async call(method, path, { body, token, headers } = {}) {
      const response = await app.request(path, {
        method,
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${token}`,
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, headers: response.headers, body: await response.json() }
    },
  }
}

/** A candidate in the middle of a test, whose calls use the application with short limits. */
async function openSeat(
  through = hurried,
): Promise<{ seat: Seat; ids: number[]; candidateId: string }> {
  const { code, items } = await makeAssessment(rig)
  const candidate = await makeCandidate(rig, code)
  const seat = await takeSeat(rig, code, candidate.username)
  await seat.start()
  return {
    seat: throughApplication(seat, through),
    ids: items.map(({ id }) => id),
    candidateId: candidate.id,
  }
}

/** The same candidate, calling another application. */
function throughApplication(seat: Seat, through: Rig): Seat {
  const call: Seat['call'] = (method, route, body) =>
    through.call(method, `/api/assessments/${seat.code}/attempt${route}`, {
      token: seat.token,
      headers: { 'X-Candidate-Token': seat.candidateToken, 'X-Window-Id': seat.windowId },
      body,
    })
  return {
    ...seat,
    call,
    save: (answers) => call('PUT', '/answers', { answers }),
    submit: (answers = []) => call('POST', '/submit', { answers }),
    status: () => call('GET', ''),
  }
}

const choiceOf = (questionId = 0) => ({ questionId, choice: 'A', revision: 1 })

/** An attempt's rows in the database. */
async function stored(candidateId: string) {
  const { rows } = await rig.db.$client.query(
    `select submitted_at is not null as "isSubmitted",
       (select count(*)::int from attempt_answers w where w.attempt_id = a.id) as answers,
       (select count(*)::int from attempt_events e where e.attempt_id = a.id
          and kind in ('saved', 'submitted')) as events
     from attempts a where candidate_id = $1`,
    [candidateId],
  )
  return rows[0]
}

/** Blocks writing answers until the returned function is called. */
async function lockAnswers(): Promise<() => Promise<void>> {
  const client = await rig.db.$client.connect()
  await client.query('begin')
  await client.query('lock table attempt_answers in exclusive mode')
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

function expectBusy({ status, headers, body }: Awaited<ReturnType<Rig['call']>>) {
  expect([status, headers.get('Retry-After'), body.code]).toEqual([503, '1', 'unavailable'])
}

/** Number of the application's statements that wait for a lock. */
async function waitingForLock(): Promise<number> {
  const { rows } = await rig.db.$client.query(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0].n
}

describe('a connection pool exhausted by locks', () => {
  it('answers some calls 503 early, leaves nothing half done, and recovers', async () => {
    const seats: Awaited<ReturnType<typeof openSeat>>[] = []
    for (let n = 0; n < sized(20, 8); n += 1) seats.push(await openSeat())
    const unlock = await lockAnswers()
    const answers = await Promise.all(
      seats.map(async ({ seat, ids }) => {
        const begunAt = performance.now()
        const answer = await seat.submit(ids.map(choiceOf))
        return { answer, tookMs: performance.now() - begunAt }
      }),
    )
    await unlock()
    for (const { answer } of answers) expectBusy(answer)
    const slowestMs = Math.max(...answers.map(({ tookMs }) => tookMs))
    // A wait for the connection and one for the lock. Without limits it would take the statement timeout.
    expect(slowestMs).toBeLessThan(LIMITS.statementMs / 2)
    for (const { seat, ids, candidateId } of seats) {
      expect(await stored(candidateId)).toEqual({ isSubmitted: false, answers: 0, events: 0 })
      expect((await seat.submit(ids.map(choiceOf))).status).toBe(200)
      expect(await stored(candidateId)).toEqual({ isSubmitted: true, answers: 4, events: 2 })
    }
  })

  it('lets no call wait longer than the limit for a connection', async () => {
    const { seat } = await openSeat()
    const held = await Promise.all([1, 2, 3].map(() => db.$client.connect()))
    const begunAt = performance.now()
    expectBusy(await seat.status())
    expect(performance.now() - begunAt).toBeLessThan(3 * LIMITS.connectMs)
    for (const client of held) client.release()
    expect((await seat.status()).status).toBe(200)
  })

  it('lets a limited number of calls wait and refuses the next immediately', async () => {
    const { seat } = await openSeat()
    const others = [await openSeat(), await openSeat(), await openSeat()]
    const unlock = await lockAnswers()
    const holders = others.map((other) => other.seat.submit(other.ids.map(choiceOf)))
    await expect.poll(waitingForLock, { interval: 5 }).toBe(3)
    const queue = Array.from({ length: LIMITS.waiting }, () => db.$client.query('select 1'))
    const settled = Promise.allSettled(queue)
    const begunAt = performance.now()
    expectBusy(await seat.status())
    expect(performance.now() - begunAt).toBeLessThan(LIMITS.connectMs)
    await unlock()
    await Promise.all([...holders, settled])
  })
})

describe('slow statements', () => {
  beforeAll(() =>
    rig.db.$client.query(`
      create table slow_down as select 0::float8 as seconds, 'none' as slow_kind;
      create function be_slow() returns trigger language plpgsql as $$
        begin perform pg_sleep(seconds) from slow_down where slow_kind = new.kind; return new; end $$;
      create trigger be_slow before insert on attempt_events for each row execute function be_slow()`),
  )
  const slowDown = (seconds: number, kind = 'none') =>
    rig.db.$client.query('update slow_down set seconds = $1, slow_kind = $2', [seconds, kind])
  afterEach(() => slowDown(0))

  it('are canceled: 503, and a save or submit is stored completely or not at all', async () => {
    const impatient = openDatabase(rig.databaseUrl, {
      max: 3,
      limits: { ...LIMITS, statementMs: 300 },
    })
    const { seat, ids, candidateId } = await openSeat(hurry(impatient))
    await slowDown(30, 'saved')
    expectBusy(await seat.save([choiceOf(ids[0])]))
    expect(await stored(candidateId)).toEqual({ isSubmitted: false, answers: 0, events: 0 })
    // By then the submit has written its answers.
    await slowDown(30, 'submitted')
    expectBusy(await seat.submit(ids.map(choiceOf)))
    expect(await stored(candidateId)).toEqual({ isSubmitted: false, answers: 0, events: 0 })
    await slowDown(0)
    expect((await seat.submit(ids.map(choiceOf))).status).toBe(200)
    await impatient.$client.end()
  })
})

describe('a connection that dies', () => {
  it('during a statement of a transaction causes 503, nothing half done, and no crash', async () => {
    const { seat, ids, candidateId } = await openSeat()
    const unlock = await lockAnswers()
    const submitting = seat.submit(ids.map(choiceOf))
    await expect.poll(waitingForLock, { interval: 5 }).toBe(1)
    await rig.db.$client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    expectBusy(await submitting)
    await unlock()
    expect(await stored(candidateId)).toEqual({ isSubmitted: false, answers: 0, events: 0 })
    expect((await seat.submit(ids.map(choiceOf))).status).toBe(200)
  })

  it('between two statements of a transaction does not crash the server', async () => {
    const client = await db.$client.connect()
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const ended = new Promise((resolve) => client.once('end', resolve))
    await rig.db.$client.query('select pg_terminate_backend($1)', [rows[0].pid])
    await ended
    const failure = await client.query('select 1').catch((error) => error)
    client.release(true)
    expect(isDatabaseUnavailable(failure)).toBe(true)
  })

  it('because its node hangs in a transaction releases its locks', async () => {
    const { seat, ids, candidateId } = await openSeat()
    const hung = await db.$client.connect()
    await hung.query('begin')
    await hung.query('select id from attempts where candidate_id = $1 for update', [candidateId])
    await expect
      .poll(async () => (await seat.save([choiceOf(ids[0])])).status, { timeout: 3_000 })
      .toBe(200)
    hung.release(true)
  })
})

describe('a database that accepts connections but does not answer', { tags: ['full'] }, () => {
  const sockets: Socket[] = []
  let isSilent = false
  const { hostname, port } = {
    hostname: '127.0.0.1',
    port: () => Number(new URL(rig.databaseUrl).port),
  }
  const proxy = createServer((near) => {
    const far = connect(port(), hostname)
    sockets.push(near, far)
    near.on('data', (bytes) => void (isSilent || far.write(bytes)))
    far.on('data', (bytes) => void (isSilent || near.write(bytes)))
    near.on('error', () => far.destroy()).on('close', () => far.destroy())
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
  })
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })

  it('causes 503 within the limit, in transactions too, and is used again when it answers', async () => {
    const { seat, ids } = await openSeat()
    await new Promise<void>((listening) => proxy.listen(0, hostname, listening))
    const url = new URL(rig.databaseUrl)
    url.port = String((proxy.address() as { port: number }).port)
    const answerMs = 1_000
    const distant = openDatabase(url.href, {
      max: 3,
      limits: { ...LIMITS, connectMs: 2 * answerMs, answerMs, idleInTransactionMs: 0 },
    })
    const { call } = hurry(distant)
    const submit = () =>
      call('POST', `/api/assessments/${seat.code}/attempt/submit`, {
        token: seat.token,
        headers: { 'X-Candidate-Token': seat.candidateToken, 'X-Window-Id': seat.windowId },
        body: { answers: ids.map(choiceOf) },
      })
    const ready = () => call('GET', '/readyz')
    // The transaction takes one of three connections, and the first two calls take the others.
    const before = await Promise.all([ready(), ready(), ready()])
    expect(before.map(({ status }) => status)).toEqual([200, 200, 200])

    let askedAt = 0
    const transaction = inTransaction(distant, (client) => {
      isSilent = true
      askedAt = performance.now()
      return client.query('select 1')
    })
    await expect(transaction).rejects.toThrow('the database does not answer')
    // It doesn't wait as long again for a rollback that can't arrive.
    expect(performance.now() - askedAt).toBeLessThan(1.8 * answerMs)
    const begunAt = performance.now()
    for (const answer of await Promise.all([ready(), submit()])) expectBusy(answer)
    // The next call needs a new connection.
    expectBusy(await ready())
    expect(performance.now() - begunAt).toBeLessThan(5 * answerMs)

    isSilent = false
    await expect.poll(async () => (await submit()).status, { timeout: 5_000 }).toBe(200)
    await distant.$client.end()
  })
})

it('a starting node can load the content for longer than the limit for other transactions', {
  tags: ['full'],
  timeout: 60_000,
}, async () => {
  const limits = { ...LIMITS, idleInTransactionMs: 50, answerMs: 0 }
  const hasty = openDatabase(rig.databaseUrl, { limits })
  expect(await loadContent(hasty)).toBeGreaterThan(100)
  await hasty.$client.end()
})

describe('a database error', () => {
  const refused = (code: string) => Object.assign(new DatabaseError('x', 1, 'error'), { code })
  it.each([
    ['connection failure', '08006', true],
    ['too many connections', '53300', true],
    ['disk full', '53100', true],
    ['shut down', '57P01', true],
    ['starting', '57P03', true],
    ['statement timeout', '57014', true],
    ['lock timeout', '55P03', true],
    ['idle in a transaction', '25P03', true],
    ['a standby', '25006', true],
    ['serialization', '40001', true],
    ['deadlock', '40P01', true],
    ['a network without a way', 'EHOSTUNREACH', true],
    ['a name that is temporarily not found', 'EAI_AGAIN', true],
    ['a duplicate', '23505', false],
    ['a missing table', '42P01', false],
    ['an invalid value', '22P02', false],
  ])('%s (%s) is temporary: %s', (_, code, isUnavailable) => {
    expect(isDatabaseUnavailable(refused(code))).toBe(isUnavailable)
    expect(isDatabaseUnavailable(new Error('query failed', { cause: refused(code) }))).toBe(
      isUnavailable,
    )
  })
})
