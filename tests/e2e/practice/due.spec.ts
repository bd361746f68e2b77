import type { Page } from '@playwright/test'
import { expect, expectSound, type Product, test, tokenOf } from '../rig.ts'

/** Questions of one cell answered wrong two days ago: due since yesterday. Their keys by their text. */
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
  // Nothing new among them, so that the ten are known.
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

test('Due questions are answered by keyboard, judged at once, and asked again after a mistake', async ({
  page,
  product,
  signedIn,
}) => {
  expect(signedIn.email).toBeTruthy()
  const keys = await makeDue(page, product, 10)
  await page.goto('/due')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  // The first answer is wrong: its mistake is named, and it comes back tomorrow.
  const wrongStem = await stemOf(page)
  await page.keyboard.press('A')
  await expect(page.getByRole('radio', { name: 'A' }).first()).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(page.getByText('The mistake')).toBeVisible()
  await expect(page.getByText('YOUR ANSWER', { exact: true })).toBeVisible()
  await expect(page.getByText('Again tomorrow').first()).toBeVisible()
  await expectSound(page, 'due-wrong')

  // Closed and opened again, it continues after that answer.
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
      await expect(page.getByText('Right, but guessed')).toBeVisible()
    }
    await page.keyboard.press('Enter')
  }

  // The mistake comes once more, and keeps its date.
  await expect(page.getByText('Due today · once more')).toBeVisible()
  expect(await stemOf(page)).toBe(wrongStem)
  await page.keyboard.press(keys.get(wrongStem) ?? '?')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Right the second time.')).toBeVisible()
  await expect(page.getByText('Again tomorrow').first()).toBeVisible()
  await page.keyboard.press('Enter')

  await expect(page).toHaveURL(/due\/done/)
  await expect(page.getByRole('heading', { name: /Done for today/ })).toBeVisible()
  await expect(page.getByText('Two come back tomorrow, about a minute.')).toBeVisible()
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

test('An answer to a due question without a network is stored when the network is back', {
  tag: '@full',
}, async ({ page, product, signedIn, expectConsoleErrors }) => {
  expectConsoleErrors((text) => /Failed to load resource|ERR_/.test(text))
  await makeDue(page, product, 1)
  await page.goto('/due')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.context().setOffline(true)
  await page.keyboard.press('A')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Explanation')).toBeVisible()
  await page.context().setOffline(false)
  await expect
    .poll(
      async () => {
        const { rows } = await product.db.$client.query(
          `select count(*)::int as facts from answered_questions where kind = 'due'
           and user_id = (select id from users where email = $1)`,
          [signedIn.email],
        )
        return rows[0].facts
      },
      { timeout: 15_000 },
    )
    .toBe(1)
})
