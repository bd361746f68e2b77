import type { Page } from '@playwright/test'
import { sql } from 'drizzle-orm'
import {
  answersOf,
  attemptOf,
  choose,
  enterTest,
  eventsOf,
  openOtherBrowser,
  questionHeading,
  resultOf,
  saveState,
  setRemaining,
  shownSeconds,
  signInWhereCallsFail,
  startTest,
  wakePage,
} from './assessment-rig.ts'
import { expect, test } from './rig.ts'

test.use({ movesClock: true })

signInWhereCallsFail()

const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)
const submitted = (page: Page) => page.getByRole('heading', { name: 'Assessment Submitted' })

test.describe('the network', () => {
  test('answers shown but not saved after a failed save and a reload are sent', async ({
    page,
    product,
  }) => {
    // Failing inside the page: what is sent while it goes, no route of Playwright's would catch.
    await page.addInitScript(() => {
      const send = fetch.bind(window)
      window.fetch = (input, init) =>
        localStorage.getItem('test-no-saves') && String(input).endsWith('/answers')
          ? Promise.reject(new TypeError('no network'))
          : send(input, init)
    })
    const { candidate, items } = await startTest(page, product)
    page.on('dialog', (dialog) => dialog.accept())
    await page.evaluate(() => localStorage.setItem('test-no-saves', 'true'))
    await choose(page, 'C')
    await expect(saveState(page, 'retrying')).toHaveText('Not saved: retrying')
    await page.reload()
    await expect(questionHeading(page, 2)).toBeVisible()
    await expect(saveState(page, 'retrying')).toBeVisible()
    await page.getByRole('button', { name: 'Previous' }).click()
    await expect(page.getByRole('radio').nth(2)).toBeChecked()
    expect(await answersOf(product, candidate.id)).toEqual({})
    await page.evaluate(() => localStorage.removeItem('test-no-saves'))
    await expect(saveState(page, 'saved')).toBeVisible({ timeout: 12_000 })
    expect(await answersOf(product, candidate.id)).toEqual({ [items[0]?.id ?? 0]: 'C' })
    expect(await eventsOf(product, candidate.id, 'violations')).toEqual([])
  })

  test('that comes back finds the choices and the events of the time without it', async ({
    page,
    context,
    product,
  }) => {
    const { candidate, items } = await startTest(page, product)
    await context.setOffline(true)
    await choose(page, 'A')
    await page.getByRole('button', { name: 'Next' }).click()
    await choose(page, 'D')
    await choose(page, 'B')
    await expect(saveState(page, 'retrying')).toBeVisible()
    await context.setOffline(false)
    await expect(saveState(page, 'saved')).toBeVisible()
    expect(await answersOf(product, candidate.id)).toEqual({
      [items[0]?.id ?? 0]: 'A',
      [items[1]?.id ?? 0]: 'B',
    })
    await expect.poll(() => eventsOf(product, candidate.id)).toEqual(['ready', 'offline', 'online'])
  })

  test('cut across the deadline: what was saved counts, what was not is late, and one is told', async ({
    page,
    context,
    product,
  }) => {
    const { candidate, code, items } = await startTest(page, product)
    await choose(page, 'A')
    await expect(saveState(page, 'saved')).toBeVisible()
    await setRemaining(product, candidate.id, 3_000)
    await wakePage(page)
    await expect.poll(() => shownSeconds(page)).toBeLessThan(4)
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Next' }).click()
    await choose(page, 'B')
    await expect(page.getByText('The time is over.')).toBeVisible()
    await expect(page.getByRole('radio').first()).toBeDisabled()
    await product.clock.move(15_000)
    await context.setOffline(false)
    await expect(submitted(page)).toBeVisible()
    await expect(toast(page, "Time's Up!")).toBeVisible()
    await expect(toast(page, 'The test has been automatically submitted.')).toBeVisible()
    await expect(page.getByText('One answer reached us only after the end.')).toBeVisible()
    expect(await attemptOf(product, candidate.id)).toMatchObject({ submit_reason: 'deadline' })
    expect(await resultOf(product, code)).toMatchObject({ correct: 1, incorrect: 2 })
    const { rows } = await product.db.execute(sql`
      select detail->>'questionId' as id, detail->>'choice' as choice from attempt_events
      where candidate_id = ${candidate.id} and kind = 'late_answer'`)
    expect(rows).toEqual([{ id: String(items[1]?.id), choice: 'B' }])
  })

  test('there at the deadline: the last choice is in', async ({ page, product }) => {
    const { candidate, code } = await startTest(page, product, { itemCount: 2 })
    await setRemaining(product, candidate.id, 2_500)
    await wakePage(page)
    await page.route('**/attempt/answers', (route) => route.abort())
    await choose(page, 'A')
    await expect(submitted(page)).toBeVisible()
    await expect(page.getByText('The time ran out')).toBeVisible()
    expect(await resultOf(product, code)).toMatchObject({ correct: 1, incorrect: 1 })
  })

  test('gone at submit: the test stays, and can be submitted when it is back (disconnected at submit: zero points)', async ({
    page,
    product,
  }) => {
    const { candidate } = await startTest(page, product, { itemCount: 1 })
    await choose(page, 'A')
    await expect(saveState(page, 'saved')).toBeVisible()
    await page.route('**/attempt/submit', (route) => route.abort())
    const submit = page.getByRole('button', { name: 'Submit Test' })
    await submit.click()
    await expect(toast(page, 'Failed to save results. Please contact support.')).toBeVisible()
    await expect(submit).toBeEnabled()
    expect((await attemptOf(product, candidate.id))?.submitted_at).toBeNull()
    await page.unroute('**/attempt/submit')
    await submit.click()
    await expect(submitted(page)).toBeVisible()
  })
})

test('a killed page goes on in another browser, with the clock having run', async ({
  page,
  product,
  browser,
}) => {
  const { candidate, code, items } = await startTest(page, product)
  await choose(page, 'D')
  await expect(saveState(page, 'saved')).toBeVisible()
  await page.close()
  await setRemaining(product, candidate.id, 700_000)
  const other = await openOtherBrowser(browser, product)
  await enterTest(other.page, code, candidate.username)
  await expect(questionHeading(other.page, 2)).toBeVisible()
  await expect(other.page.getByText('1 answered')).toBeVisible()
  expect(await shownSeconds(other.page)).toBeLessThanOrEqual(700)
  await choose(other.page, 'A')
  await expect(saveState(other.page, 'saved')).toBeVisible()
  expect(await answersOf(product, candidate.id)).toEqual({
    [items[0]?.id ?? 0]: 'D',
    [items[1]?.id ?? 0]: 'A',
  })
  await other.context.close()
})

test('a session that ends asks to sign in again, and nothing chosen is lost', async ({
  page,
  product,
  account,
}) => {
  const { candidate, code, items } = await startTest(page, product)
  // Its refusal would open /auth before anything is chosen.
  await expect.poll(() => eventsOf(product, candidate.id)).toEqual(['ready'])
  await product.db.execute(sql`
    delete from sessions where user_id in (select id from users where email = ${account.email})`)
  await choose(page, 'C')
  await expect(page).toHaveURL(/\/auth/)
  await expect(toast(page, 'Your answers are kept on this device.')).toBeVisible()
  await page.getByLabel('E-mail').first().fill(account.email)
  await page.getByLabel('Password', { exact: true }).first().fill(account.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/dashboard')
  await enterTest(page, code, candidate.username)
  await expect(page.getByText('1 answered')).toBeVisible()
  await expect(saveState(page, 'saved')).toBeVisible()
  expect(await answersOf(product, candidate.id)).toEqual({ [items[0]?.id ?? 0]: 'C' })
})

test.describe('two windows', () => {
  test('of one browser: the older one stands still and may take the test back', async ({
    page,
    context,
    product,
  }) => {
    const { candidate, code, items } = await startTest(page, product)
    const second = await context.newPage()
    await second.goto('/recruitment')
    await enterTest(second, code, candidate.username)
    await expect(questionHeading(second, 1)).toBeVisible()
    await expect(
      page.getByRole('heading', { name: 'This test is open in another window' }),
    ).toBeVisible()
    await choose(second, 'B')
    await expect(saveState(second, 'saved')).toBeVisible()
    await page.getByRole('button', { name: 'Continue in this window instead' }).click()
    await expect(page.getByText('1 answered')).toBeVisible()
    await expect(
      second.getByRole('heading', { name: 'This test is open in another window' }),
    ).toBeVisible()
    expect(await answersOf(product, candidate.id)).toEqual({ [items[0]?.id ?? 0]: 'B' })
  })

  test('of two browsers: a save of the older one changes nothing (two browsers, different final answers)', async ({
    page,
    product,
    browser,
  }) => {
    const { candidate, code, items } = await startTest(page, product)
    const other = await openOtherBrowser(browser, product)
    await enterTest(other.page, code, candidate.username)
    await choose(other.page, 'B')
    await expect(saveState(other.page, 'saved')).toBeVisible()
    await choose(page, 'A')
    await expect(page.getByText('This test was opened in another window.')).toBeVisible()
    expect(await answersOf(product, candidate.id)).toEqual({ [items[0]?.id ?? 0]: 'B' })
    await other.context.close()
  })
})

test.describe('the clock', () => {
  test('goes on whatever the device clock says, and an extension moves it without a reload (wrong device clock)', async ({
    page,
    product,
  }) => {
    await page.addInitScript(() => {
      const now = Date.now.bind(Date)
      Date.now = () => now() + (Number(Reflect.get(window, 'shiftMs')) || 0)
    })
    const { candidate } = await startTest(page, product)
    const before = await shownSeconds(page)
    const began = Date.now()
    for (const minutes of [10, -10]) {
      await page.evaluate((ms) => Reflect.set(window, 'shiftMs', ms), minutes * 60_000)
      await page.waitForTimeout(1_200)
      const passed = (Date.now() - began) / 1000
      expect(Math.abs(before - passed - (await shownSeconds(page)))).toBeLessThan(2)
    }
    await choose(page, 'B')
    await expect(saveState(page, 'saved')).toBeVisible()
    await setRemaining(product, candidate.id, 1_500_000)
    await wakePage(page)
    await expect.poll(() => shownSeconds(page)).toBeGreaterThan(1_490)
  })

  test('is red under five minutes, and says so once to a screen reader', async ({
    page,
    product,
  }) => {
    const { candidate } = await startTest(page, product)
    await setRemaining(product, candidate.id, 301_500)
    await wakePage(page)
    await expect.poll(() => shownSeconds(page)).toBeLessThan(302)
    const figure = page.getByRole('timer').locator('span').first()
    await expect(figure).not.toHaveClass(/grade-wrong/)
    await expect(page.getByText('5 minutes remaining')).toBeAttached()
    await expect.poll(() => shownSeconds(page)).toBeLessThan(300)
    await expect(figure).toHaveClass(/grade-wrong/)
    await expect(figure.locator('svg')).toBeVisible()
  })
})

test('a reload on the last question takes nothing, and the test can be handed in (reload on the last screen blocks handing in)', async ({
  page,
  product,
}) => {
  page.on('dialog', (dialog) => dialog.accept())
  const { candidate, items } = await startTest(page, product)
  for (const [index] of items.entries()) {
    await choose(page, 'B')
    if (index < items.length - 1) await page.getByRole('button', { name: 'Next' }).click()
  }
  await expect(saveState(page, 'saved')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('radio').first()).toBeVisible()
  while (await page.getByRole('button', { name: 'Next' }).isVisible()) {
    await page.getByRole('button', { name: 'Next' }).click()
  }
  await page.getByRole('button', { name: 'Submit Test' }).click()
  await expect(submitted(page)).toBeVisible()
  expect(Object.values(await answersOf(product, candidate.id))).toEqual(items.map(() => 'B'))
  expect(await eventsOf(product, candidate.id, 'violations')).toEqual([])
})
