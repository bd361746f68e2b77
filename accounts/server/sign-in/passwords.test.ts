import { describe, expect, test } from 'vitest'
import { useCostlyHashes } from '../../../tests/setup/use-cheap-hashes.ts'
import { isCommonPassword } from './common-passwords.ts'
import { findWeakness, hashPassword, verifyPassword } from './passwords.ts'

const HOME = '192.0.2.1'

describe('a password', () => {
  test.each([
    ['1234567', ['length']],
    ['kestrel', ['length']],
    ['kestrel7', []],
    ['🦅🦅🦅🦅🦅🦅🦅', ['length']],
    ['🦅🐎🦊🐢🐙🦉🐳🐝', []],
    ['kes trel', []],
    ['        ', ['pwned']],
    ['correct horse battery', []],
    [`${'kestrel '.repeat(15)}12345678`, []],
    [`${'kestrel '.repeat(15)}123456789`, ['length']],
    ['password', ['pwned']],
    ['PassWord1', ['pwned']],
    ['iloveyou', ['pwned']],
    ['qwertyui', ['pwned']],
    ['poiuytrewq', ['pwned']],
    ['aaaaaaaa', ['pwned']],
    ['abababab', ['pwned']],
    ['23456789', ['pwned']],
    ['zyxwvuts', ['pwned']],
    ['Superday1', ['pwned']],
    ['ann@example.com', ['pwned']],
    [' Ann@Example.com', ['pwned']],
    ['ann@example.org', []],
  ])('%j has the weaknesses %j', (password, reasons) => {
    expect(findWeakness(password, 'ann@example.com')?.reasons ?? []).toEqual(reasons)
  })

  test('that is too weak is refused with a message that says what to do', () => {
    expect(findWeakness('short', null)?.message).toBe('Password should be at least 8 characters.')
    expect(findWeakness('password1', null)?.message).toBe(
      'This password is one of the most common ones. Please choose another.',
    )
  })

  test('from the list of common ones is found in any case', () => {
    for (const password of ['TRUSTNO1', 'letmein!', 'Football123', '1Q2W3E4R']) {
      expect(isCommonPassword(password), password).toBe(true)
    }
  })
})

describe('password hashing', () => {
  useCostlyHashes()

  test("uses OWASP's parameters and a salt", async () => {
    const [one, two] = await Promise.all([
      hashPassword('kestrel7', HOME),
      hashPassword('kestrel7', HOME),
    ])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(one).not.toBe(two)
  })

  test('rejects every password when there is no hash, even the empty one', async () => {
    for (const password of ['', 'kestrel7', '\0']) {
      expect(await verifyPassword(null, password, HOME)).toBe(false)
      expect(await verifyPassword(undefined, password, HOME)).toBe(false)
    }
  })

  test('takes as long without a hash as with one', async () => {
    const stored = await hashPassword('kestrel7', HOME)
    const times = { known: [] as number[], unknown: [] as number[] }
    const measure = async (kind: keyof typeof times, hash: string | null) => {
      const start = performance.now()
      await verifyPassword(hash, 'wrong password', HOME)
      times[kind].push(performance.now() - start)
    }
    // The measurements alternate, so that other load slows both.
    for (let n = 0; n < 15; n++) {
      await measure('known', stored)
      await measure('unknown', null)
    }
    const median = (list: number[]) => list.sort((a, b) => a - b)[7] as number
    const ratio = median(times.unknown) / median(times.known)
    // The range is wide because other work runs during the tests. If the work differed, the ratio would be near 0.
    expect(ratio).toBeGreaterThan(1 / 3)
    expect(ratio).toBeLessThan(3)
  })

  test('takes no longer for 96 KB of unordered combining marks than for a word', async () => {
    const timeOf = async (password: string) => {
      const start = performance.now()
      expect(await verifyPassword(null, password, HOME)).toBe(false)
      return performance.now() - start
    }
    await timeOf('kestrel7')
    const word = await timeOf('kestrel7')
    // Unicode normalization of this takes more than two seconds, which would block the node.
    const marks = await timeOf(`a${'\u0301'.repeat(24_000)}${'\u0316'.repeat(24_000)}`)
    expect(marks).toBeLessThan(Math.max(500, 5 * word))
  })

  test('rejects a longer password that starts with the correct one', async () => {
    // The longest password in its longest encoding, so a limit that is too low would truncate it.
    const stored = await hashPassword('\uac01'.repeat(128), HOME)
    const typed = '\u1100\u1161\u11a8'.repeat(128)
    expect(await verifyPassword(stored, typed, HOME)).toBe(true)
    expect(await verifyPassword(stored, typed + 'x'.repeat(100_000), HOME)).toBe(false)
    const long = await hashPassword('x'.repeat(1_024), HOME)
    expect(await verifyPassword(long, 'x'.repeat(1_024), HOME)).toBe(true)
    expect(await verifyPassword(long, 'x'.repeat(1_025), HOME)).toBe(false)
  })

  test('answers 503 with Retry-After when too many requests wait, and recovers', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 410 }, () => verifyPassword('not a hash', 'kestrel7', HOME)),
    )
    const reasons = results.map((result) => (result.status === 'rejected' ? result.reason : null))
    const refused = reasons.filter((reason) => reason?.status === 503)
    expect(refused).toHaveLength(8)
    expect(refused[0]).toMatchObject({ code: 'unavailable', retryAfterSeconds: 3 })
    expect(await verifyPassword(await hashPassword('kestrel7', HOME), 'kestrel7', HOME)).toBe(true)
  })

  test('serves networks in turn and refuses the one with the most waiting requests', async () => {
    const done: string[] = []
    const ask = (address: string) =>
      verifyPassword('not a hash', 'kestrel7', address).catch((error) => {
        done.push(error.status === 503 ? `${address} refused` : address)
      })
    const crowd = '2001:db8:1:1::1'
    const asked = Array.from({ length: 402 }, () => ask(crowd))
    // From the same /48, so in the same queue. The other two each wait for only one hash of the crowd.
    asked.push(ask('2001:db8:1:2::1'))
    asked.push(ask(HOME), ask('198.51.100.7'))
    await Promise.all(asked)
    expect(done.slice(0, 3).filter((who) => who.endsWith('refused'))).toEqual([
      '2001:db8:1:2::1 refused',
      `${crowd} refused`,
      `${crowd} refused`,
    ])
    const finished = done.filter((who) => !who.endsWith('refused'))
    expect(finished).toHaveLength(402)
    expect(finished.indexOf(HOME)).toBeLessThan(6)
    expect(finished.indexOf('198.51.100.7')).toBeLessThan(6)
    expect(await verifyPassword(await hashPassword('kestrel7', HOME), 'kestrel7', HOME)).toBe(true)
  })
})
