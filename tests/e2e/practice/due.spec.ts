import type { Page } from '@playwright/test'
import { stopTokenOf } from '../../../practice/server/plan/mails.ts'
import { expect, expectSound, type Product, test, tokenOf } from '../rig.ts'

/** Answers one cell's questions incorrectly two days ago, so they are due since yesterday. @returns keys by text */
async function makeDue(page: Page, product: Product, count: number): Promise<Map<string, string>> {
  await page.goto('/dashboard')
  await tokenOf(page)
  const db = product.db.$client
  const { rows } = await db.query<{ id: number; question: string; key: string }>(
    `select id, question, correct_option as key from questions
     where not retired and family is null and difficulty = 'Intern' and why ? 'A' and correct_option <> 'A'
     order by id limit ${count}`,
  )
  const stored = await page.evaluate(() => localStorage.getItem('superday-auth') ?? '{}')
  const userId = JSON.parse(stored).user.id
  for (const { id } of rows) {
    await db.query(
      `insert into answered_questions (user_id, session_id, place, kind, item, family, choice, is_right,
         answered_at, day)
       values ($1, gen_random_uuid(), 0, 'test', $2, $2, 'A', false, now() - interval '2 days',
         current_date - 2)`,
      [userId, String(id)],
    )
    await db.query('insert into review_cards (user_id, family, item) values ($1, $2, $2)', [
      userId,
      String(id),
    ])
  }
  // No new questions, so that the ten are known.
  await db.query(
    `insert into practice_plans (user_id, interview_on, minutes_a_day, role, changed_at)
     values ($1, current_date + 60, 20, 'quant', now())`,
    [userId],
  )
  return new Map(rows.map(({ question, key }) => [question, key]))
}

async function stemOf(page: Page): Promise<string> {
  const heading = page.getByRole('heading', { level: 1 })
  return (await heading.innerText()).replace(/^Question \d+:\s*/, '')
}

test('Due questions are answered by keyboard, graded immediately, and asked again after a mistake', async ({
  page,
  product,
  signedIn,
}) => {
  expect(signedIn.email).toBeTruthy()
  const keys = await makeDue(page, product, 10)
  await page.goto('/due')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  // The first answer is wrong: its mistake is named, and it returns tomorrow.
  const wrongStem = await stemOf(page)
  await page.keyboard.press('A')
  await expect(page.getByRole('radio', { name: 'A' }).first()).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(page.getByText('The mistake')).toBeVisible()
  await expect(page.getByText('YOUR ANSWER', { exact: true })).toBeVisible()
  await expect(page.getByText('Again tomorrow').first()).toBeVisible()
  await expectSound(page, 'due-wrong')

  // Reopened, it continues after that answer.
  await page.getByRole('link', { name: 'Close the review' }).click()
  await expect(page).toHaveURL(/dashboard/)
  await page.goto('/due')
  for (let number = 2; number <= 10; number += 1) {
    await expect(page.getByRole('heading', { level: 1 })).toContainText(`Question ${number}`)
    await page.keyboard.press(keys.get(await stemOf(page)) ?? '?')
    await page.keyboard.press('Enter')
    await expect(page.getByText('CORRECT', { exact: true })).toBeVisible()
    if (number === 2) {
      await page.keyboard.press('g')
      await expect(page.getByText('Correct, but guessed')).toBeVisible()
    }
    await page.keyboard.press('Enter')
  }

  // The mistake comes once more, and keeps its date.
  await expect(page.getByText('Second try: 1 question you missed')).toBeVisible()
  expect(await stemOf(page)).toBe(wrongStem)
  await page.keyboard.press(keys.get(wrongStem) ?? '?')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Second try.')).toBeVisible()
  await expect(page.getByText('Again tomorrow').first()).toBeVisible()
  await page.keyboard.press('Enter')

  await expect(page).toHaveURL(/due\/done/)
  // The numbers match the plan's, and the next ten follow directly.
  await expect(page.getByRole('heading', { name: /10 of 40 today/ })).toBeVisible()
  await expect(page.getByText('30 more are left today.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Next ten' })).toBeVisible()
  await expect(page.getByText('Great start! Come back tomorrow.')).toBeVisible()
  await expectSound(page, 'due-done')
  const { rows } = await product.db.$client.query(
    `select count(*)::int as facts, count(*) filter (where is_guess)::int as guesses
     from answered_questions where kind = 'due'
       and user_id = (select id from users where email = $1)`,
    [signedIn.email],
  )
  expect(rows[0]).toEqual({ facts: 11, guesses: 1 })
})

test('A plan is created by keyboard, goes into a calendar, sends reminders until they are stopped, and is deleted', {
  tag: '@whole',
}, async ({ page, browser, signedIn, product }) => {
  await page.goto('/plan')
  await expect(page.getByRole('button', { name: 'Make my plan' })).toBeVisible()
  const date = page.getByLabel('Interview date')
  const inTenDays = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
  await date.fill(inTenDays)
  await page.getByRole('radio', { name: '20' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: '40' })).toBeChecked()
  await page.getByRole('radio', { name: 'Investment banking' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('button', { name: 'Make my plan' }).focus()
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { name: 'Your plan', exact: true })).toBeFocused()
  await expect(page.getByRole('region', { name: 'Countdown' })).toContainText(
    /10\s*days to your interview/,
  )
  const readiness = page.getByRole('region', { name: 'Readiness' })
  await expect(readiness).toContainText("You haven't seen any of it yet.")
  await readiness.getByText('Other roles').click()
  await expect(readiness.getByRole('listitem')).toHaveCount(7)
  const todays = page.getByRole('region', { name: 'Today' })
  await expect(todays.getByText('0 of 80 done')).toBeVisible()
  await expect(todays.getByText(/you will have seen about \d+ more questions/)).toBeVisible()
  const days = page.getByRole('region', { name: 'Until the interview' })
  await expect(days.getByRole('cell', { name: /Mock superday/ })).toHaveCount(2)
  await expect(days.getByRole('cell', { name: /Interview/ })).toHaveCount(1)

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    days.getByRole('button', { name: 'Add to calendar' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('superday-plan.ics')

  // Today's first ten are one tap from the dashboard, with the plan's numbers.
  await page.goto('/dashboard')
  await expect(page.locator('#lead')).toHaveText('80 questions today')
  await expect(page.getByText('Day 1 of 10 · 10 days to your interview')).toBeVisible()
  await expectSound(page, 'dashboard-plan')
  await page.getByRole('link', { name: 'Start first ten' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Question 1')
  await page.goto('/practice')
  await expect(page.getByRole('link', { name: '80 questions today 0 of 80 done' })).toHaveAttribute(
    'href',
    '/due',
  )
  await page.goto('/plan')

  const reminders = page.getByRole('region', { name: 'Reminders' })
  await expect(reminders.getByText('Off', { exact: true }).first()).toBeVisible()
  await reminders.getByRole('button', { name: 'By email' }).click()
  await expect(reminders.getByText(`Reminders go to ${signedIn.email} once`)).toBeVisible()
  await reminders.getByLabel('At').selectOption('8 AM')
  await reminders.getByRole('button', { name: 'Send confirmation email' }).click()
  await expect(reminders.getByRole('button', { name: 'Email sent. Open its link.' })).toBeVisible()
  await expectSound(page, 'plan')
  await page.reload()
  await page.getByText('Edit plan').click()
  await expect(page.getByRole('radio', { name: 'Sales & trading' })).toBeChecked()
  await expect(reminders.getByLabel('At')).toHaveValue('8')

  // The link in a reminder needs no session.
  const { rows } = await product.db.$client.query('select id from users where email = $1', [
    signedIn.email,
  ])
  const elsewhere = await browser.newPage({ baseURL: product.url })
  await elsewhere.goto(`/stop-reminders#${stopTokenOf(product.secretKey, rows[0].id)}`)
  await elsewhere.getByRole('button', { name: 'Stop reminders' }).click()
  await expect(elsewhere.getByRole('heading', { name: 'No more reminders' })).toBeVisible()
  await elsewhere.close()
  const left = await product.db.$client.query(
    'select from practice_plans where user_id = $1 and reminders is not null',
    [rows[0].id],
  )
  expect(left.rowCount).toBe(0)

  await page.getByRole('button', { name: 'Delete plan' }).click()
  await expect(page.getByRole('button', { name: 'Make my plan' })).toBeVisible()
  await expect(days).toHaveCount(0)
})
