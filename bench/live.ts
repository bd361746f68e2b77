import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { hashCandidatePassword } from '../assessments/server/password-store.ts'
import { readOrMakeSecretKey } from '../platform/database/secret-key.ts'
import { REBUILD_MS } from '../societies/server/live/watch.ts'
import type { LiveCrowdPlan, LiveCrowdReport } from './live-crowd.ts'
import { makeGuest, playScript, startProduct } from './product.ts'
import { type Figure, percentile, round2 } from './rounds.ts'

const CODE = 'BENCH_LIVE'
const CANDIDATES = 2_000
const WATCHERS = 20
const PASSWORD = 'abcd-efgh-jkmnp'
/**
 * Milliseconds of a side before it is measured: who comes back to watch catches up, and the one after who leaves
 * is done.
 */
const SETTLE_MS = 2_500
/** A whole number of looks of each watcher, so that every watched side has as many. */
const MEASURED_MS = 4_000
const SIDE_MS = SETTLE_MS + MEASURED_MS
/** With and without watchers in turn, the other way round in every second one. */
const PAIRS = 32
/** Watched sides at the end in which an organiser acts once, so that everything is read anew. */
const REREADS = 6

/** What a side is: 'watched', 'alone', or watched while everything is read anew. */
export type Side = 'alone' | 'watched' | 'reread'

/**
 * live-cpu, live-p95-ms, live-save-p99: 2,000 candidates save and say that they are there as on a day, spread
 * evenly over each minute, while 20 organisers look every two seconds, and while nobody looks, in many short
 * sides in turn in one run. Of the pairs the half is told in which other programs did least: they slow down what
 * shares a core with them. What watching costs is the processor time of the server and its database with watchers
 * less that without, pair by pair, and what is read anew besides (product 10.7.14). It is the time of these
 * processes alone.
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
    const sides = [...pairs(), ...Array.from({ length: REREADS }, () => 'reread' as const)]
    const playing = playScript<LiveCrowdReport>('live-crowd.ts', {
      ...plan,
      ...{ beginsFile, watched: sides.map((side) => side !== 'alone') },
      ...{ sideMs: SIDE_MS, settleMs: SETTLE_MS },
    } satisfies LiveCrowdPlan)
    const used = await measureSides(db, product.pid, beginsFile, sides, () => actOnce(db, society))
    const report = await playing
    for (const error of report.errors.slice(0, 5)) console.error(error)
    return figuresOf(sides, used, report)
  } finally {
    await db.end()
    await product.stop()
  }
}

/** alone, watched, watched, alone, …: what grows over the run weighs on both alike. */
const pairs = (): Side[] =>
  Array.from({ length: PAIRS }, (_, n): Side[] =>
    n % 2 === 0 ? ['alone', 'watched'] : ['watched', 'alone'],
  ).flat()

/** What watching used in a pair of sides, percent of a core. */
interface Pair {
  alone: Used
  watched: Used
  /** what other programs used meanwhile */
  others: number
}

const percentOf = (ms: number): number => (ms / MEASURED_MS) * 100
const allOf = ({ serverMs, databaseMs }: Used): number => serverMs + databaseMs
const quarters = (values: readonly number[]): string =>
  [0.25, 0.75].map((share) => round2(percentile(values, share))).join(' to ')

/** The half of the pairs in which other programs did least. */
function quietPairs(sides: readonly Side[], used: readonly Used[]): Pair[] {
  const of = (side: Side) => used.filter((_, at) => sides[at] === side)
  const watched = of('watched')
  return of('alone')
    .map((alone, at) => {
      const other = watched[at] as Used
      return { alone, watched: other, others: percentOf((alone.othersMs + other.othersMs) / 2) }
    })
    .sort((a, b) => a.others - b.others)
    .slice(0, PAIRS / 2)
}

/** @param used processor time of each side */
function figuresOf(
  sides: readonly Side[],
  used: readonly Used[],
  report: LiveCrowdReport,
): Figure[] {
  const pairs = quietPairs(sides, used)
  const costs = (of: (one: Used) => number) =>
    pairs.map(({ alone, watched }) => percentOf(of(watched) - of(alone)))
  const median = (values: readonly number[]) => percentile(values, 0.5)
  const [server, database] = [
    median(costs(({ serverMs }) => serverMs)),
    median(costs(({ databaseMs }) => databaseMs)),
  ]
  const usual = median(pairs.map(({ watched }) => allOf(watched)))
  const reread = used.filter((_, at) => sides[at] === 'reread').map(allOf)
  const rereadMs = Math.max(0, median(reread) - usual)
  const cost = median(costs(allOf)) + (rereadMs / REBUILD_MS) * 100

  const savesOf = (side: Side) => report.saveMs.filter((_, at) => sides[at] === side)
  const p99 = (side: Side) => percentile(savesOf(side).flat(), 0.99)
  const lookP95 = percentile(report.lookMs, 0.95)
  const ratio = p99('watched') / p99('alone')
  return [
    {
      ...{ name: 'live-cpu', figure: round2(cost), limit: '< 2 %', met: cost < 2 },
      note: `of a core: ${quarters(costs(allOf))} in the middle half of ${pairs.length} pairs, server ${round2(server)}, database ${round2(database)}, and ${Math.round(rereadMs)} ms each ${REBUILD_MS / 60_000} min to read all anew; ${round2(median(pairs.map(({ alone }) => percentOf(allOf(alone)))))} without anybody; other programs used ${quarters(pairs.map(({ others }) => others))}`,
    },
    {
      ...{ name: 'live-p95-ms', figure: Math.round(lookP95), limit: '< 50' },
      met: lookP95 < 50,
      note: `${report.lookMs.length} looks, median ${Math.round(percentile(report.lookMs, 0.5))} ms, ${Math.round(report.lookBytes / Math.max(1, report.lookMs.length) / 1024)} KB each`,
    },
    {
      ...{ name: 'live-save-p99', figure: round2(ratio), limit: '< 1.1', met: ratio < 1.1 },
      note: `all saves' p99 ${round2(p99('watched'))} ms with, ${round2(p99('alone'))} ms without; medians ${round2(percentile(savesOf('watched').flat(), 0.5))} and ${round2(percentile(savesOf('alone').flat(), 0.5))}; ${report.saveMs.flat().length} saves, ${report.errors.length} errors`,
    },
  ]
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

/** Processor time of a side, milliseconds. */
interface Used {
  serverMs: number
  databaseMs: number
  /** of everything else on the machine but the crowd and this process */
  othersMs: number
}

/** Waits for the crowd to be inside, then measures side by side, by the crowd's own clock. */
async function measureSides(
  db: pg.Client,
  serverPid: number,
  beginsFile: string,
  sides: readonly Side[],
  reread: () => Promise<void>,
): Promise<Used[]> {
  // The crowd tells by a file when its first side begins.
  while (!existsSync(beginsFile)) await wait(20)
  const beginsMs = Number(readFileSync(beginsFile, 'utf8'))
  const used: Used[] = []
  for (const [at, side] of sides.entries()) {
    const sideMs = beginsMs + at * SIDE_MS
    await wait(sideMs + SETTLE_MS - Date.now())
    const before = await usedUntilNow(db, serverPid)
    if (side === 'reread') await reread()
    await wait(sideMs + SIDE_MS - Date.now() - 50)
    const after = await usedUntilNow(db, serverPid)
    used.push({
      serverMs: after.serverMs - before.serverMs,
      databaseMs: after.databaseMs - before.databaseMs,
      othersMs: after.othersMs - before.othersMs,
    })
  }
  return used
}

async function usedUntilNow(db: pg.Client, serverPid: number): Promise<Used> {
  const [serverMs, database] = [processorMs(serverPid), await databaseMs(db)]
  const bench = readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && isOfBench(pid))
    .reduce((sum, pid) => sum + processorMs(Number(pid)), 0)
  return { serverMs, databaseMs: database, othersMs: machineMs() - serverMs - database - bench }
}

/** This process and the crowd that it started. */
function isOfBench(pid: string): boolean {
  if (Number(pid) === process.pid) return true
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('live-crowd.ts')
  } catch {
    return false
  }
}

/** Processor time of everything, as the kernel counts it in hundredths of a second. */
function machineMs(): number {
  const first = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] as string
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = first.split(/ +/).map(Number)
  return (user + nice + system + irq + softirq) * 10
}

/** An act that reaches more than one candidate, as it is noted: after it everything is read anew. */
async function actOnce(db: pg.Client, society: string): Promise<void> {
  await db.query(
    `insert into admin_actions (at, actor, via, action, society_id, assessment, detail)
     values (date_trunc('milliseconds', now()), 'bench', 'command', 'load-candidates', $1, $2, '{}')`,
    [society, CODE],
  )
}

/** Processor time of a process and all its threads, as the scheduler counts it; 0 of one that is gone. */
function processorMs(pid: number): number {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    const ns = tasks.map((task) =>
      Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
    )
    return ns.reduce((sum, one) => sum + one, 0) / 1_000_000
  } catch {
    return 0
  }
}

/** Of the database's processes, this one's connection left out; they live as long as the run. */
async function databaseMs(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ pid: number }>(
    'select pid from pg_stat_activity where pid <> pg_backend_pid()',
  )
  return rows.reduce((sum, { pid }) => sum + processorMs(pid), 0)
}
