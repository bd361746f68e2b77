import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { OPTION_LETTERS } from '../platform/options.ts'
import { listCells } from '../practice/categories.ts'
import type { Question } from '../practice/question.ts'
import { markAnswers } from '../practice/scoring.ts'
import { countTests, questionsOfTest } from '../practice/test-of-ten.ts'
import { makeGuest, type RunningProduct, renewGuest, startProduct } from './product.ts'
import { type Figure, percentile, ROUNDS, round2 } from './rounds.ts'

/** Results stored in total. */
const SMALL = 10_000
const MIDDLE = 100_000
const LARGE = 1_000_000
/** Calls per route and side in a round. */
const CALLS = 200
const LIMIT = 1.5

/** A product, its database, and the people whose calls are measured. */
interface Side {
  product: RunningProduct
  db: pg.Client
  people: Person[]
}

/** Calls for progress, streak, mistakes and due cards. Each is measured separately. */
const ROUTES: Record<string, (url: string, person: Person) => Promise<Response>> = {
  'GET /api/progress': (url, person) => call(`${url}/api/progress`, person),
  'GET /api/streak': (url, person) => call(`${url}/api/streak?timeZone=Europe/Lisbon`, person),
  'POST /api/streak': (url, person) =>
    call(`${url}/api/streak`, person, { id: randomUUID(), timeZone: 'Europe/Lisbon' }),
  'GET /api/mistakes': (url, person) =>
    call(`${url}/api/mistakes?${new URLSearchParams(FAVORITE)}`, person),
  'GET /api/results': (url, person) =>
    call(`${url}/api/results?${new URLSearchParams(FAVORITE)}`, person),
  'GET /api/practice/today': (url, person) =>
    call(`${url}/api/practice/today?timeZone=Europe/Lisbon`, person),
  'GET /api/practice/due': (url, person) =>
    call(`${url}/api/practice/due?timeZone=Europe/Lisbon`, person),
  // Stores an answer, so that the next request for due cards has to recompute a card.
  'PUT /api/practice/sessions/:id': (url, person) =>
    call(`${url}/api/practice/sessions/${randomUUID()}`, person, answered(person), 'PUT'),
  'GET /api/results/:id': (url, person) => {
    const id = person.resultIds[Math.floor(Math.random() * person.resultIds.length)]
    return call(`${url}/api/results/${id}`, person)
  },
}

/**
 * growth-1m: the p95 of each call behind progress, streak, mistakes and due cards, for people with 300 results, with 1
 * M results stored in total ÷ with 10 k; the worst of them. Two products run at the same time, a small one and a
 * growing one, and are called alternately.
 */
export async function benchGrowth(): Promise<Figure[]> {
  const small = await openSide()
  const growing = await openSide()
  try {
    small.people = await fillTimed(small, { count: SMALL, people: 20 })
    growing.people = await fillTimed(growing, { count: MIDDLE, people: 100 })
    const middle = await compareSides(growing, small, MIDDLE)
    // The rows of the first people are in the oldest tenth of the table, so this uses new ones. They are so many that
    // their data exceeds PostgreSQL's memory.
    growing.people = await fillTimed(growing, { count: LARGE - MIDDLE, people: 200 })
    const large = await compareSides(growing, small, LARGE)
    return [
      {
        name: 'growth-1m',
        figure: round2(large.ratio),
        limit: `< ${LIMIT}`,
        met: large.ratio < LIMIT,
        note: `p95 of ${large.route}: ${large.large.toFixed(1)} ms with ${LARGE} results stored, ${large.small.toFixed(1)} ms with ${SMALL}; with ${MIDDLE} at most ${round2(middle.ratio)} (${middle.route})`,
      },
    ]
  } finally {
    for (const { db, product } of [small, growing]) {
      await db.end()
      await product.stop()
    }
  }
}

async function openSide(): Promise<Side> {
  const product = await startProduct()
  const db = new pg.Client({ connectionString: product.databaseUrl })
  await db.connect()
  return { product, db, people: [] }
}

async function fillTimed(
  { db, product }: Side,
  filling: { count: number; people: number },
): Promise<Person[]> {
  const started = performance.now()
  const people = await fill(db, product.url, filling)
  const { rows } = await db.query(
    `select count(*)::int as stored, pg_size_pretty(pg_database_size(current_database())) as size
     from test_results`,
  )
  const seconds = Math.round((performance.now() - started) / 1000)
  console.error(
    `${rows[0].stored} results stored, ${rows[0].size}, ${filling.count} of them in ${seconds} s`,
  )
  return people
}

/** A route's p95 on both sides, in milliseconds. */
interface Compared {
  route: string
  ratio: number
  large: number
  small: number
}

/** Measures each route, and returns the one that grew most. */
async function compareSides(large: Side, small: Side, stored: number): Promise<Compared> {
  const compared: Compared[] = []
  for (const route of Object.keys(ROUTES)) {
    // Filling and measuring take longer than a token is valid.
    for (const side of [large, small]) side.people = await renewed(side)
    const rounds: Compared[] = []
    // As in compareRates, but the sides alternate at each call. A p95 comes from the worst moments, so both sides
    // should run through the same ones.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const took: { large: number[]; small: number[] } = { large: [], small: [] }
      for (let number = 0; number < CALLS; number += 1) {
        took.large.push(await measureCall(large, route, number))
        took.small.push(await measureCall(small, route, number))
      }
      const [a, b] = [percentile(took.large, 0.95), percentile(took.small, 0.95)]
      if (round > 0) rounds.push({ route, ratio: a / b, large: a, small: b })
    }
    rounds.sort((a, b) => a.ratio - b.ratio)
    const median = rounds[Math.floor(ROUNDS / 2)] as Compared
    compared.push(median)
    console.error(
      `${String(stored).padStart(9)} ${route.padEnd(21)} ${median.large.toFixed(2)} ms ÷ ${median.small.toFixed(2)} ms = ${round2(median.ratio)} (${rounds.map(({ ratio }) => round2(ratio)).join(', ')})`,
    )
  }
  return compared.reduce((worst, one) => (one.ratio > worst.ratio ? one : worst))
}

/** A side's people with new tokens. */
const renewed = ({ product, people }: Side): Promise<Person[]> =>
  Promise.all(
    people.map(async (person) => {
      const { token, refreshToken } = await renewGuest(product.url, person.refreshToken)
      return { ...person, token, refreshToken }
    }),
  )

/** Milliseconds until the whole response has arrived. The people take turns. */
async function measureCall({ product, people }: Side, route: string, number: number) {
  const person = people[number % people.length] as Person
  const started = performance.now()
  await (await ROUTES[route]?.(product.url, person))?.arrayBuffer()
  return performance.now() - started
}

/** A session of one answer. */
function answered({ itemIds }: Person): unknown {
  const at = new Date().toISOString()
  const item = itemIds[Math.floor(Math.random() * itemIds.length)]
  return {
    kind: 'due',
    about: {},
    answers: [{ place: 0, item, choice: 'A', answeredAt: at }],
    isFinished: false,
    completedAt: at,
    timeZone: 'Europe/Lisbon',
  }
}

async function call(
  url: string,
  { token }: Person,
  body?: unknown,
  method = body ? 'POST' : 'GET',
): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return response
}

/** Results of each measured person. */
const RESULTS_EACH = 300
/** Average results of the other people: hundreds for a few, fewer than ten for most. */
const RESULTS_OF_OTHERS = 10
/** Days before now over which the results are spread evenly. */
const DAYS = 300
const TIME_ZONE = 'Europe/Lisbon'
/** Different answers per test. */
const VARIANTS = 4
/** Results stored per statement. */
const BATCH = 20_000
/** Share of the results that the last vacuum saw. Autovacuum runs after each fifth. */
const VACUUMED = 7 / 8

/** The cell with half of a measured person's results. */
const [FAVORITE] = listCells() as [ReturnType<typeof listCells>[number]]

/** A person whose calls are measured. */
interface Person {
  token: string
  refreshToken: string
  resultIds: string[]
  /** questions that were answered */
  itemIds: string[]
}

/**
 * Stores more results with everything that finished tests leave behind: snapshots of the bank's questions, facts and
 * cards, practice days, and an error practice for each tenth. Some new guests have RESULTS_EACH of them. Rows are
 * written in time order across all people, as in production, so one person's rows are far apart.
 * @param people how many are to be measured
 */
async function fill(
  db: pg.Client,
  url: string,
  { count, people }: { count: number; people: number },
): Promise<Person[]> {
  const guests = await Promise.all(Array.from({ length: people }, () => makeGuest(url)))
  const userIds = guests.map(({ userId }) => userId)
  await makeOthers(db, Math.ceil((count - people * RESULTS_EACH) / RESULTS_OF_OTHERS))
  await makeSnapshots(db, url, guests[0]?.token ?? '')
  await db.query('select setseed(0.5)')
  const until = new Date()
  const store = async (from: number, to: number) => {
    for (let first = from; first < to; first += BATCH) {
      const last = Math.min(first + BATCH, to) - 1
      await db.query(STORE_RESULTS, [first, last, count, until, userIds])
    }
  }
  await store(0, Math.floor(count * VACUUMED))
  await db.query('vacuum analyze')
  await store(Math.floor(count * VACUUMED), count)
  await db.query('drop table bench_others, bench_snapshots')
  await db.query('analyze')
  // Otherwise it would be written to disk during the measurement.
  await db.query('checkpoint')
  const { rows } = await db.query<{ user_id: string; ids: string[]; items: string[] }>(
    `select user_id, array_agg(id) as ids, (select array_agg(item) from review_cards c
       where c.user_id = test_results.user_id) as items
     from test_results where user_id = any($1) group by 1`,
    [userIds],
  )
  const rowOf = new Map(rows.map((row) => [row.user_id, row]))
  return guests.map(({ token, refreshToken, userId }) => {
    const { ids: resultIds = [], items: itemIds = [] } = rowOf.get(userId) ?? {}
    if (resultIds.length !== RESULTS_EACH) throw new Error('a person has too few results')
    return { token, refreshToken, resultIds, itemIds }
  })
}

async function makeOthers(db: pg.Client, count: number): Promise<void> {
  await db.query(`
    create temporary table bench_others as
      select n - 1 as number, gen_random_uuid() as id from generate_series(1, ${count}) n;
    insert into users (id, email, password_hash, is_anonymous, created_at, updated_at)
      select id, id || '@example.org', 'none', false, now(), now() from bench_others;
    insert into profiles (user_id, created_at) select id, now() from bench_others;
    insert into sessions (id, user_id, amr, created_at, refreshed_at)
      select gen_random_uuid(), id, '[]', now(), now() from bench_others;
    analyze bench_others`)
}

/** What the server would store for each test of the bank, with different answers. */
async function makeSnapshots(db: pg.Client, url: string, token: string): Promise<void> {
  await db.query(`
    create temporary table bench_snapshots (number int, category text, difficulty text,
      test_number int, score int, total_questions int, questions_data jsonb)`)
  let number = 0
  for (const cell of listCells()) {
    const response = await fetch(`${url}/api/questions?${new URLSearchParams(cell)}`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    const questions = (await response.json()) as Question[]
    for (let testNumber = 1; testNumber <= countTests(questions.length); testNumber += 1) {
      const test = questionsOfTest(questions, testNumber)
      for (let variant = 0; variant < VARIANTS; variant += 1) {
        const answers = test.map(({ id }) => ({
          questionId: id,
          selectedAnswer: OPTION_LETTERS[(id + variant) % OPTION_LETTERS.length] ?? 'A',
        }))
        const marked = markAnswers(test, answers)
        await db.query('insert into bench_snapshots values ($1, $2, $3, $4, $5, $6, $7)', [
          number++,
          cell.category,
          cell.difficulty,
          testNumber,
          marked?.score,
          test.length,
          JSON.stringify(marked?.entries),
        ])
      }
    }
  }
  await db.query('analyze bench_snapshots')
}

/**
 * $1 and $2: first and last of the $3 results, which end at $4. $5: the measured people, whose results are spread
 * evenly among the others. The first of the others have the most.
 */
const STORE_RESULTS = `
  with drawn as materialized (
    select n, $4::timestamptz - (1 - n::float8 / $3::int) * interval '${DAYS} days' as completed_at,
      n::bigint * cardinality($5::uuid[]) * ${RESULTS_EACH} / $3::int as measured,
      (n + 1)::bigint * cardinality($5) * ${RESULTS_EACH} / $3
        > n::bigint * cardinality($5) * ${RESULTS_EACH} / $3 as is_measured,
      floor(random() ^ 1.5 * (select count(*) from bench_others)) as other,
      random() < 0.5 as is_favorite, random() as snapshot
    from generate_series($1::int, $2::int) n
  ),
  stored as (
    insert into test_results (user_id, id, category, difficulty, test_number, score, total_questions,
      completed_at, questions_data, streak_answered, has_facts)
    select
      case when is_measured then $5[measured % cardinality($5) + 1] else bench_others.id end,
      gen_random_uuid(), category, difficulty, test_number, score, total_questions, completed_at,
      questions_data, jsonb_build_object('currentStreak', 1, 'streakHighscore', 1,
        'lastCompletedDate', completed_at::date), true
    from drawn
    join bench_snapshots on bench_snapshots.number = floor(snapshot * case
      when is_measured and is_favorite then (select count(*) from bench_snapshots
        where (category, difficulty) = ('${FAVORITE.category}', '${FAVORITE.difficulty}'))
      else (select count(*) from bench_snapshots) end)
    left join bench_others on bench_others.number = other
    order by n
    returning user_id, id, completed_at, questions_data
  ),
  facts as (
    insert into answered_questions (user_id, session_id, place, kind, item, family, choice, is_right,
      answered_at, day)
    select user_id, id, place - 1, 'test', entry #>> '{question,id}', entry #>> '{question,id}',
      entry ->> 'userAnswer', (entry -> 'isCorrect')::boolean, completed_at,
      (completed_at at time zone '${TIME_ZONE}')::date
    from stored, jsonb_array_elements(questions_data) with ordinality as answered(entry, place)
    returning user_id, family, day
  ),
  cards as (
    -- Other people's cards are as they would be after their last visit. The measured people's are recomputed.
    insert into review_cards (user_id, family, item, stale, settings, due, stability, difficulty, last_day,
      last_right)
    select distinct on (user_id, family) user_id, family, family, user_id = any($5), 1, day + 9, 9, 5, day,
      true
    from facts order by user_id, family, day desc
    on conflict (user_id, family) do update set stale = excluded.stale, due = excluded.due,
      last_day = excluded.last_day
  ),
  days as (
    insert into practice_days (user_id, day, completed_at, time_zone)
    select user_id, (completed_at at time zone '${TIME_ZONE}')::date, max(completed_at), '${TIME_ZONE}'
    from stored group by 1, 2
    on conflict (user_id, day) do update set completed_at = excluded.completed_at
  )
  insert into error_practices (user_id, id, completed_at)
  select user_id, gen_random_uuid(), completed_at from stored where random() < 0.1`
