import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { expect, holdBack, putSession, test } from './rig.ts'

/** The visible slide, from 1. */
async function shownSlide(page: Page): Promise<number> {
  const current = page.getByRole('group', { name: 'Slides' }).locator('[aria-current]')
  return Number(/\d/.exec((await current.getAttribute('aria-label')) ?? '')?.[0])
}

const NOON = new Date('2026-03-02T12:00:00Z')

/** Opens the landing page with a clock that only the test moves. */
async function openStopped(page: Page): Promise<void> {
  await page.clock.install({ time: NOON })
  // Somewhat later, because the clock runs until this call.
  await page.clock.pauseAt(NOON.getTime() + 60_000)
  await page.goto('/')
  // These appear after hydration.
  await expect(page.getByRole('img')).toHaveCount(4)
  await page.clock.runFor(50)
  await toCarousel(page)
}

/** Scrolls to the carousel, and waits for its code, which is loaded when it is near. */
async function toCarousel(page: Page): Promise<void> {
  const carousel = page.getByRole('region', { name: 'Superday in four pictures' })
  await carousel.evaluate((region) => region.scrollIntoView({ block: 'center' }))
  await expect(carousel.getByRole('list')).toHaveAttribute('style', /translate3d/)
}

/** Checks that the slide is selected and its image visible. */
async function expectInFront(page: Page, slide: number): Promise<void> {
  expect(await shownSlide(page)).toBe(slide)
  await expect(page.getByRole('listitem', { name: `${slide} of 4` })).toBeInViewport({ ratio: 0.9 })
}

test('The carousel advances every 3 s, loops, continues after a choice, and stops with its button', async ({
  page,
}) => {
  await openStopped(page)
  await expect(page.locator('[aria-roledescription="slide"]')).toHaveCount(4)
  for (const image of await page.getByRole('img').all()) {
    expect((await image.getAttribute('alt'))?.length).toBeGreaterThan(20)
  }
  await expectInFront(page, 1)
  for (const next of [2, 3, 4, 1, 2]) {
    await page.clock.runFor(3_000)
    await expectInFront(page, next)
  }

  await page.getByRole('button', { name: 'Slide 3 of 4' }).click()
  await expectInFront(page, 3)
  // The chosen slide stays for the full 3 s.
  await page.clock.runFor(2_900)
  await expectInFront(page, 3)
  await page.clock.runFor(200)
  await expectInFront(page, 4)

  // Arrow keys choose too.
  await page.getByRole('button', { name: 'Slide 3 of 4' }).press('ArrowLeft')
  await expectInFront(page, 3)
  await page.clock.runFor(3_100)
  await expectInFront(page, 4)

  // With reduced motion it doesn't move unless a button is pressed.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect(page.getByRole('button', { name: 'Play the slides' })).toBeVisible()
  await page.clock.runFor(10_000)
  await expectInFront(page, 4)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.getByRole('button', { name: 'Pause the slides' }).click()
  await page.clock.runFor(10_000)
  await expectInFront(page, 4)
  await page.getByRole('button', { name: 'Play the slides' }).click()
  await page.clock.runFor(3_100)
  await expectInFront(page, 1)
})

test('A visitor finds both tabs of the sign-in screen and the way back, without the application’s code', {
  tag: '@full',
}, async ({ page }) => {
  const manifest = JSON.parse(
    await readFile(path.join(import.meta.dirname, '../../dist/.vite/manifest.json'), 'utf8'),
  )
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname.slice(1)))
  await page.goto('/')
  await expect(page.getByRole('img')).toHaveCount(4)
  expect(fetched).toContain(manifest['landing.html'].file)
  expect(fetched).not.toContain(manifest['index.html'].file)
  expect(fetched.filter((path) => path.startsWith('api/'))).toEqual([])

  for (const [name, tab] of [
    ['Get Started Free', 'signup'],
    ['Create Free Account', 'signup'],
    ['Log In', 'signin'],
  ] as const) {
    await page.getByRole('main').getByRole('link', { name }).click()
    await expect(page).toHaveURL(`/auth?tab=${tab}`)
    await page.getByRole('link', { name: 'Back to home' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('heading', { name: "What You'll Get" })).toBeVisible()
  }
  const societies = page.getByRole('region', { name: /^For finance societies/ })
  for (const [name, href] of [
    ['Set up your society', '/organise'],
    ['How to run a test', '/organise/help'],
  ] as const) {
    await expect(societies.getByRole('link', { name })).toHaveAttribute('href', href)
  }
  // An invalid stored session doesn't redirect.
  await page.evaluate(() => localStorage.setItem('superday-auth', '{"access_token":"x"}'))
  await page.reload()
  await expect(page.getByRole('img')).toHaveCount(4)
  await expect(page).toHaveURL('/')
})

test('The landing page tells other sites, devices and readers without scripts what Superday is', async ({
  page,
  product,
}) => {
  const markup = await (await page.request.get('/')).text()
  expect(markup).toMatch(/<h1[\s>]/)
  expect(markup).toContain('What You&#x27;ll Get')
  expect(markup).toMatch(/<noscript><details[^>]*><summary[^>]*>The answer<.*D: 8\.0x\. Equity/)
  const meta = (name: string) =>
    new RegExp(`<meta (?:property|name)="${name}"\\s+content="([^"]*)"`).exec(markup)?.[1]
  expect(meta('og:title')).toMatch(/Superday/)
  expect(meta('description')?.length).toBeGreaterThan(60)
  expect(meta('og:url')).toBe(`${product.url}/`)
  const files: [string | undefined, string][] = [
    [meta('og:image'), 'image/png'],
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

test.describe('the landing page in rarer states', { tag: '@full' }, () => {
  test('A theme chosen before hydration stays', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    const { released, release } = holdBack()
    await page.route('**/wake-up-*.js', async (route) => {
      await released
      await route.continue()
    })
    await page.goto('/')
    await page.getByRole('radio', { name: 'Light' }).check()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
    release()
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

  test('The landing page can be read and left without scripts', async ({ browser, product }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: product.url })
    const page = await context.newPage()
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('heading', { name: "What You'll Get" })).toBeVisible()
    await expect(page.getByRole('img')).toHaveCount(1)
    await page.getByRole('link', { name: 'Get Started Free' }).last().click()
    await expect(page).toHaveURL('/auth?tab=signup')
    await context.close()
  })

  test('A signed-in student never sees the landing page, also when going back', async ({
    page,
    product,
    account,
  }) => {
    await page.goto('/')
    await page.getByRole('main').getByRole('link', { name: 'Log In' }).click()
    await putSession(page, product, account)
    await page.goto('/personal-hub')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goto('/')
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome')
    // Goes back over /personal-hub and /auth to the landing page.
    for (let step = 0; step < 3; step += 1) await page.goBack()
    await expect(page).toHaveURL('/dashboard')
  })
})
