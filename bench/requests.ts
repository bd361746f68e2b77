import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { URLS } from '../platform/urls.ts'
import type { Question } from '../practice/question.ts'
import { findBrowser } from '../tools/browser.mjs'
import { startProduct } from './product.ts'
import { type Figure, percentile } from './rounds.ts'

const CELL = { category: 'Valuation & Corporate Finance', difficulty: 'Intern' }
const DAY_MS = 86_400_000
/** Milliseconds without a request after which a page counts as idle. */
const IDLE_MS = 1_500

/**
 * dashboard-requests: what a student with a plan and an empty cache loads until the dashboard is idle. visit-calls: API
 * calls of a visit, from the dashboard through two tests and ten questions of the plan. dashboard-usable-ms: on a slow
 * phone with an empty cache, until today's button appears; median of three. Preparing for offline use (product 3.17.5)
 * isn't included.
 */
export async function benchRequests(): Promise<Figure[]> {
  const product = await startProduct()
  const browser = await chromium.launch({ executablePath: findBrowser() ?? undefined })
  try {
    const context = await browser.newContext({ baseURL: product.url })
    const session = await signInStudent(context)
    const usableMs: number[] = []
    for (const _ of [1, 2, 3]) usableMs.push(await untilUsable(browser, product.url, session))
    const page = await context.newPage()
    const urls: string[] = []
    page.on('request', (request) => urls.push(request.url()))
    const untilIdle = async () => {
      for (let before = -1; before < urls.length; await page.waitForTimeout(IDLE_MS)) {
        before = urls.length
      }
    }
    await page.goto(URLS.dashboard)
    await page.getByRole('link', { name: /^Start Test/ }).waitFor()
    await untilIdle()
    const requests = urls.length
    for (const _ of [1, 2]) {
      await page.getByRole('link', { name: /^Start Test/ }).click()
      await takeTest(page)
      await untilIdle()
      await page.getByRole('link', { name: 'Dashboard', exact: true }).first().click()
    }
    await page.locator('main .lead .btn').click()
    await page.getByRole('radiogroup').waitFor()
    // Wrong answers are repeated once.
    while (!page.url().endsWith(URLS.dueDone)) {
      for (const key of ['a', 'Enter', 'Enter']) await page.keyboard.press(key, { delay: 50 })
    }
    await untilIdle()
    const calls = urls.filter((url) => url.includes('/api/')).length
    return [
      figure('dashboard-requests', requests, 25),
      figure('visit-calls', calls, 30),
      figure('dashboard-usable-ms', Math.round(percentile(usableMs, 0.5)), 2_000),
    ]
  } finally {
    await browser.close()
    await product.stop()
  }
}

/** Stores the session of an account with a finished test and a plan in the browser. */
async function signInStudent(context: BrowserContext): Promise<object> {
  const { request } = context
  const session = await (
    await request.post('/auth/v1/signup', {
      data: { email: 'student@example.org', password: 'correct horse battery' },
    })
  ).json()
  const headers = { Authorization: `Bearer ${session.access_token}` }
  const test = new URLSearchParams({ ...CELL, testNumber: '1' })
  const questions: Question[] = await (
    await request.get(`/api/questions?${test}`, { headers })
  ).json()
  await request.post('/api/results', {
    headers,
    data: {
      ...CELL,
      id: crypto.randomUUID(),
      testNumber: 1,
      answers: questions.map(({ id }) => ({ questionId: id, selectedAnswer: 'A' })),
      completedAt: new Date().toISOString(),
      timeZone: 'UTC',
    },
  })
  const interviewOn = new Date(Date.now() + 10 * DAY_MS).toISOString().slice(0, 10)
  await request.put('/api/practice/plan', {
    headers,
    data: { interviewOn, minutesADay: 40, role: 'investment-banking', daysOff: [] },
  })
  await keepSession(context, session)
  return session
}

const keepSession = (context: BrowserContext, session: object) =>
  context.addInitScript((stored) => {
    localStorage.setItem('superday-auth', stored)
    // Without service workers nothing is prepared.
    Reflect.deleteProperty(Navigator.prototype, 'serviceWorker')
  }, JSON.stringify(session))

/** Milliseconds on a phone with a quarter of this processor's speed, 75 ms latency and 1.5 MB/s. */
async function untilUsable(browser: Browser, url: string, session: object): Promise<number> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 390, height: 844 } })
  await keepSession(context, session)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const throughput = 1_500_000
  await devtools.send('Network.emulateNetworkConditions', {
    ...{
      offline: false,
      latency: 75,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    },
  })
  const begun = performance.now()
  await page.goto(URLS.dashboard, { waitUntil: 'commit' })
  await page.locator('main .lead .btn').waitFor()
  const ms = performance.now() - begun
  await context.close()
  return ms
}

async function takeTest(page: Page): Promise<void> {
  await page.getByRole('radiogroup').waitFor()
  for (let question = 1; question <= 10; question += 1) {
    await page.keyboard.press('a')
    await page.getByRole('button', { name: question < 10 ? 'Next' : 'Finish' }).click()
  }
  await page.locator('.ways-on').first().waitFor()
}

function figure(name: string, value: number, limit: number): Figure {
  return { name, figure: value, limit: `≤ ${limit}`, met: value <= limit, note: '' }
}
