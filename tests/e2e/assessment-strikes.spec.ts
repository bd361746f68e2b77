import type { Page } from '@playwright/test'
import { sql } from 'drizzle-orm'
import {
  answersOf,
  attemptOf,
  choose,
  enterTest,
  eventsOf,
  makeAssessment,
  makeCandidate,
  questionHeading,
  saveState,
  signInWhereCallsFail,
  startTest,
  strikes,
} from './assessment-rig.ts'
import { expect, test } from './rig.ts'

signInWhereCallsFail()

const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)
const submitted = (page: Page) => page.getByRole('heading', { name: 'Assessment Submitted' })

/** Leaves the page as another tab or program makes it, for a moment. */
async function leave(page: Page, how: ('blur' | 'hidden')[]): Promise<void> {
  const set = (state: 'hidden' | 'visible', events: string[]) =>
    page.evaluate(
      ([visibility, list]) => {
        Object.defineProperty(document, 'visibilityState', {
          configurable: true,
          get: () => visibility,
        })
        for (const name of list) {
          if (name === 'visibilitychange') document.dispatchEvent(new Event(name))
          else dispatchEvent(new Event(name))
        }
      },
      [state, events] as const,
    )
  const isHidden = how.includes('hidden')
  await set(
    isHidden ? 'hidden' : 'visible',
    how.map((what) => (what === 'hidden' ? 'visibilitychange' : 'blur')),
  )
  await page.waitForTimeout(400)
  await set('visible', ['focus', 'visibilitychange'])
}

test.describe('what the page sees', () => {
  const press = (page: Page, init: object, type = 'keydown') =>
    page.evaluate(
      ([options, name]) => {
        const event = new KeyboardEvent(name, { bubbles: true, cancelable: true, ...options })
        document.activeElement?.dispatchEvent(event)
      },
      [init, type] as const,
    )
  const fire = (name: string) => (page: Page) =>
    page.evaluate((type) => {
      document.body.dispatchEvent(new ClipboardEvent(type, { bubbles: true, cancelable: true }))
    }, name)

  const ACTS: [string, string, (page: Page) => Promise<unknown>][] = [
    ['page_hidden', 'Leaving the test page', (page) => leave(page, ['hidden'])],
    ['window_blur', 'Leaving the test page', (page) => leave(page, ['blur'])],
    ['copy', 'Copying', fire('copy')],
    ['cut', 'Cutting', fire('cut')],
    ['paste', 'Pasting', fire('paste')],
    [
      'context_menu',
      'Right-clicking',
      (page) => page.locator('h2').first().click({ button: 'right' }),
    ],
    ['shortcut', 'The shortcut Ctrl+P', (page) => page.keyboard.press('Control+p')],
    ['print_screen', 'Taking a screenshot', (page) => press(page, { key: 'PrintScreen' }, 'keyup')],
  ]
  for (const [kind, action, act] of ACTS) {
    test(`${kind} is one strike, and named`, async ({ page, product }) => {
      const { candidate } = await startTest(page, product)
      await act(page)
      await expect(toast(page, 'Exam Safe Mode')).toBeVisible()
      await expect(
        toast(page, `${action} is not allowed during the test. Strike 1/3.`),
      ).toBeVisible()
      await expect(strikes(page, 1)).toBeVisible()
      expect(await eventsOf(product, candidate.id, 'violations')).toEqual([kind])
    })
  }

  test('is no strike: AltGr, fullscreen, zooming, a reload, the leave prompt (false violations)', async ({
    page,
    product,
  }) => {
    const { candidate } = await startTest(page, product)
    await press(page, {
      key: 'ć',
      code: 'KeyC',
      ctrlKey: true,
      altKey: true,
      modifierAltGraph: true,
    })
    await press(page, { key: 'ś', code: 'KeyS', ctrlKey: true, altKey: true })
    await press(page, { key: '+', ctrlKey: true })
    await page.getByRole('button', { name: 'Enter Fullscreen' }).click()
    await expect(page.getByRole('button', { name: 'Enter Fullscreen' })).toBeHidden()
    await page.evaluate(() => document.exitFullscreen())
    await expect(page.getByRole('button', { name: 'Enter Fullscreen' })).toBeVisible()
    await choose(page, 'A')

    // Stay first, then go.
    page.once('dialog', (dialog) => dialog.dismiss())
    await page.reload({ timeout: 3_000 }).catch(() => {})
    await expect(questionHeading(page, 1)).toBeVisible()
    page.once('dialog', (dialog) => dialog.accept())
    await page.reload()
    await expect(page.getByText('1 answered')).toBeVisible()
    await expect
      .poll(() => eventsOf(product, candidate.id))
      .toEqual([
        'ready',
        'fullscreen_enter',
        'fullscreen_exit',
        'leave_prompt',
        'page_left',
        'ready',
        'reload',
      ])
    await expect(strikes(page, 0)).toBeVisible()
  })

  test('a real change of the tab, blur and hidden together, is one strike', async ({
    page,
    context,
    product,
  }) => {
    const { candidate } = await startTest(page, product)
    // Without this, Playwright lets every page believe that it has the focus.
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setFocusEmulationEnabled', { enabled: false })
    const other = await context.newPage()
    await other.bringToFront()
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', {
        configurable: true,
        get: () => 'hidden',
      })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await expect.poll(() => eventsOf(product, candidate.id, 'violations')).toHaveLength(1)
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', {
        configurable: true,
        get: () => 'visible',
      })
    })
    await other.close()
    await page.bringToFront()
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    // The toast waits for who was away.
    await expect(toast(page, 'Leaving the test page is not allowed')).toBeVisible()
    await expect(strikes(page, 1)).toBeVisible()
    const lengths = async () => {
      const { rows } = await product.db.execute<{ away: number }>(sql`
        select (detail->>'awayMs')::float as away from attempt_events
        where candidate_id = ${candidate.id} and kind = 'page_visible'`)
      return rows.map(({ away }) => away > 0)
    }
    await expect.poll(lengths).toEqual([true])
  })

  test('three times is the end, and it stays so after a reload', async ({ page, product }) => {
    const { candidate, items } = await startTest(page, product)
    await page.route('**/attempt/answers', (route) => route.abort())
    for (const count of [1, 2]) {
      await leave(page, ['blur', 'hidden'])
      await expect(strikes(page, count)).toBeVisible({ timeout: 15_000 })
    }
    // Nothing chosen is lost: answers go before the strike that ends the test.
    await choose(page, 'B')
    await page.unroute('**/attempt/answers')
    await leave(page, ['blur', 'hidden'])
    await expect(submitted(page)).toBeVisible()
    await expect(page.getByText('after the third violation')).toBeVisible()
    expect(await answersOf(product, candidate.id)).toEqual({ [items[0]?.id ?? 0]: 'B' })
    await page.reload()
    await expect(submitted(page)).toBeVisible()
    await expect(page.getByText('after the third violation')).toBeVisible()
    expect((await attemptOf(product, candidate.id))?.submit_reason).toBe('violations')
  })

  for (const width of [390, 1440]) {
    test(`no option moves when a strike or a lost connection is told, at ${width} pixels`, async ({
      page,
      context,
      product,
    }) => {
      await page.setViewportSize({ width, height: 844 })
      await startTest(page, product)
      const place = () =>
        page.getByRole('radiogroup', { name: /^Question / }).evaluate((group) => {
          const { top, height } = group.getBoundingClientRect()
          return [top, height]
        })
      const before = await place()
      await leave(page, ['blur', 'hidden'])
      await expect(strikes(page, 1)).toBeVisible()
      await expect(page.getByText('Recorded: Leaving the test page, strike 1/3.')).toBeVisible()
      expect(await place()).toEqual(before)
      await context.setOffline(true)
      await expect(page.getByText('No connection. Your answers are kept')).toBeVisible()
      expect(await place()).toEqual(before)
    })
  }

  test("can't be told: the test goes on, and the gap shows", async ({ page, product }) => {
    const { code } = await makeAssessment(product, { itemCount: 1 })
    const candidate = await makeCandidate(product, code)
    await page.route('**/attempt/events', (route) => route.abort())
    await enterTest(page, code, candidate.username)
    await expect(questionHeading(page, 1)).toBeVisible()
    await fire('copy')(page)
    await choose(page, 'A')
    await expect(saveState(page, 'saved')).toBeVisible()
    await page.getByRole('button', { name: 'Submit Test' }).click()
    await expect(submitted(page)).toBeVisible()
    expect(await eventsOf(product, candidate.id)).toEqual([])
    const { rows } = await product.db.execute<{ last_event: number }>(sql`
      select last_event from attempt_windows join attempts on attempts.id = attempt_id
      where candidate_id = ${candidate.id}`)
    expect(rows).toEqual([{ last_event: 2 }])
  })

  test('going back inside the product asks first, and counts as leaving', async ({
    page,
    product,
  }) => {
    const { code } = await makeAssessment(product)
    const candidate = await makeCandidate(product, code)
    await enterTest(page, code, candidate.username, '/recruitment/instructions')
    await page.getByRole('button', { name: 'I Understand - Start the Exam' }).click()
    await expect(questionHeading(page, 1)).toBeVisible()
    await page.evaluate(() => history.back())
    const question = page.getByRole('alertdialog', { name: 'Leave the test?' })
    await expect(question).toBeVisible()
    await question.getByRole('button', { name: 'Stay in the test' }).click()
    await expect(question).toBeHidden()
    await expect.poll(() => eventsOf(product, candidate.id)).toEqual(['ready'])
    await page.evaluate(() => history.back())
    await question.getByRole('button', { name: 'Leave the test' }).click()
    await expect(page).toHaveURL('/recruitment/instructions')
    await expect(page.getByText('Your test has started and its clock is running.')).toBeVisible()
    await page.getByRole('button', { name: 'I Understand - Start the Exam' }).click()
    await expect(strikes(page, 1)).toBeVisible()
    expect(await eventsOf(product, candidate.id, 'violations')).toEqual(['page_hidden'])
  })
})

test("a device that can't go fullscreen shows no button, and is no strike (iPhone can't enter fullscreen)", async ({
  page,
  product,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'fullscreenEnabled', { get: () => false })
  })
  const { candidate } = await startTest(page, product)
  await choose(page, 'A')
  await expect(saveState(page, 'saved')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Enter Fullscreen' })).toHaveCount(0)
  expect(await eventsOf(product, candidate.id, 'violations')).toEqual([])
})
