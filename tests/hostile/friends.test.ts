import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { worthALook } from '../../assessments/attempt-looks.ts'
import { findingsIn } from '../rig/assessment-rig.ts'
import { type CallOptions, callMany, countStatuses, p99, type Reply } from './http.ts'
import { type Product, readSecretKey, startProduct, tell } from './product.ts'
import {
  type Assessment,
  flood,
  limitBeside,
  makeAssessment,
  makeGuest,
  type Seat,
  saveSteadily,
  seatOf,
  takeSeats,
  watchPulse,
} from './rig.ts'

const OTHERS = 100
const PER_SECOND = 50
const P99_LIMIT_MS = 100
/** Number of a candidate's tokens that are valid at the same time. */
const FRIENDS = 10

// A candidate takes a test with friends who have the password. Two nodes share a database.
/** the node that owns the database, and the other one */
let owner: Product
let product: Product
let folder: string
let room: Assessment
let others: Seat[]
let calmMs: number
let password: string
beforeAll(async () => {
  owner = await startProduct()
  folder = await mkdtemp(path.join(tmpdir(), 'superday-hostile-second-'))
  // The later start prints the demo candidate that is valid.
  product = await startProduct({
    environment: {
      DATABASE_URL: owner.databaseUrl,
      SECRET_KEY: readSecretKey(owner.dataDir),
      DATA_DIR: folder,
    },
  })
  password = /Demo candidate for \S+: .+ \/ (\S+)/.exec(product.log())?.[1] ?? ''
  room = await makeAssessment(product)
  others = await takeSeats(product, room, OTHERS)
  await saveSteadily(others, room, { perSecond: PER_SECOND, seconds: 3 })
  calmMs = p99(await saveSteadily(others, room, { perSecond: PER_SECOND, seconds: 8 }))
  tell('friends-calm-p99-ms', calmMs)
})
afterAll(async () => {
  await product?.stop()
  await owner?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** A candidate, the paper, and friends who have verified as the same candidate. */
async function makeGang(count: number) {
  const assessment = await makeAssessment(product)
  const [seat] = await takeSeats(product, assessment, 1)
  if (!seat) throw new Error('no candidate')
  const friends: Seat[] = []
  for (let n = 0; n < count; n += 1) {
    const person = await makeGuest(product)
    const { body } = await product.call('POST', `/api/assessments/${assessment.code}/verify`, {
      token: person.token,
      body: { username: seat.username, password },
    })
    const friend = seatOf(product, person, assessment.code, seat.username, body.candidateToken)
    friends.push({ ...friend, windowId: seat.windowId })
  }
  return { assessment, seat, friends }
}

const callOf = (node: Product, seat: Seat, method: string, route: string, body: unknown) =>
  node.call(method, `/api/assessments/${seat.code}/attempt${route}`, {
    token: seat.token,
    headers: { 'X-Candidate-Token': seat.candidateToken, 'X-Window-Id': seat.windowId },
    body,
  } satisfies CallOptions)

const one = async (text: string, values: unknown[]) =>
  (await product.db.query(text, values)).rows[0]

describe('friends who have the password and the id of the window', () => {
  it('delay no other call with reports on an attempt that is full of events', async () => {
    const { assessment, seat, friends } = await makeGang(FRIENDS - 1)
    await product.db.query(
      `insert into attempt_events (candidate_id, attempt_id, kind, window_id, number, at_ms, user_id,
         received_at)
       select candidate_id, id, 'heartbeat', window_id, n, 10, user_id, now()
       from attempts, generate_series(1, 5000) n where assessment = $1`,
      [assessment.code],
    )
    const { code, windowId } = seat
    const floods = [seat, ...friends].map(({ token, candidateToken }) =>
      flood({
        url: product.url,
        kind: 'events',
        seat: { code, token, candidateToken, windowId },
        item: assessment.items[0] as number,
        atOnce: 8,
        seconds: 15,
        calls: 100_000,
      }),
    )
    await sleep(4_000)
    const saves = await saveSteadily(others, room, { perSecond: PER_SECOND, seconds: 10 })
    const statuses = await Promise.all(floods)
    tell('friends-reports-flood', JSON.stringify(statuses))
    tell('friends-reports-p99-ms', p99(saves))
    tell('friends-reports-p99-ratio', (p99(saves) / calmMs).toFixed(1))
    expect(countStatuses(saves)).toEqual({ 200: saves.length })
    expect(p99(saves)).toBeLessThan(limitBeside(P99_LIMIT_MS, calmMs))
  })

  it('leave traces that an organizer can read', async () => {
    const { assessment, friends } = await makeGang(1)
    await product.db.query(
      `with windows as (
         select a.*, n from attempts a, generate_series(1, 9000) n where assessment = $1
       ), opened as (
         insert into attempt_events (candidate_id, attempt_id, kind, window_id, at_ms, user_id, received_at)
         select candidate_id, id, 'taken_over', 'w' || n % 7, n * 100, user_id,
           started_at + n * interval '0.1 s' from windows
       )
       insert into attempt_events (candidate_id, attempt_id, kind, window_id, at_ms, user_id, received_at,
         detail)
       select candidate_id, id, 'saved', 'w' || n % 7, n * 100, user_id,
         started_at + n * interval '0.1 s',
         (select jsonb_agg(jsonb_build_array(i, 'A', n, 1000)) from generate_series(1, 20) i)
       from windows`,
      [assessment.code],
    )
    const begun = performance.now()
    const looks = worthALook(await findingsIn(product.db, assessment.code))
    tell('friends-marks-ms', Math.round(performance.now() - begun))
    expect(looks.join()).toMatch(/take-overs/)
    expect(performance.now() - begun).toBeLessThan(20_000)
    expect(friends).toHaveLength(1)
  })
})

describe('two nodes', () => {
  it('get no save acknowledged that is not stored, while another call submits or strikes out', async () => {
    for (const end of ['submit', 'strikes'] as const) {
      const { assessment, seat } = await makeGang(0)
      await seat.save(assessment.items.map((id) => ({ questionId: id, choice: 'A', revision: 1 })))
      const acknowledged = new Map<number, number>()
      const saving = callMany(400, 6, async (n) => {
        const questionId = assessment.items[n % assessment.items.length] as number
        const answers = [{ questionId, choice: 'B', revision: n + 2 }]
        const reply = await callOf(n % 2 ? product : owner, seat, 'PUT', '/answers', { answers })
        if (reply.status === 200) {
          acknowledged.set(questionId, Math.max(acknowledged.get(questionId) ?? 0, n + 2))
        }
        return reply
      })
      await sleep(300)
      const ending: Promise<Reply>[] =
        end === 'submit'
          ? [product, owner].map((node) => callOf(node, seat, 'POST', '/submit', { answers: [] }))
          : [1, 2, 3, 4].map((n) =>
              callOf(n % 2 ? product : owner, seat, 'POST', '/events', {
                events: [0, 1].map((index) => ({
                  id: n * 2 + index,
                  kind: index ? 'page_visible' : 'page_hidden',
                  at: n * 10,
                })),
              }),
            )
      tell(`friends-nodes-${end}`, JSON.stringify(countStatuses(await Promise.all(ending))))
      tell(`friends-nodes-${end}-saves`, JSON.stringify(countStatuses(await saving)))
      const { rows } = await product.db.query(
        `select item_id, revision from attempt_answers s join attempts a on a.id = s.attempt_id
         where assessment = $1`,
        [assessment.code],
      )
      for (const { item_id, revision } of rows) {
        expect(revision).toBeGreaterThanOrEqual(acknowledged.get(item_id) ?? 0)
      }
      const row = await one(
        `select submit_reason, attempt_strikes(id) as strikes, (select count(*)::int from attempt_events e
           where e.attempt_id = a.id and e.kind = 'submitted') as ends from attempts a where assessment = $1`,
        [assessment.code],
      )
      tell(`friends-nodes-${end}-row`, JSON.stringify(row))
      expect(row.ends).toBe(1)
      expect(row.submit_reason).toBe(end === 'submit' ? 'candidate' : 'violations')
    }
  })

  it('one of them killed at a deadline and restarted causes no outage', async () => {
    const pulse = watchPulse(product)
    const before = await one('select count(*)::int as count from service_outages', [])
    product.process.kill('SIGKILL')
    await sleep(8_000)
    const after = await one('select count(*)::int as count from service_outages', [])
    tell('friends-killed-node', JSON.stringify(await pulse.stop()))
    expect(after).toEqual(before)
  })
})
