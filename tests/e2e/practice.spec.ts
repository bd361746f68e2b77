import type { Page } from '@playwright/test'
import { expect, expectAccessible, putSession, test, tokenOf } from './rig.ts'

const CATEGORY = 'Valuation & Corporate Finance'
const CELL = `category=${encodeURIComponent(CATEGORY)}&difficulty=Intern`
const TESTS = `/tests/${encodeURIComponent(CATEGORY)}/Intern`
const QUIZ = `/quiz/${encodeURIComponent(CATEGORY)}/Intern/1`

interface Key {
  id: number
  question: string
  correctOption: 'A' | 'B' | 'C' | 'D'
}

/** The keys of the first test, as the API serves them after so many attempts at it. */
async function readKeys(page: Page, attempts = 0): Promise<Key[]> {
  const token = await tokenOf(page)
  const response = await page.request.get(
    `/api/questions?${CELL}&testNumber=1&variant=${attempts}`,
    {
      headers: { Authorization: `Bearer ${token}` },
    },
  )
  return response.json()
}

const other = (letter: string) => (letter === 'A' ? 'B' : 'A')

/** Answers the ten questions with the mouse, the first `wrong` of them or the one named wrongly, up to Finish. */
async function answerAll(page: Page, keys: Key[], wrong: number | { only: number }): Promise<void> {
  const isWrong = (index: number) =>
    typeof wrong === 'number' ? index < wrong : index === wrong.only
  for (const [index, { question, correctOption }] of keys.entries()) {
    await expect(page.getByRole('heading', { level: 1 })).toContainText(question)
    const letter = isWrong(index) ? other(correctOption) : correctOption
    await page
      .getByRole('radiogroup')
      .getByRole('radio')
      .nth('ABCD'.indexOf(letter))
      .check({ force: true })
    if (index < keys.length - 1) await page.getByRole('button', { name: 'Next' }).click()
  }
}

async function listStored(page: Page): Promise<{ id: string; score: number }[]> {
  const response = await page.request.get(`/api/results?${CELL}`, {
    headers: { Authorization: `Bearer ${await tokenOf(page)}` },
  })
  return response.json()
}

test('a student takes a test, reads the review, retakes it, practises the mistakes and sees progress', async ({
  page,
  signedIn,
}) => {
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(
    signedIn.email.split('@')[0] ?? '',
  )
  await expect(page.getByText('Start your streak today!')).toBeVisible()

  // The picker opens in place, and closes again.
  const category = page.getByRole('button', { name: new RegExp(CATEGORY) })
  await expect(category).toHaveAttribute('aria-expanded', 'false')
  await category.click()
  await expect(category).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByRole('link', { name: /Discover Finance.*Easy/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /Analyst.*Hard/ })).toBeVisible()
  await category.click()
  await expect(category).toHaveAttribute('aria-expanded', 'false')
  await expect(page.getByText('No calculators allowed')).toBeVisible()
  await category.click()
  await page.getByRole('link', { name: /Intern.*Medium/ }).click()

  await expect(page).toHaveURL(TESTS)
  await expect(page.getByText('Practice Your Mistakes')).toBeVisible()
  await page
    .getByRole('link', { name: /^Start Test/ })
    .first()
    .click()

  // Previous and Next: product 3.3.3.
  const keys = await readKeys(page)
  const next = page.getByRole('button', { name: 'Next' })
  await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled()
  await expect(next).toBeDisabled()
  await page.getByRole('radio').first().check({ force: true })
  await expect(next).toBeEnabled()
  await next.click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(keys[1]?.question ?? '')
  await expect(next).toBeDisabled()
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(page.getByRole('radio').first()).toBeChecked()

  await answerAll(page, keys, 3)
  const finish = page.getByRole('button', { name: 'Finish Test' })
  await expect(finish).toBeEnabled()
  await finish.click()

  await expect(page).toHaveURL(/\/results\//)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('70%')
  await expect(page.getByText("Good work! You're on the right track.")).toBeVisible()
  await expect(page.getByText('CORRECT', { exact: true })).toHaveCount(10)
  await expect(page.getByText('YOUR ANSWER', { exact: true })).toHaveCount(3)
  await expect(page.getByText('Explanation', { exact: true })).toHaveCount(10)
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await expectAccessible(page)
  expect(await listStored(page)).toMatchObject([{ score: 7 }])

  // Looking at it again moves nothing.
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('70%')
  expect(await listStored(page)).toHaveLength(1)

  await page.getByRole('link', { name: 'All Tests' }).first().click()
  await expect(page).toHaveURL(TESTS)
  await expect(page.getByText('70%').first()).toBeVisible()
  await page.getByRole('link', { name: /^Retake Test/ }).click()
  // A family's question has other numbers now; missed again is one that stays as it is.
  const again = await readKeys(page, 1)
  const same = again.findIndex(({ id }, index) => index < 3 && id === keys[index]?.id)
  await answerAll(page, again, { only: same })
  await page.getByRole('button', { name: 'Finish Test' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('90%')
  await expect(page.getByText("Outstanding performance! You've mastered this topic.")).toBeVisible()
  await page.getByRole('link', { name: 'All Tests' }).first().click()
  await expect(page).toHaveURL(TESTS)
  await expect(page.getByRole('list').getByText('90%').first()).toBeVisible()

  // Error practice: the question missed twice comes first; nothing of it is saved.
  await page.getByRole('link', { name: 'Practice Your Mistakes' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Practice Your Mistakes')
  await expect(page.getByText(/missed (2 times|twice)/i)).toBeVisible()
  await expectAccessible(page)
  await page
    .getByRole('button', { name: 'Start Practice' })
    .or(page.getByRole('link', { name: 'Start Practice' }))
    .click()
  await expect(page).toHaveURL('/quiz')
  const missed = [keys[same] as Key, ...keys.slice(0, 3).filter((_, index) => index !== same)]
  await answerAll(page, missed, 0)
  await page.getByRole('button', { name: 'Finish Test' }).click()
  await expect(page).toHaveURL('/results/error-practice')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('100%')
  expect(await listStored(page)).toHaveLength(2)

  // Streak and progress have moved.
  await page.getByRole('link', { name: 'Dashboard' }).last().click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByText('Great start! Come back tomorrow.')).toBeVisible()
  await page.getByRole('link', { name: 'Personal Hub' }).first().click()
  await expect(page.getByText(/^10\/\d+ questions/).first()).toBeVisible()
  await expect(
    page.getByText('Keep going! Every question brings you closer to mastery.'),
  ).toBeVisible()
  await expectAccessible(page)

  // A past attempt opens its review again.
  await page
    .getByRole('link', { name: /Valuation/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { name: 'Question Review' })).toBeVisible()
  await expect(page.getByText('CORRECT', { exact: true })).toHaveCount(10)
})

test('a save without a network shows the results and is stored once when the network returns', async ({
  page,
  context,
  signedIn,
  expectConsoleErrors,
}) => {
  void signedIn
  expectConsoleErrors((text) => /ERR_INTERNET_DISCONNECTED|Failed to load resource/.test(text))
  await page.goto(QUIZ)
  const keys = await readKeys(page)
  await answerAll(page, keys, 2)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Finish Test' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('80%')
  await expect(page.getByText('Saved when you are back online')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  expect(await listStored(page)).toMatchObject([{ score: 8 }])
  await page.reload()
  await page.waitForTimeout(500)
  expect(await listStored(page)).toHaveLength(1)
})

test("a waiting result is never sent with another person's token", async ({
  page,
  context,
  product,
  signedIn,
  expectConsoleErrors,
}) => {
  void signedIn
  expectConsoleErrors((text) => /ERR_INTERNET_DISCONNECTED|Failed to load resource/.test(text))
  await page.goto(QUIZ)
  const keys = await readKeys(page)
  await answerAll(page, keys, 0)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Finish Test' }).click()
  await expect(page.getByText('Saved when you are back online')).toBeVisible()

  // Somebody else signs in on the same device.
  const stored = await page.evaluate(() => localStorage.getItem('superday-auth'))
  const other = await fetch(`${product.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"data":{}}',
  })
  const session = JSON.stringify(await other.json())
  await page.evaluate((text) => localStorage.setItem('superday-auth', text), session)
  await context.setOffline(false)
  await page.goto('/dashboard')
  await page.waitForTimeout(1_500)
  expect(await listStored(page)).toEqual([])

  // And the first person again.
  await page.evaluate((text) => localStorage.setItem('superday-auth', text ?? ''), stored)
  await page.goto('/dashboard')
  await expect.poll(() => listStored(page)).toMatchObject([{ score: 10 }])
})

test('a quiz survives a reload, and being left', async ({ page, signedIn }) => {
  void signedIn
  await page.goto(TESTS)
  await page
    .getByRole('link', { name: /^Start Test/ })
    .first()
    .click()
  await page.getByRole('radio').nth(2).check({ force: true })
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('radio').nth(1).check({ force: true })
  await page.reload()
  await expect(page.getByText('2', { exact: true })).toBeVisible()
  await expect(page.getByRole('radio').nth(1)).toBeChecked()
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(page.getByRole('radio').nth(2)).toBeChecked()

  // Leaving keeps it: it goes on where it was.
  await page.getByRole('link', { name: 'Close test' }).click()
  await expect(page).toHaveURL(TESTS)
  await page.goto(QUIZ)
  await expect(page.getByRole('radio').nth(2)).toBeChecked()
})

test('keys choose and go on, can be switched off, and the mute is remembered', async ({
  page,
  signedIn,
}) => {
  void signedIn
  await page.goto(QUIZ)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('c')
  await expect(page.getByRole('radio').nth(2)).toBeChecked()
  await page.keyboard.press('2')
  await expect(page.getByRole('radio').nth(1)).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(page.getByText('2', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Single-key shortcuts' }).click()
  await page.getByRole('heading', { level: 1 }).focus()
  await page.keyboard.press('a')
  await expect(page.getByRole('radio').nth(0)).not.toBeChecked()

  await page.getByRole('button', { name: 'Mute sound' }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Mute sound' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a whole test goes by keyboard alone', async ({ page, signedIn }) => {
    void signedIn
    await page.goto(TESTS)
    await page
      .getByRole('link', { name: /^Start Test/ })
      .first()
      .waitFor()
    // Tab until the test's link has the focus; a mouse is never used.
    const isOnStart = () =>
      page.evaluate(() => /^Start Test/.test(document.activeElement?.textContent ?? ''))
    for (let tab = 0; tab < 30 && !(await isOnStart()); tab += 1) await page.keyboard.press('Tab')
    expect(await isOnStart()).toBe(true)
    await page.keyboard.press('Enter')
    const keys = await readKeys(page)
    for (const [index, { question, correctOption }] of keys.entries()) {
      await expect(page.getByRole('heading', { level: 1 })).toContainText(question)
      await page.keyboard.press(correctOption.toLowerCase())
      if (index === 0) {
        // Also without the single keys: Tab into the group, arrows, Tab to Next.
        await page.keyboard.press('Tab')
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('ArrowUp')
        await expect(page.getByRole('radio').nth('ABCD'.indexOf(correctOption))).toBeChecked()
      }
      await page.keyboard.press('Enter')
    }
    await expect(page.getByRole('heading', { level: 1 })).toContainText('100%')
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  })
})

test.describe('what is not there', () => {
  const EMPTY =
    "We haven't prepared tests for this difficulty level yet. Try selecting an easier difficulty or check back later!"
  for (const [route, text] of [
    ['/tests/Astrology/Intern', EMPTY],
    [`/tests/${encodeURIComponent(CATEGORY)}/Partner`, EMPTY],
    ['/quiz/Astrology/Intern/1', 'No questions found for this test'],
    [
      `/quiz/${encodeURIComponent(CATEGORY)}/Intern/99`,
      'No questions available for this test number',
    ],
    [
      `/quiz/${encodeURIComponent(CATEGORY)}/Intern/0`,
      'No questions available for this test number',
    ],
    [
      `/quiz/${encodeURIComponent(CATEGORY)}/Intern/abc`,
      'No questions available for this test number',
    ],
    ['/quiz', 'No questions available for this test.'],
    [`/results/${encodeURIComponent(CATEGORY)}/Intern/1`, 'No results data found'],
    ['/results/error-practice', 'No results data found'],
    [
      `/error-practice/${encodeURIComponent(CATEGORY)}/Intern`,
      'No previous test results found. Take some regular tests first!',
    ],
    [
      '/error-practice/Astrology/Intern',
      'No previous test results found. Take some regular tests first!',
    ],
  ] as const) {
    test(`${route} says so`, async ({ page, signedIn }) => {
      void signedIn
      await page.goto(route)
      await expect(page.getByText(text)).toBeVisible()
      await expectAccessible(page)
    })
  }

  test('an unknown path is the 404 page with status 404, signed in or out', async ({
    page,
    product,
    account,
    expectConsoleErrors,
  }) => {
    expectConsoleErrors((text) => text.includes('404'))
    for (const isSignedIn of [false, true]) {
      if (isSignedIn) await putSession(page, product, account)
      const response = await page.goto('/no/such/page')
      expect(response?.status()).toBe(404)
      await expect(page.getByText('Oops! Page not found')).toBeVisible()
    }
  })
})

test('a server that fails says what failed, and works again', async ({
  page,
  signedIn,
  expectConsoleErrors,
}) => {
  void signedIn
  expectConsoleErrors((text) => /500|Failed to load resource/.test(text))
  const questions = /\/api\/questions/
  await page.route(questions, (route) =>
    route.fulfill({ status: 500, json: { code: 'unexpected_failure', message: 'x' } }),
  )
  await page.route('**/api/mistakes?*', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto(TESTS)
  await expect(
    page.getByText(/Failed to load questions from database|An unexpected error occurred/),
  ).toBeVisible({ timeout: 15_000 })
  await page.goto(`/error-practice/${encodeURIComponent(CATEGORY)}/Intern`)
  await expect(page.getByText('Failed to load wrong questions. Please try again.')).toBeVisible({
    timeout: 15_000,
  })
  await page.goto(QUIZ)
  await expect(page.getByText('Failed to load questions')).toBeVisible({ timeout: 15_000 })
  await page.unroute(questions)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('radio').first()).toBeVisible()
})
