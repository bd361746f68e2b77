import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, putSession, test } from './rig.ts'

/** The slide that stands now, from 1. */
async function shownSlide(page: Page): Promise<number> {
  const current = page.getByRole('group', { name: 'Slides' }).locator('[aria-current]')
  return Number(/\d/.exec((await current.getAttribute('aria-label')) ?? '')?.[0])
}

const NOON = new Date('2026-03-02T12:00:00Z')

/** Opens the landing page with a clock that only the test moves. */
async function openStopped(page: Page): Promise<void> {
  await page.clock.install({ time: NOON })
  // Some time on: it runs until this very call.
  await page.clock.pauseAt(NOON.getTime() + 60_000)
  await page.goto('/')
  // Awake: the pictures that wait for it are there.
  await expect(page.getByRole('img')).toHaveCount(4)
  await page.clock.runFor(50)
  await toCarousel(page)
}

/** The carousel stands below the question. */
async function toCarousel(page: Page): Promise<void> {
  await page
    .getByRole('region', { name: 'Superday in four pictures' })
    .evaluate((region) => region.scrollIntoView({ block: 'center' }))
  // What moves the slides comes when they are near.
  await page.waitForLoadState('networkidle')
}

/** The slide's picture lies where the eye looks. */
async function expectInFront(page: Page, slide: number): Promise<void> {
  expect(await shownSlide(page)).toBe(slide)
  await expect(page.getByRole('listitem', { name: `${slide} of 4` })).toBeInViewport({ ratio: 0.9 })
}

test('the carousel has four slides, moves on every 3 s, and loops', async ({ page }) => {
  await openStopped(page)
  await expect(page.getByRole('region', { name: 'Superday in four pictures' })).toBeVisible()
  await expect(page.locator('[aria-roledescription="slide"]')).toHaveCount(4)
  for (const image of await page.getByRole('img').all()) {
    expect((await image.getAttribute('alt'))?.length).toBeGreaterThan(20)
  }
  await expectInFront(page, 1)
  for (const next of [2, 3, 4, 1, 2]) {
    await page.clock.runFor(3_000)
    await expectInFront(page, next)
  }
})

test('the carousel goes on after somebody touched it', async ({ page }) => {
  await openStopped(page)
  await page.getByRole('button', { name: 'Slide 3 of 4' }).click()
  await expectInFront(page, 3)
  // The chosen slide stands for the whole 3 s.
  await page.clock.runFor(2_900)
  await expectInFront(page, 3)
  await page.clock.runFor(200)
  await expectInFront(page, 4)

  await page.keyboard.press('ArrowRight')
  await expectInFront(page, 1)
  await page.keyboard.press('ArrowLeft')
  await expectInFront(page, 4)
  await page.clock.runFor(3_100)
  await expectInFront(page, 1)

  await drag(page)
  const touched = await shownSlide(page)
  await page.clock.runFor(3_200)
  await expectInFront(page, (touched % 4) + 1)
})

test('the carousel stops by its button alone, and goes on by it', async ({ page }) => {
  await openStopped(page)
  await page.getByRole('button', { name: 'Pause the slides' }).click()
  await page.clock.runFor(10_000)
  await expectInFront(page, 1)
  await page.getByRole('button', { name: 'Slide 2 of 4' }).click()
  await page.clock.runFor(10_000)
  await expectInFront(page, 2)
  await drag(page)
  const touched = await shownSlide(page)
  await page.clock.runFor(10_000)
  expect(await shownSlide(page)).toBe(touched)
  await page.getByRole('button', { name: 'Play the slides' }).click()
  await page.clock.runFor(3_100)
  expect(await shownSlide(page)).toBe((touched % 4) + 1)
})

async function drag(page: Page): Promise<void> {
  const box = await page.getByRole('region', { name: 'Superday in four pictures' }).boundingBox()
  if (!box) throw new Error('the carousel is not there')
  await page.mouse.move(box.x + 300, box.y + 150)
  await page.mouse.down()
  await page.mouse.move(box.x + 60, box.y + 150, { steps: 5 })
  await page.mouse.up()
  await page.clock.runFor(100)
}

test('the carousel stands still where motion is unwanted', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openStopped(page)
  await page.clock.runFor(10_000)
  await expectInFront(page, 1)
  await expect(page.getByRole('button', { name: 'Play the slides' })).toBeVisible()
  await page.getByRole('button', { name: 'Slide 4 of 4' }).click()
  await expectInFront(page, 4)
})

test('the pictures follow the theme, the chosen one before the one of the system', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/')
  await toCarousel(page)
  const first = page.getByRole('img').first()
  const shown = () => first.evaluate((image: HTMLImageElement) => image.currentSrc)
  await expect.poll(shown).toMatch(/dashboard-dark\.webp$/)
  await page.getByRole('radio', { name: 'Light' }).check()
  await expect.poll(shown).toMatch(/dashboard-light\.webp$/)
  await page.reload()
  await expect.poll(shown).toMatch(/dashboard-light\.webp$/)
  await expectAccessible(page)
})

test('a theme that is chosen before the page has woken up stays', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  let wake: (() => void) | undefined
  const slow = new Promise<void>((resolve) => {
    wake = resolve
  })
  await page.route('**/wake-up-*.js', async (route) => {
    await slow
    await route.continue()
  })
  await page.goto('/')
  await page.getByRole('radio', { name: 'Light' }).check()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  wake?.()
  await toCarousel(page)
  await expect(page.getByRole('img').first()).toHaveJSProperty('complete', true)
  await expect
    .poll(() =>
      page
        .getByRole('img')
        .first()
        .evaluate((image: HTMLImageElement) => image.currentSrc),
    )
    .toMatch(/dashboard-light\.webp$/)
  await expect(page.getByRole('radio', { name: 'Light' })).toBeChecked()
})

test('the landing page loads neither the application nor anything of it', async ({ page }) => {
  const manifest = JSON.parse(
    await readFile(path.join(import.meta.dirname, '../../dist/.vite/manifest.json'), 'utf8'),
  )
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(new URL(request.url()).pathname.slice(1)))
  await page.goto('/')
  await expect(page.getByRole('img')).toHaveCount(4)
  expect(scripts).toContain(manifest['landing.html'].file)
  expect(scripts).not.toContain(manifest['index.html'].file)
  expect(scripts.filter((script) => script.startsWith('api/'))).toEqual([])
})

test('its text is there without a script', async ({ browser, product }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: product.url })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('heading', { name: "What You'll Get" })).toBeVisible()
  await expect(page.getByRole('img')).toHaveCount(1)
  // The test's browser reads <noscript> as if scripts ran, so the answer is looked for in the markup.
  const markup = await (await page.request.get('/')).text()
  expect(markup).toMatch(/<noscript><details[^>]*><summary[^>]*>The answer<.*D: 8\.0x\. Equity/)
  await page.getByRole('link', { name: 'Get Started Free' }).last().click()
  await expect(page).toHaveURL('/auth?tab=signup')
  await context.close()
})

test('its buttons lead to the right tab, and the way back leads home', async ({ page }) => {
  for (const [name, tab] of [
    ['Get Started Free', 'signup'],
    ['Create Free Account', 'signup'],
    ['Log In', 'signin'],
  ] as const) {
    await page.goto('/')
    await page.getByRole('main').getByRole('link', { name }).click()
    await expect(page).toHaveURL(`/auth?tab=${tab}`)
    await page.getByRole('link', { name: 'Back to home' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('heading', { name: "What You'll Get" })).toBeVisible()
  }
})

test('who is signed in never sees it, also when going back', async ({ page, product, account }) => {
  await page.goto('/')
  await page.getByRole('main').getByRole('link', { name: 'Log In' }).click()
  await putSession(page, product, account)
  await page.goto('/personal-hub')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.goto('/')
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome')
  // Back over /personal-hub and /auth to the landing page itself.
  for (let step = 0; step < 3; step += 1) await page.goBack()
  await expect(page).toHaveURL('/dashboard')
})

test('a session that is no session leaves the visitor here', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('superday-auth', '{"access_token":"x"}'))
  await page.goto('/')
  await expect(page.getByRole('heading', { name: "What You'll Get" })).toBeVisible()
  await expect(page).toHaveURL('/')
})

test('other sites and devices find what they show of us', async ({ page, product }) => {
  await page.goto('/')
  const meta = (name: string) =>
    page.locator(`meta[property="${name}"], meta[name="${name}"]`).first().getAttribute('content')
  expect(await meta('og:title')).toMatch(/Superday/)
  expect((await meta('description'))?.length).toBeGreaterThan(60)
  expect(await meta('og:url')).toBe(`${product.url}/`)
  const files: [string | null, string][] = [
    [await meta('og:image'), 'image/png'],
    ['/favicon.svg', 'image/svg+xml'],
    ['/apple-touch-icon.png', 'image/png'],
    ['/manifest.webmanifest', 'application/manifest+json'],
    ['/robots.txt', 'text/plain'],
    ['/sitemap.xml', 'application/xml'],
  ]
  const manifest = await (await page.request.get('/manifest.webmanifest')).json()
  for (const icon of manifest.icons) files.push([icon.src, icon.type])
  for (const [file, type] of files) {
    const response = await page.request.get(file ?? '')
    expect([file, response.status(), response.headers()['content-type']?.split(';')[0]]).toEqual([
      file,
      200,
      type,
    ])
  }
})
