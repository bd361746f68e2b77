import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test as base, expect, type Page } from '@playwright/test'
import type { Question } from '../../practice/question.ts'
import { E2E_DATABASE } from './global-setup.ts'
import { type Account, copyDatabase, type Product, signUp, startProduct } from './product.ts'

/** What the auth client logs when one of its calls fails without a network. */
export const AUTH_CLIENT_OFFLINE = /^TypeError: Failed to fetch[\s\S]*auth-client/

/** Whether this is `npm run test:full`. */
export const isFull = process.env.TEST_FULL === '1'

/** The loaded database that global-setup.ts created. */
const databaseUrl = () => process.env[E2E_DATABASE] ?? ''

/** Matches console errors that are expected. */
type Expected = (text: string) => boolean

export const test = base.extend<
  {
    account: Account
    signedIn: Account
    expectConsoleErrors: (expected: Expected) => void
    product: Product
    movesClock: boolean
  },
  { sharedProduct: Product }
>({
  /**
   * Whether a file's tests move the server's clock, `test.use({ movesClock: true })`. Each of these tests has its own
   * product, because the clock would be wrong for all others.
   */
  movesClock: [false, { option: true }],

  sharedProduct: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the argument's shape
    async ({}, use) => {
      const product = await startProduct(await copyDatabase(databaseUrl()))
      product.clock.move = () => Promise.reject(new Error('movesClock is not set for this file'))
      await use(product)
      await product.end()
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  product: async ({ movesClock, sharedProduct }, use) => {
    if (!movesClock) return use(sharedProduct)
    const product = await startProduct(await copyDatabase(databaseUrl()))
    await use(product)
    await product.end()
  },

  baseURL: async ({ product }, use) => use(product.url),

  expectConsoleErrors: [
    async ({ page, context, product }, use) => {
      const allowed: Expected[] = []
      const unexpected: string[] = []
      page.on('console', (message) => {
        // An offline page keeps checking whether the server is there (decision 050).
        if (message.location().url === `${product.url}/favicon.svg`) return
        if (message.type() === 'error')
          unexpected.push(`${message.text()} ${message.location().url}`)
      })
      page.on('pageerror', (error) => unexpected.push(String(error)))
      page.on('request', (request) => {
        const { origin, protocol } = new URL(request.url())
        if (protocol.startsWith('http') && origin !== product.url) {
          unexpected.push(`fetched from another origin: ${request.url()}`)
        }
      })
      await use((expected) => void allowed.push(expected))
      // Playwright doesn't reset these on a shared page.
      await context.setOffline(false)
      await context.clearPermissions()
      // An unexpected error on the console fails the test (style 12).
      expect(unexpected.filter((text) => !allowed.some((expected) => expected(text)))).toEqual([])
      expect(product.errors).toEqual([])
    },
    { auto: true },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the argument's shape
  account: async ({}, use) => {
    await use({
      email: `test-${randomUUID().slice(0, 8)}@example.com`,
      password: 'correct horse battery',
    })
  },

  signedIn: async ({ page, product, account }, use) => {
    await putSession(page, product, account)
    await use(account)
  },
})

export { type Account, expect, type Product }

/** Creates an account through the API and stores its session in the browser. */
export async function putSession(page: Page, product: Product, account: Account): Promise<void> {
  const session = await signUp(product, account)
  // Joined a month before, so that tests may save what was finished on earlier days.
  await product.db.$client.query(
    `update users set created_at = created_at - interval '30 days' where id = $1`,
    [session.user.id],
  )
  await page.addInitScript((stored) => {
    // Only once: a later navigation in the same test must not restore a session after sign-out.
    if (sessionStorage.getItem('test-session-put')) return
    sessionStorage.setItem('test-session-put', '1')
    localStorage.setItem('superday-auth', stored)
  }, JSON.stringify(session))
}

/** Something that a test holds back. @returns a promise, and what fulfills it */
export function holdBack(): { released: Promise<void>; release: () => void } {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return { released, release }
}

const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const AXE_SOURCE = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)
interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

/** No axe violation, in the page's theme. */
export async function expectAccessible(page: Page): Promise<void> {
  const isReady = await page.evaluate(() => 'axe' in window)
  // As text and once per page, because transferring the script takes longer than the check.
  if (!isReady) await page.evaluate(AXE_SOURCE)
  const violations = await page.evaluate(
    ([values, hasContrast]) =>
      (window as unknown as { axe: Axe }).axe
        .run({
          runOnly: { type: 'tag', values },
          rules: { 'color-contrast': { enabled: hasContrast } },
          resultTypes: ['violations'],
        })
        .then((found) =>
          found.violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]),
        ),
    // In npm test, app/web/styles/tokens.test.ts checks the contrast, which would take half of the time here.
    [AXE_TAGS, isFull] as const,
  )
  expect(violations).toEqual([])
}

/**
 * No axe violation and nothing wider than the window, on a desktop and a phone. Axe runs once, in desktop size and
 * light; in the full suite in both themes and both widths. The page is left in desktop size and light.
 * @param shot saves screenshots with this name in the folder SHOTS, if that is set
 */
export async function expectSound(page: Page, shot?: string): Promise<void> {
  const folder = process.env.SHOTS
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const tooWide = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect([page.url(), width, tooWide]).toEqual([page.url(), width, 0])
    for (const colorScheme of ['dark', 'light'] as const) {
      if (!isFull && (width === 390 || colorScheme === 'dark')) continue
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expectAccessible(page)
      if (folder && shot) {
        await page.screenshot({ path: `${folder}/${shot}-${width}-${colorScheme}.png` })
      }
    }
  }
}

/** Signs in with a password, as the auth client does. @returns the status */
export async function signIn(product: Product, { email, password }: Account): Promise<number> {
  const response = await fetch(`${product.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  return response.status
}

export async function tokenOf(page: Page): Promise<string> {
  return page.evaluate(() => JSON.parse(localStorage.getItem('superday-auth') ?? '{}').access_token)
}

const VALUATION = { category: 'Valuation & Corporate Finance', difficulty: 'Intern' }

/** The questions and keys of a test, as they are after `attempts` attempts. */
export async function questionsOf(
  page: Page,
  testNumber: number,
  attempts = 0,
  cell = VALUATION,
): Promise<Question[]> {
  const asked = { ...cell, testNumber: String(testNumber), variant: String(attempts) }
  const response = await page.request.get(`/api/questions?${new URLSearchParams(asked)}`, {
    headers: { Authorization: `Bearer ${await tokenOf(page)}` },
  })
  return response.json()
}

/** Saves a finished test with `right` correct answers. @returns the attempt's id */
export async function take(page: Page, testNumber: number, right: number, daysAgo = 0) {
  const id = randomUUID()
  const questions = await questionsOf(page, testNumber)
  const response = await page.request.post('/api/results', {
    headers: { Authorization: `Bearer ${await tokenOf(page)}` },
    data: {
      ...{ id, ...VALUATION, testNumber, timeZone: 'Europe/Lisbon' },
      completedAt: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
      answers: questions.map(({ id: questionId, correctOption }, index) => ({
        questionId,
        selectedAnswer: index < right ? correctOption : correctOption === 'A' ? 'B' : 'A',
      })),
    },
  })
  expect(response.status()).toBe(201)
  return id
}

/** Saves a finished test for each score, one per day, the last one today. */
export async function practise(page: Page, scores: number[]): Promise<void> {
  for (const [index, score] of scores.entries()) {
    await take(page, 1, score, scores.length - 1 - index)
  }
}

/** Presses Tab until a control of this name has the focus. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null
      const label = element?.labels?.[0]
      return label?.firstChild?.textContent || label?.textContent || element?.textContent || ''
    })
    if (typeof name === 'string' ? focused.trim() === name : name.test(focused.trim())) return
  }
  throw new Error(`Tab never reached ${name}.`)
}
