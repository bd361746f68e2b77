import type pg from 'pg'
import { OPTION_LETTERS } from '../platform/options.ts'
import { listCells } from '../practice/categories.ts'
import type { Question } from '../practice/question.ts'
import { markAnswers } from '../practice/scoring.ts'
import { countTests, questionsOfTest } from '../practice/test-of-ten.ts'
import { makeGuest } from './product.ts'

/** Of each person who is measured. */
const RESULTS_EACH = 300
/** Results of everybody else in the mean: hundreds for a few, less than ten for most. */
const RESULTS_OF_OTHERS = 10
/** A filling spreads evenly over so many days before now. */
const DAYS = 300
const TIME_ZONE = 'Europe/Lisbon'
/** Different answers to each test. */
const VARIANTS = 4
/** Results stored by one statement. */
const BATCH = 20_000
/** How much of a filling was there at the last vacuum, which comes by itself after each fifth. */
const VACUUMED = 7 / 8

/** The cell in which half of a measured person's results are. */
export const [FAVOURITE] = listCells() as [ReturnType<typeof listCells>[number]]

/** Whose calls are measured. */
export interface Person {
  token: string
  refreshToken: string
  resultIds: string[]
  /** questions that were answered */
  itemIds: string[]
}

/**
 * Stores so many results more, and all that finished tests leave behind: snapshots of the bank's own
 * questions, facts and cards, practised days, with an error practice for each tenth. Some new guests have RESULTS_EACH
 * of them. The rows are written in the order of time over everybody, as they come in, so that those of
 * one person lie far apart.
 * @param people how many are to be measured
 */
export async function fill(
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
  // Else it is written to the disk while calls are measured.
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

/** Accounts of everybody else. */
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

/** What the server would store of each test of the bank, with different answers. */
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
 * $1 first and $2 last of the filling's $3 results, which end at $4; $5 who is measured. Theirs, in turn,
 * are spread evenly over the others. Of the others, the first are the most eager.
 */
const STORE_RESULTS = `
  with drawn as materialized (
    select n, $4::timestamptz - (1 - n::float8 / $3::int) * interval '${DAYS} days' as completed_at,
      n::bigint * cardinality($5::uuid[]) * ${RESULTS_EACH} / $3::int as measured,
      (n + 1)::bigint * cardinality($5) * ${RESULTS_EACH} / $3
        > n::bigint * cardinality($5) * ${RESULTS_EACH} / $3 as is_measured,
      floor(random() ^ 1.5 * (select count(*) from bench_others)) as other,
      random() < 0.5 as is_favourite, random() as snapshot
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
      when is_measured and is_favourite then (select count(*) from bench_snapshots
        where (category, difficulty) = ('${FAVOURITE.category}', '${FAVOURITE.difficulty}'))
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
    -- Those of everybody else stand as they would after their last look; the measured ones' are made anew.
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
