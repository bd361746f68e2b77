import type { Page } from '@playwright/test'
import { sql } from 'drizzle-orm'
import { replacePasswords } from '../../assessments/server/candidate-store.ts'
import { hashCandidatePassword, makePassword } from '../../assessments/server/password-store.ts'
import {
  answersOf,
  attemptOf,
  CONTACT,
  choose,
  enterTest,
  eventsOf,
  logIn,
  openOtherBrowser,
  placeOfOptions,
  questionHeading,
  resultOf,
  saveState,
  setRemaining,
  shownSeconds,
  signInWhereCallsFail,
  startTest,
  submitted,
  toast,
  wakePage,
} from './assessment-rig.ts'
import { expect, expectSound, isFull, test } from './rig.ts'

signInWhereCallsFail()

const MINUTE = 60_000

test('Choices made without a network are kept and sent, and a failed submission can be repeated', {
  tag: '@whole',
}, async ({ page, context, product }) => {
  const { candidate, items } = await startTest(page, product, { itemCount: 2 })
  const line = page
    .getByRole('status')
    .getByText(
      'No connection. Your answers are kept on this device. The clock keeps running. Stay on this page.',
    )
  await page.setViewportSize({ width: 390, height: 844 })
  const before = await placeOfOptions(page)
  await context.setOffline(true)
  await expect(line).toBeVisible()
  await expect(saveState(page, 'saved')).toBeVisible()
  expect(await placeOfOptions(page)).toEqual(before)
  // The line appears once.
  await expect(page.getByText('No connection', { exact: true })).toBeHidden()
  await choose(page, 'A')
  await page.getByRole('button', { name: 'Next' }).click()
  await choose(page, 'D')
  await choose(page, 'B')
  await expect(saveState(page, 'retrying')).toHaveText('Not saved: retrying')
  if (isFull) await expectSound(page)
  expect(await answersOf(product, candidate.id)).toEqual({})
  await context.setOffline(false)
  await expect(saveState(page, 'saved')).toBeVisible()
  await expect(line).toBeHidden()
  expect(await answersOf(product, candidate.id)).toEqual({
    [items[0]?.id ?? 0]: 'A',
    [items[1]?.id ?? 0]: 'B',
  })
  await expect.poll(() => eventsOf(product, candidate.id)).toEqual(['ready', 'offline', 'online'])

  await page.route('**/attempt/submit', (route) => route.abort())
  const submit = page.getByRole('button', { name: 'Submit Test' })
  await submit.press('Enter')
  await expect(toast(page, 'Failed to save results. Please contact support.')).toBeVisible()
  await expect(submit).toBeEnabled()
  expect((await attemptOf(product, candidate.id))?.submitted_at).toBeNull()
  // The question's keys keep working.
  await page.getByRole('button', { name: 'Dismiss' }).first().press('Enter')
  await expect(questionHeading(page, 2)).toBeFocused()
  await page.keyboard.press('c')
  await expect(page.getByRole('radio').nth(2)).toBeChecked()
  await expect(saveState(page, 'saved')).toBeVisible()
  await page.unroute('**/attempt/submit')
  await submit.click()
  await expect(submitted(page)).toBeVisible()
  expect(Object.values(await answersOf(product, candidate.id))).toEqual(['A', 'C'])
})

test('A reload keeps choices that could not be saved, and a reload on the last question blocks nothing', async ({
  page,
  product,
}) => {
  // The saves fail inside the page, because Playwright's routes don't catch what a page sends while it unloads.
  await page.addInitScript(() => {
    const send = fetch.bind(window)
    window.fetch = (input, init) =>
      localStorage.getItem('test-no-saves') && String(input).endsWith('/answers')
        ? Promise.reject(new TypeError('no network'))
        : send(input, init)
  })
  const { candidate, items } = await startTest(page, product, { itemCount: 2 })
  page.on('dialog', (dialog) => dialog.accept())
  await page.evaluate(() => localStorage.setItem('test-no-saves', 'true'))
  await choose(page, 'C')
  await expect(saveState(page, 'retrying')).toBeVisible()
  await page.reload()
  await expect(questionHeading(page, 2)).toBeVisible()
  await expect(saveState(page, 'retrying')).toBeVisible()
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(page.getByRole('radio').nth(2)).toBeChecked()
  expect(await answersOf(product, candidate.id)).toEqual({})
  await page.evaluate(() => localStorage.removeItem('test-no-saves'))
  await wakePage(page)
  await expect(saveState(page, 'saved')).toBeVisible()
  expect(await answersOf(product, candidate.id)).toEqual({ [items[0]?.id ?? 0]: 'C' })

  await page.getByRole('button', { name: 'Next' }).click()
  await choose(page, 'B')
  await expect(saveState(page, 'saved')).toBeVisible()
  await page.reload()
  await expect(page.getByText('2 answered')).toBeVisible()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Submit Test' }).click()
  await expect(submitted(page)).toBeVisible()
  expect(Object.values(await answersOf(product, candidate.id))).toEqual(['C', 'B'])
  const events = await eventsOf(product, candidate.id)
  expect(events.filter((kind) => kind === 'reload')).toHaveLength(2)
  expect(await eventsOf(product, candidate.id, 'violations')).toEqual([])
})

test('A test continues in another browser or window, and only the newest one can change it', async ({
  page,
  context,
  product,
  browser,
}) => {
  const { candidate, code, items, society } = await startTest(page, product)
  const chosen = () => answersOf(product, candidate.id)
  const heading = (window: Page) =>
    window.getByRole('heading', { name: 'This test is open in another window' })
  await choose(page, 'D')
  await expect(saveState(page, 'saved')).toBeVisible()
  await setRemaining(product, candidate.id, 700_000)
  const other = await openOtherBrowser(browser, product)
  await enterTest(other.page, code, candidate.username)
  await expect(questionHeading(other.page, 2)).toBeVisible()
  await expect(other.page.getByText('1 answered')).toBeVisible()
  expect(await shownSeconds(other.page)).toBeLessThanOrEqual(700)
  await choose(other.page, 'B')
  await expect(saveState(other.page, 'saved')).toBeVisible()

  // A save of the older page changes nothing. Its next report may have told it already, and then it has no question.
  const older = page
    .getByRole('radiogroup', { name: /^Question / })
    .getByRole('radio')
    .first()
  await older.click({ force: true, timeout: 2_000 }).catch(() => {})
  await expect(heading(page)).toBeFocused()
  await expect(page.getByText('This test was opened in another window.')).toBeVisible()
  await expect(page.getByText(society, { exact: true })).toBeVisible()
  await expect(page.getByRole('timer')).toContainText(/^1\d:\d\d remaining/)
  await expect(page.getByText(`Not you? Tell the society: ${CONTACT}`)).toBeVisible()
  await expectSound(page)
  const [first, second, third] = items.map(({ id }) => id)
  expect(await chosen()).toEqual({ [first ?? 0]: 'D', [second ?? 0]: 'B' })
  await other.context.close()

  // The candidate continues there, then opens a second window of the same browser.
  await page.getByRole('button', { name: 'Continue in this window instead' }).click()
  await expect(questionHeading(page, 3)).toBeVisible()
  const window = await context.newPage()
  await window.goto('/recruitment')
  await enterTest(window, code, candidate.username)
  await expect(questionHeading(window, 3)).toBeVisible()
  // The older window learns it immediately.
  await expect(heading(page)).toBeVisible()
  await choose(window, 'C')
  await expect(saveState(window, 'saved')).toBeVisible()
  expect(await chosen()).toMatchObject({ [third ?? 0]: 'C' })
})

test('Nothing chosen is lost when the session ends or the society changes the password', async ({
  page,
  product,
  account,
}) => {
  const { candidate, code, society, items } = await startTest(page, product)
  const chosen = () => answersOf(product, candidate.id)
  // This event must be stored first. Its refusal would send the page to /auth before anything is chosen.
  await expect.poll(() => eventsOf(product, candidate.id)).toEqual(['ready'])
  await product.db.execute(sql`
    delete from sessions where user_id in (select id from users where email = ${account.email})`)
  await choose(page, 'C')
  await expect(page).toHaveURL(/\/auth/)
  await expect(toast(page, 'Your answers are kept on this device.')).toBeVisible()
  await page.getByLabel('Email').first().fill(account.email)
  await page.getByLabel('Password', { exact: true }).first().fill(account.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/dashboard')
  await enterTest(page, code, candidate.username)
  await expect(page.getByText('1 answered')).toBeVisible()
  await expect(saveState(page, 'saved')).toBeVisible()
  expect(await chosen()).toEqual({ [items[0]?.id ?? 0]: 'C' })

  const { db, secretKey } = product
  const password = makePassword()
  const given = [{ candidateId: candidate.id, hash: hashCandidatePassword(secretKey, password) }]
  await replacePasswords(db.$client, given, product.clock.now(), { readmit: true })
  const heading = page.getByRole('heading', { name: 'The society changed your password' })
  await expect(questionHeading(page, 2)).toBeFocused()
  await page.keyboard.press('b')
  await expect(heading).toBeFocused()
  await expect(
    page.getByText(
      'Go back to the recruitment page and sign in with the new password. Your answers are kept.',
    ),
  ).toBeVisible()
  await expect(page.getByText('Access Required')).toHaveCount(0)
  await expectSound(page)
  for (const path of ['/recruitment/instructions', '/recruitment/test']) {
    await page.goto(path)
    await expect(heading).toBeVisible()
  }
  await page.getByRole('link', { name: 'Society Assessments' }).click()
  await page.getByRole('button', { name: `Access Test ${society}` }).click()
  await logIn(page, candidate.username, password)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  // The second choice was kept on the device, and is sent with the new password.
  await expect(page.getByText('2 answered')).toBeVisible()
  await expect(saveState(page, 'saved')).toBeVisible()
  expect(Object.values(await chosen())).toEqual(['C', 'B'])
})

test('At the deadline the last choice is submitted, and extra time moves the clock without a reload', async ({
  page,
  product,
}) => {
  await page.clock.install()
  const { candidate, code } = await startTest(page, product, {
    itemCount: 2,
    durationSeconds: 600,
  })
  const figure = page.getByRole('timer').locator('span').first()
  await setRemaining(product, candidate.id, 15 * MINUTE)
  await wakePage(page)
  await expect.poll(() => shownSeconds(page)).toBeGreaterThan(600)
  await expect(figure).not.toHaveClass(/grade-wrong/)
  await setRemaining(product, candidate.id, 4 * MINUTE)
  await wakePage(page)
  await expect(figure).toHaveClass(/grade-wrong/)
  await expect(figure.locator('svg')).toBeVisible()

  await page.route('**/attempt/answers', (route) => route.abort())
  await choose(page, 'A')
  await expect(saveState(page, 'retrying')).toBeVisible()
  await setRemaining(product, candidate.id, 0)
  await page.clock.fastForward(4 * MINUTE)
  await expect(submitted(page)).toBeVisible()
  await expect(toast(page, "Time's Up!")).toBeVisible()
  await expect(toast(page, 'The test has been automatically submitted.')).toBeVisible()
  await expect(page.getByText('The time ran out')).toBeVisible()
  expect(await resultOf(product, code)).toMatchObject({ correct: 1, incorrect: 1 })
})

test('After an offline deadline saved answers count, and an unsaved one is stored as late', async ({
  page,
  context,
  product,
}) => {
  await page.clock.install()
  const { candidate, code, items } = await startTest(page, product, { durationSeconds: 600 })
  await choose(page, 'A')
  await expect(saveState(page, 'saved')).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Next' }).click()
  await choose(page, 'B')
  await expect(saveState(page, 'retrying')).toBeVisible()
  await page.clock.fastForward(10 * MINUTE)
  await expect(page.getByText('Time is up.')).toBeVisible()
  await expect(page.getByRole('radio').first()).toBeDisabled()
  // The test started half an hour ago and ended 20 minutes ago.
  await product.db.execute(sql`
    with moved as (
      update attempts set started_at = started_at - interval '30 minutes',
        deadline_at = started_at - interval '20 minutes'
      where candidate_id = ${candidate.id} returning id
    )
    update attempt_windows set opened_at = opened_at - interval '30 minutes'
    where attempt_id in (select id from moved)`)
  await context.setOffline(false)
  await expect(submitted(page)).toBeVisible()
  await expect(page.getByText('One answer reached us after the end.')).toBeVisible()
  expect(await attemptOf(product, candidate.id)).toMatchObject({ submit_reason: 'deadline' })
  expect(await resultOf(product, code)).toMatchObject({ correct: 1, incorrect: 2 })
  const { rows } = await product.db.execute(sql`
    select detail->>'questionId' as id, detail->>'choice' as choice from attempt_events
    where candidate_id = ${candidate.id} and kind = 'late_answer'`)
  expect(rows).toEqual([{ id: String(items[1]?.id), choice: 'B' }])
})
