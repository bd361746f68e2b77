import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { xlsxOf } from '../../rig/questions/question-files-rig.ts'
import { countStatuses, p99 } from '../http.ts'
import { type Product, startProduct, tell } from '../product.ts'
import {
  limitBeside,
  makeAssessment,
  makeGuest,
  personOf,
  runApart,
  saveSteadily,
  setDeadline,
  takeSeats,
  watchPulse,
} from '../rig.ts'
import type { Caller, CallersPlan } from './callers.ts'

const CANDIDATES = Number(process.env.CANDIDATES ?? 300)
const SECONDS = Number(process.env.SECONDS ?? 300)
const PER_SECOND = 50
const SAVE_LIMIT_MS = 150
/** Relative to the memory after the first tenth of the time. */
const MEMORY_LIMIT = 1.2

let product: Product
beforeAll(async () => {
  product = await startProduct({ environment: { RATE_LIMITS: 'on', TRUST_PROXY: 'on' } })
})
afterAll(() => product?.stop())

it('a room of three hundred saves normally while members, guests and strangers attack in every way together', async () => {
  const room = await makeAssessment(product, { durationSeconds: 3_600 })
  const seats = await takeSeats(product, room, CANDIDATES, { 'X-Forwarded-For': '192.0.2.1' })
  const rate = { perSecond: PER_SECOND, seconds: 10 }
  await saveSteadily(seats, room, rate)
  const calm = p99(await saveSteadily(seats, room, rate))
  const outages = async () =>
    (await product.db.query('select count(*)::int as count from service_outages')).rows[0].count
  const before = await outages()

  const pulse = watchPulse(product)
  // All attackers together in a separate process, with the statuses that each of them got.
  const attacks = runApart<Record<string, Record<string, number>>>('crowd/callers.ts', {
    ...{ url: product.url, seconds: SECONDS, callers: await makeCallers() },
  } satisfies CallersPlan)
  await saveSteadily(seats, room, { ...rate, seconds: SECONDS / 10 })
  const warm = product.residentMb()
  const saves = await saveSteadily(seats, room, { ...rate, seconds: SECONDS * 0.8 })
  const memory = product.residentMb()
  const statuses = await attacks
  const { moves, longestSilenceMs } = await pulse.stop()

  const deadline = Date.now() + 1_000
  await setDeadline(product, room.code, new Date(deadline))
  await sleep(deadline + 11_000 - Date.now())
  const late = await saveSteadily(seats, room, { ...rate, seconds: 1 })

  tell('beside-everything-attacks', JSON.stringify(statuses))
  tell('beside-everything-saves', JSON.stringify(countStatuses(saves)))
  const unanswered = saves.flatMap(({ status, ms, body }, n) =>
    status === 0
      ? [`${Math.round(n / PER_SECOND)} s: ${body?.message} after ${Math.round(ms)} ms`]
      : [],
  )
  tell(
    'beside-everything-unanswered',
    [...unanswered.slice(0, 5), ...unanswered.slice(-5)].join('; '),
  )
  tell('beside-everything-save-p99-ms', `${p99(saves)} (${calm} without)`)
  tell('beside-everything-up-since-moves', `${moves}, longest silence ${longestSilenceMs} ms`)
  tell('beside-everything-memory-mb', `${warm} → ${memory}`)
  tell('beside-everything-late', JSON.stringify(countStatuses(late)))
  expect(countStatuses(saves)).toEqual({ 200: saves.length })
  expect(p99(saves)).toBeLessThan(limitBeside(SAVE_LIMIT_MS, calm))
  expect(moves).toBe(0)
  expect(await outages()).toBe(before)
  expect(countStatuses(late)).toEqual({ 409: late.length })
  expect(memory).toBeLessThan(warm * MEMORY_LIMIT)
}, 900_000)

/** A society of attackers with a closed test full of reports and forty drafts, its five members, and guests. */
async function makeCallers(): Promise<Caller[]> {
  const { db } = product
  const society = randomUUID()
  await db.query(
    `insert into societies (id, name, via, created_at) values ($1, 'Attackers', 'console', now())`,
    [society],
  )
  const tests = await Promise.all(Array.from({ length: 41 }, () => makeAssessment(product)))
  const codes = tests.map(({ code }) => code)
  const [full, ...drafts] = codes
  await db.query('update assessments set society_id = $1, is_draft = true where code = any ($2)', [
    ...[society, codes],
  ])
  await db.query(
    `insert into candidates (id, assessment, username, password_hash, created_at)
     select gen_random_uuid(), $1, 'invented-' || n, '\\x00', now() from generate_series(1, 2000) n`,
    [full],
  )
  await db.query(
    `insert into incident_reports (id, assessment, happened_at, note, reported_by, reported_at)
     select gen_random_uuid(), $1, now(), 'Nothing.', 'helper', now() from generate_series(1, 5000)`,
    [full],
  )
  const members = await Promise.all([...Array(5).keys()].map((n) => makeMember(society, n)))
  const [looker, watcher, gone, reader, reporter] = members.map((token) => ({ token }))
  const base = `/api/societies/${society}/assessments`
  const [guest, second] = [await makeGuestAt('198.51.100.2'), await makeGuestAt('198.51.100.3')]
  const wide = [...Array<null>(25).fill(null), 1]
  const file = Buffer.from(xlsxOf(Array.from({ length: 30_000 }, () => wide))).toString('base64')
  const report = { id: '%id', candidate: null, listed: null, room: null, note: 'Nothing.' }
  const about = { topics: Array(40).fill('x'.repeat(80)) }
  const get = { method: 'GET' }
  const post = { method: 'POST' }
  return [
    { ...get, ...looker, name: 'incidents', routes: [`${base}/${full}/incidents`], atOnce: 10 },
    {
      ...{ ...get, ...watcher, name: 'drafts on Live', atOnce: 40 },
      routes: drafts.map((code) => `${base}/${code}/live`),
    },
    {
      // About 500 per second. The proxy has to limit thousands of new connections per second (docs/security.md).
      ...{ ...get, ...gone, name: 'hanging up', atOnce: 50, hangUpMs: 5, pauseMs: 95 },
      routes: [`${base}/${full}/candidates`],
    },
    {
      ...{ ...post, ...reader, name: 'xlsx', atOnce: 12, body: { file } },
      routes: [`${base}/${full}/candidates/read-sheet`],
    },
    {
      ...{ ...post, ...reporter, name: 'reports', atOnce: 5 },
      ...{ routes: [`${base}/${full}/incidents/reports`] },
      body: { ...report, happenedAt: new Date().toISOString() },
    },
    { ...get, name: 'strangers', routes: ['/api/fairness/%id'], atOnce: 50 },
    { ...get, ...guest, name: 'cases', routes: ['/api/practice/cases'], atOnce: 50 },
    {
      ...{ method: 'PUT', ...guest, name: 'sessions', atOnce: 20 },
      routes: ['/api/practice/sessions/%id'],
      body: {
        ...{ kind: 'case', about, isFinished: true, timeZone: 'Europe/Lisbon' },
        completedAt: new Date().toISOString(),
        answers: [
          {
            ...{ place: 0, item: '2001', choice: 'A', tookMs: 1_000 },
            answeredAt: new Date().toISOString(),
          },
        ],
      },
    },
    { ...get, ...second, name: 'societies', routes: ['/api/societies'], atOnce: 50 },
    {
      ...{ ...post, ...second, name: 'drills', atOnce: 50 },
      ...{ routes: ['/api/practice/drills'], body: refusedDrill() },
    },
  ]
}

/** A drill built from eight others, whose times don't add up. */
const refusedDrill = () => ({
  ...{ id: '%id', preset: 'sprint', version: 1, seed: 1, penalty: 0, timeZone: 'Europe/Lisbon' },
  ...{ startedAt: new Date().toISOString(), tookMs: 1 },
  answers: Array.from({ length: 8 }, (_, n) => {
    return { answer: '1', tookMs: 1_000, from: { seed: n + 2, place: 1 } }
  }),
})

async function makeGuestAt(address: string) {
  const headers = { 'X-Forwarded-For': address }
  const { token } = await makeGuest(product, headers)
  return { token, headers }
}

async function makeMember(society: string, n: number): Promise<string> {
  const { token, userId } = personOf(
    await product.call('POST', '/auth/v1/signup', {
      body: { email: `attacker-${n}@example.com`, password: 'correct horse battery', data: {} },
      headers: { 'X-Forwarded-For': `203.0.113.${n + 1}` },
    }),
  )
  await product.db.query(
    `insert into memberships (id, society_id, user_id, role, created_at)
     values (gen_random_uuid(), $1, $2, 'owner', now())`,
    [society, userId],
  )
  return token
}
