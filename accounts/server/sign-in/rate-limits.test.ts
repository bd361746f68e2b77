// Long because it tests every limit from the first try to the end, with one server.
import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAddressOf, networkOf } from '../../../platform/server/address.ts'
import { startMailQueue } from '../../../platform/server/mail-queue.ts'
import { createMailer } from '../../../platform/server/mailer.ts'
import { authCall, PASSWORD, refresh, signIn, watchLog } from '../../../tests/rig/auth-rig.ts'
import { recoveryIn, startSmtp } from '../../../tests/rig/auth-smtp.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { sized } from '../../../tests/setup/size.ts'
import { createAccountMails } from '../mails.ts'
import { makeRecoveryToken } from '../recovery/recovery.ts'
import { createRateLimits, LIMITS } from './rate-limits.ts'

const rig = useRig({ rateLimits: true, trustProxy: true })
watchLog(rig)
beforeEach(() => rig.db.$client.query('delete from rate_limits'))

const fresh = () => `l${randomUUID().slice(0, 8)}@example.com`
const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })
const HOME = from('192.0.2.1')
const ELSEWHERE = from('198.51.100.7')
/** A browser with its secret, at any address. */
const browserAt = (address: string, secret = 'c'.repeat(24)) => ({
  headers: { 'X-Forwarded-For': address, 'X-Device': secret },
})
const MY_BROWSER = browserAt('192.0.2.1')

const post = (path: string, body: unknown, where = HOME) => authCall(rig, 'POST', path, body, where)
const signUpAt = (email: string, where = HOME) =>
  post('/signup', { email, password: PASSWORD }, where)

/** Simulates `points` tries in this window. */
async function spend(prefix: string, points: number) {
  const { rowCount } = await rig.db.$client.query(
    'update rate_limits set points = $1 where key like $2',
    [points, `${prefix}:%`],
  )
  expect(rowCount, prefix).toBe(1)
}

/** Ends all windows. The library uses the system's clock. */
const windowsEnd = () => rig.db.$client.query('update rate_limits set expire = 1')

const tooMany = { status: 429, body: { code: 'over_request_rate_limit' } }

describe("guessing one account's password", () => {
  test('is stopped for five minutes after ten tries from one address, with a message', async () => {
    const email = fresh()
    await signUpAt(email)
    for (let n = 0; n < 10; n++) expect((await signIn(rig, email, 'wrong', HOME)).status).toBe(400)
    // The correct password is refused too. Otherwise the response would reveal a correct guess.
    const answer = await signIn(rig, email, PASSWORD, HOME)
    expect(answer).toMatchObject(tooMany)
    expect(answer.body.message).toBe('Too many tries. Please wait 5 minutes and try again.')
    const seconds = Number(answer.headers.get('Retry-After'))
    expect(seconds).toBeGreaterThan(290)
    expect(seconds).toBeLessThanOrEqual(300)
    await windowsEnd()
    expect((await signIn(rig, email, PASSWORD, HOME)).status).toBe(200)
  })

  test('is stopped in the same way for an unknown address', async () => {
    const email = fresh()
    for (let n = 0; n < 10; n++) expect((await signIn(rig, email, 'wrong', HOME)).status).toBe(400)
    expect(await signIn(rig, email, 'wrong', HOME)).toMatchObject(tooMany)
  })

  test('with simultaneous tries does not get around the limit', async () => {
    const email = fresh()
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => signIn(rig, email, 'wrong', HOME)),
    )
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  })

  test('does not affect the owner at another address', async () => {
    const email = fresh()
    await signUpAt(email)
    for (let n = 0; n < 12; n++) await signIn(rig, email, 'wrong', ELSEWHERE)
    expect(await signIn(rig, email, 'wrong', ELSEWHERE)).toMatchObject(tooMany)
    expect((await signIn(rig, email, PASSWORD, HOME)).status).toBe(200)
  })

  test('does not affect other accounts at the same address', async () => {
    const [victim, neighbor] = [fresh(), fresh()]
    await signUpAt(neighbor)
    for (let n = 0; n < 12; n++) await signIn(rig, victim, 'wrong', HOME)
    expect((await signIn(rig, neighbor, PASSWORD, HOME)).status).toBe(200)
  })

  test('from many addresses is stopped at 50 tries in 15 minutes, except for known browsers', async () => {
    const email = fresh()
    await signUpAt(email, MY_BROWSER)
    expect((await signIn(rig, email, 'wrong', from('203.0.113.0'))).status).toBe(400)
    await spend('signInPerAccount', 45)
    for (let n = 1; n <= 5; n++) {
      expect((await signIn(rig, email, 'wrong', from(`203.0.113.${n}`))).status).toBe(400)
    }
    const stopped = await signIn(rig, email, 'wrong', from('203.0.113.99'))
    expect(stopped).toMatchObject(tooMany)
    expect(Number(stopped.headers.get('Retry-After'))).toBeGreaterThan(14 * 60)
    // The owner signed up with this browser and may be elsewhere now. Another browser at home counts as a stranger's.
    expect((await signIn(rig, email, PASSWORD, HOME)).status).toBe(429)
    expect((await signIn(rig, email, PASSWORD, browserAt('198.51.100.9'))).status).toBe(200)
    expect((await signIn(rig, email, PASSWORD, browserAt('192.0.2.1', 'short'))).status).toBe(429)
    // A known browser isn't unlimited.
    for (let n = 0; n < 10; n++) await signIn(rig, email, 'wrong', MY_BROWSER)
    expect(await signIn(rig, email, 'wrong', MY_BROWSER)).toMatchObject(tooMany)
  })

  test('does not lock out a known browser behind an address that a neighbor used up', async () => {
    const [email, other] = [fresh(), fresh()]
    await signUpAt(email, MY_BROWSER)
    await signUpAt(other, HOME)
    await signIn(rig, fresh(), 'wrong', HOME)
    await spend('signInPerAddress', 600)
    expect(await signIn(rig, other, PASSWORD, HOME)).toMatchObject(tooMany)
    expect((await signIn(rig, email, PASSWORD, MY_BROWSER)).status).toBe(200)
    // A browser is known for one account only.
    expect(await signIn(rig, other, PASSWORD, MY_BROWSER)).toMatchObject(tooMany)
  })

  test('does not charge the address for a right password', async () => {
    const email = fresh()
    await signUpAt(email)
    await signIn(rig, fresh(), 'wrong', HOME)
    await spend('signInPerAddress', 599)
    for (let n = 0; n < 3; n++) expect((await signIn(rig, email, PASSWORD, HOME)).status).toBe(200)
    expect((await signIn(rig, fresh(), 'wrong', HOME)).status).toBe(400)
    expect(await signIn(rig, email, PASSWORD, HOME)).toMatchObject(tooMany)
  })

  test('counts failed tries, not frequent sign-ins by the owner', async () => {
    const email = fresh()
    await signUpAt(email)
    await signIn(rig, email, 'wrong', ELSEWHERE)
    await spend('signInPerAccountAndAddress', 9)
    await spend('signInPerAccount', 49)
    for (let n = 0; n < 3; n++) {
      expect((await signIn(rig, email, PASSWORD, ELSEWHERE)).status, 'one address').toBe(200)
      const other = from(`203.0.113.${n}`)
      expect((await signIn(rig, email, PASSWORD, other)).status, 'many').toBe(200)
    }
  })

  test('does not lock out a browser that became known by recovery', async () => {
    const email = fresh()
    await signUpAt(email, HOME)
    const smtp = await startSmtp()
    const { db, now, publicUrl, secretKey, log } = rig.dependencies
    const mailer = createMailer({ smtpUrl: smtp.url, from: 'a@b.example', outboxDir: '', log })
    const queue = startMailQueue({
      db,
      now,
      mailer,
      kinds: createAccountMails({ db, now, publicUrl, secretKey }),
      log,
      pollMs: 0,
    })
    const there = browserAt('198.51.100.7')
    await post('/recover', { email }, there)
    await queue.runOnce()
    const { token } = recoveryIn(smtp.received[0])
    expect((await post('/verify', { type: 'recovery', token_hash: token }, there)).status).toBe(200)
    await signIn(rig, email, 'wrong', from('203.0.113.1'))
    await spend('signInPerAccount', 50)
    expect(await signIn(rig, email, PASSWORD, from('203.0.113.2'))).toMatchObject(tooMany)
    expect((await signIn(rig, email, PASSWORD, there)).status).toBe(200)
    await queue.stop()
    await smtp.stop()
  })
})

describe('one network address', () => {
  const room: [
    what: string,
    prefix: keyof typeof LIMITS,
    atLeast: number,
    ask: () => ReturnType<typeof post>,
  ][] = [
    ['sign-ins', 'signInPerAddress', 600, () => signIn(rig, fresh(), 'wrong', HOME)],
    ['sign-ups', 'signUpPerAddress', 300, () => signUpAt(fresh())],
    ['guests', 'guestPerAddress', 400, () => post('/signup', {})],
    ['recoveries', 'recoveryPerAddress', 100, () => post('/recover', { email: fresh() })],
    [
      'verifications',
      'verifyPerAddress',
      300,
      () => post('/verify', { type: 'recovery', token_hash: 'x' }),
    ],
  ]
  test.each(room)(
    'allows enough %s for a room of 300, and then delays',
    async (_, prefix, atLeast, ask) => {
      const { points } = LIMITS[prefix]
      expect(points).toBeGreaterThanOrEqual(atLeast)
      const first = await ask()
      expect(first.status).not.toBe(429)
      await spend(prefix, points - 1)
      expect((await ask()).status).toBe(first.status)
      const answer = await ask()
      expect(answer).toMatchObject(tooMany)
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
      await windowsEnd()
      expect((await ask()).status).toBe(first.status)
    },
  )

  test('has limits of its own', async () => {
    await post('/signup', {}, HOME)
    await spend('guestPerAddress', 10_000)
    expect((await post('/signup', {}, HOME)).status).toBe(429)
    expect((await post('/signup', {}, ELSEWHERE)).status).toBe(200)
  })

  test('lets many people sign up and in at once', async () => {
    const people = Array.from({ length: sized(20, 5) }, fresh)
    const ups = await Promise.all(people.map((email) => signUpAt(email)))
    expect(new Set(ups.map(({ status }) => status))).toEqual(new Set([200]))
    const ins = await Promise.all(people.map((email) => signIn(rig, email, PASSWORD, HOME)))
    expect(new Set(ins.map(({ status }) => status))).toEqual(new Set([200]))
  }, 60_000)
})

describe('one IPv6 customer', () => {
  const ways: [string, string, (address: string) => ReturnType<typeof post>][] = [
    ['wrong sign-ins', 'signIn', (address) => signIn(rig, fresh(), 'wrong', from(address))],
    ['sign-ups', 'signUp', (address) => signUpAt(fresh(), from(address))],
    ['recoveries', 'recovery', (address) => post('/recover', { email: fresh() }, from(address))],
    [
      'invalid links',
      'verify',
      (address) => post('/verify', { type: 'recovery', token_hash: 'x' }, from(address)),
    ],
  ]
  test.each(ways)('has a limit per /48 and per /32 for %s', async (_, name, ask) => {
    const first = (await ask('2001:db8:1:1::1')).status
    await spend(`${name}PerSite`, 10_000)
    expect(await ask('2001:db8:1:2::1')).toMatchObject(tooMany)
    expect((await ask('2001:db8:2:1::1')).status).toBe(first)
    await rig.db.$client.query('update rate_limits set points = 10000 where key like $1', [
      `${name}PerProvider:%`,
    ])
    expect(await ask('2001:db8:3:1::1')).toMatchObject(tooMany)
    expect((await ask('2001:db9:1:1::1')).status).toBe(first)
  })

  test('is not charged in any of its networks for a right password', async () => {
    const email = fresh()
    const where = from('2001:db8:1:1::1')
    await signUpAt(email, where)
    expect((await signIn(rig, email, PASSWORD, where)).status).toBe(200)
    const { rows } = await rig.db.$client.query(
      "select points from rate_limits where key ~ '^signInPer(Address|Site|Provider|Account):'",
    )
    expect(rows.map(({ points }) => points)).toEqual([0, 0, 0, 0])
  })
})

describe('a right password', () => {
  test.each([
    ['an unknown browser', HOME],
    ['a known browser', MY_BROWSER],
  ])('typed by a script opens 20 sessions an hour from %s', async (_, where) => {
    const email = fresh()
    await signUpAt(email, where)
    expect((await signIn(rig, email, PASSWORD, where)).status).toBe(200)
    await spend('signedInPerAccount', 19)
    expect((await signIn(rig, email, PASSWORD, where)).status).toBe(200)
    const sessions = async () =>
      (
        await rig.db.$client.query(
          'select from sessions s join users u on u.id = s.user_id where email = $1',
          [email],
        )
      ).rowCount
    const opened = await sessions()
    const refused = await signIn(rig, email, PASSWORD, where)
    expect(refused).toMatchObject(tooMany)
    expect(refused.body.message).toBe(
      'There were too many sign-ins to this account in an hour. Please wait 60 minutes and try again, or set a new password by email.',
    )
    // It stops hashing too, because refused tries count like wrong ones.
    for (let n = 0; n < 9; n++) await signIn(rig, email, PASSWORD, where)
    expect((await signIn(rig, email, PASSWORD, where)).body.message).toMatch(/^Too many tries\./)
    expect(await sessions()).toBe(opened)
  })

  test('that the server had no time to check does not count as a try', async () => {
    const limits = createRateLimits(rig.dependencies)
    const email = fresh()
    const caller = { address: '192.0.2.1', device: 'c'.repeat(24) }
    for (const what of ['unknown', 'known']) {
      for (let n = 0; n < 15; n++) await (await limits.signIn(caller, email)).untried()
      await limits.remember(caller, email)
      expect((await limits.signIn(caller, email)).right, what).toBeDefined()
    }
    for (let n = 0; n < 15; n++) await (await limits.confirm(email)).untried()
  })
})

describe('a recovery link', () => {
  test('works behind an address that a neighbor used up', async () => {
    const email = fresh()
    await signUpAt(email)
    const { rows } = await rig.db.$client.query('select id from users where email = $1', [email])
    const { db, secretKey } = rig.dependencies
    const { token } = await makeRecoveryToken(db, secretKey, rig.clock.now, rows[0].id)
    const open = (token_hash: string) => post('/verify', { type: 'recovery', token_hash })
    expect((await open('x')).status).toBe(403)
    await spend('verifyPerAddress', 300)
    expect(await open('x')).toMatchObject(tooMany)
    expect((await open(token)).status).toBe(200)
    expect(await open(token)).toMatchObject(tooMany)
  })
})

describe('one account', () => {
  test.each(['known', 'unknown'])(
    'has six recoveries an hour from one address and 20 from all, known or not: %s',
    async (kind) => {
      const email = fresh()
      if (kind === 'known') await signUpAt(email)
      for (let n = 0; n < 6; n++) expect((await post('/recover', { email }, HOME)).status).toBe(200)
      expect(await post('/recover', { email }, HOME)).toMatchObject(tooMany)
      expect((await post('/recover', { email }, ELSEWHERE)).status).toBe(200)
      await spend('recoveryPerAccount', 20)
      expect(await post('/recover', { email }, from('203.0.113.5'))).toMatchObject(tooMany)
    },
  )

  test('has 20 tries of digits a day over all mails; the link is not limited', async () => {
    const email = fresh()
    const tryDigits = (where = HOME) =>
      post('/verify', { type: 'recovery', email, token: '000000' }, where)
    expect((await tryDigits()).status).toBe(403)
    await spend('codePerAccount', 20)
    expect(await tryDigits(ELSEWHERE)).toMatchObject(tooMany)
    expect((await post('/verify', { type: 'recovery', token_hash: 'x' })).status).toBe(403)
  })

  test('has 20 changes in five minutes, so that a stolen session cannot guess its password', async () => {
    const { body } = await signUpAt(fresh())
    const change = () =>
      authCall(
        rig,
        'PUT',
        '/user',
        { password: 'a quite different one', current_password: 'guess' },
        { token: body.access_token, ...HOME },
      )
    expect((await change()).status).toBe(400)
    await spend('changePerUser', 20)
    expect(await change()).toMatchObject(tooMany)
    // Metadata isn't secret.
    expect(
      (await authCall(rig, 'PUT', '/user', { data: { a: 1 } }, { token: body.access_token }))
        .status,
    ).toBe(200)
  })

  test('allows ten sign-ups, so that callers cannot keep asking whether it exists', async () => {
    const email = fresh()
    await signUpAt(email)
    for (let n = 1; n < 10; n++)
      expect((await signUpAt(email, from(`203.0.113.${n}`))).status).toBe(422)
    expect(await signUpAt(email, ELSEWHERE)).toMatchObject(tooMany)
  })

  test('allows ten sign-ups, and guests and accounts that want the address count as such', async () => {
    const email = fresh()
    await signUpAt(email)
    const ask = (from: { body: { access_token: string } }, more = {}) =>
      authCall(
        rig,
        'PUT',
        '/user',
        { email, ...more },
        { token: from.body.access_token, ...ELSEWHERE },
      )
    for (let n = 1; n < 9; n++) {
      const guest = await post('/signup', {}, ELSEWHERE)
      expect((await ask(guest, { password: PASSWORD })).status).toBe(422)
    }
    const account = await signUpAt(fresh())
    expect((await ask(account, { current_password: PASSWORD })).status).toBe(422)
    expect(await ask(account, { current_password: PASSWORD })).toMatchObject(tooMany)
    expect(await signUpAt(email)).toMatchObject(tooMany)
    // The network's limit holds too.
    await windowsEnd()
    const guest = await post('/signup', {}, ELSEWHERE)
    expect((await ask(guest, { password: PASSWORD })).status).toBe(422)
    await rig.db.$client.query(
      "update rate_limits set points = 10000 where key like 'signUpPerAddress:%'",
    )
    expect(await ask(guest, { email: fresh(), password: PASSWORD })).toMatchObject(tooMany)
  })
})

test('a refresh is never refused by a rate limit', {
  tags: ['full'],
  timeout: 60_000,
}, async () => {
  const { body } = await post('/signup', {})
  let token = body.refresh_token
  for (let n = 0; n < 650; n += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(rig, token, HOME)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    token = answers[0]?.body.refresh_token
  }
})

test('the rate limit table contains no people or addresses', async () => {
  const email = fresh()
  await signUpAt(email)
  await signIn(rig, email, 'wrong', HOME)
  const { rows } = await rig.db.$client.query('select key from rate_limits')
  expect(rows.length).toBeGreaterThan(3)
  expect(JSON.stringify(rows)).not.toMatch(/example|192\.0/)
})

describe('when the rate limit table cannot be written', () => {
  beforeEach(() => rig.db.$client.query('alter table rate_limits rename to limits_away'))
  afterEach(() => rig.db.$client.query('alter table limits_away rename to rate_limits'))

  test('no caller is locked out, and each node counts by itself', { tags: ['full'] }, async () => {
    const email = fresh()
    expect((await signUpAt(email)).status).toBe(200)
    expect((await signIn(rig, email, PASSWORD, HOME)).status).toBe(200)
    for (let n = 0; n < 10; n++) expect((await signIn(rig, email, 'wrong', HOME)).status).toBe(400)
    expect(await signIn(rig, email, 'wrong', HOME)).toMatchObject(tooMany)
  })
})

describe('the address of a request', () => {
  const ask = async (
    trustProxy: boolean,
    forwarded: string | undefined,
    remoteAddress?: string,
  ) => {
    const app = new Hono()
    const addressOf = createAddressOf({ trustProxy })
    app.get('/', (context) => context.text(addressOf(context)))
    const headers: Record<string, string> =
      forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }
    const bindings = remoteAddress ? { incoming: { socket: { remoteAddress } } } : undefined
    return (await app.request('/', { headers }, bindings)).text()
  }

  test.each([
    [false, undefined, undefined, 'unknown'],
    [false, undefined, '192.0.2.1', '192.0.2.1'],
    [false, undefined, '::ffff:192.0.2.1', '192.0.2.1'],
    [false, undefined, '2001:db8::1', '2001:db8::1'],
    [false, '198.51.100.7', '192.0.2.1', '192.0.2.1'],
    [true, '198.51.100.7', '192.0.2.1', '198.51.100.7'],
    [true, '10.0.0.1, 198.51.100.7', '192.0.2.1', '198.51.100.7'],
    [true, 'spoofed, 198.51.100.7 ', '192.0.2.1', '198.51.100.7'],
    [true, '198.51.100.7, nonsense', '192.0.2.1', '192.0.2.1'],
    [true, undefined, '192.0.2.1', '192.0.2.1'],
    [true, '', undefined, 'unknown'],
  ])(
    'with proxy trusted %s, X-Forwarded-For %j, socket %s is %s',
    async (trust, forwarded, socket, expected) => {
      expect(await ask(trust, forwarded, socket)).toBe(expected)
    },
  )

  test.each<[string, string, number?]>([
    ['192.0.2.1', '192.0.2.1'],
    ['unknown', 'unknown'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['2001:db8:1:2::9', '2001:db8:1::/48', 48],
    ['2001:db8:1:2::9', '2001:db8::/32', 32],
    ['192.0.2.1', '192.0.2.1', 32],
  ])('the network of %s is %s', (address, network, bits = 64) => {
    expect(networkOf(address, bits)).toBe(network)
  })
})
