import type { Page } from '@playwright/test'
import { localDay } from '../../platform/local-day.ts'
import {
  expect,
  expectAccessible,
  expectSound,
  holdBack,
  type Product,
  tabTo,
  test,
} from './rig.ts'

const SAVE_FAILED = 'Failed to save your answer. Please try again.'
const ANSWER = '**/api/daily/answer'

const cardOf = (page: Page) => page.getByRole('region', { name: 'Daily challenge' })
const streakOf = (page: Page) => page.getByRole('region', { name: 'Day streak' })

/** The key of a day's brainteaser, from the database, because no call returns it before the answer. */
async function keyOf(
  product: Product,
  date = localDay(Date.now() + product.clock.offsetMs, 'Europe/Lisbon'),
) {
  const { rows } = await product.db.$client.query<{ correct: string; explanation: string }>(
    'select correct, explanation from daily_brainteasers where date = $1',
    [date],
  )
  const [row] = rows
  if (!row) throw new Error(`nothing was dealt for ${date}`)
  return { ...row, index: 'ABCD'.indexOf(row.correct) }
}

async function storedAnswers(product: Product, email: string) {
  const { rows } = await product.db.$client.query<{
    date: string
    option: string
    right: boolean
    seconds: number
  }>(
    `select date::text, selected_option as option, was_correct as "right",
       time_taken_seconds as seconds
     from daily_results r join users u on u.id = r.user_id where u.email = $1 order by date`,
    [email],
  )
  return rows
}

test('A wrong answer is explained and counts for the streak', { tag: '@full' }, async ({
  page,
  product,
  signedIn,
}) => {
  await page.goto('/dashboard')
  const card = cardOf(page)
  await card.getByRole('button', { name: 'Reveal' }).click()
  const { index, explanation } = await keyOf(product)
  await expect(page.getByText(explanation)).toHaveCount(0)
  await card
    .getByRole('radio')
    .nth((index + 1) % 4)
    .check({ force: true })
  await card.getByRole('button', { name: 'Submit Answer' }).click()
  const details = page.getByRole('dialog', { name: 'Nice try!' })
  await expect(details.getByText("Great effort! You're building strong instincts.")).toBeVisible()
  for (const text of ['Incorrect', 'You chose', 'Correct answer', explanation]) {
    await expect(details.getByText(text, { exact: true })).toBeVisible()
  }
  await expectSound(page)
  await details.getByRole('button', { name: 'Close' }).click()
  await expect(card.getByRole('button', { name: 'Complete! Tap for details' })).toBeFocused()
  await expect(streakOf(page).getByText('Great start! Come back tomorrow.')).toBeVisible()
  expect(await storedAnswers(product, signedIn.email)).toMatchObject([{ right: false }])
})

test('The brainteaser is answered by keyboard, survives a reload and counts for the streak', async ({
  page,
  product,
  signedIn,
}) => {
  await page.goto('/dashboard')
  const card = cardOf(page)
  const reveal = card.getByRole('button', { name: 'Reveal' })
  await reveal.waitFor()
  await expect(card.getByText('The timer starts when you reveal it.')).toBeVisible()
  await expect(streakOf(page).getByText('Start your streak today!')).toBeVisible()
  const { correct, index, explanation } = await keyOf(product)
  await tabTo(page, 'Reveal')
  await page.keyboard.press('Enter')
  await expect(card.getByRole('heading', { level: 3 })).toBeFocused()
  await expect(card.getByRole('button', { name: 'Submit Answer' })).toBeDisabled()
  await expectAccessible(page)
  // Tab leads into the group, arrows move in it; then a letter.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(card.getByRole('radio').first()).toBeChecked()
  await page.keyboard.press('ArrowDown')
  await expect(card.getByRole('radio').nth(1)).toBeChecked()
  await page.keyboard.press(correct.toLowerCase())
  await expect(card.getByRole('radio').nth(index)).toBeChecked()
  const timer = card.getByRole('timer')
  await expect(timer).not.toHaveText('0:00')

  await page.reload()
  await expect(card.getByRole('radio').nth(index)).toBeChecked()
  expect(await timer.textContent()).not.toBe('0:00')
  await card.getByRole('radio').nth(index).focus()
  // Enter submits, as in any form.
  await page.keyboard.press('Enter')
  const details = page.getByRole('dialog', { name: 'Correct!' })
  await expect(details.getByText('Correct', { exact: true })).toBeVisible()
  await expect(details.getByText(explanation)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  const complete = card.getByRole('button', { name: 'Complete! Tap for details' })
  await expect(complete).toBeFocused()
  await expect(streakOf(page).getByText('Great start! Come back tomorrow.')).toBeVisible()
  const [stored] = await storedAnswers(product, signedIn.email)
  expect(stored).toMatchObject({ right: true, option: correct })
  expect(stored?.seconds).toBeGreaterThanOrEqual(1)
  expect(stored?.seconds).toBeLessThan(60)
  await page.reload()
  await complete.click()
  await expect(details).toBeVisible()
})

test('An answer that cannot be saved is reported and keeps the choice', { tag: '@full' }, async ({
  page,
  product,
  signedIn,
  expectConsoleErrors,
}) => {
  expectConsoleErrors((text) => /Failed to load resource/.test(text))
  await page.goto('/dashboard')
  const card = cardOf(page)
  await card.getByRole('button', { name: 'Reveal' }).click()
  await card.getByRole('radio').nth(2).check({ force: true })
  const submit = card.getByRole('button', { name: 'Submit Answer' })
  const fails = [
    { text: SAVE_FAILED, status: null },
    { text: SAVE_FAILED, status: 500 },
    { text: SAVE_FAILED, status: 404 },
    { text: 'Something went wrong. Please try again.', status: 200 },
  ]
  for (const { text, status } of fails) {
    await page.route(ANSWER, (route) =>
      status === null
        ? route.abort()
        : route.fulfill({ status, body: status === 200 ? '<html>' : '{"code":"x","message":"x"}' }),
    )
    await submit.click()
    await expect(card.getByRole('alert')).toHaveText(text)
    await expect(submit).toBeEnabled()
    await expect(submit).toBeFocused()
    await expect(card.getByRole('radio').nth(2)).toBeChecked()
    await page.unroute(ANSWER)
  }
  // During a submission, a second press sends nothing.
  let calls = 0
  const { released, release } = holdBack()
  await page.route(ANSWER, async (route) => {
    calls += 1
    await released
    await route.continue()
  })
  await submit.click()
  const busy = card.getByRole('button', { name: 'Submitting…' })
  await expect(busy).toBeDisabled()
  await busy.click({ force: true })
  release()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(calls).toBe(1)
  expect(await storedAnswers(product, signedIn.email)).toMatchObject([{ option: 'C' }])
})

test('A challenge that does not load can be tried again, and an empty bank says to come back', {
  tag: '@full',
}, async ({ page, product, signedIn, expectConsoleErrors }) => {
  void signedIn
  expectConsoleErrors((text) => /Failed to load resource/.test(text))
  const daily = /\/api\/daily\?/
  await page.route(daily, (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/dashboard')
  const card = cardOf(page)
  await expect(card.getByText('Something went wrong. Please try again.')).toBeVisible()
  await expectAccessible(page)
  await page.unroute(daily)
  await card.getByRole('button', { name: 'Try again' }).click()
  await expect(card.getByRole('button', { name: 'Reveal' })).toBeVisible()

  const { $client } = product.db
  await $client.query('delete from daily_brainteasers')
  await $client.query('update brainteasers set retired = true')
  try {
    await page.reload()
    await expect(card.getByText('Check back later!')).toBeVisible()
    await expectAccessible(page)
  } finally {
    await $client.query('update brainteasers set retired = false')
  }
})

test("One of the past seven days is played without counting, and doesn't affect today's open puzzle", {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  await page.goto('/dashboard')
  const card = cardOf(page)
  await card.getByRole('button', { name: 'Reveal' }).click()
  await card.getByRole('radio').nth(3).check({ force: true })
  const archive = card.getByRole('button', { name: 'The past seven days' })
  await archive.click()
  const dialog = page.getByRole('dialog', { name: 'The past seven days' })
  await expect(dialog.getByText("They don't count for your streak.")).toBeVisible()
  const days = dialog.getByRole('listitem')
  await expect(days).toHaveCount(7)
  await expect(dialog.getByText('Not played')).toHaveCount(7)
  await expectAccessible(page)

  await days.nth(6).getByRole('button').click()
  await expect(dialog.getByRole('heading', { level: 3 })).toBeFocused()
  const { correct, explanation } = await keyOf(
    product,
    localDay(Date.now() - 7 * 86_400_000, 'Europe/Lisbon'),
  )
  const wrong = correct === 'B' ? 'A' : 'B'
  await page.keyboard.press('Tab')
  await page.keyboard.press(wrong.toLowerCase())
  await expect(dialog.getByRole('radio').nth('AB'.indexOf(wrong))).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('heading', { name: 'Nice try!' })).toBeFocused()
  await expect(dialog.getByText(explanation)).toBeVisible()
  await dialog.getByRole('button', { name: 'All seven days' }).click()
  await expect(days.nth(6).getByRole('button')).toBeFocused()
  await expect(dialog.getByText('Not played')).toHaveCount(6)
  await page.keyboard.press('Escape')
  await expect(archive).toBeFocused()

  await expect(card.getByRole('radio').nth(3)).toBeChecked()
  await page.reload()
  await expect(streakOf(page).getByText('Start your streak today!')).toBeVisible()
  expect(await storedAnswers(product, signedIn.email)).toMatchObject([{ option: wrong }])
  const { rows } = await product.db.$client.query(
    'select 1 from practice_days d join users u on u.id = d.user_id where u.email = $1',
    [signedIn.email],
  )
  expect(rows).toHaveLength(0)
})

test('At midnight the card changes to the new day', { tag: '@full' }, async ({
  page,
  signedIn,
}) => {
  void signedIn
  await page.clock.install({ time: new Date('2026-11-20T23:58:00Z') })
  // The server's clock differs, so the test responds for the two days.
  await page.route(/\/api\/daily\?/, async (route) => {
    const date = await page.evaluate(() => new Date().toISOString().slice(0, 10))
    const options = { A: 'one', B: 'two', C: 'three', D: 'four' }
    await route.fulfill({
      json: { date, statement: `The puzzle of ${date}`, options, result: null },
    })
  })
  await page.goto('/dashboard')
  const card = cardOf(page)
  await card.getByRole('button', { name: 'Reveal' }).click()
  await expect(card.getByText('The puzzle of 2026-11-20')).toBeVisible()
  await page.clock.runFor(150_000)
  await expect(card.getByRole('button', { name: 'Reveal' })).toBeVisible()
  await expect(card.getByText('A new day: a new daily challenge.')).toBeAttached()
  await expect(page.getByText('Saturday, November 21')).toBeVisible()
  await card.getByRole('button', { name: 'Reveal' }).click()
  await expect(card.getByText('The puzzle of 2026-11-21')).toBeVisible()
})
