import { randomUUID } from 'node:crypto'
import { hashCandidatePassword } from '../../../assessments/server/password-store.ts'
import { assessmentItems, assessments, candidates } from '../../../assessments/server/tables.ts'
import { grantRole } from '../../../societies/server/team/members.ts'
import { findOrMakeSociety } from '../../../societies/server/team/societies.ts'
import { makePng } from '../../rig/questions/picture-rig.ts'
import { expect, expectAccessible, type Product, putSession, test } from '../rig.ts'

const STEMS = [
  'What happens to equity when a loss is booked?',
  'How many euros does one pound cost at 1.10 and 1.25 dollars?',
  'Which of these is not a liability?',
]

/** A society of its own with a test of three questions, and an account that owns it. */
async function makeTest(product: Product, email: string) {
  const client = product.db.$client
  const now = new Date()
  const societyId = await findOrMakeSociety(client, `Society ${randomUUID().slice(0, 8)}`, now)
  const code = `Q${randomUUID().slice(0, 8).toUpperCase()}`
  await product.db.insert(assessments).values({
    ...{ code, societyId, society: 'Test Society', session: 'Morning', durationSeconds: 1800 },
    ...{ shuffle: false, navigator: false, timeZone: 'Europe/Lisbon', isSample: false },
    rules: { timing: [], allowed: [], forbidden: [], contact: null },
    createdAt: now,
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
  const join = async (of: string) => {
    const { rows } = await client.query('select id from users where email = $1', [of])
    await grantRole(
      client,
      { societyId, userId: rows[0].id, role: 'owner', now },
      { assessments: null, until: null },
    )
  }
  await join(email)
  return { code, join, url: `/organise/${societyId}/assessments/${code}/questions` }
}

test('a question is written, checked, ordered and brought back by keyboard', async ({
  page,
  signedIn,
  product,
}) => {
  const { url } = await makeTest(product, signedIn.email)
  await page.goto(url)
  await expect(
    page.getByRole('heading', { name: '3 questions, no errors, two hints' }),
  ).toBeVisible()

  // '/' finds, Enter opens
  await page.keyboard.press('/')
  await page.keyboard.type('pound')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Question 2', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')

  // the remedy of a hint, and the computed answer
  await page.getByRole('button', { name: 'Put them in order, the key moves along' }).press('Enter')
  await expect(page.getByRole('textbox', { name: 'Option A' })).toHaveValue('0.88')
  await expect(page.getByRole('radio', { name: 'B is the key' })).toBeChecked()
  await page.getByLabel('Computed answer').fill('1.25 / 1.10')
  await expect(page.getByText('agrees with B')).toBeVisible()
  const view = page.getByRole('complementary', { name: 'As the candidate sees it' })
  await expect(view.getByRole('radio', { name: 'A 0.88' })).toBeVisible()
  await page.getByRole('button', { name: 'Save as version 2' }).press('Enter')
  await expect(page.getByText('Saved as version 2.')).toBeVisible()
  await expect(
    page.getByRole('heading', { name: '3 questions, no errors, one hint' }),
  ).toBeVisible()

  // the order: Alt and an arrow, the focus stays on the question
  const row = page.getByRole('button', { name: /How many euros/ })
  await row.focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(page.getByText('Question 2 is now 1.')).toBeAttached()
  await expect(row).toBeFocused()
  await page.reload()
  await expect(page.locator('[data-row]').first()).toContainText('How many euros')
  await page.locator('[data-row]').first().focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('[data-row]').nth(1)).toBeFocused()

  // an error, said in words; deleted and put back
  await page.getByRole('textbox', { name: 'Option B' }).fill('')
  await expect(page.getByText('Error: Option B is empty.')).toBeVisible()
  await page.getByRole('button', { name: 'Throw the change away' }).press('Enter')
  await page.getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(page.getByText('Question 1 is deleted.')).toBeVisible()
  await expect(page.locator('[data-row]')).toHaveCount(2)
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(page.locator('[data-row]')).toHaveCount(3)

  // the history brings the first version back as the third
  await page.getByRole('button', { name: 'Version 2', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Bring version 1 back' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Version 3', exact: true })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Option A' })).toHaveValue('1.14')

  // a new one
  await page.getByRole('button', { name: 'New question' }).press('Enter')
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
  await expect(page.getByText('Please tick the option that is the key.')).toBeVisible()
  await page.getByRole('radio', { name: 'A is the key' }).press('Space')
  await page.getByRole('button', { name: 'Save as version 1' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Question 4' })).toBeVisible()
})

test('keys are covered some time after the sign-in, and uncovered once', async ({
  page,
  signedIn,
  product,
  expectConsoleErrors,
}) => {
  // Covered, until it was shown who is there.
  expectConsoleErrors((text) => text.includes('403'))
  const { url } = await makeTest(product, signedIn.email)
  await product.db.$client.query(
    `update sessions set proven_at = proven_at - interval '6 minutes'
     where user_id = (select id from users where email = $1)`,
    [signedIn.email],
  )
  await page.goto(url)
  await expect(page.getByRole('heading', { name: 'The keys are covered' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Uncover them' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Is it you?' })
  await dialog.getByLabel('Your password', { exact: true }).fill(signedIn.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Question 1', exact: true })).toBeVisible()
  // Once: what comes later in the same session is not asked for.
  await product.db.$client.query(
    `update sessions set proven_at = proven_at - interval '6 minutes'
     where user_id = (select id from users where email = $1)`,
    [signedIn.email],
  )
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Question 1', exact: true })).toBeVisible()
})

test('two people in one question lose nothing', async ({
  page,
  signedIn,
  product,
  browser,
  expectConsoleErrors,
}) => {
  // Refused, on purpose: somebody else has saved meanwhile.
  expectConsoleErrors((text) => text.includes('409'))
  const { url, join } = await makeTest(product, signedIn.email)
  const carla = {
    email: `carla-${randomUUID().slice(0, 8)}@example.com`,
    password: 'correct horse',
  }
  const other = await (await browser.newContext({ baseURL: product.url })).newPage()
  await putSession(other, product, carla)
  await join(carla.email)
  await other.goto(url)
  await expect(other.getByRole('heading', { name: 'Question 1', exact: true })).toBeVisible()
  await page.goto(url)
  await expect(page.getByText(/^carla-\w+ is here too$/)).toBeVisible()

  await page.getByRole('textbox', { name: 'Question' }).fill('Mine?')
  await page.getByRole('textbox', { name: 'Option B' }).fill('Mine alone')
  await other.getByRole('textbox', { name: 'Question' }).fill('Hers?')
  await other.getByRole('textbox', { name: 'Option C' }).fill('Hers alone')
  await other.getByRole('button', { name: 'Save as version 2' }).click()
  await expect(other.getByText('Saved as version 2.')).toBeVisible()

  await page.getByRole('button', { name: /Save as version/ }).click()
  const dialog = page.getByRole('dialog', { name: /carla-\w+ has saved version 2/ })
  await expect(dialog.getByText(/^Taken from carla-\w+: Option C\.$/)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('radio', { name: /Hers\?/ }).check()
  await dialog.getByRole('button', { name: 'Save as version 3' }).click()
  await expect(page.getByText('Saved as version 3.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Question' })).toHaveValue('Hers?')
  await expect(page.getByRole('textbox', { name: 'Option B' })).toHaveValue('Mine alone')
  await expect(page.getByRole('textbox', { name: 'Option C' })).toHaveValue('Hers alone')
  await other.context().close()
})

test('a table and a picture reach the candidate, also without a network', async ({
  page,
  signedIn,
  product,
}) => {
  const { url, code } = await makeTest(product, signedIn.email)
  await page.goto(url)
  await page.getByRole('button', { name: 'Table' }).click()
  await page.getByLabel(/Paste it from a spreadsheet/).fill('Year\tEBITDA\n2025\t12.0\n2026\t13.5')
  await expect(page.getByRole('columnheader', { name: 'EBITDA' })).toBeVisible()
  await page.getByRole('button', { name: 'Save as version 2' }).click()
  await expect(page.getByText('Saved as version 2.')).toBeVisible()
  await page.locator('[data-row]').nth(1).click()
  await page.getByLabel('Picture', { exact: true }).setInputFiles({
    ...{ name: 'curve.png', mimeType: 'image/png', buffer: makePng(1200, 300) },
  })
  await page.getByLabel(/What it shows/).fill('A curve that rises')
  await expect(page.getByRole('img', { name: 'A curve that rises' })).toBeVisible()
  await page.getByRole('button', { name: 'Save as version 2' }).click()
  await expect(page.getByText('Saved as version 2.')).toBeVisible()

  await product.db.insert(candidates).values({
    ...{ id: randomUUID(), assessment: code, username: 'c1', createdAt: new Date() },
    passwordHash: hashCandidatePassword(product.secretKey, 'abcd-efgh-jkmnp'),
  })
  const candidate = await page
    .context()
    .browser()
    ?.newContext({ baseURL: product.url, viewport: { width: 390, height: 800 } })
  const sat = await candidate?.newPage()
  if (!candidate || !sat) throw new Error('there is no other browser')
  await putSession(sat, product, {
    email: `c-${randomUUID().slice(0, 8)}@example.com`,
    password: 'correct horse',
  })
  await sat.goto('/recruitment')
  const session = await sat.evaluate(
    () => JSON.parse(localStorage.getItem('superday-auth') ?? '{}').access_token,
  )
  const verified = await sat.request.post(`/api/assessments/${code}/verify`, {
    headers: { Authorization: `Bearer ${session}` },
    data: { username: 'c1', password: 'abcd-efgh-jkmnp' },
  })
  const { candidateToken } = await verified.json()
  await sat.evaluate(
    ([of, token]) => {
      sessionStorage.setItem('recruitment_association', of as string)
      sessionStorage.setItem(`${of?.toLowerCase()}_username`, 'c1')
      sessionStorage.setItem(`${of?.toLowerCase()}_candidate_token`, token as string)
    },
    [code, candidateToken],
  )
  const pictures = sat.waitForResponse(/\/attempt\/pictures\//)
  await sat.goto('/recruitment/test')
  await expect(sat.getByRole('columnheader', { name: 'EBITDA' })).toBeVisible()
  expect((await pictures).status()).toBe(200)
  await sat.waitForTimeout(200)
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

  // a candidate has started: the page is for reading
  await page.reload()
  await expect(page.getByText(/A wrong key is ruled on under Analysis/)).toBeVisible()
  await expect(page.getByRole('button', { name: /Save as/ })).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Option A' })).not.toBeEditable()
})

test('the page is accessible in both themes, on a desk and on a phone', async ({
  page,
  signedIn,
  product,
}) => {
  const { url } = await makeTest(product, signedIn.email)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(url)
    await expect(page.getByRole('heading', { name: 'Question 1', exact: true })).toBeVisible()
    await page.locator('[data-row]').nth(1).click()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 800 })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'All questions' }).click()
    await expect(page.locator('[data-row]')).toHaveCount(3)
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  }
})
