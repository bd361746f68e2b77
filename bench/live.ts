import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { hashCandidatePassword } from '../assessments/server/password-store.ts'
import { readOrMakeSecretKey } from '../platform/database/secret-key.ts'
import type { LiveCrowdPlan, LiveCrowdReport } from './live-crowd.ts'
import { makeGuest, playScript, startProduct } from './product.ts'
import { type Figure, percentile, round2 } from './rounds.ts'

const CODE = 'BENCH_LIVE'
const WATCHERS = 20
const PASSWORD = 'abcd-efgh-jkmnp'
/** Milliseconds of a side before it is measured, so that the previous side's effects are over. */
const SETTLE_MS = 2_500
/** Contains a whole number of polls per watcher, so that every watched side has the same number. */
const MEASURED_MS = 6_000
const SIDE_MS = SETTLE_MS + MEASURED_MS
/** Pairs with and without watchers, in alternating order, while the room saves … */
const SAVING_PAIRS = 40
/** … and while the server does nothing else. */
const STILL_PAIRS = 10

interface Side {
  isWatched: boolean
  /** whether candidates save by calls; otherwise their saves are written directly to the database */
  isSaving: boolean
}

interface Measured {
  sides: readonly Side[]
  /** processor time of each side */
  used: readonly Used[]
  report: LiveCrowdReport
}

/**
 * live-cpu-300, live-cpu, live-change-ms, live-save-p99: 300 and 2,000 candidates save and send heartbeats as on a test
 * day, spread evenly over each minute. In many short alternating sides of one run, 20 organizers either poll every two
 * seconds or don't.
 * Watching costs a few hundredths of the room's saves, less than these vary. It is therefore measured while the server
 * does nothing else, and an uncounted connection writes the saves at the same pace. The figure is the processor time of
 * server and database with watchers minus that without, pair by pair (product 10.7.14).
 */
export async function benchLive(): Promise<Figure[]> {
  const few = await measure(300, 0)
  const many = await measure(2_000, SAVING_PAIRS)
  return [costFigure('live-cpu-300', 2, few), costFigure('live-cpu', 12, many), ...figuresOf(many)]
}

async function measure(candidates: number, savingPairs: number): Promise<Measured> {
  const product = await startProduct()
  const db = new pg.Client({ connectionString: product.databaseUrl })
  await db.connect()
  try {
    const society = await prepare(db, await readOrMakeSecretKey(product.dataDir), candidates)
    const people = await signUpAll(product.url, candidates)
    const watchers = await makeWatchers(db, product.url, society)
    const beginsFile = path.join(product.dataDir, 'bench-begins')
    const plan = { url: product.url, code: CODE, society, password: PASSWORD, people, watchers }
    const sides = [...pairs(savingPairs, true), ...pairs(STILL_PAIRS, false)]
    const playing = playScript<LiveCrowdReport>('live-crowd.ts', {
      ...plan,
      ...{ beginsFile, sides, sideMs: SIDE_MS, settleMs: SETTLE_MS },
    } satisfies LiveCrowdPlan)
    // Each saves once a minute.
    const used = await measureSides(db, product, beginsFile, sides, candidates / 60)
    const report = await playing
    for (const error of report.errors.slice(0, 5)) console.error(error)
    return { sides, used, report }
  } finally {
    await db.end()
    await product.stop()
  }
}

/** alone, watched, watched, alone, …: growth over the run affects both equally. */
const pairs = (count: number, isSaving: boolean): Side[] =>
  Array.from({ length: count }, (_, n): Side[] => {
    const alone = { isWatched: false, isSaving }
    const watched = { isWatched: true, isSaving }
    return n % 2 === 0 ? [alone, watched] : [watched, alone]
  }).flat()

const percentOf = (ms: number): number => (ms / MEASURED_MS) * 100
const allOf = ({ serverMs, databaseMs }: Used): number => serverMs + databaseMs
const median = (values: readonly number[]): number => percentile(values, 0.5)
const quarters = (values: readonly number[]): string =>
  [0.25, 0.75].map((share) => round2(percentile(values, share))).join(' to ')

/** Picks the values of all sides of one kind. */
const pick = <T>(
  sides: readonly Side[],
  all: readonly T[],
  isWatched: boolean,
  isSaving: boolean,
): T[] =>
  all.filter((_, at) => sides[at]?.isWatched === isWatched && sides[at]?.isSaving === isSaving)

function costFigure(name: string, limit: number, { sides, used }: Measured): Figure {
  const alone = pick(sides, used, false, false)
  const watched = pick(sides, used, true, false)
  const costs = (part: (one: Used) => number) =>
    watched.map((one, at) => percentOf(part(one) - part(alone[at] as Used)))
  const cost = median(costs(allOf))
  const others = percentOf(median(used.map(({ othersMs }) => othersMs)))
  return {
    ...{ name, figure: round2(cost), limit: `≤ ${limit} %`, met: cost <= limit },
    note: `of a core: ${quarters(costs(allOf))} in the middle half of ${watched.length} pairs, server ${round2(median(costs(({ serverMs }) => serverMs)))}, database ${round2(median(costs(({ databaseMs }) => databaseMs)))}; other programs took ${round2(others)}`,
  }
}

function figuresOf({ sides, used, report }: Measured): Figure[] {
  const savesOf = (isWatched: boolean) => pick(sides, report.saveMs, isWatched, true).flat()
  const p99 = (isWatched: boolean) => percentile(savesOf(isWatched), 0.99)
  const longest = Math.max(0, ...report.changeMs)
  const ratio = p99(true) / p99(false)
  const saving = median(pick(sides, used, false, true).map((one) => percentOf(allOf(one))))
  return [
    {
      ...{ name: 'live-change-ms', figure: Math.round(longest), limit: '< 4,000' },
      met: longest < 4_000,
      note: `from one snapshot until the next one has come, the longest of ${report.changeMs.length}; median ${Math.round(median(report.changeMs))}; a look took ${Math.round(median(report.lookMs))} ms and brought ${Math.round(report.lookBytes / Math.max(1, report.lookMs.length) / 1024)} KB`,
    },
    {
      ...{ name: 'live-save-p99', figure: round2(ratio), limit: '≤ 1.15', met: ratio <= 1.15 },
      note: `saves' p99 ${round2(p99(true))} ms with, ${round2(p99(false))} ms without; medians ${round2(median(savesOf(true)))} and ${round2(median(savesOf(false)))}; ${savesOf(true).length} and ${savesOf(false).length} saves, ${report.errors.length} errors; the saves of the room take ${round2(saving)} % of a core`,
    },
  ]
}

async function prepare(db: pg.Client, secretKey: Buffer, candidates: number): Promise<string> {
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
    [CODE, hashCandidatePassword(secretKey, PASSWORD), candidates],
  )
  await db.query('analyze')
  return rows[0].society
}

async function signUpAll(url: string, candidates: number): Promise<LiveCrowdPlan['people']> {
  const people: LiveCrowdPlan['people'] = []
  let next = 0
  const some = async () => {
    while (next < candidates) {
      next += 1
      const username = `candidate-${next}`
      people.push({ username, token: (await makeGuest(url)).token })
    }
  }
  await Promise.all(Array.from({ length: 16 }, some))
  return people
}

/** Creates invigilators by SQL, with one session each. @returns their tokens */
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
      `insert into memberships (id, society_id, user_id, role, created_at)
       values (gen_random_uuid(), $1, $2, 'invigilator', now())`,
      [society, session.user.id],
    )
    tokens.push(session.access_token)
  }
  return tokens
}

/** A side's processor time in milliseconds. */
interface Used {
  serverMs: number
  databaseMs: number
  /** everything else on the machine except the crowd and this process */
  othersMs: number
}

/** Waits until the crowd has started, then measures each side, by the crowd's clock. */
async function measureSides(
  db: pg.Client,
  product: { pid: number; databaseUrl: string },
  beginsFile: string,
  sides: readonly Side[],
  savesASecond: number,
): Promise<Used[]> {
  // The crowd creates a file when its first side begins.
  while (!existsSync(beginsFile)) await wait(20)
  const beginsMs = Number(readFileSync(beginsFile, 'utf8'))
  const writer = await startWriter(product.databaseUrl, savesASecond)
  const uncounted = [writer.databasePid]
  const used: Used[] = []
  try {
    for (const [at, side] of sides.entries()) {
      const sideMs = beginsMs + at * SIDE_MS
      await wait(sideMs - Date.now())
      writer.isWriting = !side.isSaving
      await wait(sideMs + SETTLE_MS - Date.now())
      const before = await usedUntilNow(db, product.pid, uncounted)
      await wait(sideMs + SIDE_MS - Date.now() - 50)
      const after = await usedUntilNow(db, product.pid, uncounted)
      used.push(between(before, after))
    }
  } finally {
    await writer.stop()
  }
  return used
}

/** Writes a room's saves and heartbeats at the crowd's pace while switched on. */
async function startWriter(databaseUrl: string, savesASecond: number) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ databasePid: number }>(
    'select pg_backend_pid() as "databasePid"',
  )
  const { rows: attempts } = await client.query<{ id: string }>(
    'select id from attempts where assessment = $1 order by id',
    [CODE],
  )
  const writer = { ...(rows[0] as { databasePid: number }), isWriting: false, stop }
  let isOver = false
  let next = 0
  const writing = write()
  async function write(): Promise<void> {
    while (!isOver) {
      await wait(1000 / savesASecond)
      if (!writer.isWriting) continue
      const one = attempts[next % attempts.length]?.id
      next += 1
      await client.query({
        name: 'save',
        text: `
          with sitting as (
            select candidate_id, id, window_id, paper[$2::int % cardinality(paper) + 1] as item,
              date_trunc('milliseconds', now()) as at
            from attempts where id = $1
          ), answered as (
            insert into attempt_answers as stored (attempt_id, item_id, choice, revision, saved_at)
            select id, item, 'B', $2, at from sitting
            on conflict (attempt_id, item_id) do update set revision = excluded.revision, saved_at = excluded.saved_at
          )
          insert into attempt_events (candidate_id, attempt_id, kind, window_id, number, at_ms, detail, received_at)
          select candidate_id, id, kind, window_id, number, 1000, detail, at
          from sitting, (values ('saved', null::int, '[[1, "B", 9, 1000]]'::jsonb), ('heartbeat', 1000000 + $2::int, null))
            as told (kind, number, detail)`,
        values: [one, next],
      })
    }
  }
  async function stop(): Promise<void> {
    isOver = true
    await writing
    await client.end()
  }
  return writer
}

/** Processor time up to a moment, in milliseconds. */
interface Clocks {
  serverMs: number
  /** per process */
  databaseMs: ReadonlyMap<number, number>
  benchMs: number
  machineMs: number
}

async function usedUntilNow(
  db: pg.Client,
  serverPid: number,
  uncounted: readonly number[],
): Promise<Clocks> {
  const [serverMs, database] = [processorMs(serverPid), await databaseMs(db, uncounted)]
  const benchMs = readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && isOfBench(pid))
    .reduce((sum, pid) => sum + processorMs(Number(pid)), 0)
  return { serverMs, databaseMs: database, benchMs, machineMs: machineMs() }
}

/** If a database process ended meanwhile, its time before the side is missing from the difference. */
function between(before: Clocks, after: Clocks): Used {
  const serverMs = after.serverMs - before.serverMs
  let databaseMs = 0
  for (const [pid, ms] of after.databaseMs) databaseMs += ms - (before.databaseMs.get(pid) ?? 0)
  const benchMs = after.benchMs - before.benchMs
  const allMs = after.machineMs - before.machineMs
  return { serverMs, databaseMs, othersMs: allMs - serverMs - databaseMs - benchMs }
}

/** This process, the crowd that it started, and the watchers. */
function isOfBench(pid: string): boolean {
  if (Number(pid) === process.pid) return true
  try {
    return /live-(crowd|watchers)\.ts/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  } catch {
    return false
  }
}

/** Total processor time, which the kernel counts in hundredths of a second. */
function machineMs(): number {
  const first = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] as string
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = first.split(/ +/).map(Number)
  return (user + nice + system + irq + softirq) * 10
}

/** A process's processor time with all threads, from the scheduler; 0 if it has ended. */
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

/** Per database process, except this connection's and some others. */
async function databaseMs(
  db: pg.Client,
  uncounted: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await db.query<{ pid: number }>(
    'select pid from pg_stat_activity where pid <> pg_backend_pid() and pid <> all ($1)',
    [uncounted],
  )
  return new Map(rows.map(({ pid }) => [pid, processorMs(pid)]))
}
