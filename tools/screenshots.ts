import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from '@playwright/test'
import { OPTION_LETTERS, type OptionLetter } from '../shared/catalogue.ts'
import type { Question } from '../shared/question.ts'
import { errorPracticeUrl, quizUrl, resultsUrl, testsUrl, URLS } from '../shared/urls.ts'
import { findBrowser } from './browser.mjs'

// Photographs the running product with a demo account that has a history.
//   npm run screenshots                    the pictures that the product itself shows
//   npm run screenshots -- --all [FOLDER]  every screen, both widths, both themes
const ROOT = path.join(import.meta.dirname, '..')
const CATEGORY = 'Valuation & Corporate Finance'
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false } },
})

const dataDir = await mkdtemp(path.join(tmpdir(), 'superday-screenshots-'))
const port = await freePort()
const url = `http://localhost:${port}`
const server = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts', 'demo'], {
  cwd: ROOT,
  env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, RATE_LIMITS: 'off' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  await new Promise<void>((resolve, reject) => {
    server.stdout.on('data', (chunk) => String(chunk).includes('is ready') && resolve())
    server.once('exit', () => reject(new Error('the server did not start')))
  })
  const browser = await chromium.launch({
    executablePath: findBrowser() ?? undefined,
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })
  const account = await makeHistory()
  if (values.all) await photographAll(browser, account, positionals[0] ?? 'screenshots')
  else await photographProduct(browser, account)
  await browser.close()
} finally {
  server.kill('SIGTERM')
  await new Promise((resolve) => server.once('exit', resolve))
  await rm(dataDir, { recursive: true, force: true })
}

interface Account {
  session: { access_token: string }
  /** a saved attempt with mistakes */
  attemptId: string
}

/** An account that practised on six of the last seven days, better and better. */
async function makeHistory(): Promise<Account> {
  const session = await post('/auth/v1/signup', {
    email: 'mara@superday.example',
    password: randomUUID(),
    data: { degree: 'Economics', year_of_studies: 2 },
  })
  const token = session.access_token
  const cells = [
    ['Financial Accounting & Analysis', 'Discover Finance', 6],
    ['Financial Accounting & Analysis', 'Intern', 7],
    ['Financial Markets & Instruments', 'Discover Finance', 6],
    ['Mental Agility & Problem Solving', 'Discover Finance', 8],
    [CATEGORY, 'Discover Finance', 7],
    [CATEGORY, 'Intern', 8],
    [CATEGORY, 'Intern', 8],
  ] as const
  let attemptId = ''
  for (const [index, [category, difficulty, score]] of cells.entries()) {
    const questions = await get(
      `/api/questions?${new URLSearchParams({ category, difficulty, testNumber: '1' })}`,
      token,
    )
    attemptId = randomUUID()
    const daysAgo = Math.max(0, 5 - index)
    await post(
      '/api/results',
      {
        id: attemptId,
        category,
        difficulty,
        testNumber: 1,
        answers: questions.map(({ id, correctOption }: Question, position: number) => ({
          questionId: id,
          selectedAnswer: position % 10 < score ? correctOption : wrongFor(correctOption),
        })),
        completedAt: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
        timeZone: 'Europe/Lisbon',
      },
      token,
    )
  }
  return { session, attemptId }
}

function wrongFor(correct: OptionLetter): OptionLetter {
  return OPTION_LETTERS[(OPTION_LETTERS.indexOf(correct) + 1) % 4] as OptionLetter
}

/** The picture of the README. */
async function photographProduct(browser: Browser, account: Account): Promise<void> {
  const page = await openPage(browser, { width: 1280, height: 880 }, 'light', account)
  await show(page, URLS.dashboard)
  await page.screenshot({ path: path.join(ROOT, 'docs', 'dashboard.png') })
}

async function photographAll(browser: Browser, account: Account, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const screens: [name: string, route: string, isSignedIn: boolean][] = [
    ['landing', URLS.landing, false],
    ['auth-signin', '/auth?tab=signin', false],
    ['auth-signup', '/auth?tab=signup', false],
    ['not-found', '/no/such/page', false],
    ['dashboard', URLS.dashboard, true],
    ['tests', testsUrl(CATEGORY, 'Intern'), true],
    ['tests-empty', testsUrl('None', 'Intern'), true],
    ['quiz', quizUrl(CATEGORY, 'Analyst', 1), true],
    ['results', resultsUrl(CATEGORY, 'Intern', 1, account.attemptId), true],
    ['results-none', URLS.errorResults, true],
    ['error-practice', errorPracticeUrl(CATEGORY, 'Intern'), true],
    ['personal-hub', URLS.personalHub, true],
    ['recruitment', URLS.recruitment, true],
    ['career-hub', URLS.careerHub, true],
    ['faq', URLS.faq, true],
    ['about', URLS.about, true],
    ['feedback', URLS.feedback, true],
    ['recruitment-resources', URLS.recruitmentResources, true],
  ]
  for (const theme of ['light', 'dark'] as const) {
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const signedIn = await openPage(browser, viewport, theme, account)
      const visitor = await openPage(browser, viewport, theme, null)
      for (const [name, route, isSignedIn] of screens) {
        const page = isSignedIn ? signedIn : visitor
        await show(page, route)
        const file = path.join(folder, `${name}-${viewport.width}-${theme}.png`)
        await page.screenshot({ path: file, fullPage: true })
        console.log(file)
      }
      await signedIn.context().close()
      await visitor.context().close()
    }
  }
}

async function openPage(
  browser: Browser,
  viewport: { width: number; height: number },
  theme: 'light' | 'dark',
  account: Account | null,
): Promise<Page> {
  const context = await browser.newContext({
    viewport,
    baseURL: url,
    locale: 'en-US',
    timezoneId: 'Europe/Lisbon',
    reducedMotion: 'reduce',
  })
  await context.addInitScript(
    ([chosen, session]) => {
      localStorage.setItem('superday-theme', chosen ?? 'light')
      if (session) localStorage.setItem('superday-auth', session)
    },
    [theme, account ? JSON.stringify(account.session) : ''],
  )
  return context.newPage()
}

async function show(page: Page, route: string): Promise<void> {
  await page.goto(route)
  await page.getByRole('heading').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

async function post(route: string, body: unknown, token?: string) {
  const response = await fetch(`${url}${route}`, {
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

async function get(route: string, token: string) {
  const response = await fetch(`${url}${route}`, { headers: { Authorization: `Bearer ${token}` } })
  return response.json()
}
