import { sql } from 'drizzle-orm'
import {
  choose,
  enterTest,
  logIn,
  makeAssessment,
  openOtherBrowser,
  PASSWORD,
  questionHeading,
  saveState,
  signInWhereCallsFail,
  startTest,
  strikes,
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
    const running = page.getByRole('region', { name: 'Your test is running' })
    await running.getByRole('button', { name: 'Continue' }).click()
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
