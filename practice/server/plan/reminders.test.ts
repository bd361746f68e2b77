import { randomUUID } from 'node:crypto'
import { decodeJwt, importJWK, jwtVerify } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Mail } from '../../../platform/server/mail-queue.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { createReminderMails } from './mails.ts'
import { sendReminders } from './send-reminders.ts'

const rig = useRig()
const PLAN = { interviewOn: '2026-03-20', minutesADay: 10, role: 'quant', daysOff: [] }
const MAIL = { channel: 'mail', hour: 18, timeZone: 'Europe/Lisbon' }
const PUSH = { channel: 'push', hour: 18, timeZone: 'America/New_York' }
const SUBSCRIPTION = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/abc',
  // Any point of the curve works as a browser's public key.
  keys: {
    p256dh:
      'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
    auth: 'tBHItJI5svbpez7KI4CCXg',
  },
}

/** The requests to push services. `answer` sets their responses. */
let calls: { url: string; request: RequestInit }[] = []
let answer = 201
const send = async (url: string, request: RequestInit) => {
  calls.push({ url, request })
  return { status: answer }
}
const remind = () => sendReminders({ ...rig.dependencies, send })
const at = (iso: string) => {
  rig.clock.now = new Date(iso)
}

beforeEach(async () => {
  calls = []
  answer = 201
  at('2026-03-02T10:00:00Z')
  await rig.db.$client.query('delete from mails')
  await rig.db.$client.query('delete from practice_plans')
})

async function personWithPlan({ verified = true } = {}) {
  const email = `${randomUUID()}@example.com`
  const person = await signUp(rig, email)
  if (verified) {
    await rig.db.$client.query('update users set email_verified_at = now() where id = $1', [
      person.userId,
    ])
  }
  await rig.call('PUT', '/api/practice/plan', { token: person.token, body: PLAN })
  return { ...person, email }
}
const set = (token: string, body: object) =>
  rig.call('PUT', '/api/practice/reminders', { token, body })
/** Reads the database, because the access token expires before the evening. */
async function settingsOf(userId: string): Promise<unknown> {
  const { rows } = await rig.db.$client.query(
    'select reminders from practice_plans where user_id = $1',
    [userId],
  )
  return rows[0].reminders
}
async function queued(): Promise<Mail[]> {
  const { rows } = await rig.db.$client.query(
    'select *, created_at as "createdAt" from mails order by created_at',
  )
  return rows
}
const kinds = () => createReminderMails({ ...rig.dependencies })

describe('a reminder by mail', () => {
  it("is sent once at the person's hour, with any number of nodes", async () => {
    const { token, email } = await personWithPlan()
    await set(token, MAIL)
    at('2026-03-02T17:59:00Z')
    expect(await remind()).toBe(0)
    at('2026-03-02T18:00:00Z')
    const reminded = await Promise.all([remind(), remind(), remind()])
    expect(reminded.reduce((a, b) => a + b)).toBe(1)
    at('2026-03-02T18:30:00Z')
    expect(await remind()).toBe(0)
    const mails = await queued()
    expect(mails.map(({ kind, recipient }) => [kind, recipient])).toEqual([
      ['practice_reminder', email],
    ])
    const letter = await kinds().practice_reminder.write(mails[0] as Mail)
    expect(letter?.subject).toBe('Your ten questions are ready')
    expect(letter?.text).toMatch(/^You asked us to remind you/)
  })

  it('waits for a verified address', async () => {
    const { token } = await personWithPlan({ verified: false })
    const { body } = await set(token, MAIL)
    expect(body.isWaiting).toBe(true)
    at('2026-03-02T18:00:00Z')
    expect(await remind()).toBe(0)
  })

  it('is not sent to a guest or a person without a plan', async () => {
    const guest = await signUp(rig)
    expect((await set(guest.token, MAIL)).body.code).toBe('account_needed')
    const { token } = await signUp(rig, `${randomUUID()}@example.com`)
    expect((await set(token, MAIL)).body.code).toBe('no_plan')
  })

  it('is not sent to a person who has practiced that day', async () => {
    const { token, userId } = await personWithPlan()
    await set(token, MAIL)
    await rig.db.$client.query(
      `insert into practice_days (user_id, day, completed_at, time_zone)
       values ($1, '2026-03-02', now(), 'Europe/Lisbon')`,
      [userId],
    )
    at('2026-03-02T18:00:00Z')
    expect(await remind()).toBe(0)
  })

  it('stops after three days without practice, and says so once', async () => {
    const { token, userId } = await personWithPlan()
    await set(token, MAIL)
    for (const day of ['02', '03', '04', '05', '06', '07']) {
      at(`2026-03-${day}T18:00:00Z`)
      await remind()
    }
    expect((await queued()).map(({ kind }) => kind)).toEqual([
      'practice_reminder',
      'practice_reminder',
      'practice_reminder',
      'practice_reminder_last',
    ])
    expect(await settingsOf(userId)).toBeNull()
  })

  it("is switched off by the link in the mail or the mail program's button, without signing in", async () => {
    const { token, userId } = await personWithPlan()
    await set(token, MAIL)
    at('2026-03-02T18:00:00Z')
    await remind()
    const [mail] = await queued()
    const letter = await kinds().practice_reminder.write(mail as Mail)
    const url = new URL(letter?.stopUrl ?? '')
    const forged = url.pathname.replace(/[^/.]+(?=\/stop)/, 'AAAA')
    expect((await rig.app.request(forged, { method: 'POST' })).status).toBe(404)
    const { status } = await rig.app.request(url.pathname, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(status).toBe(200)
    expect(await settingsOf(userId)).toBeNull()
    // A reminder that is still in the queue is no longer sent.
    expect(await kinds().practice_reminder.write(mail as Mail)).toBeNull()
  })
})

describe('a reminder on a device', () => {
  it("is sent to the browser's push service, signed with the key of its subscription", async () => {
    const { token } = await personWithPlan()
    const { body } = await set(token, { ...PUSH, subscription: SUBSCRIPTION })
    // 6 p.m. in New York
    at('2026-03-02T23:00:00Z')
    expect(await remind()).toBe(1)
    expect(calls.map(({ url }) => url)).toEqual([SUBSCRIPTION.endpoint])
    const headers = new Headers(calls[0]?.request.headers)
    const [, jwt = '', key = ''] =
      /t=([^,\s]+),\s*k=(\S+)/.exec(headers.get('authorization') ?? '') ?? []
    expect(key.replace(/=+$/, '')).toBe(body.pushKey)
    const point = Buffer.from(body.pushKey, 'base64url')
    const publicKey = await importJWK({
      kty: 'EC',
      crv: 'P-256',
      alg: 'ES256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    })
    await jwtVerify(jwt, publicKey, { audience: 'https://fcm.googleapis.com' })
    expect(decodeJwt(jwt).sub).toMatch(/^mailto:/)
    expect(await queued()).toEqual([])
  })

  it('drops an expired subscription and keeps one whose service failed', async () => {
    const { token, userId } = await personWithPlan()
    await set(token, { ...PUSH, subscription: SUBSCRIPTION })
    const stored = async () =>
      (await rig.db.$client.query('select from push_subscriptions where user_id = $1', [userId]))
        .rowCount
    at('2026-03-02T23:00:00Z')
    answer = 503
    await remind()
    expect(await stored()).toBe(1)
    at('2026-03-03T23:00:00Z')
    answer = 410
    await remind()
    expect(await stored()).toBe(0)
  })

  it.each([
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://localhost:5432/x',
    'https://169.254.169.254/latest',
    'https://fcm.googleapis.com.evil.example/x',
    'https://fcm.googleapis.com:8443/x',
    'https://user@fcm.googleapis.com/x',
  ])('rejects %s as a push service', async (endpoint) => {
    const { token } = await personWithPlan()
    const { status } = await set(token, { ...PUSH, subscription: { ...SUBSCRIPTION, endpoint } })
    expect(status).toBe(400)
    const { body } = await rig.call('GET', '/api/practice/reminders', { token })
    expect(body.settings).toBeNull()
  })

  it('reaches others while a push service hangs', async () => {
    const people = [await personWithPlan(), await personWithPlan()]
    for (const [n, { token }] of people.entries()) {
      const endpoint = `https://fcm.googleapis.com/fcm/send/${n}`
      await set(token, { ...PUSH, subscription: { ...SUBSCRIPTION, endpoint } })
    }
    at('2026-03-02T23:10:00Z')
    let goOn = () => {}
    const bothAreCalled = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let called = 0
    await sendReminders({
      ...rig.dependencies,
      // The first push must not finish before the second starts.
      send: async () => {
        called += 1
        if (called === 2) goOn()
        await bothAreCalled
        return { status: 201 }
      },
    })
    expect(called).toBe(2)
  })

  it("keeps a person's five newest browsers", async () => {
    const { token, userId } = await personWithPlan()
    for (let n = 1; n <= 7; n += 1) {
      at(`2026-03-02T10:0${n}:00Z`)
      const endpoint = `https://fcm.googleapis.com/fcm/send/${n}`
      await set(token, { ...PUSH, subscription: { ...SUBSCRIPTION, endpoint } })
    }
    const { rows } = await rig.db.$client.query(
      'select endpoint from push_subscriptions where user_id = $1 order by endpoint',
      [userId],
    )
    expect(rows.map(({ endpoint }) => endpoint.at(-1))).toEqual(['3', '4', '5', '6', '7'])
  })
})
