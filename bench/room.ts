import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { GRACE_MS } from '../assessments/deadline.ts'
import { hashCandidatePassword } from '../assessments/server/password-store.ts'
import { MAX_VIOLATIONS } from '../assessments/violations.ts'
import type { CrowdPlan, CrowdReport, Testimony } from './crowd.ts'
import { makeGuest } from './product.ts'

// Prepares and counts the assessment that a crowd takes (bench/day.ts, tests/rush/).

export const CODE = 'BENCH_DAY'
export const PASSWORD = 'abcd-efgh-jkmnp'
export const ITEMS = 30
/** Concurrent guest sign-ups during the preparation. */
const SIGN_UPS_AT_ONCE = 16

/** Creates the assessment with its roster. @returns the key of each item */
export async function prepareRoom(
  db: pg.Client,
  secretKey: Buffer,
  candidates: number,
  durationMs: number,
  items = ITEMS,
): Promise<Map<number, string>> {
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
     from generate_series(1, ${items}) n returning id, correct_option`,
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

/** Signs up a guest for each candidate of the roster. */
export async function signUpAll(url: string, count: number): Promise<CrowdPlan['people']> {
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

/** Waits until the expiry job has closed the attempts of candidates who left. */
export async function untilAllClosed(db: pg.Client, durationMs: number): Promise<void> {
  const limit = Date.now() + durationMs + GRACE_MS + 60_000
  for (;;) {
    const { rows } = await db.query(
      'select count(*)::int as open from attempts where submitted_at is null',
    )
    if (rows[0].open === 0 || Date.now() > limit) return
    await wait(500)
  }
}

/** Compares what the crowd saw with what is stored. */
export async function compareRoom(
  db: pg.Client,
  report: CrowdReport,
  keys: ReadonlyMap<number, string>,
) {
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
      first.push(
        `${person.username}: item ${item} was acknowledged as ${choice}, but is ${own[item]}`,
      )
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
 * 'correct incorrect cheated', counted from the answers; unanswered counts as incorrect. Null means that the candidate
 * never learned whether it counts as cheated.
 */
function tally(
  person: Testimony,
  own: Record<string, string>,
  keys: ReadonlyMap<number, string>,
): string {
  const correct = [...keys].filter(([item, key]) => own[item] === key).length
  const { violations } = person
  if (violations !== null && violations > MAX_VIOLATIONS)
    throw new Error('more strikes than possible')
  return `${correct} ${keys.size - correct} ${violations === null ? '' : violations > 0}`
}
