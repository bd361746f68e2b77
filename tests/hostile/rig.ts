import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FloodPlan } from './flood.ts'
import { callMany, type Reply } from './http.ts'
import type { Product } from './product.ts'

/** Candidates that start at the same time, as many as the server has database connections. */
const SEATS_AT_ONCE = 20

/** A signed-in person, with the data in their browser. */
export interface Person {
  userId: string
  token: string
  refreshToken: string
}

export async function makeGuest(product: Product, headers = {}): Promise<Person> {
  const reply = await product.call('POST', '/auth/v1/signup', { body: { data: {} }, headers })
  if (reply.status !== 200) throw new Error(`no guest: ${reply.status} ${reply.body?.message}`)
  return personOf(reply)
}

/** The person of a response that opens a session. */
export const personOf = ({ body }: Reply): Person => ({
  userId: body.user.id,
  token: body.access_token,
  refreshToken: body.refresh_token,
})

export interface Assessment {
  code: string
  /** ids of the items, in the society's order; each key is A */
  items: number[]
}

/** An assessment with items, by SQL. */
export async function makeAssessment(
  { db }: Product,
  { durationSeconds = 1_800, itemCount = 20 } = {},
): Promise<Assessment> {
  const code = `H${randomUUID().slice(0, 8).toUpperCase()}`
  await db.query(
    `with owner as (
       insert into societies (id, name, via, created_at)
       values (gen_random_uuid(), 'Hostile Society', 'command', now())
       on conflict (lower(name)) do update set name = societies.name returning id
     )
     insert into assessments (code, society_id, society, duration_seconds, shuffle, navigator, rules,
       time_zone, is_sample, created_at)
     select $1, id, 'Hostile Society', $2::int, false, true,
       '{"timing":[],"allowed":[],"forbidden":[],"contact":null}', 'Europe/Lisbon', false, now()
     from owner`,
    [code, durationSeconds],
  )
  const { rows } = await db.query(
    `insert into assessment_items (assessment, position, question, answer_a, answer_b, answer_c,
       answer_d, correct_option, is_sample)
     select $1, n, 'Stem ' || n || ' of ' || $1, 'alpha', 'beta', 'gamma', 'delta', 'A', false
     from generate_series(1, $2::int) n returning id, position`,
    [code, itemCount],
  )
  rows.sort((a, b) => a.position - b.position)
  return { code, items: rows.map(({ id }) => id) }
}

/**
 * Adds candidates candidate-1 to candidate-N to an assessment, by SQL. They have the password of the demo candidate
 * that the start prints, whose hash is copied.
 * @returns the password
 */
async function makeCandidates({ db, log }: Product, code: string, count: number): Promise<string> {
  const demo = /Demo candidate for (\S+): (.+) \/ (\S+)/.exec(log())
  if (!demo) throw new Error('the start printed no demo candidate')
  const [, sample, username, password] = demo
  await db.query(
    `insert into candidates (id, assessment, username, password_hash, created_at)
     select gen_random_uuid(), $1, 'candidate-' || n, d.password_hash, now()
     from generate_series(1, $2::int) n, candidates d
     where d.assessment = $3 and d.username = $4`,
    [code, count, sample, username],
  )
  return password as string
}

export interface Choice {
  questionId: number
  choice: string
  revision: number
  at?: number
}

/** A candidate who has started, in one window. */
export interface Seat extends Person {
  code: string
  username: string
  candidateToken: string
  windowId: string
  save(answers: Choice[]): Promise<Reply>
  submit(): Promise<Reply>
}

/** Guests who enter an assessment as candidates. All have started when this returns. */
export async function takeSeats(
  product: Product,
  { code }: Assessment,
  count: number,
  headers: Record<string, string> = {},
): Promise<Seat[]> {
  const password = await makeCandidates(product, code, count)
  const seats: Seat[] = []
  const replies = await callMany(count, SEATS_AT_ONCE, async (n) => {
    const person = await makeGuest(product, headers)
    const username = `candidate-${n + 1}`
    const verified = await product.call('POST', `/api/assessments/${code}/verify`, {
      token: person.token,
      body: { username, password },
      headers,
    })
    const seat = seatOf(product, person, code, username, verified.body?.candidateToken)
    seats.push(seat)
    return callAttempt(product, seat, 'POST', '', { windowId: seat.windowId })
  })
  const failed = replies.find(({ status }) => status !== 200)
  if (failed) throw new Error(`a start answered ${failed.status} ${failed.body?.message}`)
  return seats
}

function seatOf(
  product: Product,
  person: Person,
  code: string,
  username: string,
  candidateToken: string,
): Seat {
  const seat: Seat = {
    ...person,
    code,
    username,
    candidateToken,
    windowId: randomUUID(),
    save: (answers) => callAttempt(product, seat, 'PUT', '/answers', { answers, lastEvent: 0 }),
    submit: () => callAttempt(product, seat, 'POST', '/submit', { answers: [] }),
  }
  return seat
}

function callAttempt(product: Product, seat: Seat, method: string, route: string, body?: unknown) {
  return product.call(method, `/api/assessments/${seat.code}/attempt${route}`, {
    token: seat.token,
    headers: { 'X-Candidate-Token': seat.candidateToken, 'X-Window-Id': seat.windowId },
    ...(body === undefined ? {} : { body }),
  })
}

/** A choice for every item of a paper, made `atMs` after the window opened. */
export const fullPaper = ({ items }: Assessment, atMs: number, revision = 1): Choice[] =>
  items.map((questionId) => ({ questionId, choice: 'A', revision, at: atMs }))

/** Sets the same deadline for all candidates of an assessment. */
export async function setDeadline({ db }: Product, code: string, deadlineAt: Date): Promise<void> {
  await db.query('update attempts set deadline_at = $2 where assessment = $1', [code, deadlineAt])
}

/**
 * A quiet room: a fixed number of saves per second, candidate after candidate, sent on time whether or not earlier ones
 * are answered.
 */
export async function saveSteadily(
  seats: readonly Seat[],
  { items }: Assessment,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Reply[]> {
  const begun = performance.now()
  const saves: Promise<Reply>[] = []
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const waitMs = begun + (n * 1000) / perSecond - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    const seat = seats[n % seats.length] as Seat
    const questionId = items[Math.floor(n / seats.length) % items.length] as number
    // Increases over all rounds, because an old revision would change nothing.
    const revision = Math.min(1_000_000, Math.floor(performance.now()) + n)
    saves.push(seat.save([{ questionId, choice: 'B', revision, at: 1_000 }]))
  }
  return Promise.all(saves)
}

/** Runs a file of this folder in its own process with a plan. @returns what it wrote, once it has ended */
export async function runApart<Outcome>(file: string, plan: object): Promise<Outcome> {
  const attacker = spawn(
    process.execPath,
    ['--import', 'tsx', path.join(import.meta.dirname, file)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  attacker.stdin.end(JSON.stringify(plan))
  return (await json(attacker.stdout)) as Outcome
}

/** Floods from a separate process. @returns the statuses it got, once it has ended */
export const flood = (plan: FloodPlan) => runApart<Record<string, number>>('flood.ts', plan)

/** Watches the service's heartbeat until stopped. */
export function watchPulse({ db }: Product) {
  let isOver = false
  let moves = 0
  let longestSilenceMs = 0
  let upSince: number | undefined
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await db.query(
        `select up_since, extract(epoch from clock_timestamp() - last_seen_at)::float8 * 1000 as silence
         from service_pulse where id = 1`,
      )
      const [pulse] = rows
      if (pulse) {
        const seen = pulse.up_since.getTime()
        if (upSince !== undefined && seen !== upSince) moves += 1
        upSince = seen
        longestSilenceMs = Math.max(longestSilenceMs, Math.round(pulse.silence))
      }
      await sleep(100)
    }
  })()
  return {
    /** @returns how often up_since has changed, and the longest time without a heartbeat */
    async stop(): Promise<{ moves: number; longestSilenceMs: number }> {
      isOver = true
      await watching
      return { moves, longestSilenceMs }
    },
  }
}

/**
 * The limit of a p99 in milliseconds: `limitMs`, or on a slower machine five times what the same calls take without the
 * attack.
 */
export const limitBeside = (limitMs: number, calmMs: number) => Math.max(limitMs, 5 * calmMs)
