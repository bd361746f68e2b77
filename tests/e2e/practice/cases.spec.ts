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

  // Tab leads from the options into the exhibit; Enter marks a line.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.locator(':focus')).toHaveAttribute('aria-pressed', 'false')
  await page.keyboard.press('Enter')
  await expect(page.locator(':focus')).toHaveAttribute('aria-pressed', 'true')
  await expectSound(page)
  await question.focus()
  await page.keyboard.press('Enter')

  await expect(page.getByText('From question 1: as operating leases')).toContainText(
    '$44.0 million. You chose $46.8 million. Go on with the right figure.',
  )
  // A reload keeps the place and the marked line.
  await page.keyboard.press('c')
  await page.reload()
  await expect(question).toContainText('by how much did EBITDA grow')
  await expect(page.getByRole('radio', { name: '10.0%' })).toBeChecked()
  // A page that was just opened learns its width with its first frame, which a busy machine draws late.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)))
  await expect(page.locator('[aria-pressed="true"]').filter({ hasText: 'Revenue' })).toBeVisible()

  // A locked answer is shown and cannot be changed.
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
  await expect(question).toHaveText('4 of 5 right')
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
  await expect(page.getByText('best so far 4 of 5')).toBeVisible()
})

test('On a phone a case is answered with its exhibit open as a sheet', { tag: '@full' }, async ({
  page,
  signedIn: _,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/cases/${SLUG}`)
  await page.getByRole('button', { name: /^Exhibit/ }).click()
  await page.getByRole('button', { name: 'Balance sheet' }).click()
  await page.getByRole('button', { name: 'Receivables' }).click()
  const last = page.getByRole('radio').last()
  await last.check({ force: true })
  await expect(last).toBeChecked()
  // The right figure of a question before is what the next one starts from, sheet or not.
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
