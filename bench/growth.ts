import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { FAVOURITE, fill, type Person } from './growth-fill.ts'
import { type RunningProduct, renewGuest, startProduct } from './product.ts'
import { type Figure, percentile, ROUNDS, round2 } from './rounds.ts'

/** Results stored in all. */
const SMALL = 10_000
const MIDDLE = 100_000
const LARGE = 1_000_000
/** Of each route on each side, in a round. */
const CALLS = 200
const LIMIT = 1.5

/** A product with its database, and whose calls are measured there. */
interface Side {
  product: RunningProduct
  db: pg.Client
  people: Person[]
}

/** What progress, streak, mistakes and what is due ask of the server; each is measured by itself. */
const ROUTES: Record<string, (url: string, person: Person) => Promise<Response>> = {
  'GET /api/progress': (url, person) => call(`${url}/api/progress`, person),
  'GET /api/streak': (url, person) => call(`${url}/api/streak?timeZone=Europe/Lisbon`, person),
  'POST /api/streak': (url, person) =>
    call(`${url}/api/streak`, person, { id: randomUUID(), timeZone: 'Europe/Lisbon' }),
  'GET /api/mistakes': (url, person) =>
    call(`${url}/api/mistakes?${new URLSearchParams(FAVOURITE)}`, person),
  'GET /api/results': (url, person) =>
    call(`${url}/api/results?${new URLSearchParams(FAVOURITE)}`, person),
  'GET /api/practice/today': (url, person) =>
    call(`${url}/api/practice/today?timeZone=Europe/Lisbon`, person),
  'GET /api/practice/due': (url, person) =>
    call(`${url}/api/practice/due?timeZone=Europe/Lisbon`, person),
  // An answer, and with it a card to be made anew by the next one who asks what is due.
  'PUT /api/practice/sessions/:id': (url, person) =>
    call(`${url}/api/practice/sessions/${randomUUID()}`, person, answered(person), 'PUT'),
  'GET /api/results/:id': (url, person) => {
    const id = person.resultIds[Math.floor(Math.random() * person.resultIds.length)]
    return call(`${url}/api/results/${id}`, person)
  },
}

/**
 * growth-1m: the p95 of each call behind progress, streak, mistakes and what is due, of people with 300 results, with 1 M
 * results stored in all ÷ with 10 k; the worst of them. Two products run at once, a small one and one that
 * grows, and are called in turn.
 */
export async function benchGrowth(): Promise<Figure[]> {
  const small = await openSide()
  const growing = await openSide()
  try {
    small.people = await fillTimed(small, { count: SMALL, people: 20 })
    growing.people = await fillTimed(growing, { count: MIDDLE, people: 100 })
    const middle = await compareSides(growing, small, MIDDLE)
    // New people, since the first ones' rows lie in the oldest tenth of the table; and so many that what
    // they ask for is more than PostgreSQL's own memory holds.
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

/** The p95 of a route on both sides, milliseconds. */
interface Compared {
  route: string
  ratio: number
  large: number
  small: number
}

/** Measures each route, and returns the one that has grown most. */
async function compareSides(large: Side, small: Side, stored: number): Promise<Compared> {
  const compared: Compared[] = []
  for (const route of Object.keys(ROUTES)) {
    // Filling and measuring take longer than a token is good for.
    for (const side of [large, small]) side.people = await renewed(side)
    const rounds: Compared[] = []
    // As in compareRates, but the sides take turns at each call: a p95 is made of the worst moments, and
    // both sides shall have the same ones.
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

/** The people of a side with new tokens. */
const renewed = ({ product, people }: Side): Promise<Person[]> =>
  Promise.all(
    people.map(async (person) => {
      const { token, refreshToken } = await renewGuest(product.url, person.refreshToken)
      return { ...person, token, refreshToken }
    }),
  )

/** Milliseconds until the whole answer is there; the people take turns. */
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
