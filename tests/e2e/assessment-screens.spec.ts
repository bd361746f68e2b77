import type { Page } from '@playwright/test'
import { sql } from 'drizzle-orm'
import { resetCandidate } from '../../societies/server/roster.ts'
import {
  answersOf,
  attemptOf,
  choose,
  enterTest,
  eventsOf,
  makeAssessment,
  makeCandidate,
  openOtherBrowser,
  PASSWORD,
  questionHeading,
  saveState,
  signInWhereCallsFail,
  startTest,
  wakePage,
} from './assessment-rig.ts'
import { expect, expectAccessible, type Product, test } from './rig.ts'

test.use({ movesClock: true })

// What a candidate is shown where something is not as usual: no connection, no fullscreen, no time, no way in.

signInWhereCallsFail()

const CONTACT = 'the desk at the door, or exam@society.example'
const serverNow = (product: Product) => Date.now() + product.clock.offsetMs
const submitted = (page: Page) => page.getByRole('heading', { name: 'Assessment Submitted' })

test.describe('the keys of the question stay alive', () => {
  test('after Enter Fullscreen, whose button is gone', async ({ page, product }) => {
    await startTest(page, product)
    const enter = page.getByRole('button', { name: 'Enter Fullscreen' })
    await enter.focus()
    await page.keyboard.press('Enter')
    await expect(enter).toBeHidden()
    await expect(questionHeading(page, 1)).toBeFocused()
    await page.keyboard.press('b')
    await expect(page.getByText('1 answered')).toBeVisible()
  })

  test('after a toast is dismissed, and after a submission that failed', async ({
    page,
    product,
  }) => {
    await startTest(page, product, { itemCount: 1 })
    await page.keyboard.press('a')
    await expect(saveState(page, 'saved')).toBeVisible()
    await page.route('**/attempt/submit', async (route) => {
      // As long as a network takes that is not there: meanwhile the button is off.
      await page.waitForTimeout(500)
      await route.abort()
    })
    await page.getByRole('button', { name: 'Submit Test' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Failed to save results.')).toBeVisible()
    await expect(questionHeading(page, 1)).toBeFocused()
    await page.getByRole('button', { name: 'Dismiss' }).first().focus()
    await page.keyboard.press('Enter')
    await expect(questionHeading(page, 1)).toBeFocused()
    await page.keyboard.press('c')
    await expect(page.getByRole('radio').nth(2)).toBeChecked()
  })
})

test.describe('without a connection', () => {
  const LINE = 'No connection. Your answers are kept on this device; the clock runs. Stay here.'
  const line = (page: Page) => page.getByRole('status').getByText(LINE, { exact: true })

  test('a line says so to who has nothing unsaved, and goes when it is back', async ({
    page,
    context,
    product,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await startTest(page, product)
    await choose(page, 'A')
    await expect(saveState(page, 'saved')).toBeVisible()
    await context.setOffline(true)
    await expect(line(page)).toBeVisible()
    await expect(saveState(page, 'saved')).toBeVisible()
    // Over the whole width, and once.
    const box = await page.getByRole('status').filter({ hasText: LINE }).boundingBox()
    expect(box).toMatchObject({ x: 0, width: 390 })
    await expect(page.getByText('No connection', { exact: true })).toBeHidden()
    for (const theme of ['dark', 'light']) {
      await page.evaluate((name) => {
        document.documentElement.dataset.theme = name
      }, theme)
      await expectAccessible(page)
    }
    await context.setOffline(false)
    await expect(line(page)).toBeHidden()
  })

  test('calls that do not get through say so as well, where the device believes in its network', async ({
    page,
    product,
  }) => {
    await startTest(page, product)
    await page.route('**/api/**', (route) => route.abort())
    await wakePage(page)
    await expect(line(page)).toBeVisible()
    expect(await page.evaluate(() => navigator.onLine)).toBe(true)
    await page.unroute('**/api/**')
    // By itself: nothing waits to be saved.
    await expect(line(page)).toBeHidden({ timeout: 15_000 })
  })
})

test('the bar shows what is answered, not where one is', async ({ page, product }) => {
  await startTest(page, product, { itemCount: 20, navigator: true })
  const bar = page.getByRole('progressbar', { name: 'Progress' })
  await page.getByRole('button', { name: 'Question 20, not answered' }).click()
  await expect(bar).toHaveAttribute('aria-valuetext', '0 of 20 answered')
  await expect(bar).toHaveAttribute('aria-valuenow', '0')
  expect((await bar.locator('span').boundingBox())?.width ?? 0).toBe(0)
  await choose(page, 'A')
  await expect(bar).toHaveAttribute('aria-valuetext', '1 of 20 answered')
  const { width } = page.viewportSize() ?? { width: 0 }
  expect((await bar.locator('span').boundingBox())?.width).toBeCloseTo(width / 20, 0)
})

test.describe('Enter on the last question', () => {
  test('asks once; pressed on and on it never submits, and the button does', async ({
    page,
    product,
  }) => {
    const { candidate } = await startTest(page, product, { itemCount: 1 })
    const question = page.getByRole('alertdialog', { name: 'Submit the test?' })
    // Nothing to ask while something is open.
    await page.keyboard.press('Enter')
    await expect(question).toBeHidden()
    await page.keyboard.press('a')
    await page.keyboard.press('Enter')
    await expect(question).toBeVisible()
    await expect(question.getByRole('button', { name: 'Keep going' })).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(question).toBeHidden()
    await expect(questionHeading(page, 1)).toBeFocused()
    expect((await attemptOf(product, candidate.id))?.submitted_at).toBeNull()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    await page.keyboard.press('c')
    await expect(saveState(page, 'saved')).toBeVisible()
    await page.getByRole('button', { name: 'Submit Test' }).click()
    await expect(submitted(page)).toBeVisible()
    expect(Object.values(await answersOf(product, candidate.id))).toEqual(['C'])
  })
})

test('after the third strike nobody is thanked: what was recorded, when, and whom to tell', async ({
  page,
  product,
}) => {
  const { candidate } = await startTest(page, product)
  for (let strike = 1; strike <= 3; strike += 1) {
    await page.keyboard.press('Control+p')
    if (strike < 3)
      await expect(page.getByRole('img', { name: `Strikes: ${strike} of 3` })).toBeVisible()
    await page.waitForTimeout(2_100)
  }
  await expect(submitted(page)).toBeVisible()
  const main = page.getByRole('main')
  await expect(main.getByText('Thank you')).toHaveCount(0)
  await expect(main.locator('svg')).toHaveCount(0)
  await expect(main.getByText('individual results are not displayed')).toBeVisible()
  const recorded = page.getByRole('region', { name: 'What counted' }).getByRole('listitem')
  await expect(recorded).toHaveCount(3)
  await expect(recorded.first()).toContainText(/1The shortcut Ctrl\+P\d+:\d\d:\d\d [AP]M/)
  await expect(page.getByRole('heading', { name: 'If this is wrong' })).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: CONTACT })).toBeVisible()
  const attempt = await attemptOf(product, candidate.id)
  await expect(main.getByText(attempt?.id.slice(0, 8) ?? '', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Return to Dashboard' })).toBeVisible()
  for (const theme of ['dark', 'light']) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name
    }, theme)
    await expectAccessible(page)
  }
  await page.reload()
  await expect(recorded).toHaveCount(3)
})

test('a test taken over shows its name, its clock and whom to tell', async ({
  page,
  product,
  browser,
}) => {
  const { candidate, code, society } = await startTest(page, product)
  const other = await openOtherBrowser(browser, product)
  await enterTest(other.page, code, candidate.username)
  await expect(questionHeading(other.page, 1)).toBeVisible()
  await choose(page, 'A')
  const heading = page.getByRole('heading', { name: 'This test is open in another window' })
  await expect(heading).toBeFocused()
  await expect(page.getByText(society, { exact: true })).toBeVisible()
  await expect(page.getByRole('timer')).toContainText(/^(19:|20:)\d\d remaining/)
  await expect(page.getByText(`Not you? Tell the society: ${CONTACT}`)).toBeVisible()
  await expectAccessible(page)
  await other.context.close()
})

test('a test that has closed shows its name and whom to tell', async ({ page, product }) => {
  const { code, society } = await makeAssessment(product, {
    closesAt: new Date(serverNow(product) - 60_000),
  })
  await enterTest(page, code, (await makeCandidate(product, code)).username)
  await expect(
    page.getByRole('heading', { name: 'This test has closed; it can no longer be started.' }),
  ).toBeVisible()
  await expect(page.getByText(society, { exact: true })).toBeVisible()
  await expect(page.getByText(`Tell the society: ${CONTACT}`)).toBeVisible()
})

test('the instructions say the time that this candidate has', async ({ page, product }) => {
  const { code } = await makeAssessment(product, { durationSeconds: 420 })
  const [usual, more] = [await makeCandidate(product, code), await makeCandidate(product, code)]
  await product.db.execute(sql`update candidates set extra_seconds = 600 where id = ${more.id}`)
  const limit = page.getByRole('definition').filter({ hasText: 'for 3 questions' })
  await enterTest(page, code, usual.username, '/recruitment/instructions')
  await expect(limit).toHaveText(
    '7 minutes for 3 questions; then the test is submitted automatically',
  )
  await enterTest(page, code, more.username, '/recruitment/instructions')
  await expect(limit).toHaveText(
    '7 minutes + 10 minutes extra time for 3 questions; then the test is submitted automatically',
  )
})

test.describe('once the last moment to start has passed', () => {
  test("by the server's clock, an open page has no way in left, and the instructions no button", async ({
    page,
    product,
  }) => {
    // The device is half an hour behind.
    await product.clock.move(1_800_000)
    const closesAt = new Date(serverNow(product) + 5_000)
    const { code, society } = await makeAssessment(product, { closesAt })
    await page.goto('/recruitment')
    const access = page.getByRole('button', { name: `Access Test ${society}` })
    await expect(access).toBeVisible()
    const row = page.getByRole('listitem').filter({ hasText: society })
    await expect(row.getByText('Closed', { exact: true })).toBeVisible()
    await expect(access).toBeHidden()
    await expectAccessible(page)

    const late = await makeCandidate(product, code)
    await enterTest(page, code, late.username, '/recruitment/instructions')
    await expect(page.getByText('This test has closed; it can no longer be started.')).toBeVisible()
    await expect(page.getByRole('button', { name: /^I Understand/ })).toHaveCount(0)
  })

  test('who has started finds the way back, from another account too', async ({
    page,
    product,
    browser,
  }) => {
    page.on('dialog', (dialog) => dialog.accept())
    const { code, candidate, society } = await startTest(page, product, {
      closesAt: new Date(serverNow(product) + 60_000),
    })
    await product.clock.move(61_000)
    await page.goto('/recruitment')
    await expect(page.getByRole('button', { name: `Access Test ${society}` })).toBeVisible()
    await enterTest(page, code, candidate.username, '/recruitment/instructions')
    await page.getByRole('button', { name: /^I Understand/ }).click()
    await expect(questionHeading(page, 1)).toBeVisible()

    const other = await openOtherBrowser(browser, product)
    await other.page.goto('/recruitment')
    await other.page
      .getByRole('button', { name: `Started before? Return to your test ${society}` })
      .click()
    const dialog = other.page.getByRole('dialog', { name: 'Login to Access Test' })
    await dialog.getByLabel('Username').fill(candidate.username)
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await dialog.getByLabel('Password', { exact: true }).press('Enter')
    await other.page.getByRole('button', { name: /^I Understand/ }).click()
    await expect(questionHeading(other.page, 1)).toBeVisible()
    await other.context.close()
  })

  test('sessions of a day close one by one', async ({ page, product }) => {
    const society = 'School of Closing Sessions'
    await makeAssessment(product, {
      society,
      session: 'Morning',
      closesAt: new Date(serverNow(product) - 60_000),
    })
    const afternoon = await makeAssessment(product, { society, session: 'Afternoon' })
    await page.goto('/recruitment')
    await page.getByRole('button', { name: `Access Test ${society}` }).click()
    await expect(page.getByRole('button', { name: 'Morning Assessment' })).toHaveCount(0)
    await expect(
      page.getByRole('button', { name: 'Morning: Started before? Return to your test' }),
    ).toBeVisible()
    await expect(page.getByRole('button', { name: 'Afternoon Assessment' })).toBeVisible()
    await product.db.execute(sql`
      update assessments set closes_at = ${new Date(serverNow(product) - 1_000)} where code = ${afternoon.code}`)
    await page.reload()
    await expect(
      page.getByRole('button', { name: `Started before? Return to your test ${society}` }),
    ).toBeVisible()
    await expect(page.getByRole('button', { name: `Access Test ${society}` })).toHaveCount(0)
  })
})

test('a password that the society changed is said to be so, during the test and before it', async ({
  page,
  product,
}) => {
  page.on('dialog', (dialog) => dialog.accept())
  const { code, candidate, society } = await startTest(page, product)
  const { db, secretKey } = product
  const { password } = await resetCandidate(
    { db, now: new Date(serverNow(product)), actor: 'the desk' },
    code,
    candidate.username,
    { secretKey },
  )
  const heading = page.getByRole('heading', { name: 'Your password was changed by the society' })
  const toDo = page.getByText(
    'Go back to the recruitment page and sign in with the new password. What you have answered is kept.',
  )
  await page.keyboard.press('b')
  await expect(heading).toBeFocused()
  await expect(toDo).toBeVisible()
  await expect(page.getByText('Access Required')).toHaveCount(0)
  await expect(page.getByText(society, { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/recruitment/instructions')
  await expect(heading).toBeVisible()
  await page.goto('/recruitment/test')
  await expect(heading).toBeVisible()
  await page.getByRole('link', { name: 'Society Assessments' }).click()
  await page.getByRole('button', { name: `Access Test ${society}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Login to Access Test' })
  await dialog.getByLabel('Username').fill(candidate.username)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByLabel('Password', { exact: true }).press('Enter')
  await page.getByRole('button', { name: /^I Understand/ }).click()
  // Chosen when the old password was gone already: kept on the device, sent with the new one.
  await expect(page.getByText('1 answered')).toBeVisible()
  await expect(saveState(page, 'saved')).toBeVisible()
  expect(Object.values(await answersOf(product, candidate.id))).toEqual(['B'])
  expect(await eventsOf(product, candidate.id, 'violations')).toEqual([])
})
