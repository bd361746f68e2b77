import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callMany, countStatuses, type Reply } from './http.ts'
import { COLLECTS_GARBAGE, type Product, startProduct, tell } from './product.ts'
import { makeGuest, type Person, personOf } from './rig.ts'

/** Calls per kind, well over 200,000 in total. */
const CALLS = 25_000
const WARM_UP_CALLS = 10_000
const AT_ONCE = 32
/** Enough that none of them exceeds a person's calls per minute, because refused calls have to wait. */
const GUESTS = 150
/** Spellings in normal use. Repeating them is the baseline for a warm server. */
const FEW = 20
/** Resident memory after many spellings ÷ after the same calls with few. */
const GROWTH_LIMIT = 1.1

let product: Product
let guests: Person[]
let calls = 0
/** The guests in turn. */
const nextGuest = () => guests[calls++ % GUESTS] as Person
/** a guest with the maximum metadata, all of which is in each access token */
let padded: Person
// Each case has its own server, because one case's garbage would hide the next.
beforeEach(async () => {
  // The limits are on, because their counters may stay in memory.
  product = await startProduct({
    environment: { RATE_LIMITS: 'on', TRUST_PROXY: 'on' },
    preload: COLLECTS_GARBAGE,
  })
  guests = []
  while (guests.length < GUESTS) guests.push(await makeGuest(product))
  const body = { data: { text: 'x'.repeat(4_000) } }
  padded = personOf(await product.call('POST', '/auth/v1/signup', { body }))
})
afterEach(() => product?.stop())

const ZONE = 'America/Argentina/Buenos_Aires'

/** One zone in its nth spelling. The bits of n decide which letters are uppercase. */
function spellZone(n: number): string {
  let bit = 0
  return [...ZONE]
    .map((letter) => {
      if (!/[a-z]/i.test(letter)) return letter
      const isLarge = (n >> (bit % 24)) & 1
      bit += 1
      return isLarge ? letter.toUpperCase() : letter.toLowerCase()
    })
    .join('')
}

const get = (route: string) => product.call('GET', route, { token: nextGuest().token })

const hex = (n: number) => n.toString(16)
/** A different network for each n. */
const addressOf = (n: number) => `2001:db8:${hex(n >> 16)}:${hex(n & 0xffff)}::1`
const post = (route: string, body: unknown, headers: Record<string, string>) =>
  product.call('POST', `/auth/v1/${route}`, { body, headers })

/** Resident memory once it is stable: garbage collection takes several rounds, and the system takes time. */
async function settledMb(): Promise<number> {
  const measured: number[] = []
  while (measured.length < 5) {
    product.collectGarbage()
    await sleep(1_000)
    measured.push(product.residentMb())
  }
  return Math.min(...measured)
}

describe('guests who never repeat a request', () => {
  it.each<[string, (n: number) => Promise<Reply>]>([
    [
      'spellings of a time zone',
      (n) => get(`/api/streak?timeZone=${encodeURIComponent(spellZone(n))}`),
    ],
    [
      'spellings of a time zone at the brainteaser',
      (n) => get(`/api/daily?timeZone=${encodeURIComponent(spellZone(n))}`),
    ],
    [
      'cells and test numbers',
      (n) => get(`/api/questions?category=category-${n}&difficulty=Intern&testNumber=${n + 1}`),
    ],
    [
      'test numbers of a cell',
      (n) =>
        get(
          `/api/questions?category=Valuation%20%26%20Corporate%20Finance&difficulty=Intern&testNumber=${n + 1}`,
        ),
    ],
    ['codes of assessments', (n) => get(`/api/assessments/CODE_${n}/attempt`)],
    ['paths', (n) => get(`/api/path-${n}/of-${n}?query=${n}`)],
    ['files', (n) => get(`/assets/file-${n}.js`)],
    [
      'candidate tokens',
      (n) =>
        product.call('GET', '/api/assessments/PCF/attempt', {
          token: nextGuest().token,
          headers: { 'X-Candidate-Token': `token-${n}`.padEnd(43, 'x') },
        }),
    ],
    [
      'access tokens',
      (n) =>
        product.call('GET', '/api/profile', {
          token: `${nextGuest().token.slice(0, -8)}${String(n).padStart(8, '0')}`,
        }),
    ],
    [
      'right access tokens with large metadata',
      async () => {
        const { body } = await post(
          'token?grant_type=refresh_token',
          { refresh_token: padded.refreshToken },
          {},
        )
        return product.call('GET', '/api/profile', { token: body?.access_token })
      },
    ],
    [
      'networks that guests come from',
      (n) => post('signup', { data: {} }, { 'X-Forwarded-For': addressOf(n) }),
    ],
    [
      'proofs of guests beyond the limit',
      (n) =>
        post(
          'signup',
          {
            gotrue_meta_security: {
              captcha_token: JSON.stringify({
                username: `name-${n}-\u0301\u0316`,
                password: `p${n}`,
              }),
            },
          },
          { 'X-Forwarded-For': '192.0.2.7' },
        ),
    ],
    [
      'devices and addresses of refused sign-ins',
      (n) =>
        post(
          'token?grant_type=password',
          { email: `${n}@example.org`, password: `password ${n}` },
          {
            'X-Forwarded-For': '192.0.2.8',
            'X-Device': String(n).padStart(64, 'd'),
            'User-Agent': `browser ${n}`,
          },
        ),
    ],
    [
      'addresses of recovery mails',
      (n) => post('recover', { email: `${n}@example.org` }, { 'X-Forwarded-For': addressOf(n) }),
    ],
    [
      'recovery links and long headers',
      (n) =>
        post(
          'verify',
          { type: 'recovery', token_hash: `link-${n}` },
          { 'X-Forwarded-For': addressOf(n), 'X-Device': String(n).padStart(8_000, 'x') },
        ),
    ],
    [
      'renewal tokens',
      (n) =>
        post(
          'token?grant_type=refresh_token',
          {
            refresh_token: `${nextGuest().refreshToken.slice(0, -6)}${String(n).padStart(6, '0')}`,
          },
          {},
        ),
    ],
    [
      'pages of results',
      (n) =>
        get(
          `/api/results?category=c${n}&difficulty=Intern&before=00000000-0000-4000-8000-${hex(n).padStart(12, '0')}`,
        ),
    ],
  ])('with %s fills no memory', async (what, make) => {
    // Repeats until the heap has grown to what such calls need.
    const warm = await callMany(WARM_UP_CALLS, AT_ONCE, (n) => make(n % FEW))
    const warmMb = await settledMb()
    const many = await callMany(CALLS, AT_ONCE, (n) => make(n + FEW))
    const grownMb = await settledMb()
    tell(
      `memory of ${what}`,
      `${warmMb} → ${grownMb} MB, ratio ${(grownMb / warmMb).toFixed(2)}, ${JSON.stringify(countStatuses(many))}`,
    )
    expect(countStatuses(warm)[0]).toBeUndefined()
    expect(countStatuses(many)[0]).toBeUndefined()
    expect(grownMb / warmMb).toBeLessThan(GROWTH_LIMIT)
  })
})
