import { setTimeout as wait } from 'node:timers/promises'
import autocannon from 'autocannon'
import pg from 'pg'
import { HASHING_AT_ONCE } from '../accounts/server/sign-in/passwords.ts'
import type { BareArgon2Plan } from './bare-argon2.ts'
import {
  makeGuest,
  playScript,
  type RunningProduct,
  signUpAccounts,
  startProduct,
} from './product.ts'
import { compareRates, type Figure, percentile, ROUND_SECONDS, round2 } from './rounds.ts'

/** Accounts and concurrent sign-ins. Each connection uses its own account. */
const ACCOUNTS = 50
const PASSWORD = 'walk down the three statements'
/**
 * Our choice, because product 10.7.3 leaves it open: everything in a sign-in except the hash (two statements, a
 * signature, HTTP) may take a fifth of both cores' time.
 */
const LIMIT = 0.8
/** Milliseconds between small calls of a person who waits for each. */
const CALL_PAUSE_MS = 20

/**
 * sign-in: password sign-ins over HTTP ÷ the same hashes verified by argon2 in a separate process, at the product's
 * concurrency. The note says how long a small call takes while 50 sign in.
 */
export async function benchSignIn(): Promise<Figure[]> {
  const product = await startProduct()
  try {
    const emails = await signUpAccounts(product.url, ACCOUNTS, PASSWORD)
    const plan: BareArgon2Plan = {
      hashes: await readHashes(product, emails),
      password: PASSWORD,
      atOnce: HASHING_AT_ONCE,
      seconds: ROUND_SECONDS,
    }
    const { ratio, one, other } = await compareRates(
      () => signInRate(product.url, emails),
      () => playScript<number>('bare-argon2.ts', plan),
    )
    const alone = await timeSmallCalls(product.url)
    const [, meanwhile] = await Promise.all([
      signInRate(product.url, emails),
      timeSmallCalls(product.url),
    ])
    return [
      {
        name: 'sign-in',
        figure: round2(ratio),
        limit: `≥ ${LIMIT}`,
        met: ratio >= LIMIT,
        note: `${Math.round(one)} sign-ins/s against ${Math.round(other)}/s for bare argon2; a small call ${alone}, while ${ACCOUNTS} sign in ${meanwhile} (median, p99)`,
      },
    ]
  } finally {
    await product.stop()
  }
}

async function readHashes(
  { databaseUrl }: RunningProduct,
  emails: readonly string[],
): Promise<string[]> {
  const db = new pg.Client({ connectionString: databaseUrl })
  await db.connect()
  const { rows } = await db.query('select password_hash from users where email = any($1)', [emails])
  await db.end()
  return rows.map(({ password_hash }) => password_hash)
}

/** Sign-ins per second. Every response must be a 200. */
async function signInRate(url: string, emails: readonly string[]): Promise<number> {
  let next = 0
  const result = await autocannon({
    url: `${url}/auth/v1/token?grant_type=password`,
    method: 'POST',
    connections: emails.length,
    duration: ROUND_SECONDS,
    headers: { 'content-type': 'application/json' },
    setupClient: (client) => {
      client.setBody(JSON.stringify({ email: emails[next++ % emails.length], password: PASSWORD }))
    },
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error('a sign-in failed')
  return result['2xx'] / result.duration
}

/** Median and p99 of sequential small calls during a round, as '1.2, 3.4 ms'. */
async function timeSmallCalls(url: string): Promise<string> {
  const { token } = await makeGuest(url)
  const took: number[] = []
  const until = performance.now() + ROUND_SECONDS * 1000
  while (performance.now() < until) {
    const sent = performance.now()
    const response = await fetch(`${url}/api/questions/counts`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error('a small call failed')
    took.push(performance.now() - sent)
    await wait(CALL_PAUSE_MS)
  }
  return `${percentile(took, 0.5).toFixed(1)}, ${percentile(took, 0.99).toFixed(1)} ms`
}
