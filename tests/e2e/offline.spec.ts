import path from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { Hono } from 'hono'
import { serveWeb } from '../../app/server/web.ts'
import config from '../../playwright.config.ts'
import { expect, expectAccessible, type Product, practise, putSession, test } from './rig.ts'

// The worker is the browser's own here, and so is the microphone that it must let through.
const { launchOptions } = config.use ?? {}
test.use({
  serviceWorkers: 'allow',
  launchOptions: {
    ...launchOptions,
    args: [...(launchOptions?.args ?? []), '--use-fake-device-for-media-stream'],
  },
})
test.beforeEach(({ expectConsoleErrors }) =>
  expectConsoleErrors((text) => /Failed to load resource|ERR_/.test(text)),
)
test.afterEach(async ({ product }) => {
  product.inPlace = null
  product.clock.offsetMs = 0
})

/** The names of what lies in this browser, and of the addresses in what is kept of a person. */
const cachesOf = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const person = names.find((name) => name.startsWith('superday-person-'))
    const kept = person ? await (await caches.open(person)).keys() : []
    return { names, kept: kept.map(({ url }) => new URL(url).pathname) }
  })

/** The worker as the server answers it. */
async function workerOf(product: Product, isOffline: boolean): Promise<string> {
  const app = new Hono()
  serveWeb(app, path.join(import.meta.dirname, '..', '..', 'dist'), product.url, isOffline)
  return (await app.request('/sw.js')).text()
}
const asScript = async (text: string) =>
  new Response(text, { headers: { 'Content-Type': 'text/javascript' } })

/** Opens the dashboard and waits until the day is prepared. */
async function prepared(page: Page): Promise<void> {
  await page.goto('/dashboard')
  await expect
    .poll(
      () =>
        page.evaluate(async () => {
          const kept = await caches.match('/prepared')
          return kept ? (await kept.json()).contentAtMs : 0
        }),
      { timeout: 30_000 },
    )
    .toBeGreaterThan(0)
}

async function goOffline(context: BrowserContext, product: Product): Promise<void> {
  await context.setOffline(true)
  // What Playwright calls offline leaves the worker its network.
  await product.stop()
}

async function goOnline(context: BrowserContext, product: Product): Promise<void> {
  await product.start()
  await context.setOffline(false)
}

/** Answers what is due until the sitting ends or so many were answered. */
async function answer(page: Page, count: number): Promise<void> {
  for (let given = 0; given < count && !page.url().endsWith('/due/done'); given += 1) {
    await expect(page.getByRole('radio', { name: 'A' }).first()).toBeEnabled()
    await page.keyboard.press('A')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Explanation')).toBeVisible()
    await page.keyboard.press('Enter')
    await page.waitForTimeout(60)
  }
}

async function stored(product: Product, email: string) {
  const mine = 'user_id = (select id from users where email = $1)'
  const rowsOf = async (text: string) => (await product.db.$client.query(text, [email])).rows
  return {
    due: await rowsOf(
      `select day::text, count(*)::int, count(distinct session_id)::int as sittings
       from answered_questions where kind = 'due' and ${mine} group by day order by day`,
    ),
    drills: await rowsOf(`select preset from drills where ${mine}`),
    spoken: await rowsOf(`select prompt, rating from spoken_answers where ${mine}`),
    days: (await rowsOf(`select day::text from practice_days where ${mine} order by day`)).map(
      ({ day }) => day,
    ),
  }
}

test('on the bus: ten, a drill and a spoken answer without a network, a killed tab, and all is stored once', async ({
  page,
  context,
  product,
  signedIn,
}) => {
  await context.grantPermissions(['microphone'])
  await page.goto('/dashboard')
  await practise(page, [6])
  await prepared(page)
  const before = await stored(product, signedIn.email)
  const today = before.days.at(-1)
  await goOffline(context, product)

  await page.goto('/due')
  await page.getByRole('button', { name: /new questions/ }).click()
  await answer(page, 3)
  await page.close()

  const second = await context.newPage()
  await second.goto('/due')
  await expect(second.getByRole('heading', { level: 1 })).toContainText('Question 4')
  await second.getByRole('heading', { level: 1 }).focus()
  await answer(second, 20)
  await expect(second).toHaveURL(/due\/done/)

  await second.goto('/drills/80-in-8')
  await second.getByRole('button', { name: 'Start' }).click()
  await second.waitForTimeout(250)
  await second.keyboard.press('1')
  await expect(second.getByLabel(/^1 of 80 done/)).toBeVisible()
  await second.evaluate(() => {
    const key = Object.keys(localStorage).find((one) => one.startsWith('superday-drill:')) ?? ''
    const run = JSON.parse(localStorage.getItem(key) ?? '{}')
    localStorage.setItem(key, JSON.stringify({ ...run, startedAtMs: run.startedAtMs - 480_000 }))
  })
  await second.reload()
  await expect(second.getByText('Saved when you are back online.')).toBeVisible()

  // The page comes from the cache with its own headers: else the microphone would be refused.
  await second.goto('/aloud')
  await second.getByRole('link', { name: 'Start' }).click()
  await expect(second.getByText('It is deleted after seven days')).toBeVisible()
  await second.keyboard.press('Space')
  await expect(second.getByText('Recording', { exact: true })).toBeVisible()
  await second.keyboard.press('Space')
  await expect(second.getByRole('heading', { name: 'Did you say it?' })).toBeVisible()
  await second.getByRole('button', { name: 'Next' }).click()
  await second.goto('/dashboard')
  await expect(second.getByText(/No connection, figures as of \d/)).toBeVisible()
  await expect(second.getByText('The puzzle of the day needs a connection.')).toBeVisible()
  await expectAccessible(second)
  expect(await stored(product, signedIn.email)).toEqual(before)
  await second.close()

  // The day after, still without a network: the ten of that day lie ready. The access token has expired.
  const third = await context.newPage()
  await third.clock.install({ time: Date.now() + 86_400_000 })
  product.clock.offsetMs = 86_400_000
  await third.goto('/due')
  await expect(third.getByRole('heading', { level: 1 })).toContainText('Question 1')
  await third.getByRole('heading', { level: 1 }).focus()
  await answer(third, 1)
  await goOnline(context, product)
  await expect
    .poll(async () => (await stored(product, signedIn.email)).due.length, { timeout: 30_000 })
    .toBe(2)
  await expect.poll(async () => (await stored(product, signedIn.email)).spoken.length).toBe(1)
  const after = await stored(product, signedIn.email)
  expect(after.due[0]).toMatchObject({ day: today, sittings: 1 })
  expect(after.due[0]?.count).toBeGreaterThanOrEqual(10)
  expect(after.due[1]).toMatchObject({ count: 1, sittings: 1 })
  expect(after.drills).toEqual([{ preset: '80-in-8' }])
  expect(after.days.at(-1)).toBe(today)
})

test('a society, signing in and the brainteaser are never answered from the cache', async ({
  page,
  context,
  product,
  signedIn,
}) => {
  expect(signedIn.email).toBeTruthy()
  await prepared(page)
  await page.goto('/recruitment')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto('/dashboard')
  const { kept } = await cachesOf(page)
  expect(kept.length).toBeGreaterThan(15)
  expect(
    kept.filter(
      (one) =>
        !/^\/(api\/(practice|questions|results|mistakes|progress|streak)|prepared)/.test(one),
    ),
  ).toEqual([])
  await goOffline(context, product)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  for (const there of ['/recruitment', '/recruitment/test', '/organise', '/auth', '/']) {
    const tab = await context.newPage()
    await expect(tab.goto(there)).rejects.toThrow(/ERR_/)
    await tab.close()
  }
  await page.getByRole('link', { name: 'Finance Society Recruiting' }).click()
  // Its code may lie in the browser from a visit; what it shows comes from the server.
  await expect(page.getByText('The open processes could not be loaded.')).toBeVisible({
    timeout: 20_000,
  })
  await goOnline(context, product)
})

test('a new version is offered, not during a test, and taken by a press', async ({
  page,
  product,
  signedIn,
}) => {
  expect(signedIn.email).toBeTruthy()
  await prepared(page)
  const next = (await workerOf(product, true)).replace(/[0-9a-f]{16}/, 'fedcba9876543210')
  product.inPlace = (asked) => (asked === '/sw.js' ? asScript(next) : null)
  const cell = encodeURIComponent('Valuation & Corporate Finance')
  await page.goto(`/tests/${cell}/Intern`)
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
  await expect(page.getByText('A new version is ready.')).toBeVisible({ timeout: 20_000 })
  await page.setViewportSize({ width: 320, height: 600 })
  await expectAccessible(page)
  await page
    .getByRole('link', { name: /Start Test 1/ })
    .first()
    .click()
  await expect(page.getByRole('radio').first()).toBeVisible()
  await expect(page.getByText('A new version is ready.')).toHaveCount(0)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect
    .poll(async () => {
      const { names } = await cachesOf(page).catch(() => ({ names: [] }))
      return names.filter((name) => name.startsWith('superday-shell-')).length
    })
    .toBe(2)
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await page.waitForTimeout(4_000)
  await expect(page.getByText('A new version is ready.')).toHaveCount(0)
})

test('signing out leaves nothing of the person, and switched off the worker goes away', async ({
  page,
  context,
  product,
  signedIn,
}) => {
  expect(signedIn.email).toBeTruthy()
  await prepared(page)
  await page.getByRole('button', { name: 'Sign Out' }).first().click()
  await expect(page).toHaveURL(/\/auth/)
  await expect
    .poll(async () => (await cachesOf(page)).names)
    .toEqual([expect.stringMatching(/^superday-shell-/)])
  // Somebody else on the same browser, without a network: nothing of the first.
  const other = await context.newPage()
  await putSession(other, product, {
    email: `o-${Date.now()}@example.com`,
    password: 'correct horse battery',
  })
  await goOffline(context, product)
  await other.goto('/due')
  await expect(other.getByText('What is due could not be loaded')).toBeVisible({ timeout: 15_000 })
  await goOnline(context, product)

  const none = await workerOf(product, false)
  product.inPlace = (asked) => (asked === '/sw.js' ? asScript(none) : null)
  await other.goto('/auth')
  await other.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  // The old one may end what it has under way: it is gone at the visit after, when no tab is left.
  const next = await context.newPage()
  await next.goto('/robots.txt')
  await page.close()
  await other.close()
  await expect
    .poll(
      async () => {
        await next.goto('/robots.txt')
        return next.evaluate(async () => [
          (await navigator.serviceWorker.getRegistrations()).length,
          (await caches.keys()).length,
        ])
      },
      { timeout: 40_000, intervals: [1_000] },
    )
    .toEqual([0, 0])
})

test('a reminder shows its words, and opens what is due', async ({
  page,
  context,
  product,
  signedIn,
}) => {
  expect(signedIn.email).toBeTruthy()
  await context.grantPermissions(['notifications'])
  await prepared(page)
  const cdp = await context.newCDPSession(page)
  const found = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first) resolve(first.registrationId)
    })
  })
  await cdp.send('ServiceWorker.enable')
  await cdp.send('ServiceWorker.deliverPushMessage', {
    origin: product.url,
    registrationId: await found,
    data: JSON.stringify({ title: 'Your ten are ready', url: '/due' }),
  })
  await expect
    .poll(() =>
      page.evaluate(async () =>
        (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, data }) => ({
          title,
          data,
        })),
      ),
    )
    .toEqual([{ title: 'Your ten are ready', data: '/due' }])
})

test('who comes by the sign-in page has the worker without loading a page anew', async ({
  page,
}) => {
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Continue as Guest' }).click()
  await expect(page).toHaveURL('/dashboard')
  const count = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
  await expect.poll(count, { timeout: 15_000 }).toBe(1)
})
