import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  makeAssessment,
  makeCandidate,
  moveClock,
  type Seat,
  takeSeat,
} from '../../../tests/rig/assessment-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'

// Calls of a whole room at once. attempt.test.ts covers single calls, errors and deadlines. As in production, a node
// reads the newest message number once a second.
const rig = useRig({ newsMs: undefined })
const SIZE = 40

/** Creates `size` verified candidates. @returns them and the item ids of their test */
async function fillRoom(size = SIZE, itemCount = 4) {
  const { code, items } = await makeAssessment(rig, { itemCount, shuffle: true })
  const seats: Seat[] = []
  for (let number = 0; number < size; number += 1) {
    const { username } = await makeCandidate(rig, code, `room-${number}`)
    seats.push(await takeSeat(rig, code, username))
  }
  return { code, seats, ids: items.map(({ id }) => id) }
}

function choiceOf(number: number, index: number): string {
  return 'ABCD'[(number + index) % 4] as string
}

/** All of a candidate's answers in one save, with letters that identify the candidate. */
function answersOf(number: number, ids: readonly number[], revision = 1) {
  return ids.map((questionId, index) => ({
    questionId,
    choice: choiceOf(number, index),
    revision,
  }))
}

const together = <T>(seats: readonly Seat[], act: (seat: Seat, number: number) => Promise<T>) =>
  Promise.all(seats.map(act))

async function storedOf(code: string, table: string, columns: string) {
  const { rows } = await rig.db.$client.query(
    `select c.username, ${columns} from ${table} x join attempts t on t.id = x.attempt_id
     join candidates c on c.id = t.candidate_id where t.assessment = $1`,
    [code],
  )
  return rows
}

/** Counts the statements that run during an action, by name or by the table that they write. */
async function countStatements(act: () => Promise<unknown>): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await act()
    for (const [config] of query.mock.calls as unknown as [{ name?: string; text?: string }][]) {
      // Skips the form count, which is updated during a start.
      const written = /(insert into|update) (?!form_deals|set )\w+/.exec(config?.text ?? '')?.[0]
      const name = config?.name ?? written ?? ''
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  } finally {
    query.mockRestore()
  }
  return counts
}

afterEach(() => {
  rig.logged.length = 0
})

describe('a room of simultaneous candidates', () => {
  it('a room starts, saves and submits in a few statements, and each candidate gets their own answer', async () => {
    const { code, seats, ids } = await fillRoom()
    const counts = await countStatements(async () => {
      const started = await together(seats, (seat) => seat.start())
      expect(new Set(started.map(({ status }) => status))).toEqual(new Set([200]))
      for (const { body } of started) {
        expect(body.questions.map(({ id }: { id: number }) => id).sort()).toEqual([...ids].sort())
        expect(body).toMatchObject({ answers: [], violations: 0, status: 'in_progress' })
        expect(body.remainingMs).toBe(1_200_000)
      }
      const ready = await together(seats, (seat) =>
        seat.report({ id: 1, kind: 'ready', at: 5 }, { id: 2, kind: 'fullscreen_enter', at: 6 }),
      )
      expect(ready.map(({ body }) => body)).toEqual(
        seats.map(() => ({ violations: 0, status: 'in_progress' })),
      )
      const saved = await together(seats, (seat, number) => seat.save(answersOf(number, ids), 1))
      for (const { status, body } of saved) {
        expect(status).toBe(200)
        expect(body.saved.map((one: { questionId: number }) => one.questionId).sort()).toEqual(
          [...ids].sort(),
        )
      }
      const asked = await together(seats, (seat) => seat.status())
      for (const { body } of asked) {
        expect(body).toMatchObject({ status: 'in_progress', remainingMs: 1_200_000, violations: 0 })
      }
      const submitted = await together(seats, (seat) => seat.submit())
      expect(new Set(submitted.map(({ status }) => status))).toEqual(new Set([200]))
      const references = started.map(({ body }) => body.reference)
      expect(submitted.map(({ body }) => body.reference)).toEqual(references)
      expect(new Set(references).size).toBe(SIZE)
    })
    for (const [name, count] of counts) {
      if (!name.startsWith('read-sessions')) expect(count, name).toBeLessThanOrEqual(SIZE / 4)
    }
    expect(counts.get('start-round')).toBeGreaterThan(0)
    expect(counts.get('lock-attempt-of-candidate')).toBeUndefined()

    const answers = await storedOf(code, 'attempt_answers', 'x.item_id, x.choice, x.revision')
    expect(answers).toHaveLength(SIZE * ids.length)
    for (const { username, item_id, choice } of answers) {
      const number = Number(username.slice('room-'.length))
      expect(choice).toBe(choiceOf(number, ids.indexOf(item_id)))
    }
    const events = await storedOf(code, 'attempt_events', 'x.kind')
    for (const kind of ['started', 'ready', 'fullscreen_enter', 'saved', 'submitted']) {
      expect(
        events.filter((event) => event.kind === kind),
        kind,
      ).toHaveLength(SIZE)
    }
    const windows = await storedOf(code, 'attempt_windows', 'x.window_id, x.last_event')
    expect(windows.map((row) => row.window_id).sort()).toEqual(
      seats.map(({ windowId }) => windowId).sort(),
    )
    expect(windows.every((row) => row.last_event === 1)).toBe(true)
    const results = await rig.db.$client.query(
      'select "user", correct from assessment_results where assessment = $1',
      [code],
    )
    // The key of the nth item is the nth letter, so candidates who began with A have all correct and the others none.
    for (const { user, correct } of results.rows) {
      expect(correct).toBe(Number(user.slice('room-'.length)) % 4 === 0 ? 4 : 0)
    }
  })

  it('rejects invalid calls without delaying or changing the others', async () => {
    const { code, seats, ids } = await fillRoom(8)
    const [usual, foreign, moved, revoked, incomplete, wrongItem, wrongChoice, handedIn] =
      seats as [Seat, Seat, Seat, Seat, Seat, Seat, Seat, Seat]
    await together(seats, (seat) => seat.start())
    await handedIn.save(answersOf(7, ids))
    await handedIn.submit()
    // Another window takes the test over, but the old page keeps sending calls.
    await moved.call('POST', '', { windowId: 'another-window' })
    await rig.db.execute(
      sql`update candidates set revoked_at = now() where username = ${revoked.username} and assessment = ${code}`,
    )
    // A token does not work for another account.
    foreign.call = (method, route, body) =>
      rig.call(method, `/api/assessments/${code}/attempt${route}`, {
        token: foreign.token,
        headers: { 'X-Candidate-Token': usual.candidateToken, 'X-Window-Id': usual.windowId },
        ...(body === undefined ? {} : { body }),
      })
    const answers = await Promise.all([
      usual.save(answersOf(0, ids)),
      foreign.call('PUT', '/answers', { answers: answersOf(1, ids) }),
      moved.save(answersOf(2, ids)),
      revoked.save(answersOf(3, ids)),
      incomplete.save(answersOf(4, ids).slice(1)),
      wrongItem.save([{ questionId: 999_999, choice: 'A', revision: 1 }]),
      wrongChoice.save([{ questionId: ids[0] ?? 0, choice: 'E', revision: 1 }]),
      handedIn.save(answersOf(6, ids, 2)),
    ])
    expect(answers.map(({ status, body }) => body.code ?? status)).toEqual([
      200,
      'bad_candidate_token',
      'taken_over',
      'bad_candidate_token',
      200,
      'unknown_item',
      'bad_choice',
      'already_submitted',
    ])
    const submits = await together(seats.slice(0, 7), (seat) =>
      seat.call('POST', '/submit', { answers: [] }),
    )
    expect(submits.map(({ status, body }) => body.code ?? status)).toEqual([
      200,
      'bad_candidate_token',
      'taken_over',
      'bad_candidate_token',
      'incomplete',
      'incomplete',
      'incomplete',
    ])
    const stored = await storedOf(code, 'attempt_answers', 'x.item_id')
    const storedOfWhom = (seat: Seat) =>
      stored.filter(({ username }) => username === seat.username).length
    expect(seats.map(storedOfWhom)).toEqual([4, 0, 0, 0, 3, 0, 0, 4])
    const closed = await rig.db.$client.query(
      `select c.username from attempts t join candidates c on c.id = t.candidate_id
       where t.assessment = $1 and t.submitted_at is not null order by 1`,
      [code],
    )
    expect(closed.rows.map(({ username }) => username)).toEqual([usual.username, handedIn.username])
  })

  it('does not wait for an attempt that another transaction holds, and saves it afterwards', async () => {
    const { seats, ids } = await fillRoom(5)
    await together(seats, (seat) => seat.start())
    const holder = new pg.Client({ connectionString: rig.databaseUrl })
    await holder.connect()
    try {
      await holder.query('begin')
      await holder.query(
        'select from attempts t join candidates c on c.id = t.candidate_id where c.username = $1 for update of t',
        [seats[0]?.username],
      )
      const [held, ...others] = seats.map((seat, number) => seat.save(answersOf(number, ids)))
      const answered = await Promise.all(others)
      expect(answered.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      let isDone = false
      void held?.then(() => {
        isDone = true
      })
      expect(isDone).toBe(false)
      await holder.query('commit')
      expect((await held)?.status).toBe(200)
    } finally {
      await holder.end()
    }
  })

  it('runs each call unbatched when one call breaks a batch', async () => {
    const { code, seats, ids } = await fillRoom(6)
    /** Makes storing an event of one candidate fail from now on. */
    const breakAt = (condition: string) =>
      rig.db.$client.query(`
        create or replace function break_room() returns trigger language plpgsql as $$ begin
          if new.window_id = '${seats[3]?.windowId}' and ${condition} then raise 'planted'; end if;
          return new;
        end $$;
        create or replace trigger break_room before insert on attempt_events
          for each row execute function break_room()`)
    try {
      await breakAt(`new.kind = 'started'`)
      const started = await together(seats, (seat) => seat.start())
      expect(started.map(({ status }) => status)).toEqual([200, 200, 200, 500, 200, 200])
      // A failed start leaves no data behind.
      expect((await seats[3]?.status())?.body.status).toBe('not_started')
      await breakAt(`new.kind <> 'started'`)
      expect((await seats[3]?.start())?.status).toBe(200)
      const ready = await together(seats, (seat) => seat.report({ id: 1, kind: 'ready', at: 5 }))
      expect(ready.map(({ status }) => status)).toEqual([200, 200, 200, 500, 200, 200])
      const saved = await together(seats, (seat, number) => seat.save(answersOf(number, ids), 1))
      expect(saved.map(({ status }) => status)).toEqual([200, 200, 200, 500, 200, 200])
      expect(rig.logged.filter(({ msg }) => msg === 'a batch failed').length).toBe(3)
    } finally {
      await rig.db.$client.query('drop function break_room cascade')
    }
    const submitted = await together(seats, (seat) => seat.submit())
    expect(submitted.map(({ status, body }) => body.code ?? status)).toEqual([
      ...[200, 200, 200],
      'incomplete',
      ...[200, 200],
    ])
    const answers = await storedOf(code, 'attempt_answers', 'x.item_id')
    expect(answers).toHaveLength(5 * ids.length)
  })

  it('looks each candidate up unbatched when the batched lookup fails', async () => {
    const { seats } = await fillRoom(3)
    const query = rig.db.$client.query.bind(rig.db.$client) as (...asked: unknown[]) => unknown
    let failed = 0
    const spy = vi.spyOn(rig.db.$client, 'query').mockImplementation(((...asked: unknown[]) => {
      const isLookup = (asked[0] as { name?: string }).name === 'seated-none'
      if (!isLookup || failed > 0) return query(...asked)
      failed += 1
      return Promise.reject(new Error('planted'))
    }) as never)
    try {
      const asked = await together(seats, (seat) => seat.status())
      expect(asked.map(({ body }) => body.status)).toEqual(seats.map(() => 'not_started'))
      expect(failed).toBe(1)
      expect(rig.logged.filter(({ msg }) => msg === 'a batch failed').length).toBe(1)
    } finally {
      spy.mockRestore()
    }
  })

  it('gets 503 for every call when the database is down, and no call is partly stored', async () => {
    const { code, seats, ids } = await fillRoom(5)
    await together(seats, (seat) => seat.start())
    const admin = new pg.Client({ connectionString: rig.databaseUrl })
    await admin.connect()
    // Waits inside the batch, so that its connection can be cut there.
    await admin.query(`
      create function hold_room() returns trigger language plpgsql as $$ begin
        perform pg_sleep(5); return null; end $$;
      create trigger hold_room after insert on attempt_answers
        for each statement execute function hold_room()`)
    try {
      const saves = together(seats, (seat, number) => seat.save(answersOf(number, ids)))
      await vi.waitFor(async () => {
        const { rowCount } = await admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event = 'PgSleep'`,
        )
        expect(rowCount).toBe(1)
      })
      const answered = await saves
      expect(answered.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
      expect(answered[0]?.headers.get('Retry-After')).toBe('1')
    } finally {
      await admin.query('drop function hold_room cascade')
      await admin.end()
    }
    expect(await storedOf(code, 'attempt_answers', 'x.item_id')).toEqual([])
    const again = await together(seats, (seat, number) => seat.save(answersOf(number, ids)))
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  })

  it.each([
    [['window-1', 'window-2'], ['started', 'taken_over'], 'window-2'],
    [['window-1', 'window-1'], ['started'], 'window-1'],
  ])('one candidate who starts in %j at once has one attempt', async (windows, kinds, owner) => {
    const { code, seats } = await fillRoom(1)
    const [seat] = seats as [Seat]
    const starts = await Promise.all(
      windows.map((windowId) =>
        rig.call('POST', `/api/assessments/${code}/attempt`, {
          token: seat.token,
          headers: { 'X-Candidate-Token': seat.candidateToken, 'X-Window-Id': windowId },
          body: { windowId },
        }),
      ),
    )
    expect(starts.map(({ status }) => status)).toEqual([200, 200])
    expect(new Set(starts.map(({ body }) => body.reference)).size).toBe(1)
    const events = await storedOf(code, 'attempt_events', 'x.kind, t.window_id')
    const since = events.filter(({ kind }) => kind !== 'verified')
    expect(since.map(({ kind }) => kind).sort()).toEqual(kinds)
    expect(since[0]?.window_id).toBe(owner)
    expect(rig.logged).toEqual([])
  })

  it('several saves of one candidate in a batch keep the newest revision, and each gets a response', async () => {
    const { code, seats, ids } = await fillRoom(1)
    const [seat] = seats as [Seat]
    await seat.start()
    const questionId = ids[0] ?? 0
    const saves = await Promise.all([
      seat.save([{ questionId, choice: 'C', revision: 3 }], 2),
      seat.save([{ questionId, choice: 'B', revision: 2 }], 5),
      seat.save([{ questionId, choice: 'A', revision: 1 }], 1),
    ])
    for (const { status, body } of saves) {
      expect([status, body]).toEqual([200, { saved: [{ questionId, revision: 3 }] }])
    }
    expect(await storedOf(code, 'attempt_answers', 'x.choice, x.revision')).toMatchObject([
      { choice: 'C', revision: 3 },
    ])
    expect(await storedOf(code, 'attempt_windows', 'x.last_event')).toMatchObject([
      { last_event: 5 },
    ])
  })

  it('an uncounted event keeps its own time, clamped between the previous event and now', async () => {
    const { code, seats } = await fillRoom(1)
    const [seat] = seats as [Seat]
    await seat.start()
    await seat.report({ id: 1, kind: 'ready', at: 0 })
    await moveClock(rig, 10_000)
    const event = (id: number, at: number) => ({ id, kind: 'fullscreen_enter', at })
    await seat.report(event(2, 4_000), event(3, 1_000))
    await seat.report(event(4, 99_000))
    await seat.report(event(2, 9_000))
    const events = await storedOf(code, 'attempt_events', 'x.number, x.at_ms::int, x.is_violation')
    const reported = events
      .filter(({ number }) => number > 1)
      .sort((a, b) => a.number - b.number)
      .map(({ number, at_ms }) => [number, at_ms])
    expect(reported).toEqual([
      [2, 4_000],
      [3, 4_000],
      [4, 10_000],
    ])
    expect(events.some(({ is_violation }) => is_violation)).toBe(false)
  })
})
