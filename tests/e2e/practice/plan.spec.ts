import { stopTokenOf } from '../../../practice/server/plan/stop-token.ts'
import { expect, expectSound, test } from '../rig.ts'

test('a plan is made by keyboard, says what each day holds, goes into a calendar, and is dropped', async ({
  page,
  signedIn,
}) => {
  void signedIn
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
  await expectSound(page, 'plan')

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    days.getByRole('button', { name: 'Put it in my calendar' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('superday-plan.ics')

  await page.reload()
  await expect(page.getByRole('radio', { name: 'Sales & trading' })).toBeChecked()
  await page.getByRole('button', { name: 'Drop the plan' }).click()
  await expect(page.getByRole('button', { name: 'Make my plan' })).toBeVisible()
  await expect(days).toHaveCount(0)
})

test('reminders are off, wait for a verified address, and are stopped from a mail', async ({
  page,
  signedIn,
  product,
}) => {
  await page.goto('/plan')
  await page.getByRole('button', { name: 'Make my plan' }).click()
  const reminders = page.getByRole('region', { name: 'Reminders' })
  await expect(reminders.getByText('Off', { exact: true }).first()).toBeVisible()
  await reminders.getByRole('button', { name: 'By mail' }).click()
  await expect(reminders.getByText(`Mails go to ${signedIn.email} once`)).toBeVisible()
  await reminders.getByLabel('At').selectOption('8 AM')
  await reminders.getByRole('button', { name: 'Send me the mail' }).click()
  await expect(reminders.getByRole('button', { name: 'Mail sent. Open its link.' })).toBeVisible()
  await expectSound(page, 'reminders')
  await page.reload()
  await expect(reminders.getByLabel('At')).toHaveValue('8')

  const { rows } = await product.db.$client.query('select id from users where email = $1', [
    signedIn.email,
  ])
  const token = stopTokenOf(product.secretKey, rows[0].id)
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto(`/stop-reminders#${token}`)
  await page.getByRole('button', { name: 'Stop them' }).click()
  await expect(page.getByRole('heading', { name: 'No more reminders' })).toBeVisible()
  const left = await product.db.$client.query(
    'select from practice_plans where user_id = $1 and reminders is not null',
    [rows[0].id],
  )
  expect(left.rowCount).toBe(0)
})
