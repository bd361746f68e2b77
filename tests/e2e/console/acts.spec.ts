import type { Locator, Page } from '@playwright/test'
import {
  attemptOf,
  choose,
  enterTest,
  makeCandidate,
  openOtherBrowser,
  questionHeading,
  setVisible,
  shownSeconds,
  strikes,
  wakePage,
} from '../assessment-rig.ts'
import { expect, expectSound, isFull, test } from '../rig.ts'
import { makeTest, openedDialog } from './console-rig.ts'

/** On a phone a toast covers the page as long as it can be undone. */
const putToastAway = (page: Page) => page.getByRole('button', { name: 'Dismiss' }).first().click()

/** The current question. After a return it is the first unanswered one. */
const anyQuestion = (page: Page): Locator =>
  page.getByRole('heading', { level: 2, name: /^Question \d+ of / })

/** Reloads the test, so that it asks for its state. */
async function reloadTest(page: Page): Promise<void> {
  await page.reload()
  await expect(anyQuestion(page)).toBeVisible()
  await wakePage(page)
}

/** Keeps answering until `news` appears, because a save's response reports news once the node knows it. */
async function answerUntil(page: Page, news: Locator): Promise<void> {
  let saves = 0
  await expect(async () => {
    await choose(page, 'AB'.charAt(saves % 2))
    saves += 1
    await expect(news).toBeVisible({ timeout: 500 })
  }).toPass({ timeout: 15_000 })
}

test('An owner gives a candidate time, writes, cancels strikes, reopens the test and ends it', {
  tag: '@full',
}, async ({ page, product, signedIn, browser }) => {
  const place = await makeTest(product, signedIn.email, { durationSeconds: 1800 })
  const other = await openOtherBrowser(browser, product)
  const who = { name: 'Mei Kettler', room: '1.04' }
  const mei = await makeCandidate(product, place.code, who)
  await enterTest(other.page, place.code, mei.username)
  await expect(questionHeading(other.page, 1)).toBeVisible()
  const before = await shownSeconds(other.page)

  await page.goto(place.of('candidates'))
  await page.getByRole('button', { name: 'Mei Kettler' }).press('Enter')
  await page.getByRole('button', { name: 'Give time…' }).press('Enter')
  const dialog = await openedDialog(page, 'Give time to Mei Kettler')
  await expect(dialog.getByRole('status')).toHaveText(/^Mei Kettler now ends .* → .* \(Tokyo\)\.$/)
  await expect(dialog).toContainText('Closing the start window doesn’t shorten any test.')
  await dialog.getByRole('button', { name: '10 minutes' }).press('Enter')
  const give = dialog.getByRole('button', { name: 'Give 10 min to 1' })
  await expect(give).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByRole('button', { name: 'network' }).press('Enter')
  await expect(give).toHaveAttribute('aria-disabled', 'false')
  await expectSound(page, 'time')
  await give.press('Enter')
  await expect(page.getByText('Gave 10 min to 1')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await putToastAway(page)

  await wakePage(other.page)
  await expect.poll(() => shownSeconds(other.page)).toBeGreaterThan(before + 500)
  await expect(other.page.getByText('of 30 min + 10')).toBeVisible()
  const strip = other.page.getByRole('region', { name: 'Message from the society' })
  await expect(strip).toContainText('You have 10 min more. Your time: 30 min + 10.')
  await strip.getByRole('button', { name: 'Got it' }).click()
  await expect(strip).toBeHidden()

  // Live has the same actions for everybody.
  await page.goto(place.of('live'))
  await page
    .getByRole('region', { name: 'For everyone' })
    .getByRole('button', { name: 'Message…' })
    .press('Enter')
  const writing = await openedDialog(page, 'Message to everybody')
  await writing.getByLabel('Message', { exact: true }).fill('Question 2: read 2025 for 2024.')
  if (isFull) await expectSound(page, 'message')
  await writing.getByRole('button', { name: 'Send to everybody' }).press('Enter')
  await expect(page.getByText('Wrote to everybody', { exact: true })).toBeVisible()

  // A save's response reports it, and nothing moves under the candidate's finger.
  const top = () =>
    questionHeading(other.page, 1).evaluate((heading) => heading.getBoundingClientRect().top)
  const stood = await top()
  await answerUntil(other.page, strip.getByText('Question 2: read 2025 for 2024.'))
  expect(await top()).toBe(stood)
  await expectSound(other.page, 'strip')
  // It stays until the candidate dismisses it, and then never returns.
  await reloadTest(other.page)
  await expect(strip).toContainText('Question 2: read 2025 for 2024.')
  await strip.getByRole('button', { name: 'Got it' }).click()
  await other.page.getByText('Messages from the society (2)').click()
  await expect(other.page.getByText('Your time: 30 min + 10', { exact: true })).toBeVisible()
  await reloadTest(other.page)
  await expect(other.page.getByText('Messages from the society (2)')).toBeVisible()
  await expect(strip).toBeHidden()
  expect((await attemptOf(product, mei.id))?.submitted_at).toBeNull()
  await putToastAway(page)

  // Three strikes end the test. The owner cancels them and reopens it.
  for (const count of [1, 2, 3]) {
    await setVisible(other.page, false)
    await setVisible(other.page, true)
    if (count < 3) await expect(strikes(other.page, count)).toBeVisible()
  }
  await expect(other.page.getByRole('heading', { name: 'Assessment Submitted' })).toBeVisible()

  await page.goto(place.of('candidates'))
  await page.getByRole('button', { name: 'Mei Kettler' }).press('Enter')
  await page.getByRole('button', { name: 'Reopen…' }).press('Enter')
  const refused = await openedDialog(page, 'Open the test of Mei Kettler again')
  await expect(refused.getByRole('status')).toContainText('three strikes count')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Take a strike back…' }).press('Enter')
  const taking = await openedDialog(page, 'Take back strikes of Mei Kettler')
  await expect(taking.getByRole('checkbox', { name: /Leaving/ }).first()).toBeVisible()
  // They form two groups if a minute ended between them.
  for (const strike of await taking
    .getByRole('checkbox', { name: /Leaving the test page/ })
    .all()) {
    await strike.press('Space')
  }
  await taking.getByRole('button', { name: 'fire alarm' }).press('Enter')
  if (isFull) await expectSound(page, 'strikes')
  await taking.getByRole('button', { name: /^Take 3 strikes back/ }).press('Enter')
  await expect(page.getByText(/^Took back 3 strikes/)).toBeVisible()
  await putToastAway(page)

  await page.getByRole('button', { name: 'Reopen…' }).press('Enter')
  await openedDialog(page, 'Open the test of Mei Kettler again')
  await refused.getByRole('button', { name: 'fire alarm' }).press('Enter')
  await refused.getByRole('button', { name: 'Open 1 again for 10 min' }).press('Enter')
  await expect(page.getByText('Opened 1 again')).toBeVisible()
  await putToastAway(page)
  await enterTest(other.page, place.code, mei.username)
  await expect(anyQuestion(other.page)).toBeVisible()
  await expect(strikes(other.page, 0)).toBeVisible()

  await page.getByRole('button', { name: 'End now…' }).press('Enter')
  const ending = await openedDialog(page, 'End the test of Mei Kettler now')
  await expect(ending.getByRole('status')).toContainText('Mei Kettler ends now')
  await ending.getByRole('button', { name: 'other' }).press('Enter')
  await ending.getByLabel('Why, in words').fill('asked to stop')
  if (isFull) await expectSound(page, 'end')
  await ending.getByRole('button', { name: 'End 1 now' }).press('Enter')
  await expect(page.getByText('Ended 1')).toBeVisible()
  await wakePage(other.page)
  await expect(
    other.page.getByText('The society ended the test before your time was over'),
  ).toBeVisible()
  await other.context.close()
})
