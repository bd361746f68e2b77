import { expect, expectSound, test } from '../rig.ts'
import { makeTest } from './console-rig.ts'

const GIFT = `$CATEGORY: Bonds

What happens to the price of a bond when the yield falls by half a point? {=It rises ~It falls ~It stays ~It doubles}

Which of these pays no coupon? {=A zero bond ~A par bond ~A perpetual #### Look at page 3.}

Who ranks before shareholders? {~%50%Bondholders ~%50%Banks ~Nobody ~Directors}

Say what duration is. {}`

/** Reading a file starts a thread from source, which takes seconds on a busy machine. */
const READ = { timeout: 30_000 }

test('Pasted GIFT is read, a text in no format is refused, and flawed questions are fixed', {
  tag: '@full',
}, async ({ page, product, signedIn, expectConsoleErrors }) => {
  // The 422 is for the invalid file.
  expectConsoleErrors((text) => text.includes('422'))
  const opensAt = new Date(Date.now() + 86_400_000)
  const more = { role: 'author', opensAt, itemCount: 2 } as const
  const { code, of } = await makeTest(product, signedIn.email, more)
  await product.db.$client.query(
    `update assessment_items set question = $2 where assessment = $1 and position = 1`,
    [code, 'What happens to the price of a bond when its yield falls by half a point?'],
  )
  await page.goto(of('questions/import'))
  await expect(page.getByRole('heading', { level: 1, name: 'Import questions' })).toBeVisible()
  await expectSound(page)

  // A text of another kind gives a message and nothing else.
  await page.getByRole('textbox', { name: 'Paste the questions' }).fill('Dear Ana, here they are.')
  await page.getByRole('button', { name: 'Read the text' }).press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'no questions' })).toBeVisible(READ)
  await expect(page.getByText('From Moodle, export Moodle XML')).toBeVisible()

  await page.getByRole('textbox', { name: 'Paste the questions' }).fill(GIFT)
  await page.getByRole('button', { name: 'Read the text' }).press('Enter')
  await expect(page.getByRole('heading', { name: '1 of 4 can be imported' })).toBeVisible(READ)
  await expect(page.getByText('Another kind of question')).toBeVisible()
  await expectSound(page)

  // With three options, the missing one has the focus.
  await page.getByRole('button', { name: /^Add one/ }).press('Enter')
  await expect(page.getByLabel('Option D')).toBeFocused()
  await page.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(
    page.getByText('Text is missing. The question or an option is empty. Write it here.'),
  ).toBeVisible()
  await page.getByLabel('Option D').fill('A floater')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '2 of 4 can be imported' })).toBeVisible()
  // With two keys, none is selected until the author chooses one.
  await page.getByRole('button', { name: /^Choose one/ }).press('Enter')
  await page.getByRole('radio', { name: 'A is the key' }).press('Space')
  await expectSound(page)
  await page.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(page.getByText('fixed here')).toHaveCount(2)

  await page.getByRole('checkbox', { name: /^Import: What happens/ }).press('Space')
  const press = page.getByRole('button', { name: 'Import 2 of 4' }).first()
  await press.press('Enter')
  await expect(page.getByText('2 questions imported')).toBeVisible()
  await expect(page.getByRole('link', { name: /^Questions/ })).toContainText('4')
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(page.getByText('2 questions removed again')).toBeVisible()
  await expect(page.getByRole('link', { name: /^Questions/ })).toContainText('2')
})
