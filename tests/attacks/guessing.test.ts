import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeAssessment, makeCandidate, PASSWORD as SEAT_PASSWORD } from '../rig/assessment-rig.ts'
import { authCall, PASSWORD, signIn, watchLog } from '../rig/auth-rig.ts'
import { callSignUp, signUp, useRig } from '../rig/rig.ts'
import { useCostlyHashes } from '../setup/use-cheap-hashes.ts'

// auth-limits.test.ts covers account passwords, digits and mails. This file covers candidates' passwords, forged
// addresses, and response times.
/** Milliseconds by which responses to wrong attempts were delayed. */
const waited: number[] = []
const rig = useRig({
  rateLimits: true,
  trustProxy: true,
  wait: async (ms) => waited.push(ms),
})
watchLog(rig)
beforeEach(() => rig.db.$client.query('delete from rate_limits'))

const from = (address: string) => ({ 'X-Forwarded-For': address })
/** Sends one person's calls in batches as large as allowed. */
async function manyAtOnce<Answer>(count: number, call: (n: number) => Promise<Answer>) {
  const answers: Answer[] = []
  while (answers.length < count) {
    const next = Array.from(
      { length: Math.min(9, count - answers.length) },
      (_, n) => answers.length + n,
    )
    answers.push(...(await Promise.all(next.map(call))))
  }
  return answers
}
const fresh = () => `g${randomUUID().slice(0, 8)}@example.com`

describe("guessing a candidate's password", () => {
  let code: string
  let username: string
  beforeAll(async () => {
    code = (await makeAssessment(rig)).code
    username = (await makeCandidate(rig, code)).username
  })

  const verify = (token: string, password: string, address = '192.0.2.1', name = username) =>
    rig.call('POST', `/api/assessments/${code}/verify`, {
      token,
      headers: from(address),
      body: { username: name, password },
    })

  it('stops after 20 wrong tries for one candidate, simultaneous ones too, and says for how long', async () => {
    const { token } = await signUp(rig)
    const answers = await manyAtOnce(25, (n) => verify(token, `no ${n}`))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(5).fill(429)])
    const stopped = await verify(token, 'no')
    expect(stopped).toMatchObject({ status: 429, body: { code: 'too_many_tries' } })
    const seconds = Number(stopped.headers.get('Retry-After'))
    expect(seconds).toBeGreaterThan(290)
    expect(seconds).toBeLessThanOrEqual(300)
    // Changing the username doesn't help.
    expect((await verify(token, 'no', '192.0.2.1', 'another name')).status).toBe(429)
    // Writing an address yourself doesn't help, because the proxy's own entry is the last one.
    for (const forged of ['203.0.113.1, 192.0.2.1', '203.0.113.2,192.0.2.1']) {
      expect((await verify(token, 'no', forged)).status).toBe(429)
    }
  })

  it('does not lock out the right candidate or the rest of the room', async () => {
    const clumsy = await signUp(rig)
    await manyAtOnce(25, () => verify(clumsy.token, 'no'))
    expect((await verify(clumsy.token, 'no')).status).toBe(429)
    expect((await verify(clumsy.token, SEAT_PASSWORD)).status).toBe(200)
    const neighbor = await signUp(rig)
    expect((await verify(neighbor.token, 'no')).status).toBe(401)
    expect((await verify(neighbor.token, SEAT_PASSWORD)).status).toBe(200)
  })

  it('from many addresses is slowed by up to a second, and the right candidate is admitted at once', async () => {
    const crowd = await Promise.all(Array.from({ length: 5 }, () => signUp(rig)))
    await rig.db.$client.query('delete from rate_limits')
    waited.length = 0
    const answers = await Promise.all(
      crowd.map(({ token }, n) => verify(token, 'no', `203.0.113.${n}`)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    expect(waited.toSorted((a, b) => a - b)).toEqual([20, 40, 60, 80, 100])
    const { rowCount } = await rig.db.$client.query(
      "update rate_limits set points = 50000 where key like 'candidateName:%'",
    )
    expect(rowCount).toBe(1)
    const token = (await signUp(rig)).token
    waited.length = 0
    expect((await verify(token, 'no', '198.51.100.1')).status).toBe(401)
    expect(waited).toEqual([1_000])
    expect((await verify(token, SEAT_PASSWORD, '198.51.100.1')).status).toBe(200)
    expect(waited).toEqual([1_000])
  })
})

it("forged X-Forwarded-For headers do not get around the limit for an account's password", async () => {
  const email = fresh()
  const tries = await Promise.all(
    Array.from({ length: 14 }, (_, n) =>
      signIn(rig, email, 'wrong', { headers: from(`203.0.113.${n}, 192.0.2.1`) }),
    ),
  )
  expect(tries.filter(({ status }) => status === 429)).toHaveLength(4)
})

const timed = async <T>(work: () => Promise<T>) => {
  const start = performance.now()
  const answer = await work()
  return { answer, ms: performance.now() - start }
}

const median = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1] as number

describe('neither responses nor times reveal whether an account exists:', () => {
  useCostlyHashes()
  const PAIRS = 11
  /** Maximum ratio of two medians on a machine with other load. */
  const FACTOR = 2.5

  const CASES: [
    what: string,
    prepare: () => Promise<(isKnown: boolean, n: number) => ReturnType<typeof rig.call>>,
  ][] = [
    [
      'signing in',
      async () => {
        const email = fresh()
        await callSignUp(rig, email)
        return (isKnown, n) =>
          signIn(rig, isKnown ? email : fresh(), 'wrong password', {
            headers: from(`203.0.113.${n}`),
          })
      },
    ],
    [
      'asking for a recovery mail',
      async () => {
        const emails = Array.from({ length: PAIRS + 1 }, fresh)
        await Promise.all(emails.map((email) => signUp(rig, email, PASSWORD)))
        return (isKnown, n) =>
          authCall(
            rig,
            'POST',
            '/recover',
            { email: isKnown ? emails[n] : fresh() },
            { headers: from(`203.0.113.${n}`) },
          )
      },
    ],
    [
      'verifying as a candidate',
      async () => {
        const { code } = await makeAssessment(rig)
        const names = await Promise.all(
          Array.from({ length: PAIRS + 1 }, async () => (await makeCandidate(rig, code)).username),
        )
        const people = await Promise.all(names.map(() => signUp(rig)))
        return (isKnown, n) =>
          rig.call('POST', `/api/assessments/${code}/verify`, {
            token: people[n]?.token as string,
            headers: from(`203.0.113.${n}`),
            body: { username: isKnown ? names[n] : randomUUID(), password: 'wrong' },
          })
      },
    ],
  ]

  it.each(CASES)('%s', async (_, prepare) => {
    const ask = await prepare()
    const times = { known: [] as number[], unknown: [] as number[] }
    // The first pair warms up caches and doesn't count.
    for (let n = 0; n <= PAIRS; n++) {
      const known = await timed(() => ask(true, n))
      const unknown = await timed(() => ask(false, n))
      expect([unknown.answer.status, unknown.answer.body]).toEqual([
        known.answer.status,
        known.answer.body,
      ])
      if (n === 0) continue
      times.known.push(known.ms)
      times.unknown.push(unknown.ms)
    }
    const ratio = median(times.known) / median(times.unknown)
    expect(ratio).toBeLessThan(FACTOR)
    expect(ratio).toBeGreaterThan(1 / FACTOR)
  })
})
