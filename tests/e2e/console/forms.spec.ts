import { enterTest, makeCandidate, openOtherBrowser, questionHeading } from '../assessment-rig.ts'
import { expect, expectAccessible, test } from '../rig.ts'
import { makeTest } from './console-rig.ts'

test('An editor assigns questions to two forms by keyboard, and each candidate gets one of them', {
  tag: '@full',
}, async ({ page, signedIn, product, browser }) => {
  const test = { isDraft: true, shuffle: true, navigator: true, itemCount: 4 }
  const { code, url } = await makeTest(product, signedIn.email, test)
  await page.goto(`${url}/questions`)
  const rows = page.locator('[data-row]')
  await rows.nth(0).getByRole('button').focus()
  // x ticks, an arrow moves on, a assigns both to form A.
  await page.keyboard.press('x')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('x')
  await expect(page.getByText('2 ticked')).toBeVisible()
  await page.keyboard.press('a')
  await expect(
    page.getByText('Form A has 4 questions and form B 2; both need the same number.'),
  ).toBeVisible()
  await page.keyboard.press('x')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('x')
  // b assigns only this row, and then works in the editor's field.
  await page.keyboard.press('b')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Question 1', exact: true })).toBeVisible()
  const field = page.getByRole('group', { name: /Asked in/ })
  await expect(field.getByRole('button', { name: 'Form B' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(
    page.getByText('Two forms of 3 questions, 2 in common, dealt at random'),
  ).toBeVisible()

  // Each form numbers its own questions.
  const view = page.getByRole('complementary', { name: 'Candidate view' })
  await expect(view.getByText('Form A doesn’t have this question.')).toBeVisible()
  await view.getByRole('button', { name: 'Form B' }).click()
  await expect(view.getByText(/Question 1 of 3/i).first()).toBeVisible()
  await page.getByRole('button', { name: 'B 3', exact: true }).click()
  await expect(rows).toHaveCount(3)
  await expectAccessible(page)

  await page.goto(url)
  await page
    .getByRole('button', { name: /Publish/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await expect(
    dialog.getByText('Two forms of 3 questions, 2 in common, dealt at random.'),
  ).toBeVisible()
  await expect(dialog.getByText(/3 questions, and the rules/)).toBeVisible()
  await dialog.getByRole('button', { name: /^Publish to/ }).click()
  await expect(dialog).toBeHidden()

  // A candidate gets one of the papers, and the answer names no form (forms.test.ts has how they are dealt).
  const { username } = await makeCandidate(product, code)
  const { context, page: seat } = await openOtherBrowser(browser, product)
  await enterTest(seat, code, username)
  await expect(questionHeading(seat, 1)).toHaveText(/^Question 1 of 3/)
  await context.close()
})
