import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { hashCandidatePassword } from '../assessments/server/password-store.ts'
import { readOrMakeSecretKey } from '../platform/database/secret-key.ts'
import type { CrowdPlan, CrowdReport } from './crowd.ts'
import type { HourPlan } from './hour.ts'
import {
  makeGuest,
  playScript,
  type RunningProduct,
  signUpAccounts,
  startProduct,
} from './product.ts'
import type { Figure } from './rounds.ts'

/** Number of parts of the hour. The memory is read after each. */
const PARTS = 3
/** 300 students at any time, who stay for 20 minutes each. */
const VISITS = 900
/** Concurrent visits, without the pauses in which people read. */
const VISITS_AT_ONCE = 50
/** Candidates who take a sample test in that hour, with 30 items. */
const CANDIDATES = 60
/** The sample that they take. */
const CODE = 'PCF'
const CANDIDATE_PASSWORD = 'abcd-efgh-jkmnp'
const ACCOUNTS = 100
const ACCOUNT_PASSWORD = 'walk down the three statements'
/** Milliseconds without a call before the memory is read. */
const QUIET_MS = 5_000
const HIGHEST_LIMIT_MB = 200
const GROWTH_LIMIT = 1.1

/**
 * memory: the server's peak resident memory over an hour's traffic, sent as fast as possible; memory-growth: resident
 * memory after the last third ÷ after the first, each some seconds after the last call. It detects a leak of 2 kB per
 * API call, but not one of a few hundred bytes.
 * The hour is busy: 900 visits of about 63 calls each (three pages with their files, a sign-in, the dashboard, the
 * brainteaser, two tests, their results and mistakes, a refreshed token, and ten calls that are refused or find
 * nothing), and 60 candidates who take a test of 30 items (verify, start, a save per item, events, submit). That is
 * about 58,000 calls, or 16 per second. Effects of time, such as tokens that expire after an hour, aren't included.
 */
export async function benchMemory(): Promise<Figure[]> {
  const product = await startProduct()
  try {
    const emails = await signUpAccounts(product.url, ACCOUNTS, ACCOUNT_PASSWORD)
    await enrol(product)
    let highestMb = product.residentMb()
    const watch = setInterval(() => {
      highestMb = Math.max(highestMb, product.residentMb())
    }, 100)
    const begunMb = product.residentMb()
    const begun = performance.now()
    const restingMb: number[] = []
    let calls = 0
    for (let part = 0; part < PARTS; part += 1) {
      const [visited, crowd] = await Promise.all([
        playScript<number>('hour.ts', {
          url: product.url,
          emails,
          password: ACCOUNT_PASSWORD,
          visits: VISITS / PARTS,
          atOnce: VISITS_AT_ONCE,
        } satisfies HourPlan),
        sitTest(product.url, part),
      ])
      calls += visited + crowd.acknowledgedSaves
      await wait(QUIET_MS)
      restingMb.push(product.residentMb())
    }
    clearInterval(watch)
    const seconds = Math.round((performance.now() - begun) / 1000)
    const growth = (restingMb.at(-1) ?? 0) / (restingMb[0] ?? 0)
    return [
      {
        name: 'memory',
        figure: highestMb,
        limit: `< ${HIGHEST_LIMIT_MB}`,
        met: highestMb < HIGHEST_LIMIT_MB,
        note: `peak resident MB over ${calls} calls in ${seconds} s; ${begunMb} before, ${restingMb.join(', ')} after each third`,
      },
      {
        name: 'memory-growth',
        figure: Math.round(growth * 100) / 100,
        limit: `< ${GROWTH_LIMIT}`,
        met: growth < GROWTH_LIMIT,
        note: 'resident after the last third ÷ after the first',
      },
    ]
  } finally {
    await product.stop()
  }
}

/** Adds the sample's candidates, all with one password. */
async function enrol({ dataDir, databaseUrl }: RunningProduct): Promise<void> {
  const secretKey = await readOrMakeSecretKey(dataDir)
  const db = new pg.Client({ connectionString: databaseUrl })
  await db.connect()
  await db.query(
    `insert into candidates (id, assessment, username, password_hash, created_at)
     select gen_random_uuid(), $1, 'candidate-' || n, $2, now()
     from generate_series(0, $3::int - 1) n`,
    [CODE, hashCandidatePassword(secretKey, CANDIDATE_PASSWORD), CANDIDATES],
  )
  await db.end()
}

/** A third of the candidates take the test. */
async function sitTest(url: string, part: number): Promise<CrowdReport> {
  const seats = CANDIDATES / PARTS
  const people = await Promise.all(
    Array.from({ length: seats }, async (_, seat) => ({
      username: `candidate-${part * seats + seat}`,
      token: (await makeGuest(url)).token,
    })),
  )
  const report = await playScript<CrowdReport>('crowd.ts', {
    urls: [url],
    code: CODE,
    password: CANDIDATE_PASSWORD,
    people,
    verifyMs: 2_000,
    startMs: 1_000,
    thinkMs: 500,
    submitMs: 1_000,
  } satisfies CrowdPlan)
  if (report.errors.length > 0) throw new Error(report.errors.slice(0, 5).join('\n'))
  return report
}
