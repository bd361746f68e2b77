import type { Page } from '@playwright/test'
import { sql } from 'drizzle-orm'
import {
  choose,
  eventsOf,
  organizerSees,
  questionHeading,
  saveState,
  setVisible,
  signInWhereCallsFail,
  startTest,
  strikes,
} from './assessment-rig.ts'
import { expect, test } from './rig.ts'

test.use({ movesClock: true })

// docs/proctoring.md says what each of these shows, and how realistic it is. assessments/web/attempt/seen/*.test.ts and
// assessments/attempt-looks.test.ts test the rules.
signInWhereCallsFail()

/** The browser asks before the page unloads, but only if the page was touched. */
const acceptPrompt = (page: Page) => page.once('dialog', (dialog) => dialog.accept())

test.describe('cheats', { tag: '@full' }, () => {
  test('A slow reload is listed', async ({ page, product }) => {
    const { code } = await startTest(page, product)
    await choose(page, 'A')
    await expect(saveState(page, 'saved')).toBeVisible()
    await page.route('**/recruitment/test', async (route) => {
      await product.clock.move(20_000)
      await route.continue()
    })
    acceptPrompt(page)
    // The page unloads only after the response, and requests it twice.
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')))
    await page.reload()
    await expect(questionHeading(page, 2)).toBeVisible()
    await expect
      .poll(() => organizerSees(product, code))
      .toEqual({
        strikes: 0,
        worthALook: [
          expect.stringMatching(/^away \d\d s between two windows, .* back after a reload$/),
        ],
      })
  })

  test('A leave prompt that stays open is listed with its length', async ({ page, product }) => {
    const { code, candidate } = await startTest(page, product)
    await choose(page, 'A')
    const answered = page.waitForEvent('dialog').then(async (dialog) => {
      await new Promise((resolve) => setTimeout(resolve, 10_500))
      await dialog.dismiss()
    })
    await page.evaluate(() => void setTimeout(() => location.reload()))
    await answered
    await expect.poll(() => eventsOf(product, candidate.id)).toEqual(['ready', 'leave_prompt'])
    expect(await organizerSees(product, code)).toEqual({
      strikes: 0,
      worthALook: [expect.stringMatching(/^the leave prompt lasted 1\d s, from 00:\d\d$/)],
    })
  })

  test('A real change of the tab is one strike, with its length', async ({
    page,
    context,
    product,
  }) => {
    const { candidate } = await startTest(page, product)
    // Otherwise Playwright makes every page believe that it has the focus.
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setFocusEmulationEnabled', { enabled: false })
    const other = await context.newPage()
    await other.bringToFront()
    await setVisible(page, false)
    await expect.poll(() => eventsOf(product, candidate.id, 'violations')).toHaveLength(1)
    await other.close()
    await page.bringToFront()
    await setVisible(page, true)
    await expect(strikes(page, 1)).toBeVisible()
    const isLong = async () => {
      const { rows } = await product.db.execute<{ away: number }>(sql`
        select (detail->>'awayMs')::float as away from attempt_events
        where candidate_id = ${candidate.id} and kind = 'page_visible'`)
      return rows.map(({ away }) => away > 0)
    }
    await expect.poll(isLong).toEqual([true])
    await devtools.detach()
  })

  test('The heartbeat reveals a script that stops the listeners', async ({ page, product }) => {
    await page.addInitScript(() => {
      const stop = (event: Event) => event.isTrusted || event.stopImmediatePropagation()
      for (const kind of ['blur', 'focus', 'pointerdown']) addEventListener(kind, stop, true)
      document.addEventListener('visibilitychange', stop, true)
    })
    await page.clock.install()
    const { code } = await startTest(page, product)
    await setVisible(page, false)
    await choose(page, 'A')
    await page.clock.fastForward(31_000)
    await expect
      .poll(async () => (await organizerSees(product, code)).worthALook)
      .toEqual(['the page said once that it was hidden, but reported no absence'])
  })
})
