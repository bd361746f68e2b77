import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import pg from 'pg'
import { OPTION_LETTERS, type OptionLetter } from '../platform/options.ts'
import type { Question } from '../practice/question.ts'
import { freePort } from './free-port.mjs'

export const ROOT = path.join(import.meta.dirname, '..')
/** The cell in which the account of the pictures practised last. */
export const CATEGORY = 'Valuation & Corporate Finance'
export const TIME_ZONE = 'Europe/Lisbon'

export type Theme = 'light' | 'dark'

/** The running product, in demo mode. */
export interface Product {
  url: string
  port: number
  dataDir: string
  /** by assessment: the candidate that this start has made, who can sit it once */
  candidates: Map<string, { username: string; password: string }>
  stop: () => Promise<void>
}

export interface Account {
  session: { access_token: string }
  /** a saved attempt with mistakes */
  attemptId: string
}

/** @param port of an earlier start, whose sessions are to go on: they hold for one address */
export async function startProduct(dataDir: string, port?: number): Promise<Product> {
  port ??= await freePort()
  const server = spawn(process.execPath, ['--import', 'tsx', 'app/server/main.ts', 'demo'], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, RATE_LIMITS: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = await new Promise<string>((resolve, reject) => {
    let output = ''
    server.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('is ready')) resolve(output)
    })
    server.once('exit', () => reject(new Error('the server did not start')))
  })
  const lines = said.matchAll(/^Demo candidate for (\S+): (\S+) \/ (\S+)$/gm)
  return {
    port,
    dataDir,
    url: `http://localhost:${port}`,
    candidates: new Map(
      [...lines].map(([, code = '', username = '', password = '']) => [
        code,
        { username, password },
      ]),
    ),
    stop: async () => {
      const stopped = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await stopped
    },
  }
}

/** A new person: with an account, or without an e-mail a guest. */
export function signUp(product: Product, email?: string): Promise<Account['session']> {
  const account = email && { email, password: randomUUID() }
  return post(product, '/auth/v1/signup', { ...account, data: {} })
}

/** Sets all accounts back by a month: nothing counts from before an account. */
async function ageAccounts({ dataDir }: Product): Promise<void> {
  const folder = path.join(dataDir, 'postgres')
  const { port } = JSON.parse(readFileSync(path.join(folder, 'server.json'), 'utf8'))
  const password = readFileSync(path.join(folder, 'password'), 'utf8').trim()
  const client = new pg.Client(`postgres://superday:${password}@127.0.0.1:${port}/superday`)
  await client.connect()
  await client.query(`update users set created_at = created_at - interval '30 days'`)
  await client.end()
}

/** An account that practised on six of the last seven days, better and better. */
export async function makeHistory(product: Product): Promise<Account> {
  const session = await signUp(product, 'mara@superday.example')
  await ageAccounts(product)
  const tests = [
    ['Financial Accounting & Analysis', 'Discover Finance', 6],
    ['Financial Accounting & Analysis', 'Intern', 7],
    ['Financial Markets & Instruments', 'Discover Finance', 6],
    ['Mental Agility & Problem Solving', 'Discover Finance', 8],
    [CATEGORY, 'Discover Finance', 7],
    [CATEGORY, 'Intern', 8],
    [CATEGORY, 'Intern', 8],
  ] as const
  let attemptId = ''
  for (const [index, [category, difficulty, score]] of tests.entries()) {
    const daysAgo = Math.max(0, 5 - index)
    attemptId = await saveResult(product, session, { category, difficulty, score, daysAgo })
  }
  return { session, attemptId }
}

/** Finishes the first test of a cell. @returns the attempt's id */
export async function saveResult(
  product: Product,
  session: Account['session'],
  test: { category: string; difficulty: string; score: number; daysAgo: number },
): Promise<string> {
  const { category, difficulty, score, daysAgo } = test
  const token = session.access_token
  const query = new URLSearchParams({ category, difficulty, testNumber: '1' })
  const questions: Question[] = await get(product, `/api/questions?${query}`, token)
  const id = randomUUID()
  const answers = questions.map(({ id: questionId, correctOption }, position) => ({
    questionId,
    selectedAnswer: position < score ? correctOption : wrongFor(correctOption),
  }))
  const completedAt = new Date(Date.now() - daysAgo * 86_400_000).toISOString()
  await post(
    product,
    '/api/results',
    { id, category, difficulty, testNumber: 1, answers, completedAt, timeZone: TIME_ZONE },
    token,
  )
  return id
}

export function wrongFor(correct: OptionLetter): OptionLetter {
  return OPTION_LETTERS[(OPTION_LETTERS.indexOf(correct) + 1) % 4] as OptionLetter
}

/** A browser of its own, in a theme, and signed in when there is a session. */
export async function openContext(
  browser: Browser,
  product: Product,
  options: {
    viewport: { width: number; height: number }
    theme: Theme
    session: Account['session'] | null
    deviceScaleFactor?: number
  },
): Promise<BrowserContext> {
  const { theme, session, ...display } = options
  const context = await browser.newContext({
    ...display,
    baseURL: product.url,
    locale: 'en-US',
    timezoneId: TIME_ZONE,
    reducedMotion: 'reduce',
  })
  await context.addInitScript(
    ([chosen, stored]) => {
      localStorage.setItem('superday-theme', chosen ?? 'light')
      if (stored) localStorage.setItem('superday-auth', stored)
    },
    [theme, session ? JSON.stringify(session) : ''],
  )
  return context
}

/** Goes to a screen, and waits until all of it is there. */
export async function show(page: Page, route: string): Promise<void> {
  await page.goto(route)
  await page.getByRole('heading').first().waitFor()
  await settle(page)
}

/** Waits until nothing loads any more, and everything is set in its font. */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.evaluate(() => document.fonts.ready)
}

export async function post(product: Product, route: string, body: unknown, token?: string) {
  const response = await fetch(`${product.url}${route}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${route} answered ${response.status}`)
  return response.json()
}

async function get(product: Product, route: string, token: string) {
  const response = await fetch(`${product.url}${route}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  if (!response.ok) throw new Error(`${route} answered ${response.status}`)
  return response.json()
}

// What a picture of a screen is made of.

/** Who looks: one with a history, one whose daily answer was right, one whose was wrong, a new guest, nobody. */
export type Who = 'student' | 'right' | 'wrong' | 'guest' | 'visitor'

export type People = Record<Exclude<Who, 'visitor'>, Account>

export interface Stage {
  product: Product
  people: People
  /** the browser of who looks */
  context: BrowserContext
}

export interface Scene {
  name: string
  /** null: goes on where the scene before it ended */
  route: string | ((stage: Stage) => string) | null
  who: Who
  /** before the route is opened */
  before?: (page: Page, stage: Stage) => Promise<unknown>
  /** on the screen, before it is photographed */
  act?: (page: Page, stage: Stage) => Promise<unknown>
  /** what lies over the page; the picture is of the window then */
  over?: 'dialog' | 'notice'
  /** the only width at which there is such a thing */
  width?: number
}

/** Presses the first button of a name. */
export const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click()

export async function refuseCalls(page: Page): Promise<void> {
  await page.route('**/api/**', (route) =>
    route.fulfill({ status: 500, json: { code: 'unexpected_failure', message: 'refused' } }),
  )
}

export function goOnline(_: Page, { context }: Stage): Promise<void> {
  return context.setOffline(false)
}

/** Answers the questions from here on, and stands on the next one. */
export async function answerAll(page: Page, count: number): Promise<void> {
  for (let answered = 0; answered < count; answered += 1) {
    await page.keyboard.press('abcd'.charAt(answered % 4))
    await page.keyboard.press('Enter')
  }
}
