import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Locator, type Page } from '@playwright/test'
import { OPTION_LETTERS, type OptionLetter } from '../shared/catalogue.ts'
import type { Question } from '../shared/question.ts'
import { errorPracticeUrl, quizUrl, resultsUrl, testsUrl, URLS } from '../shared/urls.ts'
import { findBrowser } from './browser.mjs'

// Photographs the running product with a demo account that has a history.
//   npm run screenshots                    the pictures that the product itself shows
//   npm run screenshots -- --all [FOLDER]  every screen, both widths, both themes
const ROOT = path.join(import.meta.dirname, '..')
const PUBLIC = path.join(ROOT, 'web', 'public')
const SLIDES = path.join(PUBLIC, 'screenshots')
/** What a slide shows, in CSS pixels, and the width of its picture (web/landing/slide-picture.tsx). */
const SLIDE = { width: 540, height: 450 }
const SLIDE_PICTURE_WIDTH = 960
/** CSS pixels above the first thing on a slide. */
const SLIDE_MARGIN = 22
/** Its fourth question is short enough to stand whole in a slide. */
const SLIDE_CATEGORY = 'Macroeconomics & Business Strategy'
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

/** The README's picture, the landing page's, and what other sites and devices show of us. */
async function photographProduct(browser: Browser, account: Account): Promise<void> {
  const page = await openPage(browser, { width: 1280, height: 880 }, 'light', account)
  await show(page, URLS.dashboard)
  await page.screenshot({ path: path.join(ROOT, 'docs', 'dashboard.png') })
  await page.context().close()
  await mkdir(SLIDES, { recursive: true })
  for (const theme of ['light', 'dark'] as const) await photographSlides(browser, account, theme)
  await photographLanding(browser)
  await drawIcons(browser)
}

/** The four slides of the landing page (specification, section 2): parts of real screens. */
async function photographSlides(
  browser: Browser,
  account: Account,
  theme: 'light' | 'dark',
): Promise<void> {
  const scale = SLIDE_PICTURE_WIDTH / SLIDE.width
  const page = await openPage(browser, { width: SLIDE.width, height: 900 }, theme, account, scale)
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

/** The fourth question, its answer chosen but not finished. */
async function answerThree(page: Page): Promise<void> {
  for (const key of ['b', 'Enter', 'c', 'Enter', 'a', 'Enter', 'c']) await page.keyboard.press(key)
  await page.getByRole('radio', { checked: true }).waitFor()
}

/** Playwright makes no WebP; the browser does. */
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

/** The picture that goes with a link to us: the top of the landing page, with the slides of just now. */
async function photographLanding(browser: Browser): Promise<void> {
  const page = await openPage(browser, { width: 1200, height: 630 }, 'light', null)
  await page.route('**/screenshots/*', (route) =>
    route.fulfill({ path: path.join(SLIDES, path.basename(route.request().url())) }),
  )
  await show(page, URLS.landing)
  await page.screenshot({ path: path.join(PUBLIC, 'social.png') })
  await page.context().close()
}

/** favicon.svg for who wants pixels. Phones cut their own shape out, so those have no corners. */
async function drawIcons(browser: Browser): Promise<void> {
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
  deviceScaleFactor = 1,
): Promise<Page> {
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor,
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
