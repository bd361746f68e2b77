import { parseQuestions, readQuestionFiles } from '../../../practice/server/content/content.ts'
import { expect, expectSound, test, tokenOf } from '../rig.ts'

const SLUG = 'ebitda-up-shops-no-busier'

test('A student solves a case by keyboard, and a wrong figure is corrected for the next question', async ({
  page,
  signedIn: _,
}) => {
  await page.goto('/cases')
  await expect(page.getByRole('heading', { level: 1, name: 'Cases' })).toBeVisible()
  await expectSound(page)
  await page.getByRole('link', { name: /^Start Case: EBITDA up 55%/ }).focus()
  await page.keyboard.press('Enter')

  const question = page.getByRole('heading', { level: 1 })
  await expect(question).toContainText('what would EBITDA have been')
  await expect(
    page.getByRole('columnheader', { name: 'Income statement $ millions' }),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled()
  await page.keyboard.press('b')

  // Tab leads from the options into the exhibit. Enter marks a line.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.locator(':focus')).toHaveAttribute('aria-pressed', 'false')
  await page.keyboard.press('Enter')
  await expect(page.locator(':focus')).toHaveAttribute('aria-pressed', 'true')
  await expectSound(page)
  await question.focus()
  await page.keyboard.press('Enter')

  await expect(page.getByText('From question 1: as operating leases')).toContainText(
    '$44.0 million. You chose $46.8 million. Continue with the right figure.',
  )
  // A reload keeps the place and the marked line.
  await page.keyboard.press('c')
  await page.reload()
  await expect(question).toContainText('by how much did EBITDA grow')
  await expect(page.getByRole('radio', { name: '10.0%' })).toBeChecked()
  // Chromium may leave a reloaded page at its window's width until a size is set.
  await page.setViewportSize({ width: 1440, height: 880 })
  await expect(page.locator('[aria-pressed="true"]').filter({ hasText: 'Revenue' })).toBeVisible()

  // A locked answer is shown and can't be changed.
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(page.getByText('YOUR ANSWER', { exact: true })).toBeVisible()
  await expect(page.getByRole('radio')).toHaveCount(0)
  await question.focus()
  await page.keyboard.press('Enter')

  await page.keyboard.press('Enter')
  for (const key of ['b', 'c', 'd']) {
    await expect(page.getByRole('radio').first()).toBeVisible()
    await page.keyboard.press(key)
    await page.keyboard.press('Enter')
  }
  await expect(page.getByText('4 of 5 correct')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Bought at eight, sold at eight' })).toBeVisible()
  await expectSound(page)

  const headers = { Authorization: `Bearer ${await tokenOf(page)}` }
  await expect
    .poll(async () => {
      const list = await (await page.request.get('/api/practice/cases', { headers })).json()
      return list.find((one: { slug: string }) => one.slug === SLUG).best?.score
    })
    .toBe(4)
  await page.getByRole('link', { name: 'All cases' }).click()
  await expect(page.getByText('4 of 5', { exact: true })).toBeVisible()
})

test('On a phone a case is answered with its exhibit open as a sheet', { tag: '@full' }, async ({
  page,
  signedIn: _,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/cases/${SLUG}`)
  await page.getByRole('button', { name: 'Balance sheet' }).click()
  await page.getByRole('button', { name: 'Receivables' }).click()
  const last = page.getByRole('radio').last()
  await last.check({ force: true })
  await expect(last).toBeChecked()
  // The next question starts from the correct figure, sheet or not.
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText(/^From question 1: /)).toBeVisible()
  await expect(page.getByRole('table')).toBeVisible()
  await page.getByRole('button', { name: 'Receivables' }).press('Escape')
  await expect(page.getByRole('table')).toHaveCount(0)

  for (let place = 1; place < 5; place += 1) {
    await page.getByRole('radio').first().check({ force: true })
    await page.getByRole('button', { name: /^(Next|Finish Case)$/ }).click()
  }
  const next = page.getByRole('link', { name: /^Next case: / })
  await expect(next).toBeVisible()
  await page.setViewportSize({ width: 320, height: 844 })
  const right = await next.evaluate((element) => element.getBoundingClientRect().right)
  expect(right).toBeLessThanOrEqual(320 - 18)
})

test('A test on one topic is built by keyboard, survives a reload and being closed, and is saved', {
  tag: '@full',
}, async ({ page, signedIn }) => {
  void signedIn
  await page.goto('/dashboard')
  await page.getByRole('link', { name: /Build a test/ }).press('Enter')
  await expect(page).toHaveURL('/build')
  await expect(page.getByText('1,040 questions match')).toBeVisible()
  const category = page.locator('summary', { hasText: 'Valuation & Corporate Finance' })
  await category.press('Enter')
  await page.getByRole('searchbox', { name: 'Search topics' }).fill('lbo')
  await page.getByRole('checkbox', { name: /^LBO/ }).press('Space')
  const onLbo = (await readQuestionFiles())
    .flatMap(parseQuestions)
    .filter(({ topic, retired }) => topic === 'lbo' && !retired).length
  await expect(page.getByText(`${onLbo} questions match`)).toBeVisible()
  await page.getByRole('radio', { name: '5', exact: true }).press('Space')
  await page.getByRole('radio', { name: 'Show my pace' }).press('Space')
  await expectSound(page, 'build')
  await page.getByRole('link', { name: 'Start 5 questions · LBO' }).press('Enter')

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
  await expect(page.getByRole('link', { name: 'Another like this' }).first()).toBeVisible()
  await page.goto('/build')
  await category.click()
  await expect(page.locator('details[open] li', { hasText: /^LBO/ })).toContainText('5 shaky')
  await page.getByRole('radio', { name: 'Quant trading' }).check()
  await expect(page.getByText('34 topics chosen')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Start 10 questions · Quant trading' })).toBeVisible()
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
  await expect(page.getByText('No questions match this choice')).toBeVisible()
  await page.getByRole('link', { name: 'Build a test' }).click()
  await expect(page).toHaveURL('/build')
  await page.goto('/build/test?ids=999999&levels=Partner&n=-3&clock=soon')
  await expect(page.getByText('No questions match this choice')).toBeVisible()
})
