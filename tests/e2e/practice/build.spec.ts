import { parseQuestions, readQuestionFiles } from '../../../practice/server/content/content.ts'
import { expect, expectSound, test } from '../rig.ts'

test('A test on one topic is built by keyboard, survives a reload and being closed, and is saved', {
  tag: '@full',
}, async ({ page, signedIn }) => {
  void signedIn
  await page.goto('/dashboard')
  await page.getByRole('link', { name: /Build a test/ }).press('Enter')
  await expect(page).toHaveURL('/build')
  await expect(page.getByText('Out of 1,040 on all topics')).toBeVisible()
  const category = page.locator('summary', { hasText: 'Valuation & Corporate Finance' })
  await category.press('Enter')
  await page.getByRole('checkbox', { name: /^LBO/ }).press('Space')
  const onLbo = (await readQuestionFiles())
    .flatMap(parseQuestions)
    .filter(({ topic, retired }) => topic === 'lbo' && !retired).length
  await expect(page.getByText(`Out of ${onLbo} on 1 topic`).first()).toBeVisible()
  await page.getByRole('radio', { name: '5', exact: true }).check({ force: true })
  await page.getByRole('radio', { name: 'Show my pace' }).check({ force: true })
  await expectSound(page, 'build')
  await page.getByRole('link', { name: 'Start 5 questions' }).first().press('Enter')

  await expect(page).toHaveURL(/\/build\/test\?.*ids=/)
  await expect(page.getByRole('timer', { name: 'Pace' })).toHaveText('on pace')
  const first = await page.getByRole('radiogroup').getAttribute('aria-labelledby')
  await page.keyboard.press('B')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Question 2', { exact: true }).first()).toBeVisible()
  await page.reload()
  await expect(page.getByText('Question 2', { exact: true }).first()).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('radiogroup')).toHaveAttribute('aria-labelledby', first ?? '')
  await expect(page.getByRole('radio').nth(1)).toBeChecked()
  await page.getByRole('link', { name: 'Close test' }).click()
  const unfinished = page.getByRole('list', { name: 'Built tests in progress' })
  await expect(unfinished).toContainText('question 1 of 5')
  await page.goto('/dashboard')
  const left = page.getByRole('link', { name: 'Continue the test you built, question 1' })
  await expect(left).toBeVisible()
  await left.click()
  await expect(page.getByRole('radio').nth(1)).toBeChecked()
  const saved = page.waitForResponse(/\/api\/practice\/sessions\//)
  for (let place = 0; place < 5; place += 1) {
    await page.keyboard.press('A')
    await page.keyboard.press('Enter')
  }
  expect((await saved).status()).toBe(200)
  await expect(page).toHaveURL('/results/error-practice')
  await expect(page.locator('.ledger')).toContainText('right of 5')
  await expect(page.getByRole('link', { name: 'Another of these' }).first()).toBeVisible()
  await page.goto('/build')
  await category.click()
  await expect(page.locator('li', { hasText: /^LBO/ })).toContainText('5 shaky')
})

test('A timed test submits the answers given when its time is up', { tag: '@full' }, async ({
  page,
  signedIn,
}) => {
  void signedIn
  await page.clock.install()
  await page.goto('/build/test?n=5&clock=timed')
  await expect(page.getByRole('timer', { name: 'Time left' })).toHaveText(/7:(30|29)/)
  await page.keyboard.press('A')
  const clock = page.getByRole('timer', { name: 'Time left' })
  const color = () => clock.evaluate((element) => getComputedStyle(element).color)
  const before = await color()
  await page.clock.fastForward(440_000)
  await expect(clock).toHaveClass(/text-wrong/)
  expect(await color()).not.toBe(before)
  const saved = page.waitForRequest(/\/api\/practice\/sessions\//)
  await page.clock.fastForward(20_000)
  const body = (await saved).postDataJSON()
  expect(body).toMatchObject({ kind: 'built', isFinished: true })
  expect(body.answers).toHaveLength(1)
  await expect(page.locator('.ledger')).toContainText('wrong, and 4 not reached')
})

test('A choice without questions and a broken link say that no questions fit', {
  tag: '@full',
}, async ({ page, signedIn, expectConsoleErrors }) => {
  void signedIn
  expectConsoleErrors((text) => text.includes('Failed to load resource'))
  await page.goto('/build/test?slip=no-such-slip')
  await expect(page.getByText('No questions fit this choice')).toBeVisible()
  await page.getByRole('link', { name: 'Build a test' }).click()
  await expect(page).toHaveURL('/build')
  await page.goto('/build/test?ids=999999&levels=Partner&n=-3&clock=soon')
  await expect(page.getByText('No questions fit this choice')).toBeVisible()
})
