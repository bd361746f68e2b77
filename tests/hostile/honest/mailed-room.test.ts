import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Smtp, startSmtp } from '../../rig/auth-smtp.ts'
import { countStatuses, p99 } from '../http.ts'
import { type Product, startProduct, tell } from '../product.ts'
import { limitBeside, makeAssessment, saveSteadily, takeSeats } from '../rig.ts'

// There is no attacker here: a society adds and mails a thousand candidates while another society's test runs.

const CANDIDATES = 200
const ADDED = 1_000
const PER_SECOND = 50
const P99_LIMIT_MS = 100

let product: Product
let smtp: Smtp
beforeAll(async () => {
  smtp = await startSmtp()
  product = await startProduct({ environment: { SMTP_URL: smtp.url } })
})
afterAll(async () => {
  await product?.stop()
  await smtp?.stop()
})

/** The owner that the start prints, with a published assessment of their society. */
async function signInAsOwner() {
  const [, email, password] = /Demo organizer: (\S+) \/ (\S+)/.exec(product.log()) ?? []
  const signedIn = await product.call('POST', '/auth/v1/token?grant_type=password', {
    body: { email, password },
  })
  const token = signedIn.body.access_token as string
  const mine = await product.call('GET', '/api/societies', { token })
  return { token, society: mine.body.societies[0].id as string }
}

it('a thousand candidates are added and mailed during a running test, which is not affected', async () => {
  const room = await makeAssessment(product)
  const seats = await takeSeats(product, room, CANDIDATES)
  await saveSteadily(seats, room, { perSecond: PER_SECOND, seconds: 3 })
  const calmMs = p99(await saveSteadily(seats, room, { perSecond: PER_SECOND, seconds: 10 }))
  tell('mailed-room-calm-p99-ms', calmMs)

  const { token, society } = await signInAsOwner()
  const { code } = await makeAssessment(product)
  await product.db.query('update assessments set society_id = $2 where code = $1', [code, society])
  const list = `/api/societies/${society}/assessments/${code}/candidates`
  const mails = `/api/societies/${society}/assessments/${code}/candidate-mails`
  const lines = Array.from({ length: ADDED }, (_, n) => ({
    ...{ line: n + 1, name: `Ana Silva${n}`, email: `ana${n}@student.example` },
    ...{ room: '1.04', extra: '', username: '', exempt: '', note: '' },
  }))
  let isOver = false
  // Polls as the page does while mails are sent.
  const watching = (async () => {
    while (!isOver) {
      const since = new Date(Date.now() - 5_000).toISOString()
      await product.call('GET', `${mails}?since=${since}`, { token })
      await sleep(2_000)
    }
  })()
  const began = performance.now()
  const adding = product
    .call('POST', list, {
      token,
      body: { requestId: randomUUID(), hasNames: true, mail: true, lines },
    })
    .then((answer) => {
      tell('mailed-room-adding-ms', Math.round(performance.now() - began))
      return answer
    })
  const saves = await saveSteadily(seats, room, { perSecond: PER_SECOND, seconds: 60 })
  expect(await adding).toMatchObject({ status: 201, body: { added: ADDED, mailed: ADDED } })
  tell('mailed-room-p99-ms', p99(saves))
  tell('mailed-room-saves', JSON.stringify(countStatuses(saves)))
  tell('mailed-room-mailed-meanwhile', smtp.received.length)

  while (smtp.received.length < ADDED && performance.now() - began < 200_000) await sleep(500)
  tell('mailed-room-all-mailed-s', Math.round((performance.now() - began) / 1000))
  isOver = true
  await watching
  await sleep(1_000)
  expect(smtp.received).toHaveLength(ADDED)
  expect(new Set(smtp.received.map(({ recipients }) => recipients[0])).size).toBe(ADDED)
  const { rows } = await product.db.query(
    `select m.state, count(*)::int as count from credential_mails m
     join candidates c on c.id = m.candidate_id where c.assessment = $1 group by 1`,
    [code],
  )
  expect(rows).toEqual([{ state: 'sent', count: ADDED }])
  expect(countStatuses(saves)).toEqual({ 200: saves.length })
  expect(p99(saves)).toBeLessThan(limitBeside(P99_LIMIT_MS, calmMs))
})
