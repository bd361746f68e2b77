import type { Page } from '@playwright/test'
import { choose, eventsOf, questionHeading, startTest } from '../assessment-rig.ts'
import { expect, test } from '../rig.ts'

// Phones: touch, landscape, and an open on-screen keyboard.

const ABOVE_KEYS = { width: 390, height: 430 }
const SIDEWAYS = { width: 844, height: 390 }
const CELL = `${encodeURIComponent('Valuation & Corporate Finance')}/Intern`

test.use({ hasTouch: true, isMobile: true, viewport: ABOVE_KEYS })
test.beforeEach(({ signedIn }) => void signedIn)

/** Swipes up with a finger, as the touch screen reports it. */
async function swipeUp(page: Page, by: number): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  const at = (y: number) => [{ x: 200, y }]
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(280) })
  for (let moved = 20; moved <= by; moved += 20) {
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(280 - moved) })
  }
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await cdp.detach()
}

for (const [name, size] of [
  ['above an open keyboard', ABOVE_KEYS],
  ['in landscape', SIDEWAYS],
] as const) {
  test(`A quiz and an assessment are answered by touch, ${name}`, { tag: '@full' }, async ({
    page,
    product,
  }) => {
    await page.setViewportSize(size)
    await page.goto(`/quiz/${CELL}/1`)
    const last = page.locator('.opt').last()
    await last.tap()
    await expect(page.getByRole('radio').last()).toBeChecked()
    await page.evaluate(() => scrollTo(0, 0))
    await swipeUp(page, 200)
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(20)
    await page.getByRole('button', { name: 'Next' }).tap()
    await expect(page.getByRole('radio').last()).not.toBeChecked()

    const { candidate } = await startTest(page, product)
    await page.locator('.opt').nth(1).tap()
    await expect(page.getByRole('radio').nth(1)).toBeChecked()
    await swipeUp(page, 200)
    await page.getByRole('button', { name: 'Next' }).tap()
    await expect(questionHeading(page, 2)).toBeVisible()
    await choose(page, 'B')
    expect(await eventsOf(product, candidate.id, 'violations')).toEqual([])
  })
}
