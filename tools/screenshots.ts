import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Locator, type Page } from '@playwright/test'
import pg from 'pg'
import { findRunningPostgres } from '../platform/database/embedded/start.ts'
import { OPTION_LETTERS, type OptionLetter } from '../platform/options.ts'
import { quizUrl, resultsUrl, URLS } from '../platform/urls.ts'
import type { Question } from '../practice/question.ts'
import { findBrowser } from './browser.mjs'
import { freePort } from './free-port.mjs'

// npm run screenshots: creates the product's own images, from a demo account with a history.
const ROOT = path.join(import.meta.dirname, '..')
const PUBLIC = path.join(ROOT, 'app', 'web', 'public')
const SLIDES = path.join(PUBLIC, 'screenshots')
/** A slide's size in CSS pixels. The image's width is in pages/web/landing/carousel.tsx. */
const SLIDE = { width: 540, height: 450 }
const SLIDE_PICTURE_WIDTH = 960
/** CSS pixels above the first thing on a slide. */
const SLIDE_MARGIN = 22
/** Its fourth question is short enough to fit on a slide. */
const SLIDE_CATEGORY = 'Macroeconomics & Business Strategy'
/** The account's last practice was in this category. */
const CATEGORY = 'Valuation & Corporate Finance'
const TIME_ZONE = 'Europe/Lisbon'

const dataDir = await mkdtemp(path.join(tmpdir(), 'superday-screenshots-'))
const browser = await chromium.launch({
  executablePath: findBrowser() ?? undefined,
  args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
})
try {
  await photographProduct()
} finally {
  await browser.close()
  await rm(dataDir, { recursive: true, force: true })
}

/** Takes the images of the README, the landing page, other sites and devices. */
async function photographProduct(): Promise<void> {
  const product = await startProduct()
  try {
    const account = await makeHistory(product)
    const page = await openPage(product, { width: 1280, height: 880 }, 'light', account)
    await show(page, URLS.dashboard)
    await page.screenshot({ path: path.join(ROOT, 'docs', 'dashboard.png') })
    await page.context().close()
    await mkdir(SLIDES, { recursive: true })
    for (const theme of ['light', 'dark'] as const) await photographSlides(product, account, theme)
    await photographLanding(product)
    await drawIcons()
  } finally {
    await product.stop()
  }
}

/** The four slides of the landing page (product 8.1.2): parts of real screens. */
async function photographSlides(product: Product, account: Account, theme: Theme): Promise<void> {
  const scale = SLIDE_PICTURE_WIDTH / SLIDE.width
  const page = await openPage(product, { width: SLIDE.width, height: 900 }, theme, account, scale)
  const slides: [name: string, route: string, top: Locator][] = [
    ['dashboard', URLS.dashboard, page.locator('main .eyebrow').first()],
    ['quiz', quizUrl(SLIDE_CATEGORY, 'Discover Finance', 1), page.getByText(/^Question \d+$/)],
    [
      'results',
      resultsUrl(CATEGORY, 'Intern', 1, account.attemptId),
      page.getByRole('link', { name: 'Back to Tests' }),
    ],
    ['progress', URLS.personalHub, page.getByRole('heading', { name: 'Progress Tracker' })],
  ]
  for (const [name, route, top] of slides) {
    await show(page, route)
    if (name === 'quiz') await answerThree(page)
    const y = Math.round((await top.boundingBox())?.y ?? 0) - SLIDE_MARGIN
    const picture = await page.screenshot({ fullPage: true, clip: { x: 0, y, ...SLIDE } })
    const file = path.join(SLIDES, `${name}-${theme}.webp`)
    await writeFile(file, await toWebp(page, picture))
    console.log(path.relative(ROOT, file))
  }
  await page.context().close()
}

/** Opens the fourth question and chooses an answer without finishing. */
async function answerThree(page: Page): Promise<void> {
  for (const key of ['b', 'Enter', 'c', 'Enter', 'a', 'Enter', 'c']) await page.keyboard.press(key)
  await page.getByRole('radio', { checked: true }).waitFor()
}

/** Playwright can't write WebP, but the browser can. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const url = await page.evaluate(
    async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.naturalWidth
      canvas.height = image.naturalHeight
      canvas.getContext('2d')?.drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', 0.8)
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  return Buffer.from(url.split(',')[1] ?? '', 'base64')
}

/** The image for link previews: the top of the landing page, with the new slides. */
async function photographLanding(product: Product): Promise<void> {
  const page = await openPage(product, { width: 1200, height: 630 }, 'light', null)
  await page.route('**/screenshots/*', (route) =>
    route.fulfill({ path: path.join(SLIDES, path.basename(route.request().url())) }),
  )
  await show(page, URLS.landing)
  await page.screenshot({ path: path.join(PUBLIC, 'social.png') })
  await page.context().close()
}

/** favicon.svg as pixels. Phones cut their own shape, so those icons have square corners. */
async function drawIcons(): Promise<void> {
  const svg = await readFile(path.join(PUBLIC, 'favicon.svg'), 'utf8')
  const square = svg.replace(/ rx="\d+"/, '')
  for (const [name, size, source] of [
    ['icon-192', 192, svg],
    ['icon-512', 512, svg],
    ['icon-maskable-512', 512, square],
    ['apple-touch-icon', 180, square],
  ] as const) {
    const page = await browser.newPage({ viewport: { width: size, height: size } })
    await page.setContent(`<body style="margin:0">${source}`)
    const file = path.join(PUBLIC, `${name}.png`)
    await page.screenshot({ path: file, omitBackground: true })
    await page.close()
  }
}

type Theme = 'light' | 'dark'

/** The running product, in demo mode. */
interface Product {
  url: string
  stop: () => Promise<void>
}

interface Account {
  session: { access_token: string }
  /** a saved attempt with mistakes */
  attemptId: string
}

async function startProduct(): Promise<Product> {
  const port = await freePort()
  const server = spawn(process.execPath, ['--import', 'tsx', 'app/server/main.ts', 'demo'], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, RATE_LIMITS: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    let output = ''
    server.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('is ready')) resolve()
    })
    server.once('exit', () => reject(new Error('the server did not start')))
  })
  return {
    url: `http://localhost:${port}`,
    stop: async () => {
      const stopped = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await stopped
    },
  }
}

/** Makes all accounts a month older, because results before an account's creation don't count. */
async function ageAccounts(): Promise<void> {
  const client = new pg.Client((await findRunningPostgres(dataDir)) ?? '')
  await client.connect()
  await client.query(`update users set created_at = created_at - interval '30 days'`)
  await client.end()
}

/** An account that practiced on six of the last seven days and improved. */
async function makeHistory(product: Product): Promise<Account> {
  const account = { email: 'mara@superday.example', password: randomUUID() }
  const session = await post(product, '/auth/v1/signup', { ...account, data: {} })
  await ageAccounts()
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
async function saveResult(
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

function wrongFor(correct: OptionLetter): OptionLetter {
  return OPTION_LETTERS[(OPTION_LETTERS.indexOf(correct) + 1) % 4] as OptionLetter
}

/** A page in a separate browser context, with a theme, and signed in if there is an account. */
async function openPage(
  product: Product,
  viewport: { width: number; height: number },
  theme: Theme,
  account: Account | null,
  deviceScaleFactor = 1,
): Promise<Page> {
  const context = await browser.newContext({
    ...{ viewport, deviceScaleFactor, baseURL: product.url },
    locale: 'en-US',
    timezoneId: TIME_ZONE,
    reducedMotion: 'reduce',
  })
  await context.addInitScript(
    ([chosen, stored]) => {
      localStorage.setItem('superday-theme', chosen ?? 'light')
      if (stored) localStorage.setItem('superday-auth', stored)
    },
    [theme, account ? JSON.stringify(account.session) : ''],
  )
  return context.newPage()
}

/** Opens a screen, and waits until everything has loaded and uses its font. */
async function show(page: Page, route: string): Promise<void> {
  await page.goto(route)
  await page.getByRole('heading').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.evaluate(() => document.fonts.ready)
}

async function post(product: Product, route: string, body: unknown, token?: string) {
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
