import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findingsIn, unmonitoredWords } from '../rig/assessment-rig.ts'
import { finishedTests } from './finished-tests.ts'
import { type Product, startProduct, tell } from './product.ts'
import { fullPaper, makeAssessment, makeGuest, takeSeats } from './rig.ts'

const DAY_MS = 24 * 3600 * 1000

let product: Product
beforeAll(async () => {
  product = await startProduct()
})
afterAll(() => product?.stop())

/** A candidate who has answered everything. */
async function answeredSeat() {
  const assessment = await makeAssessment(product)
  const [seat] = await takeSeats(product, assessment, 1)
  if (!seat) throw new Error('no seat')
  expect((await seat.report({ id: 1, kind: 'ready', at: 0 })).status).toBe(200)
  expect((await seat.save(fullPaper(assessment, 1_000), 1)).status).toBe(200)
  return { assessment, seat }
}

describe('a candidate', () => {
  it('who blocks only the reports of events is shown as unmonitored after the submit', async () => {
    const { assessment, seat } = await answeredSeat()
    // Two absences never arrive, but the submit carries the last event's number, as saves do.
    const submitted = await seat.submit([], { lastEvent: 3 })
    const gaps = unmonitoredWords(await findingsIn(product.db, assessment.code))
    tell('blocked-events-submit', submitted.status)
    tell('blocked-events-unmonitored', gaps.length)
    expect(submitted.status).toBe(200)
    expect(gaps).toHaveLength(1)
  })

  it('whose test is running finds none of its questions in the personal export', async () => {
    const { assessment, seat } = await answeredSeat()
    const { status, body } = await product.call('POST', '/api/profile/export', {
      token: seat.token,
      body: {},
    })
    const stems = JSON.stringify(body).split(`of ${assessment.code}`).length - 1
    tell('export-stems-of-a-running-test', stems)
    expect(status).toBe(200)
    expect(JSON.stringify(body)).toContain(assessment.code)
    expect(stems).toBe(0)
  })
})

describe('a guest', () => {
  it.each([
    ['days in the past', (n: number) => [new Date(Date.now() - n * DAY_MS), 'Europe/Lisbon']],
    [
      'zones at the ends of the world',
      (n: number) => [
        new Date(Date.now() - Math.floor(n / 2) * DAY_MS),
        n % 2 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati',
      ],
    ],
  ] as const)('has no streak of days before they joined, by %s', async (what, finishedAt) => {
    const guest = await makeGuest(product)
    const next = await finishedTests(product, guest.token)
    let streak = 0
    for (let n = 0; n < 16; n += 1) {
      const [at, timeZone] = finishedAt(n) as [Date, string]
      const { body } = await product.call('POST', '/api/results', {
        token: guest.token,
        body: next(at, timeZone),
      })
      streak = Math.max(streak, body.streak?.streakHighscore ?? 0)
    }
    tell(`streak by ${what}`, streak)
    // Two, because the attempt may last past midnight, and two zones differ by at most a day in either direction.
    expect(streak).toBeLessThanOrEqual(2)
    expect(streak).toBeGreaterThan(0)
  })
})

describe('the protocol', () => {
  it.each([
    ['+351912345678', 403, 'otp_expired'],
    ['+14155550123', 403, 'otp_expired'],
    ['call me', 400, 'validation_failed'],
    ['+0', 400, 'validation_failed'],
  ])('sends digits for the phone %s and gets %i %s', async (phone, status, code) => {
    const { status: answered, body } = await product.call('POST', '/auth/v1/verify', {
      body: { type: 'sms', phone, token: '123456' },
      headers: { 'X-Supabase-Api-Version': '2024-01-01' },
    })
    tell(`verify ${phone}`, `${answered} ${body.code}`)
    expect([answered, body.code]).toEqual([status, code])
  })

  it.each([
    ['DELETE', '/auth/v1/factors/FACTOR'],
    ['POST', '/auth/v1/factors/FACTOR/challenge'],
    ['POST', '/auth/v1/factors/FACTOR/verify'],
  ])(
    'needs a session at %s %s before it learns that there is no such factor',
    async (method, path) => {
      const route = path.replace('FACTOR', randomUUID())
      const body = method === 'POST' ? {} : undefined
      const { token } = await makeGuest(product)
      const without = await product.call(method, route, { body })
      const signedIn = await product.call(method, route, { body, token })
      tell(`${method} ${path}`, `${without.status} without a session, ${signedIn.status} with one`)
      expect(without.status).toBe(401)
      expect(signedIn.status).toBe(404)
    },
  )
})
