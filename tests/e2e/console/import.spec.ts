import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { assessmentItems, assessments } from '../../../assessments/server/tables.ts'
import type { Role } from '../../../societies/roles.ts'
import { findOrMakeSociety } from '../../../societies/server/team/societies.ts'
import { expect, expectSound, type Product, putSession, test } from '../rig.ts'
import { addMember } from './console-rig.ts'

const GIFT = `$CATEGORY: Bonds

What happens to the price of a bond when the yield falls by half a point? {=It rises ~It falls ~It stays ~It doubles}

Which of these pays no coupon? {=A zero bond ~A par bond ~A perpetual #### Look at page 3.}

Who ranks before shareholders? {~%50%Bondholders ~%50%Banks ~Nobody ~Directors}

Say what duration is. {}`

/** An assessment with two questions, keys A and B, in a society of its own. */
async function makeAssessment({ db }: Product) {
  const code = `I${randomUUID().slice(0, 8).toUpperCase()}`
  const society = await findOrMakeSociety(db.$client, `Society ${code}`, new Date())
  await db.insert(assessments).values({
    ...{ code, societyId: society, society: 'Society', session: 'Morning' },
    ...{ durationSeconds: 1200, shuffle: false, navigator: false },
    rules: { timing: [], allowed: [], forbidden: [], contact: null },
    ...{ timeZone: 'Europe/Lisbon', isSample: false, createdAt: new Date() },
    opensAt: new Date(Date.now() + 86_400_000),
  })
  const stems = [
    'What happens to the price of a bond when its yield falls by half a point?',
    'Which ratio tells whether a company can pay its interest?',
  ]
  await db.insert(assessmentItems).values(
    stems.map((question, index) => ({
      ...{ assessment: code, position: index + 1, question, isSample: false },
      ...{ answerA: 'Alpha', answerB: 'Beta', answerC: 'Gamma', answerD: 'Delta' },
      correctOption: index === 0 ? ('A' as const) : ('B' as const),
    })),
  )
  return { code, society, path: `/organise/${society}/assessments/${code}/questions` }
}

/** Signs a new account in that has a role in the society. */
async function join(page: Page, product: Product, society: string, role: Role) {
  const email = `${role}-${randomUUID().slice(0, 6)}@example.com`
  await putSession(page, product, { email, password: 'correct horse battery' })
  await addMember(product, society, email, role)
}

/** Reading a file starts a thread from source, which takes seconds on a busy machine. */
const READ = { timeout: 30_000 }

test('Pasted GIFT is read, a text in no format is refused, and flawed questions are fixed', {
  tag: '@full',
}, async ({ page, product, expectConsoleErrors }) => {
  // The file that is none.
  expectConsoleErrors((text) => text.includes('422'))
  const { society, path } = await makeAssessment(product)
  await join(page, product, society, 'author')
  await page.goto(`${path}/import`)
  await expect(page.getByRole('heading', { level: 1, name: 'Import questions' })).toBeVisible()
  await expectSound(page)

  // Not of its kind: a sentence, and nothing else.
  await page.getByLabel('Paste the questions').fill('Dear Ana, here they are.')
  await page.getByRole('button', { name: 'Read the text' }).press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'no questions' })).toBeVisible(READ)
  await page.getByLabel('Which program made this file?').selectOption('Moodle')
  await expect(page.getByText('choose Export and then Moodle XML')).toBeVisible()

  await page.getByLabel('Paste the questions').fill(GIFT)
  await page.getByRole('button', { name: 'Read the text' }).press('Enter')
  await expect(page.getByRole('heading', { name: '1 of 4 can be imported' })).toBeVisible(READ)
  await expect(page.getByText('Another kind of question')).toBeVisible()
  await expectSound(page)

  // Three options: the missing one has the focus.
  await page.getByRole('button', { name: /^Add one/ }).press('Enter')
  await expect(page.getByLabel('Option D')).toBeFocused()
  await page.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(
    page.getByText('Text is missing. The question or an option is empty. Write it here.'),
  ).toBeVisible()
  await page.getByLabel('Option D').fill('A floater')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '2 of 4 can be imported' })).toBeVisible()
  // Two keys: none is chosen until somebody chooses.
  await page.getByRole('button', { name: /^Choose one/ }).press('Enter')
  await page.getByRole('radio', { name: 'A is right' }).press('Space')
  await expectSound(page)
  await page.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(page.getByText('fixed here')).toHaveCount(2)

  await page.getByRole('checkbox', { name: /^Import: What happens/ }).press('Space')
  const press = page.getByRole('button', { name: 'Import 2 of 4' }).first()
  await press.press('Enter')
  await expect(page.getByText('2 questions imported')).toBeVisible()
  await expect(page.getByRole('link', { name: /^Questions/ })).toContainText('4')
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(page.getByText('2 questions taken out again')).toBeVisible()
  await expect(page.getByRole('link', { name: /^Questions/ })).toContainText('2')
})

test('Two members answer the questions without their keys, and the page compares', {
  tag: '@full',
}, async ({ page, product, browser }) => {
  const { society, path } = await makeAssessment(product)
  await join(page, product, society, 'owner')
  await page.goto(`${path}/check`)
  await page.getByRole('button', { name: 'Check 2 questions' }).press('Enter')
  await expect(page.getByRole('heading', { level: 2 })).toBeFocused()
  await page.keyboard.press('a')
  await expect(page.getByRole('radio', { name: /Alpha/ })).toBeChecked()
  await expectSound(page)
  await page.getByLabel('Comment').fill('Half a point is 0.5%.')
  await page.getByRole('button', { name: 'Stop for now' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'You are in the middle of it' })).toBeVisible()
  await page.getByRole('button', { name: 'Go on, 1 of 2 answered' }).press('Enter')
  await expect(page.getByText('Question 2 of 2', { exact: true })).toBeVisible()
  await page.keyboard.press('c')
  await page.getByRole('button', { name: 'Finish and compare' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'One key is disputed' })).toBeVisible()

  const other = await browser.newContext({ baseURL: product.url })
  const colleague = await other.newPage()
  await join(colleague, product, society, 'author')
  await colleague.goto(`${path}/check`)
  await colleague.getByRole('button', { name: 'Check 2 questions' }).press('Enter')
  await expect(colleague.getByRole('heading', { level: 2 })).toBeFocused()
  await colleague.keyboard.press('1')
  // On a question the arrow goes on; in its group of options it would choose.
  await colleague.keyboard.press('ArrowRight')
  await expect(colleague.getByText('Question 2 of 2', { exact: true })).toBeVisible()
  await colleague.keyboard.press('3')
  await colleague.getByRole('button', { name: 'Finish and compare' }).press('Enter')
  await expect(colleague.getByRole('heading', { name: 'One key is disputed' })).toBeVisible()
  await other.close()

  // Who may not read keys before the close is asked for no proof, and compares nothing.
  const third = await browser.newContext({ baseURL: product.url })
  const reviewer = await third.newPage()
  await join(reviewer, product, society, 'reviewer')
  await reviewer.goto(path)
  await expect(reviewer.getByRole('heading', { name: 'Not yet' })).toBeVisible()
  await reviewer.getByRole('link', { name: 'Blind key check' }).press('Enter')
  await reviewer.getByRole('button', { name: 'Check 2 questions' }).press('Enter')
  await expect(reviewer.getByRole('heading', { level: 2 })).toBeFocused()
  await reviewer.keyboard.press('a')
  await reviewer.getByRole('button', { name: 'Finish', exact: true }).press('Enter')
  await expect(reviewer.getByText('One is not answered. Finish all the same?')).toBeVisible()
  await reviewer.getByRole('button', { name: 'Finish all the same' }).press('Enter')
  await expect(reviewer.getByText('Your answers are stored.')).toBeVisible()
  await expect(reviewer.getByRole('button', { name: 'Check the one that is left' })).toBeVisible()
  await expect(reviewer.getByText('There is no such society')).toBeHidden()
  await third.close()

  await page.reload()
  await expect(page.getByRole('heading', { name: 'One key is disputed' })).toBeVisible()
  await expect(page.getByText(/^Disputed: .+ chose /)).toBeVisible()
  await page.locator('summary').first().press('Enter')
  await expect(page.getByText('Half a point is 0.5%.')).toBeVisible()
  await expectSound(page)

  // What differs is open: an owner upholds the key, and takes it back.
  await page.getByRole('button', { name: /^Uphold / }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('The bond pays twice a year.')
  await expectSound(page)
  await page.keyboard.press('Control+Enter')
  const all = page.getByRole('heading', { name: 'All 2 keys are confirmed, one by an owner' })
  await expect(all).toBeVisible()
  await expect(page.getByText('The bond pays twice a year.')).toBeVisible()
  await expectSound(page)
  await page.getByRole('button', { name: 'Take this back' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'One key is disputed' })).toBeVisible()
})
