import { stopTokenOf } from '../../../practice/server/plan/stop-token.ts'
import { expect, expectSound, test } from '../rig.ts'

test('A plan is made by keyboard, goes into a calendar, sends reminders until they are stopped, and is dropped', {
  tag: '@whole',
}, async ({ page, browser, signedIn, product }) => {
  await page.goto('/plan')
  await expect(page.getByRole('button', { name: 'Make my plan' })).toBeVisible()
  const date = page.getByLabel('Date of the interview')
  const inTenDays = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
  await date.fill(inTenDays)
  await page.getByRole('radio', { name: '20' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: '40' })).toBeChecked()
  await page.getByRole('radio', { name: 'Investment banking' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('button', { name: 'Make my plan' }).focus()
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { name: 'Your plan' })).toBeFocused()
  const days = page.getByRole('region', { name: 'The next days' })
  await expect(
    days.getByText(
      /^At 80 questions a day, old ones asked again, you meet about \d+ different ones/,
    ),
  ).toBeVisible()
  await expect(days.getByRole('listitem').filter({ hasText: /^Today/ })).toContainText(
    '80 questions in tens, due ones first · 40 min',
  )
  await expect(page.getByRole('button', { name: 'Saved' })).toBeVisible()

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    days.getByRole('button', { name: 'Put it in my calendar' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('superday-plan.ics')

  const reminders = page.getByRole('region', { name: 'Reminders' })
  await expect(reminders.getByText('Off', { exact: true }).first()).toBeVisible()
  await reminders.getByRole('button', { name: 'By mail' }).click()
  await expect(reminders.getByText(`Mails go to ${signedIn.email} once`)).toBeVisible()
  await reminders.getByLabel('At').selectOption('8 AM')
  await reminders.getByRole('button', { name: 'Send me the mail' }).click()
  await expect(reminders.getByRole('button', { name: 'Mail sent. Open its link.' })).toBeVisible()
  await expectSound(page, 'plan')
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Sales & trading' })).toBeChecked()
  await expect(reminders.getByLabel('At')).toHaveValue('8')

  // The link in a reminder needs no session.
  const { rows } = await product.db.$client.query('select id from users where email = $1', [
    signedIn.email,
  ])
  const elsewhere = await browser.newPage({ baseURL: product.url })
  await elsewhere.goto(`/stop-reminders#${stopTokenOf(product.secretKey, rows[0].id)}`)
  await elsewhere.getByRole('button', { name: 'Stop them' }).click()
  await expect(elsewhere.getByRole('heading', { name: 'No more reminders' })).toBeVisible()
  await elsewhere.close()
  const left = await product.db.$client.query(
    'select from practice_plans where user_id = $1 and reminders is not null',
    [rows[0].id],
  )
  expect(left.rowCount).toBe(0)

  await page.getByRole('button', { name: 'Drop the plan' }).click()
  await expect(page.getByRole('button', { name: 'Make my plan' })).toBeVisible()
  await expect(days).toHaveCount(0)
})
