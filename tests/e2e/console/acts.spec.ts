import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Role } from '../../../societies/roles.ts'
import { memberships } from '../../../societies/server/tables.ts'
import {
  attemptOf,
  choose,
  enterTest,
  makeAssessment,
  makeCandidate,
  openOtherBrowser,
  questionHeading,
  saveState,
  setVisible,
  shownSeconds,
  strikes,
  wakePage,
} from '../assessment-rig.ts'
import { expect, expectSound, type Product, test } from '../rig.ts'

/** An assessment under way, with the page's account as an organiser. */
async function organise(product: Product, email: string, role: Role = 'owner') {
  const made = await makeAssessment(product, { durationSeconds: 1800 })
  const { rows } = await product.db.$client.query(
    'select society_id as society from assessments where code = $1',
    [made.code],
  )
  const user = await product.db.$client.query('select id from users where email = $1', [email])
  const { society } = rows[0]
  await product.db.insert(memberships).values({
    ...{ id: randomUUID(), societyId: society, userId: user.rows[0].id, role },
    ...{ allAssessments: true, createdAt: new Date() },
  })
  return { ...made, page: `/organise/${society}/assessments/${made.code}/candidates` }
}

/** Somebody of the list, with a name, in the test on a browser of their own. */
async function sitDown(page: Page, product: Product, code: string, name: string, room: string) {
  const candidate = await makeCandidate(product, code)
  await product.db.$client.query('update candidates set name = $2, room = $3 where id = $1', [
    ...[candidate.id, name, room],
  ])
  await enterTest(page, code, candidate.username)
  await expect(questionHeading(page, 1)).toBeVisible()
  return candidate
}

/** On a phone a toast stands above the page for as long as it can be undone. */
const putToastAway = (page: Page) => page.getByRole('button', { name: 'Dismiss' }).first().click()

/** What a node remembers of messages is old after a second; the next save but one tells. */
async function hearNews(page: Page) {
  await page.waitForTimeout(1_100)
  await wakePage(page)
}

test('time is given as it was shown, and a message comes and stays until it is put away', async ({
  page,
  product,
  signedIn,
  browser,
}) => {
  const place = await organise(product, signedIn.email)
  const other = await openOtherBrowser(browser, product)
  const mei = await sitDown(other.page, product, place.code, 'Mei Kettler', '1.04')
  const before = await shownSeconds(other.page)

  await page.goto(place.page)
  await page.getByRole('button', { name: 'Mei Kettler' }).press('Enter')
  await page.getByRole('button', { name: 'Give time…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Give time to Mei Kettler' })
  await expect(dialog.getByRole('status')).toHaveText(/^Mei Kettler now ends .* → .* \(Tokyo\)\.$/)
  await expect(dialog).toContainText('The window never cuts anybody’s time.')
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

  await hearNews(other.page)
  await expect.poll(() => shownSeconds(other.page)).toBeGreaterThan(before + 500)
  await expect(other.page.getByText('of 30 min + 10')).toBeVisible()
  const strip = other.page.getByRole('region', { name: 'Message of the society' })
  await expect(strip).toContainText('You have 10 min more. Your time: 30 min + 10.')
  await strip.getByRole('button', { name: 'Got it' }).click()
  await expect(strip).toBeHidden()

  await page.getByRole('button', { name: 'Message…' }).press('Enter')
  const writing = page.getByRole('dialog', { name: 'Message to Mei Kettler' })
  await writing.getByLabel('Message', { exact: true }).fill('Question 2: read 2025 for 2024.')
  await expectSound(page, 'message')
  await writing.getByRole('button', { name: 'Send to Mei Kettler' }).press('Enter')
  await expect(page.getByText('Wrote to Mei Kettler')).toBeVisible()

  // Told by a save, without a reload; nothing moves under a finger for it.
  const top = () =>
    questionHeading(other.page, 1).evaluate((heading) => heading.getBoundingClientRect().top)
  const stood = await top()
  await other.page.waitForTimeout(1_100)
  await choose(other.page, 'A')
  await expect(saveState(other.page, 'saved')).toBeVisible()
  await choose(other.page, 'B')
  await expect(strip).toContainText('Question 2: read 2025 for 2024.')
  expect(await top()).toBe(stood)
  await expectSound(other.page, 'strip')
  await other.page.reload()
  await hearNews(other.page)
  await expect(strip).toContainText('Question 2: read 2025 for 2024.')
  await strip.getByRole('button', { name: 'Got it' }).click()
  await other.page.getByText('Messages of the society (2)').click()
  await expect(other.page.getByText('Your time: 30 min + 10', { exact: true })).toBeVisible()
  await other.page.reload()
  await hearNews(other.page)
  await expect(other.page.getByText('Messages of the society (2)')).toBeVisible()
  await expect(strip).toBeHidden()
  expect((await attemptOf(product, mei.id))?.submitted_at).toBeNull()
  await other.context.close()
})

test('strikes are taken back, the test opens again, and ends when the society says so', async ({
  page,
  product,
  signedIn,
  browser,
}) => {
  const place = await organise(product, signedIn.email)
  const other = await openOtherBrowser(browser, product)
  const ines = await sitDown(other.page, product, place.code, 'Ines Weidner', '2.11')
  for (const count of [1, 2, 3]) {
    await setVisible(other.page, false)
    await setVisible(other.page, true)
    if (count < 3) await expect(strikes(other.page, count)).toBeVisible()
  }
  await expect(other.page.getByRole('heading', { name: 'Assessment Submitted' })).toBeVisible()

  await page.goto(place.page)
  await page.getByRole('button', { name: 'Ines Weidner' }).press('Enter')
  await page.getByRole('button', { name: 'Reopen…' }).press('Enter')
  const refused = page.getByRole('dialog', { name: 'Open the test of Ines Weidner again' })
  await expect(refused.getByRole('status')).toContainText('three strikes stand')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Take a strike back…' }).press('Enter')
  const taking = page.getByRole('dialog', { name: 'Take a strike of Ines Weidner back' })
  await taking.getByRole('button', { name: /^Tick all/ }).press('Enter')
  await taking.getByRole('button', { name: 'fire alarm' }).press('Enter')
  await expectSound(page, 'strikes')
  await taking.getByRole('button', { name: /^Take 3 strikes back/ }).press('Enter')
  await expect(page.getByText(/^Took back 3 strikes/)).toBeVisible()
  await putToastAway(page)

  await page.getByRole('button', { name: 'Reopen…' }).press('Enter')
  await refused.getByRole('button', { name: 'fire alarm' }).press('Enter')
  await refused.getByRole('button', { name: 'Open 1 again for 10 min' }).press('Enter')
  await expect(page.getByText('Opened 1 again')).toBeVisible()
  await putToastAway(page)
  await enterTest(other.page, place.code, ines.username)
  await expect(questionHeading(other.page, 1)).toBeVisible()
  await expect(strikes(other.page, 0)).toBeVisible()

  await page.getByRole('button', { name: 'End now…' }).press('Enter')
  const ending = page.getByRole('dialog', { name: 'End the test of Ines Weidner now' })
  await expect(ending.getByRole('status')).toContainText('Ines Weidner ends now')
  await ending.getByRole('button', { name: 'other' }).press('Enter')
  await ending.getByLabel('Why, in words').fill('asked to stop')
  await expectSound(page, 'end')
  await ending.getByRole('button', { name: 'End 1 now' }).press('Enter')
  await expect(page.getByText('Ended 1')).toBeVisible()
  await wakePage(other.page)
  await expect(
    other.page.getByText('The society ended the test before your time was over'),
  ).toBeVisible({ timeout: 20_000 })
  await other.context.close()
})
