import type { Page } from '@playwright/test'
import { choose, startTest } from '../assessment-rig.ts'
import { expect, expectAccessible, type Product, practise, test } from '../rig.ts'
import { WATCHED_FRAMES, whatMoves, whatVanishes } from './sight.ts'

// System preferences: reduced motion, dark, more contrast, forced colors.

const CELL = `${encodeURIComponent('Valuation & Corporate Finance')}/Intern`

/** Checks each main screen. */
async function through(
  page: Page,
  product: Product,
  look: (name: string) => Promise<unknown>,
): Promise<void> {
  const open = async (name: string, route: string) => {
    await page.goto(route)
    await page.getByRole('heading').first().waitFor()
    await page.waitForLoadState('networkidle')
    await look(name)
  }
  await open('landing', '/')
  await open('sign-in', '/auth')
  await page.goto('/faq')
  await practise(page, [4, 7])
  await open('dashboard', '/dashboard')
  await open('tests', `/tests/${CELL}`)
  await open('hub', '/personal-hub?tab=history')
  await page
    .getByRole('link', { name: /Open the review/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Question Review' }).waitFor()
  await look('results')
  await open('due', '/due')
  await page.goto(`/quiz/${CELL}/2`)
  await page.getByRole('radio').first().check({ force: true })
  await look('quiz')
  await startTest(page, product, { navigator: true, itemCount: 4 })
  await choose(page, 'B')
  await look('assessment')
}

test.beforeEach(async ({ signedIn }) => void signedIn)

test('With reduced motion nothing moves by itself', { tag: '@full' }, async ({ page, product }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await through(page, product, async (name) => {
    expect.soft([name, await page.evaluate(whatMoves, WATCHED_FRAMES)]).toEqual([name, []])
  })
})

for (const scheme of ['light', 'dark'] as const) {
  test(`With forced colors in ${scheme}, nothing disappears`, { tag: '@full' }, async ({
    page,
    product,
  }) => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme: scheme, contrast: 'more' })
    await through(page, product, async (name) => {
      expect.soft([name, await page.evaluate(whatVanishes)]).toEqual([name, []])
    })
  })
}

/** A screenshot of one element, to compare with another. */
const pictureOf = async (page: Page, nth: number) =>
  (await page.locator('.opt').nth(nth).locator('.opt-letter').screenshot()).toString('base64')

test('With forced colors, chosen options and switches look different', { tag: '@full' }, async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
  await page.goto(`/quiz/${CELL}/1`)
  const first = page.getByRole('radio').first()
  await first.waitFor()
  const before = await pictureOf(page, 0)
  await first.check({ force: true })
  expect(await pictureOf(page, 0)).not.toBe(before)
  const goes = page.getByRole('switch', { name: 'Check as I go' })
  const off = (await goes.screenshot()).toString('base64')
  await goes.press('Space')
  await goes.blur()
  expect((await goes.screenshot()).toString('base64')).not.toBe(off)
})

test('With more contrast, secondary text and lines are stronger too', { tag: '@full' }, async ({
  page,
}) => {
  await page.goto('/dashboard')
  const inkOf = () =>
    page.evaluate(() => {
      const style = getComputedStyle(document.documentElement)
      return ['--ink-2', '--line', '--line-strong'].map((name) => style.getPropertyValue(name))
    })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, contrast: 'no-preference' })
    const usual = await inkOf()
    await page.emulateMedia({ colorScheme, contrast: 'more' })
    const strong = await inkOf()
    for (const [index, color] of strong.entries()) expect(color).not.toBe(usual[index])
    await expectAccessible(page)
  }
})
