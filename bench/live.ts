import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { hashCandidatePassword } from '../assessments/server/password-store.ts'
import { readOrMakeSecretKey } from '../platform/database/secret-key.ts'
import type { LiveCrowdPlan, LiveCrowdReport } from './live-crowd.ts'
import { makeGuest, playScript, startProduct } from './product.ts'
import { type Figure, percentile, round2 } from './rounds.ts'

const CODE = 'BENCH_LIVE'
const CANDIDATES = 2_000
const WATCHERS = 20
const PASSWORD = 'abcd-efgh-jkmnp'
/** Seconds of each side of a round; both sides of all rounds are one run. */
const SIDE_SECONDS = 20
const ROUNDS = 3
/** At the beginning of each side, when everybody opens the page at once. */
const SETTLE_MS = 4_000
/** Ticks of a processor in a second, as /proc counts them. */
const TICKS = 100

/**
 * live-cpu, live-p95-ms, live-save-p99: 2,000 candidates save and say that they are there as on a day, while
 * 20 organisers look every two seconds, and while nobody looks, in turn in one run. What watching costs is
 * the processor time of the server and its database with watchers less that without (product 10.7.14).
 */
export async function benchLive(): Promise<Figure[]> {
  const product = await startProduct()
  const db = new pg.Client({ connectionString: product.databaseUrl })
  await db.connect()
  try {
    const society = await prepare(db, await readOrMakeSecretKey(product.dataDir))
    const people = await signUpAll(product.url)
    const watchers = await makeWatchers(db, product.url, society)
    const beginsFile = path.join(product.dataDir, 'bench-begins')
    const plan = { url: product.url, code: CODE, society, password: PASSWORD, people, watchers }
    const sides = Array.from({ length: ROUNDS * 2 }, (_, side) => side % 2 === 1)
    const playing = playScript<LiveCrowdReport>('live-crowd.ts', {
      ...plan,
      ...{ beginsFile, sides },
      ...{ sideMs: SIDE_SECONDS * 1_000, settleMs: SETTLE_MS },
    } satisfies LiveCrowdPlan)
    const cpu = await measureSides(db, product.pid, beginsFile, sides)
    const report = await playing
    for (const error of report.errors.slice(0, 5)) console.error(error)
    const meanOf = (isWatched: boolean) => {
      const of = cpu.filter((_, side) => sides[side] === isWatched)
      return of.reduce((sum, share) => sum + share, 0) / of.length
    }
    const cost = (meanOf(true) - meanOf(false)) * 100
    const p99 = (isWatched: boolean) =>
      percentile(
        report.saveMs.flatMap((ms, side) => (sides[side] === isWatched ? ms : [])),
        0.99,
      )
    const lookP95 = percentile(report.lookMs, 0.95)
    const ratio = p99(true) / p99(false)
    return [
      {
        ...{ name: 'live-cpu', figure: round2(cost), limit: '< 2 %', met: cost < 2 },
        note: `of a core, server and database: ${round2(meanOf(true) * 100)} with ${WATCHERS} watching, ${round2(meanOf(false) * 100)} without`,
      },
      {
        ...{ name: 'live-p95-ms', figure: Math.round(lookP95), limit: '< 50' },
        met: lookP95 < 50,
        note: `${report.lookMs.length} looks, median ${Math.round(percentile(report.lookMs, 0.5))} ms, ${Math.round(report.lookBytes / Math.max(1, report.lookMs.length) / 1024)} KB each`,
      },
      {
        ...{ name: 'live-save-p99', figure: round2(ratio), limit: '< 1.1', met: ratio < 1.1 },
        note: `saves' p99 ${Math.round(p99(true))} ms with, ${Math.round(p99(false))} ms without; ${report.saveMs.flat().length} saves, ${report.errors.length} errors`,
      },
    ]
  } finally {
    await db.end()
    await product.stop()
  }
}

async function prepare(db: pg.Client, secretKey: Buffer): Promise<string> {
  const { rows } = await db.query(
    `with owner as (
       insert into societies (id, name, via, created_at)
       values (gen_random_uuid(), 'Bench', 'command', now()) returning id
     )
     insert into assessments (code, society_id, society, duration_seconds, shuffle, navigator, rules,
       time_zone, is_sample, created_at)
     select $1, id, 'Bench', 3600, true, true,
       '{"timing":[],"allowed":[],"forbidden":[],"contact":null}', 'Europe/Lisbon', false, now()
     from owner returning society_id as society`,
    [CODE],
  )
  await db.query(
    `insert into assessment_items (assessment, position, question, answer_a, answer_b, answer_c,
       answer_d, correct_option, is_sample)
     select $1, n, 'Question ' || n, 'It falls by 1%', 'It falls by 2%', 'It falls by 3%',
       'It falls by 4%', 'A', false
     from generate_series(1, 30) n`,
    [CODE],
  )
  await db.query(
    `insert into candidates (id, assessment, username, name, room, password_hash, created_at)
     select gen_random_uuid(), $1, 'candidate-' || n, 'Person ' || n, 'Room ' || n % 10, $2, now()
     from generate_series(1, $3::int) n`,
    [CODE, hashCandidatePassword(secretKey, PASSWORD), CANDIDATES],
  )
  await db.query('analyze')
  return rows[0].society
}

async function signUpAll(url: string): Promise<LiveCrowdPlan['people']> {
  const people: LiveCrowdPlan['people'] = []
  let next = 0
  const some = async () => {
    while (next < CANDIDATES) {
      next += 1
      const username = `candidate-${next}`
      people.push({ username, token: (await makeGuest(url)).token })
    }
  }
  await Promise.all(Array.from({ length: 16 }, some))
  return people
}

/** Invigilators, by SQL; one session each. @returns their tokens */
async function makeWatchers(db: pg.Client, url: string, society: string): Promise<string[]> {
  const tokens: string[] = []
  for (let n = 0; n < WATCHERS; n += 1) {
    const response = await fetch(`${url}/auth/v1/signup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: `watcher-${n}@example.org`, password: 'a long password' }),
    })
    const session = (await response.json()) as { access_token: string; user: { id: string } }
    await db.query(
      `insert into memberships (id, society_id, user_id, role, all_assessments, created_at)
       values (gen_random_uuid(), $1, $2, 'invigilator', true, now())`,
      [society, session.user.id],
    )
    tokens.push(session.access_token)
  }
  return tokens
}

/** Waits for the crowd to be inside, then measures side by side. @returns shares of a core */
async function measureSides(
  db: pg.Client,
  serverPid: number,
  beginsFile: string,
  sides: readonly boolean[],
): Promise<number[]> {
  // The crowd tells by a file when its first side begins.
  while (!existsSync(beginsFile)) await wait(20)
  const shares: number[] = []
  for (const _ of sides) {
    // Who comes back reads all of it once: what is measured is what comes after.
    await wait(SETTLE_MS)
    const before = ticksOf(serverPid) + (await databaseTicks(db))
    const begin = performance.now()
    await wait(SIDE_SECONDS * 1_000 - SETTLE_MS - 100)
    const used = ticksOf(serverPid) + (await databaseTicks(db)) - before
    shares.push(used / TICKS / ((performance.now() - begin) / 1_000))
    await wait(100)
  }
  return shares
}

/** Processor time of a process, its own and its threads', in ticks; 0 of one that is gone. */
function ticksOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return Number(fields[11]) + Number(fields[12])
  } catch {
    return 0
  }
}

/** Of the database's processes that serve connections; they live as long as the run. */
async function databaseTicks(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ pid: number }>('select pid from pg_stat_activity')
  return rows.reduce((sum, { pid }) => sum + ticksOf(pid), 0)
}
