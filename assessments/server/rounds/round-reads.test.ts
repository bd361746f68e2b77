import type pg from 'pg'
import { expect, it } from 'vitest'
import {
  makeAssessment,
  makeCandidate,
  type Seat,
  takeSeat,
} from '../../../tests/rig/assessment-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { saveChoices } from '../answer-store.ts'
import { closeOverdue, submitAttempts } from '../attempt-store.ts'
import { type Seat as CalledSeat, hashToken } from '../candidate-store.ts'
import { storeQuietEvents } from '../event-store.ts'
import { readRunning } from '../status.ts'

const rig = useRig()
const OTHERS = 2_000

interface Node {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}

/** A client that explains, runs and rolls back a statement. @returns it, and how many rows of the tables it read */
function explaining(tables: RegExp) {
  let read = 0
  const count = (node: Node): void => {
    if (tables.test(node['Relation Name'] ?? '')) {
      const rows = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
      read += rows * node['Actual Loops']
    }
    for (const plan of node.Plans ?? []) count(plan)
  }
  const query = async ({ text, values }: { text: string; values: unknown[] }) => {
    const client = await rig.db.$client.connect()
    await client.query('begin')
    const { rows } = await client.query(`explain (analyze, format json) ${text}`, values)
    await client.query('rollback')
    client.release()
    count(rows[0]['QUERY PLAN'][0].Plan)
    return { rows: [], rowCount: 0 }
  }
  return { client: { query } as unknown as Pick<pg.Pool, 'query'>, read: () => read }
}

/** Adds many other attempts and windows to tables whose statistics were taken while they were empty. */
async function fillAttempts(code: string): Promise<void> {
  const { $client } = rig.db
  for (const table of ['attempts', 'attempt_windows']) {
    await $client.query(`alter table ${table} set (autovacuum_enabled = off)`)
    await $client.query(`analyze ${table}`)
  }
  await $client.query(
    `with made as (
       insert into candidates (id, assessment, username, password_hash, created_at)
       select gen_random_uuid(), $1, 'other-' || n, 'x', $2 from generate_series(1, $3::int) n returning id
     ), started as (
       insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, window_id, is_demo)
       select gen_random_uuid(), $1, id, array(select i.id from assessment_items i where i.assessment = $1),
         $2, $2::timestamptz + interval '20 min', 'window', false
       from made returning id
     )
     insert into attempt_windows (attempt_id, window_id, opened_at) select id, 'window', $2 from started`,
    [code, rig.dependencies.now(), OTHERS],
  )
}

it('a batch reads only the attempts of its own calls, however many others take the test', async () => {
  const { code, items } = await makeAssessment(rig, { itemCount: 1 })
  const [item = 0] = items.map(({ id }) => id)
  await fillAttempts(code)
  const people: Seat[] = []
  for (const name of ['ana', 'ben', 'cleo']) {
    const { username } = await makeCandidate(rig, code, name)
    const seat = await takeSeat(rig, code, username)
    expect((await seat.start()).status).toBe(200)
    await seat.save([{ questionId: item, choice: 'A', revision: 1 }])
    people.push(seat)
  }
  // A full batch, because the number of calls affects the plan.
  const seats = Array.from({ length: 200 }, (_, n) => people[n % people.length] as Seat)
  const called = (seat: Seat): CalledSeat => ({
    ...{ code, userId: seat.userId, windowId: seat.windowId },
    tokenHash: hashToken(seat.candidateToken),
  })
  const told = { lastEvent: 1, dwell: [] }
  const choices = [{ questionId: item, choice: 'B' as const, revision: 2 }]
  const events = [
    { id: 1, kind: 'ready', at: 5 },
    { id: 2, kind: 'fullscreen_enter', at: 6 },
  ]
  const now = rig.dependencies.now()
  const rounds = {
    save: (client: Pick<pg.Pool, 'query'>) =>
      saveChoices(
        client,
        seats.map((seat) => ({ ...called(seat), ...told, choices })),
        now,
      ),
    event: (client: Pick<pg.Pool, 'query'>) =>
      storeQuietEvents(
        client,
        seats.map((seat) => ({ ...called(seat), events })),
        now,
      ),
    submit: (client: Pick<pg.Pool, 'query'>) =>
      submitAttempts(
        client,
        seats.map((seat) => ({ ...called(seat), ...told })),
        now,
      ),
    status: (client: Pick<pg.Pool, 'query'>) => readRunning(client, seats.map(called), now),
    sweep: (client: Pick<pg.Pool, 'query'>) => closeOverdue(client, now, 100),
  }
  for (const [name, run] of Object.entries(rounds)) {
    const { client, read } = explaining(/^attempts$|^attempt_windows$/)
    await run(client)
    expect(read(), `attempts read by a ${name}`).toBeLessThan(OTHERS)
  }
})

it("reads none of an attempt's thousands of saves to store an event of its page", async () => {
  const { code } = await makeAssessment(rig, { itemCount: 1 })
  const { id, username } = await makeCandidate(rig, code, 'dora')
  const seat = await takeSeat(rig, code, username)
  expect((await seat.start()).status).toBe(200)
  await rig.db.$client.query(
    `insert into attempt_events (candidate_id, attempt_id, kind, window_id, at_ms, received_at)
     select candidate_id, id, 'saved', window_id, n, started_at from attempts, generate_series(1, 9000) n
     where candidate_id = $1`,
    [id],
  )
  await rig.db.$client.query('analyze attempt_events')
  const { client, read } = explaining(/^attempt_events$/)
  const { userId, windowId } = seat
  const call = { code, userId, windowId, tokenHash: hashToken(seat.candidateToken) }
  const events = [{ id: 1, kind: 'fullscreen_enter', at: 6 }]
  await storeQuietEvents(client, [{ ...call, events }], rig.dependencies.now())
  expect(read()).toBeLessThan(100)
})
