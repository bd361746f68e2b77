import { randomUUID } from 'node:crypto'
import { assessmentItems } from '../../../assessments/server/tables.ts'
import { makePng } from '../../rig/questions/questions-rig.ts'
import { enterTest, makeCandidate, openOtherBrowser } from '../assessment-rig.ts'
import { expect, expectAccessible, expectSound, type Product, putSession, test } from '../rig.ts'
import { addMember, makeTest } from './console-rig.ts'

const STEMS = [
  'What happens to equity when a loss is booked?',
  'How many euros does one pound cost at 1.10 and 1.25 dollars?',
  'Which of these is not a liability?',
]

/** A test of three questions, and an account that owns it. */
async function makeThree(product: Product, email: string) {
  const { code, society, of } = await makeTest(product, email, {
    itemCount: 0,
    durationSeconds: 1800,
  })
  const options = [
    ['It falls', 'It rises', 'It stays', 'It is split'],
    ['1.14', '0.88', '1.38', '2.35'],
    ['A bond issued', 'A loan taken', 'A bill unpaid', 'A share held'],
  ]
  await product.db.insert(assessmentItems).values(
    STEMS.map((question, at) => {
      const [answerA = '', answerB = '', answerC = '', answerD = ''] = options[at] ?? []
      return {
        ...{ assessment: code, position: at + 1, question, answerA, answerB, answerC, answerD },
        ...{ correctOption: at === 2 ? ('D' as const) : ('A' as const), isSample: false },
      }
    }),
  )
  return { code, society, url: of('questions') }
}

/** Simulates a sign-in six minutes ago, which is too long to see keys without a password. */
const ageProof = ({ db }: Product, email: string) =>
  db.$client.query(
    `update sessions set proven_at = proven_at - interval '6 minutes'
     where user_id = (select id from users where email = $1)`,
    [email],
  )

test('An owner reveals the keys, then edits, orders, deletes and restores questions by keyboard', async ({
  page,
  signedIn,
  product,
  expectConsoleErrors,
}) => {
  // The 403 is for the keys before the password.
  expectConsoleErrors((text) => text.includes('403'))
  const { url } = await makeThree(product, signedIn.email)
  await ageProof(product, signedIn.email)
  await page.goto(url)
  await page.getByRole('button', { name: 'Uncover them' }).press('Enter')
  const proof = page.getByRole('dialog', { name: 'Confirm your identity' })
  await proof.getByLabel('Your password', { exact: true }).fill(signedIn.password)
  await page.keyboard.press('Enter')
  await expect(
    page.getByRole('heading', { name: '3 questions, no errors, two hints' }),
  ).toBeVisible()

  // '/' searches, Enter opens
  await page.keyboard.press('/')
  await page.keyboard.type('pound')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Question 2', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')

  // a hint's quick fix, and the computed answer
  await page.getByRole('button', { name: 'Sort the options (the key moves too)' }).press('Enter')
  await expect(page.getByRole('textbox', { name: 'Option A' })).toHaveValue('0.88')
  await expect(page.getByRole('radio', { name: 'B is the key' })).toBeChecked()
  await page.getByLabel('Computed answer').fill('1.25 / 1.10')
  await expect(page.getByText('agrees with B')).toBeVisible()
  const view = page.getByRole('complementary', { name: 'Candidate view' })
  await expect(view.getByRole('radio', { name: 'A 0.88' })).toBeVisible()
  await expectSound(page)
  await page.getByRole('button', { name: 'Save as version 2' }).press('Enter')
  await expect(page.getByText('Saved as version 2.')).toBeVisible()
  await expect(
    page.getByRole('heading', { name: '3 questions, no errors, one hint' }),
  ).toBeVisible()

  // the order: a button, which keeps the focus
  const up = page.getByRole('button', { name: 'Move up' })
  await up.press('Enter')
  await expect(page.getByText('Question 2 is now 1.')).toBeAttached()
  await expect(up).toBeFocused()
  // The proof holds for the session, so the reload shows the keys immediately.
  await ageProof(product, signedIn.email)
  await page.reload()
  await expect(page.locator('[data-row]').first()).toContainText('How many euros')
  await page.locator('[data-row] button').first().focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('[data-row] button').nth(1)).toBeFocused()

  // an error message; then delete and undo
  await page.getByRole('textbox', { name: 'Option B' }).fill('')
  await expect(page.getByText('Error: Option B is empty.')).toBeVisible()
  await page.getByRole('button', { name: 'Discard changes' }).press('Enter')
  await page.getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(page.getByText('Question 1 is deleted.')).toBeVisible()
  await expect(page.locator('[data-row]')).toHaveCount(2)
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(page.locator('[data-row]')).toHaveCount(3)

  // the history restores the first version as the third
  await page.getByRole('button', { name: 'Version 2', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Restore version 1' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Version 3', exact: true })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Option A' })).toHaveValue('1.14')

  // a new question
  await page.getByRole('button', { name: 'New question' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'New question' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Question' }).fill('What does a bond pay?')
  for (const [letter, text] of Object.entries({
    A: 'A coupon',
    B: 'A fee',
    C: 'A rent',
    D: 'A toll',
  })) {
    await page.getByRole('textbox', { name: `Option ${letter}` }).fill(text)
  }
  await page.getByRole('button', { name: 'Save as version 1' }).press('Enter')
  await expect(page.getByText('Select the option that is the key.')).toBeVisible()
  await page.getByRole('radio', { name: 'A is the key' }).press('Space')
  await page.getByRole('button', { name: 'Save as version 1' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Question 4', exact: true })).toBeVisible()
})

test('Of two members who save one question at the same time, the second keeps the text and sees the first version', {
  tag: '@full',
}, async ({ page, signedIn, product, browser, expectConsoleErrors }) => {
  // The 409 is intended: the other member saved first.
  expectConsoleErrors((text) => text.includes('409'))
  const { url, society } = await makeThree(product, signedIn.email)
  const carla = {
    email: `carla-${randomUUID().slice(0, 8)}@example.com`,
    password: 'correct horse',
  }
  const other = await (await browser.newContext({ baseURL: product.url })).newPage()
  await putSession(other, product, carla)
  await addMember(product, society, carla.email)
  await other.goto(url)
  await page.goto(url)
  const stem = page.getByRole('textbox', { name: 'Question' })
  await stem.fill('Mine?')
  await other.getByRole('textbox', { name: 'Question' }).fill('Hers?')
  await other.getByRole('button', { name: 'Save as version 2' }).click()
  await expect(other.getByText('Saved as version 2.')).toBeVisible()

  await page.getByRole('button', { name: /Save as version/ }).click()
  await expect(page.getByText(/^carla-\w+ changed this just now\. Reload to see/)).toBeVisible()
  await expect(stem).toHaveValue('Mine?')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Reload' }).press('Enter')
  await expect(stem).toHaveValue('Hers?')
  await page.getByRole('button', { name: 'Put my text back' }).press('Enter')
  await expect(stem).toHaveValue('Mine?')
  await page.getByRole('button', { name: 'Save as version 3' }).click()
  await expect(page.getByText('Saved as version 3.')).toBeVisible()
  await other.context().close()
})

test('A member answers with the keys hidden, and disputes appear on the overview until withdrawn', {
  tag: '@full',
}, async ({ page, signedIn, product }) => {
  const { url } = await makeThree(product, signedIn.email)
  // The old address of the key check.
  await page.goto(`${url}/check`)
  const hide = page.getByRole('switch', { name: 'Hide the key' })
  await expect(hide).toBeChecked()
  await expect(page.getByText('0 of 3 answered')).toBeVisible()
  const first = page.getByRole('region', { name: /What happens to equity/ })
  await first.focus()
  await page.keyboard.press('a')
  await expect(page.getByText('You agree with the key.')).toBeVisible()
  await expect(page.getByText('1 of 3 answered')).toBeVisible()
  await expectSound(page)
  // The check at a phone's width rebuilt the page and lost the focus.
  await first.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: /How many euros/ })).toBeFocused()
  await page.keyboard.press('c')
  await expect(page.getByText('You chose C. The key is A.')).toBeVisible()
  await page.getByLabel('What do you think now?').fill('The rates are swapped.')
  await page.getByRole('button', { name: 'Dispute the key' }).press('Enter')
  await expect(page.getByText('You dispute the key: The rates are swapped.')).toBeVisible()
  await page.getByRole('button', { name: 'Next question' }).press('Enter')
  await expect(page.getByRole('heading', { name: /not a liability/ })).toBeFocused()
  await page.keyboard.press('b')
  await page.getByRole('button', { name: 'My mistake' }).press('Enter')
  await expect(page.getByText('You agree with the key.')).toBeVisible()
  await expect(page.getByText('3 of 3 answered')).toBeVisible()

  await page.goto(url.replace('/questions', ''))
  await expect(page.getByText('The key of question 2 is disputed.')).toBeVisible()
  await expect(page.getByText(/disputes it: The rates are swapped\./)).toBeVisible()
  await page.getByRole('link', { name: 'Open question 2' }).first().press('Enter')
  await expect(page.getByText('You chose C and dispute the key.')).toBeVisible()
  await expectSound(page)
  await page.getByRole('switch', { name: 'Hide the key' }).press('Space')
  await page.getByRole('button', { name: 'Withdraw the dispute' }).press('Enter')
  await expect(page.getByText('2 of 3 answered')).toBeVisible()
})

test('A table and an image reach the candidate, even offline', { tag: '@full' }, async ({
  page,
  signedIn,
  product,
  browser,
}) => {
  const { url, code } = await makeThree(product, signedIn.email)
  await page.goto(url)
  await page.getByRole('button', { name: 'Table' }).click()
  await page.getByLabel(/Paste it from a spreadsheet/).fill('Year\tEBITDA\n2025\t12.0\n2026\t13.5')
  await expect(page.getByRole('columnheader', { name: 'EBITDA' })).toBeVisible()
  await page.getByRole('button', { name: 'Save as version 2' }).click()
  await expect(page.getByText('Saved as version 2.')).toBeVisible()
  await page.locator('[data-row]').nth(1).click()
  await page.getByLabel('Image', { exact: true }).setInputFiles({
    ...{ name: 'curve.png', mimeType: 'image/png', buffer: makePng(1200, 300) },
  })
  await page.getByLabel(/What it shows/).fill('A curve that rises')
  await expect(page.getByRole('img', { name: 'A curve that rises' })).toBeVisible()
  await page.getByRole('button', { name: 'Save as version 2' }).click()
  await expect(page.getByText('Saved as version 2.')).toBeVisible()

  const { username } = await makeCandidate(product, code)
  const { context: candidate, page: sat } = await openOtherBrowser(browser, product)
  await sat.setViewportSize({ width: 390, height: 800 })
  const pictures = sat.waitForResponse(/\/attempt\/pictures\//)
  await enterTest(sat, code, username)
  await expect(sat.getByRole('columnheader', { name: 'EBITDA' })).toBeVisible()
  const picture = await pictures
  expect(picture.status()).toBe(200)
  await picture.finished()
  await candidate.setOffline(true)
  await sat.getByRole('button', { name: 'Next' }).click()
  const shown = sat.getByRole('img', { name: 'A curve that rises' })
  await expect(shown).toBeVisible()
  expect(
    await shown.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth),
  ).toBe(1200)
  expect(await sat.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await candidate.setOffline(false)
  await expectAccessible(sat)
  await candidate.close()

  // a candidate has started, so the page is read-only
  await page.reload()
  await expect(page.getByText(/If a key is wrong, make a ruling under Analysis/)).toBeVisible()
  await expect(page.getByRole('button', { name: /Save as/ })).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Option A' })).not.toBeEditable()
})

test('On a phone the editor leads back to the list of questions', { tag: '@full' }, async ({
  page,
  signedIn,
  product,
}) => {
  const { url } = await makeThree(product, signedIn.email)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(url)
  await page.locator('[data-row]').first().click()
  await page.getByRole('button', { name: 'All questions' }).click()
  await expect(page.locator('[data-row]')).toHaveCount(3)
  await expectSound(page)
})
