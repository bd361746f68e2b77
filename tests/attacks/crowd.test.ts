import { describe, expect, it, vi } from 'vitest'
import { GRACE_MS, LATE_MS } from '../../assessments/deadline.ts'
import { EVENTS_LIMIT } from '../../assessments/server/event-store.ts'
import { sweepOnce } from '../../assessments/server/sweep.ts'
import {
  attemptRowOf,
  DAY,
  findingsIn,
  makeCandidate,
  moveClock,
  startedSeat,
  takeSeat,
} from '../rig/assessment-rig.ts'
import { signUp, useRig } from '../rig/rig.ts'
import { sized } from '../setup/size.ts'

// What one candidate with a script can do to the room, the clock and the record, on a small scale. tests/hostile uses
// hundreds of callers.
const rig = useRig()
const LIMIT = 1_200_000
const answer = (questionId = 0, at = 1_000) => ({ questionId, choice: 'A', revision: 1, at })
const kindsOf = async (candidateId: string) => {
  const { rows } = await rig.db.$client.query(
    'select kind, count(*)::int as count from attempt_events where candidate_id = $1 group by kind',
    [candidateId],
  )
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
}

describe('a hundred simultaneous calls of one candidate', () => {
  const CALLS = [
    ['reports of 200 events', 'report'],
    ['saves', 'save'],
    ['take-overs', 'start'],
    ['incomplete submits', 'submit'],
  ] as const
  it.each(CALLS.slice(0, sized(4, 2)))(
    'with %s wait without a database connection, and most are refused',
    async (_, kind) => {
      const { seat, items } = await startedSeat(rig)
      const events = Array.from({ length: 200 }, (_, n) => ({ id: n + 1, kind: 'online', at: n }))
      const act = {
        report: () => seat.report(...events),
        start: (n: number) => seat.call('POST', '', { windowId: `window-${n}` }),
        submit: () => seat.submit([answer(items[0]?.id)]),
        save: () => seat.save([answer(items[0]?.id)]),
      }[kind]
      let busiest = 0
      const watching = setInterval(() => {
        const { totalCount, idleCount, waitingCount } = rig.db.$client
        busiest = Math.max(busiest, totalCount - idleCount + waitingCount)
      }, 1)
      const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => act(n)))
      clearInterval(watching)
      const refused = answers.filter(({ body }) => body.code === 'too_many_calls')
      expect(refused.length).toBeGreaterThan(80)
      expect(refused[0]?.headers.get('Retry-After')).toBe('1')
      // Each call's session is read before it is queued. No queued call holds a connection.
      expect(busiest).toBeLessThanOrEqual(20)
      const saved = await seat.save([{ ...answer(items[0]?.id), revision: 9 }])
      expect([200, 409]).toContain(saved.status)
    },
  )
})

describe('a body of hundreds of answers', () => {
  it('joins no batch: other saves are batched, and a guest without an attempt is refused', async () => {
    const { seat, items } = await startedSeat(rig)
    const guest = await signUp(rig)
    const sizes: number[] = []
    const query = rig.db.$client.query.bind(rig.db.$client) as (...asked: unknown[]) => unknown
    const spy = vi.spyOn(rig.db.$client, 'query').mockImplementation(((...asked: unknown[]) => {
      const { name, values } = asked[0] as { name?: string; values: unknown[][] }
      if (name === 'save-round') sizes.push(values[7]?.length ?? 0)
      return query(...asked)
    }) as never)
    const answers = Array.from({ length: 500 }, (_, n) => answer(n + 1))
    const flood = (dwell: object[]) =>
      rig.call('PUT', `/api/assessments/${seat.code}/attempt/answers`, {
        token: guest.token,
        headers: { 'X-Candidate-Token': 'none', 'X-Window-Id': 'w' },
        body: { answers: dwell.length > 0 ? [] : answers, dwell },
      })
    const looks = answers.map(({ questionId }) => ({ item: questionId, ms: 1 }))
    const [saved, ...refused] = await Promise.all([
      seat.save([answer(items[0]?.id)]),
      flood([]),
      flood(looks),
    ])
    spy.mockRestore()
    expect(saved.status).toBe(200)
    for (const { body } of refused) expect(body.code).toBe('bad_candidate_token')
    expect(sizes).toEqual([1])
  })
})

describe('guests without a seat', () => {
  it('are refused in rounds, and none of their calls opens a transaction', async () => {
    const { seat, items } = await startedSeat(rig)
    const guests = await Promise.all(Array.from({ length: 12 }, () => signUp(rig)))
    const connect = vi.spyOn(rig.db.$client, 'connect')
    const query = vi.spyOn(rig.db.$client, 'query')
    const call = (token: string, n: number, method: string, route: string, body?: unknown) =>
      rig.call(method, `/api/assessments/${seat.code}/attempt${route}`, {
        token,
        headers: { 'X-Candidate-Token': `made up ${n}`, 'X-Window-Id': 'w' },
        ...(body ? { body } : {}),
      })
    const lastOne = [answer(items[0]?.id)]
    const events = [{ id: 1, kind: 'copy', at: 0 }]
    const refused = await Promise.all(
      guests.flatMap(({ token }, n) => [
        call(token, n, 'GET', ''),
        call(token, n, 'POST', '', { windowId: 'w' }),
        call(token, n, 'PUT', '/answers', { answers: lastOne }),
        call(token, n, 'POST', '/events', { events }),
        call(token, n, 'POST', '/submit', { answers: lastOne }),
      ]),
    )
    const transactions = connect.mock.calls.filter(([callback]) => callback === undefined)
    const reads = query.mock.calls.filter(
      ([asked]) => (asked as { name?: string }).name === 'seated-none',
    )
    connect.mockRestore()
    query.mockRestore()
    for (const { status, body } of refused) {
      expect([status, body.code]).toEqual([403, 'bad_candidate_token'])
    }
    expect(transactions).toEqual([])
    expect(reads.length).toBeLessThan(refused.length / 2)
  })
})

describe('one attempt and many accounts', () => {
  it('has at most ten valid tokens, and the newest always works', async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    let last = seat
    for (let n = 0; n < 10; n += 1) {
      rig.clock.now = new Date(rig.clock.now.getTime() + 1_000)
      last = await takeSeat(rig, code, candidate.username)
    }
    expect((await seat.status()).body.code).toBe('bad_candidate_token')
    expect((await last.start()).status).toBe(200)
  })

  it('counts a second account that copies the window number as a take-over too', async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    expect((await seat.start()).status).toBe(200)
    expect((await kindsOf(candidate.id)).taken_over).toBeUndefined()
    const friend = await takeSeat(rig, code, candidate.username)
    const borrowed = await friend.call('POST', '', { windowId: seat.windowId })
    expect(borrowed.status).toBe(200)
    expect((await kindsOf(candidate.id)).taken_over).toBe(1)
  })
})

describe('an attempt that is reopened many times', () => {
  it('keeps 300 take-overs, and continues in the window that was opened last', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    await rig.sql(
      `insert into attempt_events (candidate_id, attempt_id, kind, window_id, at_ms, received_at)
       select candidate_id, id, 'taken_over', window_id, n, started_at
       from attempts, generate_series(1, 298) n where candidate_id = $1`,
      candidate.id,
    )
    const opened = (windowId: string) => seat.call('POST', '', { windowId })
    expect((await opened('other')).status).toBe(200)
    expect((await seat.start()).status).toBe(200)
    expect(await opened('one-more')).toMatchObject({
      status: 409,
      body: { code: 'too_many_windows' },
    })
    expect((await seat.start()).status).toBe(200)
    expect((await seat.save([answer(items[0]?.id)])).status).toBe(200)
    expect((await kindsOf(candidate.id)).taken_over).toBe(300)
  })

  it('keeps 200 log entries for its credentials and the first of each further account, and always admits them', async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    await rig.sql(
      `insert into attempt_events (candidate_id, attempt_id, kind, user_id, received_at)
       select candidate_id, id, 'verified', $2, started_at
       from attempts, generate_series(1, 199) n where candidate_id = $1`,
      ...[candidate.id, seat.userId],
    )
    const again = await takeSeat(rig, code, candidate.username, seat)
    expect((await again.start()).status).toBe(200)
    expect((await kindsOf(candidate.id)).verified).toBe(200)
    const friend = await takeSeat(rig, code, candidate.username)
    await takeSeat(rig, code, candidate.username, friend)
    expect((await kindsOf(candidate.id)).verified).toBe(201)
  })
})

describe('an attempt locked by another transaction', () => {
  it('is retried without holding a connection and refused within two seconds', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    const holder = await rig.db.$client.connect()
    await holder.query('begin')
    await holder.query('select from attempts where candidate_id = $1 for update', [candidate.id])
    const began = performance.now()
    const busy = await seat.save([answer(items[0]?.id)])
    expect(busy).toMatchObject({ status: 429, body: { code: 'busy' } })
    expect(performance.now() - began).toBeLessThan(2_000)
    const patient = seat.save([answer(items[0]?.id)])
    await new Promise((resolve) => setTimeout(resolve, 50))
    await holder.query('commit')
    holder.release()
    expect((await patient).status).toBe(200)
  })
})

describe('a flood of events', () => {
  it('is stored up to a limit and logged, and strikes still count', async () => {
    const { seat, candidate } = await startedSeat(rig)
    let id = 0
    const flood = (count: number) =>
      seat.report(
        ...Array.from({ length: count }, () => {
          id += 1
          return { id, kind: 'online', at: id }
        }),
      )
    for (let call = 0; call < 5; call += 1) expect((await flood(200)).status).toBe(200)
    expect(await kindsOf(candidate.id)).toEqual({
      verified: 1,
      started: 1,
      online: 600,
      events_dropped: 1,
    })
    const gone = await seat.report({ id: id + 1, kind: 'page_hidden', at: id })
    expect(gone.body.violations).toBe(1)
    // Coming back is stored too, so the next absence is a new one.
    await seat.report({ id: id + 2, kind: 'page_visible', at: id })
    const again = await seat.report({ id: id + 3, kind: 'page_hidden', at: id })
    expect(again.body.violations).toBe(2)
  })

  it('spread over the whole test also has a limit', async () => {
    const { seat, candidate } = await startedSeat(rig)
    await rig.db.$client.query(
      `insert into attempt_events (candidate_id, attempt_id, kind, window_id, number, at_ms, received_at)
       select candidate_id, id, 'online', 'old', n, n, $2 from attempts, generate_series(1, $3::int) n
       where candidate_id = $1`,
      [candidate.id, DAY, EVENTS_LIMIT],
    )
    await moveClock(rig, 120_000)
    expect((await seat.report({ id: 1, kind: 'online', at: 1 })).status).toBe(200)
    expect(await kindsOf(candidate.id)).toMatchObject({ online: EVENTS_LIMIT, events_dropped: 1 })
  })
})

/** Moves everything about an attempt into the past, because the caller's session wouldn't live that long. */
const makeOlder = (candidateId: string, ms: number) =>
  rig.db.$client.query(
    `with old as (
       update attempts set started_at = started_at - by, deadline_at = deadline_at - by,
         submitted_at = submitted_at - by
       from (select $2 * interval '1 ms' as by) shift where candidate_id = $1 returning id, by
     ), opened as (
       update attempt_windows set opened_at = opened_at - by from old where attempt_id = old.id
     )
     update candidate_tokens set created_at = created_at - by from old where candidate_id = $1`,
    [candidateId, ms],
  )

describe('answers with times that only the page reports', () => {
  it('count only within the ten seconds of grace, whatever they claim', async () => {
    const { seat, items } = await startedSeat(rig)
    await moveClock(rig, LIMIT + GRACE_MS - 1)
    expect((await seat.save([answer(items[0]?.id)])).status).toBe(200)
    await moveClock(rig, 1)
    expect((await seat.save([answer(items[1]?.id)])).status).toBe(409)
  })

  it('are not stored an hour after the end, from the old page or a new one', async () => {
    const { seat, items, code, candidate } = await startedSeat(rig)
    await moveClock(rig, LIMIT + GRACE_MS)
    await sweepOnce(rig.dependencies)
    await makeOlder(candidate.id, LATE_MS - 1)
    expect((await seat.save([answer(items[0]?.id)])).status).toBe(409)
    expect((await kindsOf(candidate.id)).late_answer).toBe(1)
    await makeOlder(candidate.id, 1)
    for (const act of [
      () => seat.save([answer(items[1]?.id)]),
      () => seat.status(),
      () => seat.report({ id: 1, kind: 'online', at: 1 }),
      () => seat.submit(),
      () => seat.start(),
    ]) {
      expect(await act()).toMatchObject({ status: 403, body: { code: 'bad_candidate_token' } })
    }
    // Verifying again shows the final state, and late answers stay rejected.
    const back = await takeSeat(rig, code, candidate.username)
    expect((await back.status()).body.status).toBe('submitted')
    const forged = await rig.call('PUT', `/api/assessments/${code}/attempt/answers`, {
      token: back.token,
      headers: { 'X-Candidate-Token': back.candidateToken, 'X-Window-Id': seat.windowId },
      body: { answers: [answer(items[1]?.id)] },
    })
    expect(forged.status).toBe(409)
    expect((await kindsOf(candidate.id)).late_answer).toBe(1)
  })

  it('are not stored from a window that was unknown before the deadline', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    await moveClock(rig, LIMIT + GRACE_MS)
    await sweepOnce(rig.dependencies)
    const forged = await rig.call('PUT', `/api/assessments/${seat.code}/attempt/answers`, {
      token: seat.token,
      headers: { 'X-Candidate-Token': seat.candidateToken, 'X-Window-Id': 'never-opened' },
      body: { answers: [answer(items[0]?.id)] },
    })
    expect(forged.status).toBe(409)
    expect((await kindsOf(candidate.id)).late_answer).toBeUndefined()
  })
})

describe('a submit after blocked reports', () => {
  it.each([
    ['in a batch', (items: { id: number }[]) => items.map(({ id }) => answer(id)), []],
    ['by itself', () => [], (items: { id: number }[]) => items.map(({ id }) => answer(id))],
  ] as const)('%s reveals the gap', async (_, saved, handedIn) => {
    const { seat, items, code, candidate } = await startedSeat(rig)
    await seat.report({ id: 1, kind: 'ready', at: 1 })
    await seat.save([...saved(items)])
    const last = typeof handedIn === 'function' ? handedIn(items) : []
    const submitted = await seat.call('POST', '/submit', { answers: last, lastEvent: 4 })
    expect(submitted.status).toBe(200)
    expect((await attemptRowOf(rig, candidate.id))?.submitted_at).not.toBeNull()
    const found = await findingsIn(rig.db.$client, code)
    expect(found).toMatchObject([{ kind: 'unmonitored', missing: 3 }])
  })
})

describe('ten thousand deadlines', () => {
  it('are closed by a few statements, each at its own time', async () => {
    const { code } = await startedSeat(rig)
    for (let n = 0; n < 3; n += 1) await makeCandidate(rig, code)
    await rig.db.$client.query(
      `with made as (
         insert into candidates (id, assessment, username, password_hash, created_at)
         select gen_random_uuid(), $1, 'many-' || n, '\\x00', $2 from generate_series(1, 1200) n
         returning id
       )
       insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, window_id, is_demo)
       select gen_random_uuid(), $1, id, '{}', $2, $2::timestamptz + interval '1 minute', 'window', false
       from made`,
      [code, DAY],
    )
    await moveClock(rig, 71_000)
    let statements = 0
    const count = () => {
      statements += 1
    }
    rig.db.$client.on('acquire', count)
    const closed = await sweepOnce(rig.dependencies)
    rig.db.$client.off('acquire', count)
    expect(closed).toBe(1_200)
    // One heartbeat and three batches.
    expect(statements).toBe(4)
  })
})
