import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import pg from 'pg'
import type { Question } from '../practice/question.ts'
import type { Fact } from '../practice/server/facts-store.ts'
import { STORE_RESULT } from '../practice/server/results.ts'
import { makeGuest, type RunningProduct, startProduct } from './product.ts'
import { compareRates, type Figure, ROUND_SECONDS, round2 } from './rounds.ts'

const CONNECTIONS = 32
const CATEGORY = 'Valuation & Corporate Finance'
const DIFFICULTY = 'Analyst'

/**
 * finish-test: POST /api/results ÷ the same SQL over the same driver, 32 connections each. server-mb: the server's peak
 * resident memory meanwhile.
 */
export async function benchFinishTest(): Promise<Figure[]> {
  const product = await startProduct()
  const pool = new pg.Pool({ connectionString: product.databaseUrl, max: CONNECTIONS })
  try {
    const guests = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => makeGuest(product.url)),
    )
    const questions = await readTest(product, guests[0]?.token ?? '')
    let highestMb = 0
    const watch = setInterval(() => {
      highestMb = Math.max(highestMb, product.residentMb())
    }, 100)
    const { ratio, one, other } = await compareRates(
      () => postResults(product.url, guests, questions),
      () => runBareSql(pool, guests, questions),
    )
    clearInterval(watch)
    return [
      {
        name: 'finish-test',
        figure: round2(ratio),
        limit: '≥ 0.5',
        met: ratio >= 0.5,
        note: `${Math.round(one)} results/s against ${Math.round(other)}/s with bare SQL`,
      },
      {
        name: 'server-mb',
        figure: highestMb,
        limit: '< 200',
        met: highestMb < 200,
        note: 'peak resident memory while saving results',
      },
    ]
  } finally {
    await pool.end()
    await product.stop()
  }
}

interface Guest {
  token: string
  userId: string
}

async function readTest({ url }: RunningProduct, token: string): Promise<Question[]> {
  const query = new URLSearchParams({ category: CATEGORY, difficulty: DIFFICULTY, testNumber: '1' })
  const response = await fetch(`${url}/api/questions?${query}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  return (await response.json()) as Question[]
}

/** Results per second over HTTP. Every response must be a 201. */
async function postResults(url: string, guests: Guest[], questions: Question[]): Promise<number> {
  let nextGuest = 0
  const result = await autocannon({
    url: `${url}/api/results`,
    connections: CONNECTIONS,
    duration: ROUND_SECONDS,
    setupClient: (client) => {
      const guest = guests[nextGuest++ % guests.length]
      client.setHeaders({
        authorization: `Bearer ${guest?.token}`,
        'content-type': 'application/json',
      })
    },
    requests: [
      {
        method: 'POST',
        setupRequest: (request) => ({ ...request, body: JSON.stringify(finishedTest(questions)) }),
      },
    ],
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error('a result was not saved')
  return result['2xx'] / result.duration
}

function finishedTest(questions: Question[]) {
  return {
    id: randomUUID(),
    category: CATEGORY,
    difficulty: DIFFICULTY,
    testNumber: 1,
    answers: questions.map(({ id }, index) => ({
      questionId: id,
      selectedAnswer: index % 2 === 0 ? 'A' : 'C',
    })),
    completedAt: new Date().toISOString(),
    timeZone: 'Europe/Lisbon',
  }
}

const READ_SESSION = `
  select s.id, s.user_id, u.email, u.is_anonymous,
    coalesce((select version from bank), 0) as bank_version
  from unnest($1::uuid[]) as asked(id) join sessions s using (id) join users u on u.id = s.user_id`
const FIND_SAVED = `
  select score, total_questions, streak_answered, u.created_at
  from users u left join test_results r on r.user_id = u.id and r.id = $2 where u.id = $1`
const READ_DAYS = `
  select day::text, extract(epoch from completed_at) * 1000, time_zone
  from practice_days where user_id = $1 order by practice_days.day`

function factsOf(questions: Question[], sessionId: string, at: Date): Fact[] {
  return questions.map(({ id }, place) => ({
    session_id: sessionId,
    place,
    kind: 'test',
    item: String(id),
    family: String(id),
    choice: 'A',
    is_right: false,
    is_guess: false,
    slip: null,
    took_ms: null,
    answered_at: at.toISOString(),
    day: at.toISOString().slice(0, 10),
  }))
}

/** The same call's statements in the same order, without the server. */
async function runBareSql(pool: pg.Pool, guests: Guest[], questions: Question[]): Promise<number> {
  const until = Date.now() + ROUND_SECONDS * 1000
  let saved = 0
  const questionsData = JSON.stringify(
    questions.map((question) => ({ question, userAnswer: 'A', isCorrect: false })),
  )
  const streak = JSON.stringify({
    currentStreak: 1,
    streakHighscore: 1,
    lastCompletedDate: new Date().toISOString().slice(0, 10),
  })
  await Promise.all(
    guests.map(async ({ userId }) => {
      const { rows } = await pool.query('select id from sessions where user_id = $1', [userId])
      const sessionId = rows[0]?.id
      while (Date.now() < until) {
        const id = randomUUID()
        const now = new Date()
        const client = await pool.connect()
        try {
          await client.query({ name: 'session', text: READ_SESSION, values: [[sessionId]] })
          await client.query({ name: 'saved', text: FIND_SAVED, values: [userId, id] })
          await client.query({ name: 'days', text: READ_DAYS, values: [userId] })
          await client.query({
            name: 'store',
            text: STORE_RESULT,
            values: [
              userId,
              now.toISOString().slice(0, 10),
              now,
              'Europe/Lisbon',
              id,
              CATEGORY,
              DIFFICULTY,
              1,
              0,
              10,
              questionsData,
              streak,
              `bench:${userId}`,
              now.getTime(),
              now.getTime() + 24 * 3600 * 1000,
              2_147_483_647,
              JSON.stringify(factsOf(questions, id, now)),
            ],
          })
        } finally {
          client.release()
        }
        saved += 1
      }
    }),
  )
  return saved / ROUND_SECONDS
}
