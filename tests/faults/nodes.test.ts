/**
 * Two server processes share a database, as on an assessment day behind a load balancer.
 * @module-tag full
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GRACE_MS } from '../../assessments/deadline.ts'
import { SERVER_LIMITS } from '../../platform/database/database.ts'
import { BANK_LOCK } from '../../practice/server/content/content.ts'
import { buildServer } from '../../tools/build-server.mjs'
import { useRig } from '../rig/rig.ts'
import { makeSecretKey, type Node, Stage } from './full-length/stage.ts'

const ATTEMPTS = 400
const secretKey = makeSecretKey()
const rig = useRig()
let stage: Stage
beforeAll(async () => {
  await buildServer()
  stage = await Stage.open()
})
afterAll(() => stage.close())

const startNode = () => stage.startNode(rig.databaseUrl, secretKey)

/** The number of attempts that a node reports as closed. */
const closedBy = ({ output }: Node) =>
  [...output().matchAll(/"closed":(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0)

it('two nodes close abandoned attempts at their deadline, each once', async () => {
  const { $client: db } = rig.db
  const nodes = await Promise.all([startNode(), startNode()])
  await db.query(`
    with owner as (
      insert into societies (id, name, via, created_at)
      values (gen_random_uuid(), 'Two Nodes', 'command', now())
      on conflict (lower(name)) do update set name = societies.name returning id
    )
    insert into assessments (code, society_id, society, duration_seconds, shuffle, navigator, rules,
      time_zone, is_sample, created_at)
    select 'NODES', id, 'Two Nodes', 1200, false, false,
      '{"timing":[],"allowed":[],"forbidden":[],"contact":null}', 'Europe/Lisbon', false, now()
    from owner`)
  // Their grace ends one after the other over three seconds, while both nodes run the expiry job.
  await db.query(
    `with made as (
       insert into candidates (id, assessment, username, password_hash, created_at)
       select gen_random_uuid(), 'NODES', 'candidate-' || n, '\\x00', now()
       from generate_series(1, $1::int) n returning id
     ), numbered as (select id, row_number() over () as n from made)
     insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, window_id,
       is_demo)
     select gen_random_uuid(), 'NODES', id, '{}', $2::timestamptz - interval '20 minutes',
       $2::timestamptz + make_interval(secs => 3.0 * n / $1), 'window', false from numbered`,
    [ATTEMPTS, new Date(Date.now() - GRACE_MS)],
  )

  const openCount = async () =>
    (await db.query('select count(*)::int as n from attempts where submitted_at is null')).rows[0].n
  await expect.poll(openCount, { timeout: 15_000, interval: 100 }).toBe(0)

  const { rows } = await db.query(`
    select count(*) filter (where submitted_at = deadline_at
        and submit_reason = 'deadline'
        and not closed_by_submit)::int as closed,
      (select count(*)::int from attempt_events where kind = 'submitted') as events,
      (select count(distinct attempt_id)::int from attempt_events where kind = 'submitted') as told
    from attempts`)
  expect(rows[0]).toEqual({ closed: ATTEMPTS, events: ATTEMPTS, told: ATTEMPTS })
  const total = () => nodes.map(closedBy).reduce((sum, count) => sum + count, 0)
  await expect.poll(total).toBe(ATTEMPTS)
  expect(Math.min(...nodes.map(closedBy)), 'closed by each').toBeGreaterThan(0)
}, 40_000)

it('a node that starts while another one loads the content waits for it', async () => {
  const loader = await rig.db.$client.connect()
  await loader.query('begin')
  await loader.query('select pg_advisory_xact_lock($1)', [BANK_LOCK])
  let isReady = false
  const starting = startNode().then(() => {
    isReady = true
  })
  const isWaiting = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`
  await expect
    .poll(async () => (await rig.db.$client.query(isWaiting)).rowCount, { timeout: 20_000 })
    .toBe(1)
  // Longer than a server's call may wait for a lock.
  await sleep(SERVER_LIMITS.lockMs + 500)
  expect(isReady).toBe(false)
  await loader.query('commit')
  loader.release()
  await starting
}, 60_000)
