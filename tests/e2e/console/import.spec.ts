import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { assessmentItems, assessments } from '../../../assessments/server/tables.ts'
import { findOrMakeSociety } from '../../../societies/access/server/societies.ts'
import type { Role } from '../../../societies/kit/roles.ts'
import { expect, expectSound, type Product, putSession, test } from '../rig.ts'
import { addMember } from './console-rig.ts'

const GIFT = `$CATEGORY: Bonds

What happens to the price of a bond when the yield falls by half a point? {=It rises ~It falls ~It stays ~It doubles}

Which of these pays no coupon? {=A zero bond ~A par bond ~A perpetual #### Look at page 3.}

Who ranks before shareholders? {~%50%Bondholders ~%50%Banks ~Nobody ~Directors}

Say what duration is. {}`

/** An assessment with two questions, keys A and B, in its own society. */
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

/** Signs in a new account with a role in the society. */
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
  // The 422 is for the invalid file.
  expectConsoleErrors((text) => text.includes('422'))
  const { society, path } = await makeAssessment(product)
  await join(page, product, society, 'author')
  await page.goto(`${path}/import`)
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
