import { sql } from 'drizzle-orm'
import {
  choose,
  enterTest,
  logIn,
  makeAssessment,
  makeCandidate,
  openOtherBrowser,
  PASSWORD,
  questionHeading,
  saveState,
  setAway,
  signInWhereCallsFail,
  startTest,
  strikes,
  wakePage,
} from './assessment-rig.ts'
import { expect, expectSound, type Product, test } from './rig.ts'

// What candidates see on rare devices and when returning to a closed test.

test.use({ movesClock: true })

signInWhereCallsFail()

const serverNow = (product: Product) => Date.now() + product.clock.offsetMs

test.describe('rare screens of a test', { tag: '@full' }, () => {
  test('On a phone the test is not cut off, and every target is large enough', async ({
    page,
    product,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await startTest(page, product, {
      navigator: true,
      itemCount: 20,
      society: 'Business School Finance Society of the North',
      session: 'Afternoon',
    })
    await expect(saveState(page, 'saved')).toBeVisible()
    await expect(strikes(page, 0)).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    const sizes = await page.getByRole('button').evaluateAll((all) =>
      all
        .map((one) => one.getBoundingClientRect())
        .filter(({ width }) => width > 0)
        .map(({ width, height }) => Math.min(width, height)),
    )
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(24)
    await choose(page, 'C')
    await page.getByRole('button', { name: 'Question 20, not answered' }).click()
    await expect(questionHeading(page, 20)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Submit Test' })).toBeDisabled()
  })

  test('On a phone no option moves when a strike or a lost connection is shown', async ({
    page,
    context,
    product,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await startTest(page, product)
    const place = () =>
      page.getByRole('radiogroup', { name: /^Question / }).evaluate((group) => {
        const { top, height } = group.getBoundingClientRect()
        return [top, height]
      })
    const before = await place()
    await setAway(page, true)
    await setAway(page, false)
    await expect(page.getByText('Recorded: Leaving the test page, strike 1/3.')).toBeVisible()
    expect(await place()).toEqual(before)
    await context.setOffline(true)
    const line = page
      .getByRole('status')
      .filter({ hasText: 'No connection. Your answers are kept' })
    await expect(line).toBeVisible()
    expect(await place()).toEqual(before)
    // The line has the full width and appears once.
    expect(await line.boundingBox()).toMatchObject({ x: 0, width: 390 })
    await expect(page.getByText('No connection', { exact: true })).toBeHidden()
  })

  test('Failing calls show the lost connection, although the device says it is online', async ({
    page,
    product,
  }) => {
    await startTest(page, product)
    const line = page.getByRole('status').getByText('No connection. Your answers are kept')
    await page.route('**/api/**', (route) => route.abort())
    await wakePage(page)
    await expect(line).toBeVisible()
    expect(await page.evaluate(() => navigator.onLine)).toBe(true)
    await page.unroute('**/api/**')
    // It disappears without a save, because nothing is waiting.
    await expect(line).toBeHidden({ timeout: 15_000 })
  })

  test('The instructions show the extra time of the candidate', async ({ page, product }) => {
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

  test("A test closes by the server's clock where the clock of the device is behind", async ({
    page,
    product,
  }) => {
    await page.clock.install()
    await product.clock.move(1_800_000)
    const closesAt = new Date(serverNow(product) + 600_000)
    const { society } = await makeAssessment(product, { closesAt })
    await page.goto('/recruitment')
    const access = page.getByRole('button', { name: `Access Test ${society}` })
    await expect(access).toBeVisible()
    await page.clock.fastForward(600_000)
    const row = page.getByRole('listitem').filter({ hasText: society })
    await expect(row.getByText('Closed', { exact: true })).toBeVisible()
    await expect(access).toBeHidden()
    await expectSound(page)
  })

  test('Candidates who started can return to a closed test, from another account too', async ({
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
    await logIn(other.page, candidate.username, PASSWORD)
    await other.page.getByRole('button', { name: 'Continue', exact: true }).click()
    await expect(questionHeading(other.page, 1)).toBeVisible()
    await other.context.close()
  })

  test('The sessions of a day close one by one', async ({ page, product }) => {
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
