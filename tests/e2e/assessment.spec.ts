import type { Page } from '@playwright/test'
import {
  answersOf,
  attemptOf,
  choose,
  enterTest,
  eventsOf,
  makeAssessment,
  makeCandidate,
  PASSWORD,
  questionHeading,
  resultOf,
  saveState,
  startTest,
  strikes,
} from './assessment-rig.ts'
import { expect, expectAccessible, test } from './rig.ts'

test.beforeEach(({ signedIn, expectConsoleErrors }) => {
  void signedIn
  // The look for the time that crosses a submission is refused; nothing comes of it.
  expectConsoleErrors(refused(409))
})

const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)

/** What Chromium says on the console of an answer that is a refusal. */
const refused = (status: number) => (text: string) => text.includes(`status of ${status}`)

async function logIn(page: Page, username: string, password: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Login to Access Test' })
  await dialog.getByLabel('Username').fill(username)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByLabel('Password', { exact: true }).press('Enter')
}

async function inBothThemes(page: Page, check: () => Promise<void>): Promise<void> {
  for (const theme of ['dark', 'light']) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name
    }, theme)
    await check()
  }
}

const sessionKeys = (page: Page) => page.evaluate(() => Object.keys(sessionStorage))

test('a PCF candidate: credentials, instructions, test, completion, and back again', async ({
  page,
  product,
  expectConsoleErrors,
}) => {
  expectConsoleErrors(refused(401))
  const society = 'Consulting Finance Society'
  const { code, items } = await makeAssessment(product, { code: 'PCF', society })
  const candidate = await makeCandidate(product, code)
  const verifications: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/verify')) verifications.push(request.url())
  })

  await page.goto('/recruitment')
  const access = page.getByRole('button', { name: `Access Test ${society}` })
  await access.click()
  const dialog = page.getByRole('dialog', { name: 'Login to Access Test' })
  await inBothThemes(page, () => expectAccessible(page))

  // Blank, or blank after trimming: no call.
  await logIn(page, '   ', PASSWORD)
  await expect(toast(page, 'Please enter both username and password')).toBeVisible()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  expect(verifications).toEqual([])

  // A failed attempt closes the dialog and clears its fields.
  await access.click()
  await logIn(page, candidate.username, 'wrong')
  await expect(toast(page, 'Invalid Credentials')).toBeVisible()
  await expect(
    toast(page, 'The username or password you entered is incorrect. Please try again.'),
  ).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL('/recruitment')
  await access.click()
  await expect(dialog.getByLabel('Username')).toHaveValue('')
  await logIn(page, candidate.username, PASSWORD)

  await expect(page).toHaveURL('/recruitment/instructions')
  expect(await page.evaluate(() => ({ ...sessionStorage }))).toMatchObject({
    pcf_username: candidate.username,
    recruitment_association: 'PCF',
  })
  await expect(page.getByRole('heading', { level: 1, name: society })).toBeVisible()
  await expect(page.getByText('Calculators')).toBeVisible()
  await page.getByRole('button', { name: 'I Understand - Start the Exam' }).click()

  await expect(questionHeading(page, 1)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: society })).toBeVisible()
  await expect(page.getByText('Contact the desk at the door')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Questions' })).toBeHidden()
  await inBothThemes(page, () => expectAccessible(page))
  // Table order; answers change freely; Previous is off on the first, Next works without an answer.
  await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled()
  await choose(page, 'A')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(questionHeading(page, 2)).toContainText('Stem 2')
  await page.getByRole('button', { name: 'Next' }).click()
  await choose(page, 'D')
  await choose(page, 'C')
  const submit = page.getByRole('button', { name: 'Submit Test' })
  await expect(submit).toBeDisabled()
  await expect(page.getByText('Still open: 2.')).toBeVisible()
  await expect(page.getByText('2 answered')).toBeVisible()
  await page.getByRole('button', { name: 'Previous' }).click()
  await choose(page, 'A')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(saveState(page, 'saved')).toBeVisible()
  await submit.click()

  await expect(page.getByRole('heading', { name: 'Assessment Submitted' })).toBeVisible()
  await expect(toast(page, 'Your results have been saved successfully.')).toBeVisible()
  await expect(page.getByText('individual results are not displayed')).toBeVisible()
  const attempt = await attemptOf(product, candidate.id)
  await expect(page.getByText(attempt?.id.slice(0, 8) ?? '', { exact: true })).toBeVisible()
  await inBothThemes(page, () => expectAccessible(page))
  expect(await sessionKeys(page)).toEqual(['test-session-put'])
  expect(await answersOf(product, candidate.id)).toEqual({
    [items[0]?.id ?? 0]: 'A',
    [items[1]?.id ?? 0]: 'A',
    [items[2]?.id ?? 0]: 'C',
  })
  expect(await resultOf(product, code)).toMatchObject({ correct: 2, incorrect: 1, cheated: false })
  expect(await eventsOf(product, candidate.id)).toEqual(['ready'])

  // A reload shows it again; so does coming back later with the credentials.
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Assessment Submitted' })).toBeVisible()
  await page.getByRole('link', { name: 'Return to Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/recruitment')
  await access.click()
  await logIn(page, candidate.username, PASSWORD)
  await expect(page.getByRole('heading', { name: 'Assessment Submitted' })).toBeVisible()
})

test('an ESFS candidate: morning or afternoon, shuffled, with the navigator', async ({
  page,
  product,
}) => {
  const society = 'Business School Finance Society'
  const more = { society, shuffle: true, navigator: true, itemCount: 20 }
  const { items } = await makeAssessment(product, {
    ...more,
    code: 'ESFS_MORNING',
    session: 'Morning',
  })
  await makeAssessment(product, { ...more, code: 'ESFS_AFTERNOON', session: 'Afternoon' })
  const candidate = await makeCandidate(product, 'ESFS_MORNING')

  await page.goto('/recruitment')
  const morning = page.getByRole('button', { name: 'Morning Assessment' })
  await expect(morning).toBeHidden()
  await page.getByRole('button', { name: `Access Test ${society}` }).click()
  await expect(page.getByRole('button', { name: 'Afternoon Assessment' })).toBeVisible()
  await expectAccessible(page)
  await morning.click()
  await logIn(page, candidate.username, PASSWORD)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${society} - Morning`)
  await expect(page.getByText('20 minutes', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'I Understand - Start the Exam' }).click()

  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${society} - Morning`)
  const grid = page.getByRole('navigation', { name: 'Questions' })
  await expect(grid.getByRole('button')).toHaveCount(20)
  const tops = await grid
    .getByRole('button')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
  expect(new Set(tops.slice(0, 10)).size).toBe(1)
  expect(new Set(tops).size).toBe(2)

  const order: string[] = []
  for (let number = 1; number <= 20; number += 1) {
    await expect(questionHeading(page, number)).toBeVisible()
    order.push(
      ((await questionHeading(page, number).textContent()) ?? '').replace(/.*Stem (\d+):.*/s, '$1'),
    )
    await choose(page, 'B')
    if (number < 20) await page.getByRole('button', { name: 'Next' }).click()
  }
  const inTableOrder = items.map((_, index) => String(index + 1))
  expect([...order].sort((a, b) => Number(a) - Number(b))).toEqual(inTableOrder)
  expect(order).not.toEqual(inTableOrder)

  await grid.getByRole('button', { name: 'Question 3, answered' }).click()
  await expect(questionHeading(page, 3)).toBeVisible()
  await expect(grid.getByRole('button', { name: 'Question 3, answered' })).toHaveAttribute(
    'aria-current',
    'step',
  )
  await inBothThemes(page, () => expectAccessible(page))
  await choose(page, 'A')
  await grid.getByRole('button', { name: 'Question 20, answered' }).click()
  await page.getByRole('button', { name: 'Submit Test' }).click()
  await expect(page.getByRole('heading', { name: 'Assessment Submitted' })).toBeVisible()
  expect(Object.keys(await answersOf(product, candidate.id))).toHaveLength(20)
})

test('a whole test by keyboard alone', async ({ page, product }) => {
  const { candidate, items } = await startTest(page, product, { navigator: true, itemCount: 4 })
  // The focus is on the question already.
  await page.keyboard.press('b')
  await page.keyboard.press('Enter')
  await expect(questionHeading(page, 2)).toBeFocused()
  await page.keyboard.press('3')
  await page.keyboard.press('ArrowRight')
  await expect(questionHeading(page, 3)).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(questionHeading(page, 2)).toBeFocused()
  await page.keyboard.press('Enter')
  // By Tab into the group, and with its arrows.
  await page.keyboard.press('Tab')
  await expect(page.getByRole('radio').first()).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(questionHeading(page, 4)).toBeFocused()
  await page.keyboard.press('d')
  // Enter on the last question asks first, and the safe answer has the focus.
  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Submit the test?' })
  await expect(question.getByRole('button', { name: 'Keep going' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(question.getByRole('button', { name: 'Submit Test' })).toBeFocused()
  await page.keyboard.press('Enter')
  const done = page.getByRole('heading', { name: 'Assessment Submitted' })
  await expect(done).toBeFocused()
  expect(Object.values(await answersOf(product, candidate.id))).toEqual(['B', 'C', 'B', 'D'])
  expect(items).toHaveLength(4)
  expect(await eventsOf(product, candidate.id)).toEqual(['ready'])
})

test('single keys can be switched off', async ({ page, product }) => {
  await startTest(page, product)
  await page.getByRole('button', { name: 'Single-key shortcuts' }).click()
  await questionHeading(page, 1).focus()
  await page.keyboard.press('b')
  await expect(page.getByText('0 answered')).toBeVisible()
})

test('on a phone nothing is cut off, and every target is large enough', async ({
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
  await expectAccessible(page)
  await choose(page, 'C')
  await page.getByRole('button', { name: 'Question 20, not answered' }).click()
  await expect(questionHeading(page, 20)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Submit Test' })).toBeDisabled()
})

test('before the opening a candidate waits at a countdown; after the closing one reads why', async ({
  page,
  product,
  expectConsoleErrors,
}) => {
  expectConsoleErrors(refused(403))
  const opensAt = new Date(Date.now() + product.clock.offsetMs + 4_000)
  const { code, society } = await makeAssessment(product, { opensAt })
  const candidate = await makeCandidate(product, code)
  await enterTest(page, code, candidate.username)
  await expect(page.getByRole('heading', { name: 'The test has not opened yet' })).toBeVisible()
  await expect(page.getByText('Tokyo time')).toBeVisible()
  await expect(page.getByText('your time')).toBeVisible()
  const start = page.getByRole('button', { name: 'Start the Exam' })
  await expect(start).toBeDisabled()
  await expect(page.getByText('Stem 1')).toHaveCount(0)
  await inBothThemes(page, () => expectAccessible(page))
  await expect(start).toBeEnabled()
  await start.click()
  await expect(questionHeading(page, 1)).toBeVisible()

  page.on('dialog', (dialog) => dialog.accept())
  const past = await makeAssessment(product, { closesAt: new Date(opensAt.getTime() - 60_000) })
  await enterTest(page, past.code, (await makeCandidate(product, past.code)).username)
  await expect(page.getByText('This test has closed; it can no longer be started.')).toBeVisible()
  await expectAccessible(page)

  await page.goto('/recruitment')
  const row = page.getByRole('listitem').filter({ hasText: society })
  await expect(row.getByText('Tokyo time')).toBeVisible()
  await expect(row.getByText('your time')).toBeVisible()
})

test('without credentials there is no way in', async ({ page, product, browser }) => {
  await page.goto('/recruitment/instructions')
  await expect(page).toHaveURL('/recruitment')
  await page.goto('/recruitment/test')
  await expect(page).toHaveURL('/recruitment')
  await expect(toast(page, 'Access Required')).toBeVisible()
  await expect(toast(page, 'Please login through the recruitment page first.')).toBeVisible()

  const stranger = await (await browser.newContext({ baseURL: product.url })).newPage()
  for (const path of ['', '/instructions', '/test']) {
    await stranger.goto(`/recruitment${path}`)
    await expect(stranger).toHaveURL(/\/auth/)
  }
  await stranger.context().close()
})

test('values typed into the session storage by hand open nothing', async ({
  page,
  product,
  expectConsoleErrors,
}) => {
  expectConsoleErrors(refused(403))
  const { code } = await makeAssessment(product)
  await page.goto('/recruitment')
  await page.evaluate((name) => {
    sessionStorage.setItem('recruitment_association', name)
    sessionStorage.setItem(`${name.toLowerCase()}_username`, 'somebody')
    sessionStorage.setItem(`${name.toLowerCase()}_candidate_token`, 'made-up')
  }, code)
  await page.goto('/recruitment/test')
  await expect(toast(page, 'Access Required')).toBeVisible()
  await expect(page).toHaveURL('/recruitment')
})

test('a username that is gone at the end stops the submission', async ({ page, product }) => {
  const { code, candidate } = await startTest(page, product, { itemCount: 1 })
  await choose(page, 'A')
  await page.evaluate((key) => sessionStorage.removeItem(key), `${code.toLowerCase()}_username`)
  await page.getByRole('button', { name: 'Submit Test' }).click()
  await expect(toast(page, 'Username not found. Please restart the test.')).toBeVisible()
  await expect(page).toHaveURL('/recruitment')
  expect((await attemptOf(product, candidate.id))?.submitted_at).toBeNull()
})

test('an assessment without questions says so', async ({ page, product }) => {
  const { code, items } = await makeAssessment(product, { itemCount: 1 })
  const candidate = await makeCandidate(product, code)
  await product.db.$client.query('delete from assessment_items where id = $1', [items[0]?.id])
  await enterTest(page, code, candidate.username)
  await expect(toast(page, 'No Questions Available')).toBeVisible()
  await expect(page).toHaveURL('/recruitment')
})
