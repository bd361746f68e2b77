import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { GRACE_MS } from '../assessments/deadline.ts'
import { hashCandidatePassword } from '../assessments/server/password-store.ts'
import { MAX_VIOLATIONS } from '../assessments/violations.ts'
import { readOrMakeSecretKey } from '../platform/database/secret-key.ts'
import type { CrowdPlan, CrowdReport, Testimony } from './crowd.ts'
import { startNginx } from './nginx.ts'
import { makeGuest, playScript, type RunningProduct, startProduct } from './product.ts'
import { type Figure, percentile } from './rounds.ts'

const CODE = 'BENCH_DAY'
const PASSWORD = 'abcd-efgh-jkmnp'
const ITEMS = 30
/** The schedule of product 10.7.5. */
const VERIFY_MS = 60_000
const START_MS = 10_000
const SAVES_PER_SECOND = 1_000
const SUBMIT_MS = 10_000
const SUBMIT_LIMIT_MS = 500
/** What is left of the time when the last one submits; who has left is closed then. */
const REST_MS = 20_000
/** Guests that sign up at once while the day is prepared. */
const SIGN_UPS_AT_ONCE = 16

/**
 * day-candidates, day-lost, day-double, day-submit-p99-ms: an assessment day of so many candidates, whose
 * sessions exist before the clock starts. A crowd in a process of its own verifies, starts, saves every
 * answer and submits; 5 % reload, 2 % of the saves lose their connection, 3 % break rules, 5 % leave
 * without submitting. Every acknowledged answer is compared with the stored one, every result with an
 * independent tally.
 */
export async function benchDay(candidates: number, nodes = 1): Promise<Figure[]> {
  const publicUrl = 'http://localhost:3000'
  const product = await startProduct({ PUBLIC_URL: publicUrl })
  const others = await startOthers(product, nodes - 1, publicUrl)
  const urls = [product, ...others].map(({ url }) => url)
  const nginx = nodes > 1 ? await startNginx(urls) : undefined
  const db = new pg.Client({ connectionString: product.databaseUrl })
  await db.connect()
  try {
    const thinkMs = (candidates / SAVES_PER_SECOND) * 1000
    const durationMs = START_MS + thinkMs * ITEMS + SUBMIT_MS + REST_MS
    const keys = await prepare(db, product, candidates, durationMs)
    const people = await signUpAll(product.url, candidates)
    let highestMb = 0
    const watch = setInterval(() => {
      highestMb = Math.max(highestMb, product.residentMb())
    }, 250)
    const report = await playScript<CrowdReport>('crowd.ts', {
      urls: [nginx?.url ?? product.url],
      code: CODE,
      password: PASSWORD,
      people,
      verifyMs: VERIFY_MS,
      startMs: START_MS,
      thinkMs,
      submitMs: SUBMIT_MS,
    } satisfies CrowdPlan)
    await untilAllClosed(db, durationMs)
    clearInterval(watch)
    const { lost, double, wrong, first } = await compare(db, report, keys)
    for (const error of [...report.errors, ...first].slice(0, 10)) console.error(error)
    const done = report.people.filter(({ outcome }) => outcome !== 'failed').length
    const p99 = percentile(report.submitMs, 0.99)
    const note = `${report.acknowledgedSaves} saves (p99 ${Math.round(percentile(report.saveMs, 0.99))} ms), starts p99 ${Math.round(percentile(report.startMs, 0.99))} ms, ${highestMb} MB, tries again ${JSON.stringify(report.retries)}, ${report.errors.length} errors`
    return [
      figure('day-candidates', done, `≥ ${candidates}`, done >= candidates, note),
      figure(
        'day-lost',
        lost + wrong,
        '0',
        lost + wrong === 0,
        `${lost} answers, ${wrong} results`,
      ),
      figure('day-double', double, '0', double === 0, 'attempts, or closings told twice'),
      figure(
        'day-submit-p99-ms',
        Math.round(p99),
        `< ${SUBMIT_LIMIT_MS}`,
        p99 < SUBMIT_LIMIT_MS,
        `median ${Math.round(percentile(report.submitMs, 0.5))} ms of ${report.submitMs.length} submits`,
      ),
    ]
  } finally {
    await db.end()
    await nginx?.stop()
    for (const node of [...others, product]) await node.stop()
  }
}

/** Further nodes over the product's database. */
async function startOthers(
  { databaseUrl, dataDir }: RunningProduct,
  count: number,
  publicUrl: string,
): Promise<RunningProduct[]> {
  const secretKey = await readOrMakeSecretKey(dataDir)
  return Promise.all(
    Array.from({ length: count }, () =>
      startProduct({
        DATABASE_URL: databaseUrl,
        SECRET_KEY: secretKey.toString('base64'),
        PUBLIC_URL: publicUrl,
      }),
    ),
  )
}

function figure(name: string, value: number, limit: string, met: boolean, note: string): Figure {
  return { name, figure: value, limit, met, note }
}

/** The assessment with its roster. @returns the key of each item */
async function prepare(
  db: pg.Client,
  product: RunningProduct,
  candidates: number,
  durationMs: number,
): Promise<Map<number, string>> {
  const secretKey = await readOrMakeSecretKey(product.dataDir)
  await db.query(
    `with owner as (
       insert into societies (id, name, via, created_at)
       values (gen_random_uuid(), 'Bench', 'command', now())
       on conflict (lower(name)) do update set name = societies.name returning id
     )
     insert into assessments (code, society_id, society, duration_seconds, shuffle, navigator, rules,
       time_zone, is_sample, created_at)
     select $1, id, 'Bench', $2::int, true, true,
       '{"timing":[],"allowed":[],"forbidden":[],"contact":null}', 'Europe/Lisbon', false, now()
     from owner`,
    [CODE, Math.ceil(durationMs / 1000)],
  )
  const { rows } = await db.query(
    `insert into assessment_items (assessment, position, question, answer_a, answer_b, answer_c,
       answer_d, correct_option, is_sample)
     select $1, n, 'By how much does the price of bond ' || n || ' change when its yield rises?',
       'It falls by 1%', 'It falls by 2%', 'It falls by 3%', 'It falls by 4%',
       (array['A', 'B', 'C', 'D'])[1 + n % 4], false
     from generate_series(1, ${ITEMS}) n returning id, correct_option`,
    [CODE],
  )
  await db.query(
    `insert into candidates (id, assessment, username, password_hash, created_at)
     select gen_random_uuid(), $1, 'candidate-' || n, $2, now() from generate_series(1, $3::int) n`,
    [CODE, hashCandidatePassword(secretKey, PASSWORD), candidates],
  )
  await db.query('analyze')
  return new Map(rows.map(({ id, correct_option }) => [id, correct_option]))
}

async function signUpAll(url: string, count: number): Promise<CrowdPlan['people']> {
  const people: CrowdPlan['people'] = []
  let next = 0
  const signUpSome = async () => {
    while (next < count) {
      next += 1
      const username = `candidate-${next}`
      const { token } = await makeGuest(url)
      people.push({ username, token })
    }
  }
  await Promise.all(Array.from({ length: SIGN_UPS_AT_ONCE }, signUpSome))
  return people
}

/** Waits until the sweep has closed who left. */
async function untilAllClosed(db: pg.Client, durationMs: number): Promise<void> {
  const limit = Date.now() + durationMs + GRACE_MS + 60_000
  for (;;) {
    const { rows } = await db.query(
      'select count(*)::int as open from attempts where submitted_at is null',
    )
    if (rows[0].open === 0 || Date.now() > limit) return
    await wait(500)
  }
}

/** The crowd's testimony against what is stored. */
async function compare(db: pg.Client, report: CrowdReport, keys: ReadonlyMap<number, string>) {
  const stored = new Map<string, Record<string, string>>()
  const answers = await db.query(
    `select c.username, a.item_id as item, a.choice from attempt_answers a
     join attempts t on t.id = a.attempt_id join candidates c on c.id = t.candidate_id
     where t.assessment = $1`,
    [CODE],
  )
  for (const { username, item, choice } of answers.rows) {
    const own = stored.get(username) ?? {}
    own[item] = choice
    stored.set(username, own)
  }
  const results = await db.query(
    'select "user", correct, incorrect, cheated from assessment_results where assessment = $1',
    [CODE],
  )
  const resultOf = new Map(results.rows.map((row) => [row.user, row]))
  const twice = await db.query(
    `select (select count(*) from (select from attempts where assessment = $1
         group by candidate_id having count(*) > 1) a)::int
       + (select count(*) from (select from attempt_events where kind = 'submitted'
         group by attempt_id having count(*) > 1) e)::int as double`,
    [CODE],
  )
  let lost = 0
  let wrong = 0
  const first: string[] = []
  for (const person of report.people) {
    const own = stored.get(person.username) ?? {}
    for (const [item, choice] of Object.entries(person.answers)) {
      if (own[item] === choice) continue
      lost += 1
      first.push(`${person.username}: item ${item} was acknowledged as ${choice}, is ${own[item]}`)
    }
    const expected = tally(person, own, keys)
    const row = resultOf.get(person.username)
    const cheated = person.violations === null ? '' : row?.cheated
    const is = row && `${row.correct} ${row.incorrect} ${cheated}`
    if (is === expected) continue
    wrong += 1
    first.push(`${person.username}: expected ${expected}, is ${is}`)
  }
  return { lost, wrong, double: twice.rows[0].double as number, first }
}

/**
 * 'correct incorrect cheated', counted from what was answered; unanswered counts as incorrect. Nothing
 * stands for cheated when the candidate was never told.
 */
function tally(
  person: Testimony,
  own: Record<string, string>,
  keys: ReadonlyMap<number, string>,
): string {
  const correct = [...keys].filter(([item, key]) => own[item] === key).length
  const { violations } = person
  if (violations !== null && violations > MAX_VIOLATIONS)
    throw new Error('more strikes than there are')
  return `${correct} ${keys.size - correct} ${violations === null ? '' : violations > 0}`
}
