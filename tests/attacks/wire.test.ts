import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseSettings } from '../../app/server/settings.ts'
import { makeAssessment, makeCandidate, PASSWORD as SEAT_PASSWORD } from '../rig/assessment-rig.ts'
import { recoveryIn } from '../rig/auth-smtp.ts'

import {
  ask,
  broken,
  DIST,
  drip,
  METRICS_TOKEN,
  output,
  PASSWORD,
  post,
  REQUEST_SECONDS,
  raw,
  rig,
  SECRET_KEY,
  SEND_MAIL_MS,
  smtp,
  useBuiltServer,
} from '../rig/wire-rig.ts'

useBuiltServer()

const MEGABYTE = 1_000_000
const HEAD = `Host: 127.0.0.1\r\nContent-Type: application/json\r\n`

describe('an oversized request', () => {
  it('with too many or too long headers or address gets 431 and the connection closes', async () => {
    const answers = await Promise.all([
      raw((socket) =>
        socket.write(`GET / HTTP/1.1\r\n${HEAD}X-A: ${'a'.repeat(MEGABYTE)}\r\n\r\n`),
      ),
      raw((socket) =>
        socket.write(`GET / HTTP/1.1\r\n${HEAD}${'X-B: b\r\n'.repeat(MEGABYTE / 8)}\r\n`),
      ),
      raw((socket) =>
        socket.write(`GET /api/results?${'a=1&'.repeat(MEGABYTE / 4)} HTTP/1.1\r\n\r\n`),
      ),
    ])
    for (const { text, isClosed } of answers) {
      expect(isClosed).toBe(true)
      // The reset may arrive before the response.
      expect(text).toMatch(/^(HTTP\/1\.1 431 |$)/)
    }
  })

  it.each(['/auth/v1/signup', '/api/results'])(
    'with too long a body gets 413, with or without a declared length: %s',
    async (route) => {
      const { json } = await post('/auth/v1/signup', {})
      const head = `POST ${route} HTTP/1.1\r\n${HEAD}Authorization: Bearer ${json.access_token}\r\n`
      const announced = `${head}Content-Length: ${MEGABYTE}\r\n\r\n`
      const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n${(50_000).toString(16)}\r\n`
      const answers = await Promise.all([
        raw((socket) => socket.write(announced + 'a'.repeat(MEGABYTE)), /"}/),
        // Rejected before the body arrives.
        raw((socket) => socket.write(announced), /"}/),
        raw((socket) => {
          socket.write(`${chunked}${'a'.repeat(50_000)}\r\n`)
          for (let n = 0; n < 20; n++) socket.write(`c350\r\n${'a'.repeat(50_000)}\r\n`)
        }, /"}/),
      ])
      for (const { text } of answers) {
        expect(text).toMatch(/^HTTP\/1\.1 413 /)
        expect(text).toMatch(/"(body_too_large|request_entity_too_large)"/)
      }
    },
  )

  it('with slow headers, a slow body or silence is cut off', { tags: ['full'] }, async () => {
    const bounds = (seconds: number) => seconds * 1000 + 1_500
    const [silence, headers, body, chunks] = await Promise.all([
      raw(() => {}),
      raw((socket) => drip(socket, 'GET / HTTP/1.1\r\nX-Slow: ')),
      raw((socket) =>
        drip(socket, `POST /auth/v1/signup HTTP/1.1\r\n${HEAD}Content-Length: 9999\r\n\r\n`),
      ),
      raw((socket) =>
        drip(
          socket,
          `POST /auth/v1/signup HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\nffff\r\n`,
        ),
      ),
    ])
    for (const { isClosed, ms } of [silence, headers]) {
      expect(isClosed).toBe(true)
      expect(ms).toBeLessThan(bounds(REQUEST_SECONDS / 2))
    }
    for (const { isClosed, ms } of [body, chunks]) {
      expect(isClosed).toBe(true)
      expect(ms).toBeLessThan(bounds(REQUEST_SECONDS))
    }
    const defaults = parseSettings('demo', {})
    expect('settings' in defaults && defaults.settings.REQUEST_SECONDS).toBe(20)
  })

  it('leaves the server as it was', async () => {
    expect((await ask('GET', '/readyz')).json).toEqual({ status: 'ok' })
  })
})

describe('a request body', () => {
  const CROSS_ORIGIN = [
    // Types that a page of another origin may send without a preflight, and empty ones.
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain; application/json',
    'application/jsonp',
    '',
  ]
  const send = (route: string, type: string, token?: string) =>
    ask(route.startsWith('/auth/v1/user') ? 'PUT' : 'POST', route, {
      headers: { 'Content-Type': type, ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      body: { email: 'typed@example.com', password: PASSWORD },
    })

  it.each(CROSS_ORIGIN)('declared as %j gets 415 and has no effect', async (type) => {
    const { json } = await post('/auth/v1/signup', {})
    const before = smtp.received.length
    const answers = [
      await send('/auth/v1/signup', type),
      await send('/auth/v1/token?grant_type=password', type),
      await send('/auth/v1/token?grant_type=refresh_token', type),
      await send('/auth/v1/recover', type),
      await send('/auth/v1/verify', type),
      await send('/auth/v1/user', type, json.access_token),
      await send('/api/results', type, json.access_token),
      await send('/api/daily/answer', type, json.access_token),
    ]
    for (const { status, headers, text } of answers) {
      expect([status, text.includes('"unsupported_media_type"')]).toEqual([415, true])
      expect(text).toContain('Content-Type: application/json')
      expect(headers['content-type']).toMatch(/^application\/json/)
    }
    const { rows } = await rig.db.$client.query(
      "select from users where email = 'typed@example.com'",
    )
    expect([rows.length, smtp.received.length]).toEqual([0, before])
  })

  it.each([
    'application/json',
    'application/json;charset=UTF-8',
    'Application/JSON ; charset=utf-8',
  ])('declared as %j is read', async (type) => {
    const answer = await send('/auth/v1/verify', type)
    expect(answer).toMatchObject({ status: 400, json: { error_code: 'validation_failed' } })
  })

  it('without a declared type gets 415', async () => {
    const bare = 'POST /auth/v1/signup HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}'
    const { text } = await raw((socket) => socket.write(bare), /"}/)
    expect(text).toMatch(/^HTTP\/1\.1 415 /)
  })

  it('that is empty needs no type, and is refused where one is required', async () => {
    const { json } = await post('/auth/v1/signup', {})
    const headers = { Authorization: `Bearer ${json.access_token}` }
    const results = await ask('POST', '/api/results', { headers })
    expect(results).toMatchObject({ status: 400, json: { code: 'bad_json' } })
    expect((await ask('POST', '/auth/v1/token?grant_type=password')).json.error_code).toBe(
      'bad_json',
    )
    expect((await ask('POST', '/auth/v1/logout', { headers })).status).toBe(204)
  })
})

it('a request that two servers would read differently is refused', async () => {
  const smuggled = `POST /auth/v1/signup HTTP/1.1\r\n${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/contact HTTP/1.1\r\nHost: a\r\n\r\n`
  const { text } = await raw((socket) => socket.write(smuggled))
  expect(text).toMatch(/^HTTP\/1\.1 400 /)
  expect(text).not.toContain('supportEmail')
})

it("no path leads out of the web application's folder", async () => {
  const ways = [
    '/../package.json',
    '/assets/../../package.json',
    '/%2e%2e/package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/..%2fpackage.json',
    '/assets/..%2f..%2fpackage.json',
    '/..%5cpackage.json',
    '/%252e%252e/package.json',
    `/${encodeURI(path.join(DIST, '..', 'package.json'))}`,
    '//package.json',
    '/./.stamp/../../package.json',
  ]
  for (const way of ways) {
    const { status, text } = await ask('GET', way)
    expect([way, status, text.includes('"dependencies"')]).toEqual([way, 404, false])
  }
})

describe('a recovery mail', () => {
  it("links to the configured address, whatever the request's headers say", async () => {
    const evil = 'evil.example'
    const email = 'led@example.com'
    await post('/auth/v1/signup', { email, password: PASSWORD })
    const before = smtp.received.length
    await post(`/auth/v1/recover?redirect_to=https://${evil}`, { email }, undefined, {
      Host: evil,
      'X-Forwarded-Host': evil,
      'X-Forwarded-Proto': 'http',
      Forwarded: `host=${evil}`,
      Origin: `https://${evil}`,
      Referer: `https://${evil}/`,
      redirect_to: `https://${evil}`,
    })
    await expect.poll(() => smtp.received.length, { timeout: SEND_MAIL_MS }).toBe(before + 1)
    const mail = smtp.received.at(-1)
    expect(recoveryIn(mail).link).toMatch(/^https:\/\/superday\.example\/auth\?recovery=/)
    expect(JSON.stringify(mail)).not.toContain(evil)
  })
})

it('at level trace the log has no password, token, code, key or personal address', async () => {
  const email = 'logged@example.com'
  const changed = 'another horse battery'
  const wrong = 'a wrong horse battery'
  const code = (await makeAssessment(rig)).code
  const { username } = await makeCandidate(rig, code)

  const up = await post('/auth/v1/signup', { email, password: PASSWORD })
  const inn = await post('/auth/v1/token?grant_type=password', { email, password: PASSWORD })
  await post('/auth/v1/token?grant_type=password', { email, password: wrong })
  const next = await post('/auth/v1/token?grant_type=refresh_token', {
    refresh_token: inn.json.refresh_token,
  })
  const seat = await post(
    `/api/assessments/${code}/verify`,
    { username, password: SEAT_PASSWORD },
    next.json.access_token,
  )
  const before = smtp.received.length
  await post('/auth/v1/recover', { email })
  await expect.poll(() => smtp.received.length, { timeout: SEND_MAIL_MS }).toBe(before + 1)
  const recovery = recoveryIn(smtp.received.at(-1))
  const proven = await post('/auth/v1/verify', { type: 'recovery', token_hash: recovery.token })
  expect(proven.status).toBe(200)
  const set = await ask('PUT', '/auth/v1/user', {
    headers: { Authorization: `Bearer ${proven.json.access_token}` },
    body: { password: changed },
  })
  const { access_token: token, refresh_token: lastRefresh } = JSON.parse(set.text).session
  // Errors are logged with the statement, but without its values.
  const logged = output.length
  await rig.db.$client.query(
    "alter table users add constraint nobody check (email <> 'failed@example.com')",
  )
  const failed = [
    await post('/auth/v1/signup', { email: 'failed@example.com', password: PASSWORD }),
    await broken(() =>
      ask('GET', '/api/profile', { headers: { Authorization: `Bearer ${token}` } }),
    ),
  ]
  expect(failed.map(({ status }) => status)).toEqual([500, 500])
  for (const { text } of failed) {
    expect(JSON.parse(text)).not.toHaveProperty('stack')
    expect(text).not.toMatch(/profiles|nobody|relation|select|insert|\.ts|\.js/)
  }
  await expect
    .poll(() => output.slice(logged).match(/unexpected error/g)?.length, { timeout: 2_000 })
    .toBe(2)

  // The log contains the account's actions only by id. The checks below would find anything else.
  const acts = output
    .split('\n')
    .filter((line) => line.includes(up.json.user.id))
    .map((line) => JSON.parse(line).msg)
  expect(acts).toEqual(['sign-up', 'sign-in', 'sign-in refused', 'recovery', 'password change'])

  const secrets = {
    PASSWORD,
    changed,
    wrong,
    SEAT_PASSWORD,
    key: SECRET_KEY.toString('base64'),
    keyHex: SECRET_KEY.toString('hex'),
    METRICS_TOKEN,
    database: new URL(rig.databaseUrl).password,
    recoveryToken: recovery.token,
    recoveryCode: recovery.code,
    candidateToken: seat.json.candidateToken,
    hash: '$argon2id$',
    accessLast: token.split('.')[2],
    refreshLast: lastRefresh,
    person: '@example.com',
    ...Object.fromEntries(
      [up, inn, next, proven].flatMap(({ json }, n) => [
        [`access${n}`, json.access_token.split('.')[2]],
        [`refresh${n}`, json.refresh_token],
      ]),
    ),
  }
  for (const [name, secret] of Object.entries(secrets)) {
    expect(String(secret).length, name).toBeGreaterThan(5)
    expect(output.includes(String(secret)), `${name} in the log`).toBe(false)
  }
})
