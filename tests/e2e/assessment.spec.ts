import { sql } from 'drizzle-orm'
import {
  answersOf,
  attemptOf,
  CONTACT,
  choose,
  enterTest,
  eventsOf,
  logIn,
  makeAssessment,
  makeCandidate,
  PASSWORD,
  questionHeading,
  resultOf,
  saveState,
  signInWhereCallsFail,
  startTest,
  submitted,
  toast,
} from './assessment-rig.ts'
import { expect, expectAccessible, expectSound, isFull, test } from './rig.ts'

signInWhereCallsFail()

const MINUTE = 60_000

test('A PCF candidate goes from the credentials to the completion screen, and back to it later', async ({
  page,
  product,
}) => {
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
  await expect(dialog.getByLabel('Username')).toBeFocused()
  await expectSound(page)

  // A username of only spaces isn't sent.
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
  await expect(page.getByText('Recorded but never counted: your answers')).toBeVisible()
  await expectSound(page)
  await page.getByRole('button', { name: 'I Understand - Start the Exam' }).click()

  await expect(questionHeading(page, 1)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: society })).toBeVisible()
  await expect(page.getByText('Contact the desk at the door')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Questions' })).toBeHidden()
  await expectSound(page)
  // Questions are in table order, answers can be changed, and Next works without an answer.
  await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled()
  await choose(page, 'A')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(questionHeading(page, 2)).toContainText('Stem 2')
  await page.getByRole('button', { name: 'Next' }).click()
  await choose(page, 'D')
  await choose(page, 'C')
  const submit = page.getByRole('button', { name: 'Submit Test' })
  await expect(submit).toBeDisabled()
  await expect(page.getByText('Unanswered: 2.')).toBeVisible()
  await expect(page.getByText('2 answered')).toBeVisible()
  await page.getByRole('button', { name: 'Previous' }).click()
  await choose(page, 'A')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(saveState(page, 'saved')).toBeVisible()
  await submit.click()

  await expect(submitted(page)).toBeVisible()
  await expect(toast(page, 'Your results have been saved successfully.')).toBeVisible()
  await expect(page.getByText('individual results are not displayed')).toBeVisible()
  const attempt = await attemptOf(product, candidate.id)
  await expect(page.getByText(attempt?.id.slice(0, 8) ?? '', { exact: true })).toBeVisible()
  await expectSound(page)
  expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual(['test-session-put'])
  expect(await answersOf(product, candidate.id)).toEqual({
    [items[0]?.id ?? 0]: 'A',
    [items[1]?.id ?? 0]: 'A',
    [items[2]?.id ?? 0]: 'C',
  })
  expect(await resultOf(product, code)).toMatchObject({ correct: 2, incorrect: 1, cheated: false })
  expect(await eventsOf(product, candidate.id)).toEqual(['ready'])

  // The screen returns after a reload, and later with the credentials.
  await page.reload()
  await expect(submitted(page)).toBeVisible()
  await page.getByRole('link', { name: 'Return to Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/recruitment')
  await access.click()
  await logIn(page, candidate.username, PASSWORD)
  await expect(submitted(page)).toBeVisible()
})

test('An ESFS candidate chooses a session and answers shuffled questions with the navigator', async ({
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
  await product.db.execute(
    sql`update candidates set extra_seconds = 600 where id = ${candidate.id}`,
  )

  await page.goto('/recruitment')
  const morning = page.getByRole('button', { name: 'Morning Assessment' })
  await expect(morning).toBeHidden()
  await page.getByRole('button', { name: `Access Test ${society}` }).press('Enter')
  await expect(page.getByRole('button', { name: 'Afternoon Assessment' })).toBeVisible()
  if (isFull) await expectSound(page)
  await morning.click()
  await logIn(page, candidate.username, PASSWORD)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${society} - Morning`)
  await expect(page.getByText('20 minutes + 10 minutes extra time', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'I Understand - Start the Exam' }).click()

  await expect(questionHeading(page, 1)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${society} - Morning`)
  const grid = page.getByRole('navigation', { name: 'Questions' })
  await expect(grid.getByRole('button')).toHaveCount(20)
  const tops = await grid
    .getByRole('button')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
  expect(new Set(tops.slice(0, 10)).size).toBe(1)
  expect(new Set(tops).size).toBe(2)

  // The progress bar shows the number of answers, whatever question is open.
  const bar = page.getByRole('progressbar', { name: 'Progress' })
  await grid.getByRole('button', { name: 'Question 20, not answered' }).click()
  await expect(questionHeading(page, 20)).toBeVisible()
  await expect(bar).toHaveAttribute('aria-valuetext', '0 of 20 answered')
  expect((await bar.locator('span').boundingBox())?.width ?? 0).toBe(0)
  await grid.getByRole('button', { name: 'Question 1, not answered' }).click()

  const order: string[] = []
  for (let number = 1; number <= 20; number += 1) {
    await expect(questionHeading(page, number)).toBeFocused()
    order.push(
      ((await questionHeading(page, number).textContent()) ?? '').replace(
        /.*Stem (\d+) of.*/s,
        '$1',
      ),
    )
    await page.keyboard.press('b')
    if (number < 20) await page.keyboard.press('Enter')
  }
  const inTableOrder = items.map((_, index) => String(index + 1))
  expect([...order].sort((a, b) => Number(a) - Number(b))).toEqual(inTableOrder)
  expect(order).not.toEqual(inTableOrder)
  await expect(bar).toHaveAttribute('aria-valuetext', '20 of 20 answered')
  const { width } = page.viewportSize() ?? { width: 0 }
  await expect.poll(async () => (await bar.locator('span').boundingBox())?.width).toBe(width)

  await grid.getByRole('button', { name: 'Question 3, answered' }).click()
  await expect(questionHeading(page, 3)).toBeVisible()
  await expect(grid.getByRole('button', { name: 'Question 3, answered' })).toHaveAttribute(
    'aria-current',
    'step',
  )
  await expectSound(page)
  await choose(page, 'A')
  await grid.getByRole('button', { name: 'Question 20, answered' }).click()
  await page.getByRole('button', { name: 'Submit Test' }).click()
  await expect(submitted(page)).toBeVisible()
  const choices = Object.values(await answersOf(product, candidate.id))
  expect(choices.sort().join('')).toBe(`A${'B'.repeat(19)}`)
})

test('A whole test can be taken by keyboard, and only pressing Enter never submits it', {
  tag: '@whole',
}, async ({ page, product }) => {
  const { candidate } = await startTest(page, product, { navigator: true, itemCount: 4 })
  // The pressed button disappears, and the question gets the focus.
  const enter = page.getByRole('button', { name: 'Enter Fullscreen' })
  await enter.focus()
  await page.keyboard.press('Enter')
  await expect(enter).toBeHidden()
  await expect(questionHeading(page, 1)).toBeFocused()
  // Single keys can be switched off.
  const singleKeys = page.getByRole('button', { name: 'Single-key shortcuts' })
  await singleKeys.press('Enter')
  await questionHeading(page, 1).focus()
  await page.keyboard.press('b')
  await singleKeys.press('Enter')
  await questionHeading(page, 1).focus()
  await expect(page.getByText('0 answered')).toBeVisible()

  await page.keyboard.press('b')
  await page.keyboard.press('Enter')
  await expect(questionHeading(page, 2)).toBeFocused()
  await page.keyboard.press('3')
  await page.keyboard.press('ArrowRight')
  await expect(questionHeading(page, 3)).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(questionHeading(page, 2)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(questionHeading(page, 3)).toBeFocused()
  // Tab leads into the group, and arrows move within it.
  await page.keyboard.press('Tab')
  await expect(page.getByRole('radio').first()).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(questionHeading(page, 4)).toBeFocused()

  // Enter on the last question asks for confirmation once everything is answered. The safe button has the focus.
  const question = page.getByRole('alertdialog', { name: 'Submit the test?' })
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await page.keyboard.press('d')
  await page.keyboard.press('Enter')
  await expect(question.getByRole('button', { name: 'Keep going' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(questionHeading(page, 4)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(questionHeading(page, 4)).toBeFocused()
  expect((await attemptOf(product, candidate.id))?.submitted_at).toBeNull()
  await page.keyboard.press('Enter')
  await expect(question.getByRole('button', { name: 'Keep going' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(question.getByRole('button', { name: 'Submit Test' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(submitted(page)).toBeFocused()
  expect(Object.values(await answersOf(product, candidate.id))).toEqual(['B', 'C', 'B', 'D'])
  expect(await eventsOf(product, candidate.id, 'violations')).toEqual([])
})

test('Candidates see a countdown before the opening, and read why they cannot start after the closing', async ({
  page,
  product,
}) => {
  await page.clock.install()
  const opensAt = new Date(Date.now() + 10 * MINUTE)
  const closesAt = new Date(Date.now() + 15 * MINUTE)
  const { code, society } = await makeAssessment(product, { opensAt, closesAt })
  const candidate = await makeCandidate(product, code)
  await enterTest(page, code, candidate.username)
  await expect(page.getByRole('heading', { name: 'The test has not opened yet' })).toBeVisible()
  await expect(page.getByText('Tokyo time')).toBeVisible()
  await expect(page.getByText('your time')).toBeVisible()
  const start = page.getByRole('button', { name: 'Start the Exam' })
  await expect(start).toBeDisabled()
  await expect(page.getByText('Stem 1')).toHaveCount(0)
  await expectSound(page)
  await page.clock.fastForward(10 * MINUTE)
  await expect(start).toBeEnabled()
  const setWindow = (openedMs: number, closedMs: number) =>
    product.db.$client.query(
      'update assessments set opens_at = $2, closes_at = $3 where code = $1',
      [code, new Date(Date.now() + openedMs), new Date(Date.now() + closedMs)],
    )
  await setWindow(-MINUTE, 5 * MINUTE)
  await start.click()
  await expect(questionHeading(page, 1)).toBeVisible()

  // The server closes the test while the list is open, and only the link back remains.
  page.on('dialog', (dialog) => dialog.accept())
  await product.db.$client.query('delete from attempts where candidate_id = $1', [candidate.id])
  await page.goto('/recruitment')
  const row = page.getByRole('listitem').filter({ hasText: society })
  await expect(row.getByText('Tokyo time').first()).toBeVisible()
  await expect(row.getByText('your time').first()).toBeVisible()
  const access = page.getByRole('button', { name: `Access Test ${society}` })
  await expect(access).toBeVisible()
  await page.clock.fastForward(5 * MINUTE)
  await expect(row.getByText('Closed', { exact: true })).toBeVisible()
  await expect(access).toBeHidden()

  await setWindow(-2 * MINUTE, -MINUTE)
  await page.goto('/recruitment/instructions')
  await expect(page.getByText('This test has closed. It can no longer be started.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^I Understand/ })).toHaveCount(0)
  await page.goto('/recruitment/test')
  await expect(
    page.getByRole('heading', { name: 'This test has closed. It can no longer be started.' }),
  ).toBeVisible()
  await expect(page.getByText(society, { exact: true })).toBeVisible()
  await expect(page.getByText(`Tell the society: ${CONTACT}`)).toBeVisible()
  await expectSound(page)
})

test('Neither missing credentials nor made-up values in the session storage open a test', {
  tag: '@full',
}, async ({ page, product, browser }) => {
  await page.goto('/recruitment/instructions')
  await expect(page).toHaveURL('/recruitment')
  await page.goto('/recruitment/test')
  await expect(page).toHaveURL('/recruitment')
  await expect(toast(page, 'Access Required')).toBeVisible()
  await expect(toast(page, 'Please login through the recruitment page first.')).toBeVisible()

  const { code } = await makeAssessment(product)
  await page.evaluate((name) => {
    sessionStorage.setItem('recruitment_association', name)
    sessionStorage.setItem(`${name.toLowerCase()}_username`, 'candidate')
    sessionStorage.setItem(`${name.toLowerCase()}_candidate_token`, 'made-up')
  }, code)
  for (const path of ['/recruitment/test', '/recruitment/instructions']) {
    await page.goto(path)
    await expect(toast(page, 'Access Required')).toBeVisible()
    await expect(page).toHaveURL('/recruitment')
  }

  const signedOut = await (await browser.newContext({ baseURL: product.url })).newPage()
  for (const path of ['', '/instructions', '/test']) {
    await signedOut.goto(`/recruitment${path}`)
    await expect(signedOut).toHaveURL(/\/auth/)
  }
  await signedOut.context().close()
})

test('A username that is missing at the end stops the submission', {
  tag: '@full',
}, async ({ page, product }) => {
  const { code, candidate } = await startTest(page, product, { itemCount: 1 })
  await choose(page, 'A')
  await page.evaluate((key) => sessionStorage.removeItem(key), `${code.toLowerCase()}_username`)
  await page.getByRole('button', { name: 'Submit Test' }).click()
  await expect(toast(page, 'Username not found. Please restart the test.')).toBeVisible()
  await expect(page).toHaveURL('/recruitment')
  expect((await attemptOf(product, candidate.id))?.submitted_at).toBeNull()
})

test('A candidate whose test has no questions is told so', {
  tag: '@full',
}, async ({ page, product }) => {
  const { code, items } = await makeAssessment(product, { itemCount: 1 })
  const candidate = await makeCandidate(product, code)
  await product.db.$client.query('delete from assessment_items where id = $1', [items[0]?.id])
  await enterTest(page, code, candidate.username)
  await expect(toast(page, 'No Questions Available')).toBeVisible()
  await expect(page).toHaveURL('/recruitment')
})
