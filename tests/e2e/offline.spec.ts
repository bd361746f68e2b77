import path from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { Hono } from 'hono'
import { serveWeb } from '../../app/server/web.ts'
import {
  expect,
  expectAccessible,
  isFull,
  type Product,
  practise,
  putSession,
  test,
} from './rig.ts'

// Uses the browser's service worker. In the full suite, tests must not find an earlier test's worker.
test.use({ serviceWorkers: 'allow', ...(isFull ? { reuseContext: false } : {}) })
test.beforeEach(({ expectConsoleErrors }) =>
  expectConsoleErrors((text) => /Failed to load resource|ERR_/.test(text)),
)
test.afterEach(async ({ product }) => {
  product.inPlace = null
  product.clock.offsetMs = 0
})

/** For `npm run test:full`. from-cache.test.ts has tables of these rules. */
const FULL = { tag: '@full' }
/** Needs the complete browser. */
const WHOLE_ONLY = { tag: '@whole-only' }

/** The names of this browser's caches, and the cached addresses of a person. */
const cachesOf = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const person = names.find((name) => name.startsWith('superday-person-'))
    const kept = person ? await (await caches.open(person)).keys() : []
    return { names, kept: kept.map(({ url }) => new URL(url).pathname) }
  })

/** The worker as the server sends it. */
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
  // Playwright's offline mode doesn't affect the worker, so the server is stopped.
  await product.stop()
}

async function goOnline(context: BrowserContext, product: Product): Promise<void> {
  await product.start()
  await context.setOffline(false)
}

/** Answers due cards until the session ends or `count` are answered. */
async function answer(page: Page, count: number): Promise<void> {
  for (let given = 0; given < count && !page.url().endsWith('/due/done'); given += 1) {
    await expect(page.getByRole('radio', { name: 'A' }).first()).toBeEnabled()
    await page.keyboard.press('A')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Explanation')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Explanation')).toBeHidden()
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

test('On a bus without internet a student finishes ten questions, a drill and a spoken answer, and each is stored once', {
  tag: '@whole',
}, async ({ page, context, product, signedIn }) => {
  await context.grantPermissions(['microphone'])
  await page.goto('/dashboard')
  await practise(page, [6])
  await prepared(page)
  const before = await stored(product, signedIn.email)
  const today = before.days.at(-1)
  // The network leads nowhere, but the browser thinks that it is online.
  await product.stop()

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
  await second.keyboard.press('1')
  await expect(second.getByLabel(/^1 of 80 done/)).toBeVisible()
  await second.evaluate(() => {
    const key = Object.keys(localStorage).find((one) => one.startsWith('superday-drill:')) ?? ''
    const run = JSON.parse(localStorage.getItem(key) ?? '{}')
    run.startedAtMs -= 480_000
    // The server rejects answers in less than 150 ms.
    run.answers[0].tookMs += 150
    localStorage.setItem(key, JSON.stringify(run))
  })
  await second.reload()
  await expect(second.getByText('Saved when you are back online')).toBeVisible()

  // With another page's headers from the cache, the browser would refuse the microphone.
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
  expect(await second.evaluate(() => navigator.onLine)).toBe(true)
  await expectAccessible(second)
  expect(await stored(product, signedIn.email)).toEqual(before)
  await second.close()

  // On the next day, still offline, that day's ten are ready. The access token has expired.
  const third = await context.newPage()
  await third.clock.install({ time: Date.now() + 86_400_000 })
  product.clock.offsetMs = 86_400_000
  await third.goto('/due')
  await expect(third.getByRole('heading', { level: 1 })).toContainText('Question 1')
  await third.getByRole('heading', { level: 1 }).focus()
  await answer(third, 1)
  await product.start()
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

test(
  'Society pages, signing in and the brainteaser are never answered from the cache',
  FULL,
  async ({ page, context, product, signedIn }) => {
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
    // Its code may be cached from an earlier visit, but its data comes from the server.
    await expect(page.getByText('The open processes could not be loaded.')).toBeVisible({
      timeout: 20_000,
    })
    await goOnline(context, product)
  },
)

test(
  'A new version is offered outside of tests, and loads when the student presses Reload',
  FULL,
  async ({ page, product, signedIn }) => {
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
  },
)

test('After signing out, the browser contains nothing about the person', {
  tag: '@full',
}, async ({ page, context, product, signedIn }) => {
  expect(signedIn.email).toBeTruthy()
  await prepared(page)
  await page.getByRole('button', { name: 'Sign Out' }).first().click()
  await expect(page).toHaveURL(/\/auth/)
  await expect
    .poll(async () => (await cachesOf(page)).names)
    .toEqual([expect.stringMatching(/^superday-shell-/)])
  // The next person in this browser is offline, and sees nothing about the first.
  const other = await context.newPage()
  await putSession(other, product, {
    email: `o-${Date.now()}@example.com`,
    password: 'correct horse battery',
  })
  await goOffline(context, product)
  await other.goto('/due')
  await expect(other.getByText('Reviews could not be loaded')).toBeVisible({ timeout: 15_000 })
  await goOnline(context, product)
})

test(
  'A server that disables offline use removes the service worker and its caches',
  FULL,
  async ({ page, context, product, signedIn }) => {
    expect(signedIn.email).toBeTruthy()
    await prepared(page)
    const none = await workerOf(product, false)
    product.inPlace = (asked) => (asked === '/sw.js' ? asScript(none) : null)
    await page.goto('/auth')
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
    // The old one may finish its work. It is gone at the next visit, when no tab is open.
    const next = await context.newPage()
    await next.goto('/robots.txt')
    await page.close()
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
  },
)

test(
  'A push reminder shows its text and contains the address of the due questions',
  WHOLE_ONLY,
  async ({ page, context, product, signedIn }) => {
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
      data: JSON.stringify({ title: 'Your ten questions are ready', url: '/due' }),
    })
    await expect
      .poll(() =>
        page.evaluate(async () =>
          (await (await navigator.serviceWorker.ready).getNotifications()).map(
            ({ title, data }) => ({
              title,
              data,
            }),
          ),
        ),
      )
      .toEqual([{ title: 'Your ten questions are ready', data: '/due' }])
  },
)

test(
  'A guest gets the service worker without reloading the page after signing in',
  FULL,
  async ({ page }) => {
    await page.goto('/auth')
    await page.getByRole('button', { name: 'Continue as Guest' }).click()
    await expect(page).toHaveURL('/dashboard')
    const count = () =>
      page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
    await expect.poll(count, { timeout: 15_000 }).toBe(1)
  },
)
