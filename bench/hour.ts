import { randomUUID } from 'node:crypto'
import { json } from 'node:stream/consumers'
import { listCells } from '../practice/categories.ts'
import type { Question } from '../practice/question.ts'

// Student visits in a separate process, for the bench 'memory': reads an HourPlan from standard input, plays the visits
// without pauses, and writes the number of calls.

export interface HourPlan {
  url: string
  /** existing accounts, and their shared password */
  emails: string[]
  password: string
  visits: number
  /** concurrent visits */
  atOnce: number
}

const TIME_ZONE = 'Europe/Lisbon'
const HTML = { Accept: 'text/html' }
/** Matches the files that a page makes the browser load. */
const LINKED = /(?:src|href)="(\/[^"?]+\.\w+)"/g

const { url, emails, password, visits, atOnce } = (await json(process.stdin)) as HourPlan
const cells = listCells()
let calls = 0

interface Request {
  method?: string
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

/** @returns the response's text; an unexpected status ends the bench */
async function send(
  path: string,
  { method = 'GET', token, body, headers }: Request,
  ...expected: number[]
): Promise<string> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...headers,
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!expected.includes(response.status)) {
    throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
  }
  calls += 1
  return text
}

interface Session {
  access_token: string
  refresh_token: string
}

/** What one student does in twenty minutes. */
async function visit(number: number): Promise<void> {
  const cached = new Set<string>()
  await loadPage('/', cached)
  await loadPage('/auth', cached)
  const session = await signIn(number)
  await loadPage('/dashboard', cached)
  const get = (path: string) => send(path, { token: session.access_token }, 200)
  const post = (path: string, body: unknown) =>
    send(path, { method: 'POST', token: session.access_token, body }, 200, 201)

  for (const path of ['profile', 'contact', 'questions/counts', 'assessments', 'progress']) {
    await get(`/api/${path}`)
  }
  await get(`/api/streak?timeZone=${TIME_ZONE}`)
  await get(`/api/daily?timeZone=${TIME_ZONE}`)
  await post('/api/daily/answer', {
    selectedOption: 'B',
    timeTakenSeconds: 30,
    timeZone: TIME_ZONE,
  })

  for (const round of [0, 1]) {
    const cell = cells[(number + round) % cells.length] as (typeof cells)[number]
    const query = new URLSearchParams(cell)
    const questions: Question[] = JSON.parse(await get(`/api/questions?${query}&testNumber=1`))
    await get(`/api/results?${query}`)
    const id = randomUUID()
    const answers = questions.map((question) => ({
      questionId: question.id,
      selectedAnswer: 'A',
    }))
    await post('/api/results', {
      id,
      ...cell,
      testNumber: 1,
      answers,
      completedAt: new Date().toISOString(),
      timeZone: TIME_ZONE,
    })
    await get(`/api/results/${id}`)
    await get('/api/progress')
    await get(`/api/streak?timeZone=${TIME_ZONE}`)
    await get(`/api/results?${query}`)
    await get(`/api/questions?${query}`)
    await get(`/api/mistakes?${query}`)
  }
  await post('/api/streak', { id: randomUUID(), timeZone: TIME_ZONE })
  await get('/api/profile')
  // Guests have no password.
  if (number % 10 === 0) await post('/api/profile/export', {})
  await goWrong(number, session)
  await leave(number, await refresh(session))
}

/** Loads a page and its files, except files cached from an earlier page. */
async function loadPage(path: string, cached: Set<string>): Promise<void> {
  const html = await send(path, { headers: HTML }, 200)
  for (const [, file = ''] of html.matchAll(LINKED)) {
    if (cached.has(file)) continue
    cached.add(file)
    await send(file, {}, 200)
  }
}

/** A fifth come as guests, a tenth create an account, the others have one. */
async function signIn(number: number): Promise<Session> {
  const request = (body: unknown) => ({ method: 'POST', body })
  if (number % 5 === 0) {
    return JSON.parse(await send('/auth/v1/signup', request({ data: {} }), 200))
  }
  if (number % 10 === 1) {
    const account = { email: `${randomUUID()}@example.org`, password }
    return JSON.parse(await send('/auth/v1/signup', request(account), 200))
  }
  const email = emails[number % emails.length] as string
  const token = '/auth/v1/token?grant_type=password'
  if (number % 10 === 2) await send(token, request({ email, password: `not ${password}` }), 400)
  return JSON.parse(await send(token, request({ email, password }), 200))
}

async function refresh({ refresh_token }: Session): Promise<Session> {
  const path = '/auth/v1/token?grant_type=refresh_token'
  return JSON.parse(await send(path, { method: 'POST', body: { refresh_token } }, 200))
}

/** Old links, bots and broken clients, each with a different address and text. */
async function goWrong(number: number, { access_token: token }: Session): Promise<void> {
  await send(`/gone/${randomUUID()}`, { headers: HTML }, 404)
  await send(`/assets/${randomUUID()}.js`, {}, 404)
  await send(`/api/${randomUUID()}`, { token }, 404)
  await send(`/api/results/${randomUUID()}`, { token }, 404)
  await send(`/api/questions?category=${randomUUID()}&difficulty=Intern`, { token }, 200)
  await send(`/api/streak?timeZone=${randomUUID()}`, { token }, 400)
  await send('/api/results', { method: 'POST', token, body: `{"id": "${number}` }, 400)
  await send('/api/results', { method: 'POST', token, body: 'x'.repeat(120_000) }, 413)
  await send('/api/profile', {}, 401)
  await send('/api/profile', { token: `${token}${number}` }, 401)
}

/** Most close the page, some sign out, and some guests delete their data. */
async function leave(number: number, { access_token: token }: Session): Promise<void> {
  if (number % 20 === 0) await send('/api/profile', { method: 'DELETE', token, body: {} }, 200)
  else if (number % 2 === 0) await send('/auth/v1/logout', { method: 'POST', token }, 204)
}

let next = 0
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    while (next < visits) await visit(next++)
  }),
)
process.stdout.write(String(calls), () => process.exit(0))
