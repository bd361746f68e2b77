import { randomUUID } from 'node:crypto'
import { expect, expectAccessible, expectSound, type Product, tabTo, test } from '../rig.ts'
import { makeSociety, makeTest } from './console-rig.ts'

// The life cycle of an assessment in the browser (product 7.8), by keyboard where it is one flow.

const YAML = (code: string) => `
code: ${code}
society: Club
session: Morning
durationSeconds: 1800
shuffle: true
navigator: true
timeZone: Europe/Lisbon
rules: { timing: [], allowed: [Pen], forbidden: [], contact: null }
items: [{ id: 1, question: Own?, options: { A: a, B: b, C: c, D: d }, answer: A }]`

const code = () => `E${randomUUID().slice(0, 7).toUpperCase()}`

test('An owner creates an assessment from a file, publishes it, takes it back, deletes and restores it', async ({
  page,
  product,
  signedIn,
  expectConsoleErrors,
}) => {
  const { id: society } = await makeSociety(product, signedIn.email)
  const name = code()
  await page.goto(`/organise/${society}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No assessment yet')
  await expectSound(page)
  await tabTo(page, 'From a file')
  await page.keyboard.press('Enter')
  await page.getByLabel('File').setInputFiles({
    name: 'test.yaml',
    mimeType: 'text/yaml',
    buffer: Buffer.from(YAML(name)),
  })
  await expectSound(page)
  await page.getByLabel('File').focus()
  await tabTo(page, 'Season')
  await page.keyboard.type('Autumn 2026')
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/of six (is|are) ready\./)
  await expect(page.getByText('Draft', { exact: true })).toBeVisible()
  await expectSound(page)

  // The start is 3 days from now, entered in Lisbon time.
  await tabTo(page, 'Settings')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('you can change everything')
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  await page.getByLabel('Opens').fill(`${day}T09:00`)
  await page.getByLabel('Start deadline').fill(`${day}T09:30`)
  await expect(page.getByText('Candidates who start at 09:30 have until 10:00')).toBeVisible()
  await expectSound(page)
  await page.getByLabel('Opens').focus()
  await tabTo(page, 'Save 2 changes')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Nothing changed' })).toBeVisible()

  await page.getByRole('link', { name: 'Overview' }).focus()
  await page.keyboard.press('Enter')
  await tabTo(page, 'Publish…')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Publish this test?' })
  await expect(dialog).toContainText("Candidates can't start before it opens.")
  await expectAccessible(page)
  await tabTo(page, 'Publish to 0 candidates')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Preparing', { exact: true })).toBeVisible()

  await tabTo(page, 'Return to draft')
  await page.keyboard.press('Enter')
  const asked = page.getByRole('dialog', { name: 'Return to draft?' })
  await asked.getByRole('button', { name: 'Return to draft' }).press('Enter')
  await expect(page.getByText('Draft', { exact: true })).toBeVisible()

  await page.goto(`/organise/${society}/assessments/${name}/settings`)
  await page.getByRole('button', { name: 'Delete the test…' }).press('Enter')
  // The page polls every ten seconds and may do so just after the test is deleted.
  expectConsoleErrors((text) => text.includes('404'))
  const question = page.getByRole('dialog', { name: `Delete ${name}?` })
  await expect(question).toContainText('1 question, 0 candidates')
  await question.getByRole('button', { name: `Delete ${name}` }).press('Enter')
  await expect(page).toHaveURL(`/organise/${society}`)
  await expect(page.getByText(`${name} is deleted`)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No assessment yet')
  await page.getByRole('link', { name: 'Society', exact: true }).press('Enter')
  await expect(page.getByText(/^Deleted by .* It can be restored until/)).toBeVisible()
  await expectSound(page)
  await page.getByRole('button', { name: `Restore ${name}` }).press('Enter')
  await expect(page.getByText(/^No deleted tests\./)).toBeVisible()
  await page.getByRole('link', { name: 'Assessments' }).press('Enter')
  await expect(page.getByRole('link', { name: 'Morning' })).toBeVisible()
})

test('A start window that is empty, incomplete, without a zone or past is named and not saved without asking', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  const { code: name, of } = await makeOne(product, signedIn.email)
  const stored = async () => {
    const { rows } = await product.db.$client.query(
      'select opens_at as opens, closes_at as closes from assessments where code = $1',
      [name],
    )
    return rows[0] as { opens: Date | null; closes: Date | null }
  }
  await page.goto(of('settings'))
  const opens = page.getByLabel('Opens')
  const closes = page.getByLabel('Start deadline')
  const zone = page.getByLabel('Time zone')
  const save = page.getByRole('button', { name: /^Save \d change/ })

  await closes.fill('')
  await expect(page.getByText(/^It can be started from .* and never closes/)).toBeVisible()
  await opens.fill('')
  await expect(page.getByText('Without times, candidates can start at any time')).toBeVisible()
  await save.click()
  await expect(page.getByRole('button', { name: 'Nothing changed' })).toBeVisible()
  expect(await stored()).toEqual({ opens: null, closes: null })

  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await zone.fill('Lisbon')
  await expect(zone).toHaveAttribute('aria-invalid', 'true')
  await expect(closes).not.toHaveAttribute('aria-invalid')
  await expect(page.getByText('Saved', { exact: true })).toHaveCount(0)
  await expect(page.getByText('Choose the time zone first')).toBeVisible()
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await zone.fill('Europe/Lisbon')

  await opens.focus()
  await page.keyboard.type('11')
  await expect(opens).toHaveAttribute('aria-invalid', 'true')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Backspace')
  await expect(opens).not.toHaveAttribute('aria-invalid')

  await closes.fill('2020-03-02T09:00')
  await save.click()
  const question = page.getByRole('dialog', { name: 'Close it now?' })
  await expect(question).toContainText(
    'From then on, no one can start. No candidates are on the list.',
  )
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await stored()).toEqual({ opens: null, closes: null })
  await save.click()
  await question.getByRole('button', { name: 'Close it now' }).click()
  await expect(page.getByRole('button', { name: 'Nothing changed' })).toBeVisible()
  expect(await stored()).toEqual({ opens: null, closes: new Date('2020-03-02T09:00:00Z') })

  await product.db.$client.query('update assessments set is_draft = true where code = $1', [name])
  await page.reload()
  await expect(page.getByText('This is in the past, so no candidate could start.')).toBeVisible()
})

test('A code that the society already has is refused at its field, and a test is copied into another season', {
  tag: '@full',
}, async ({ page, product, signedIn, expectConsoleErrors }) => {
  expectConsoleErrors((text) => text.includes('409'))
  const { code: name, society } = await makeOne(product, signedIn.email, 'Autumn 2026')
  await page.goto(`/organise/${society}/new?from=empty`)
  await expect(page.getByLabel('Code')).toBeVisible()
  await expectSound(page)
  await page.getByLabel('Code').fill(name.toLowerCase())
  await page.getByRole('button', { name: 'Create draft' }).click()
  await expect(page.getByLabel('Code')).toHaveAttribute('aria-invalid', 'true')
  await expect(
    page.getByText(`Your society has a test with the code ${name}, or had one`),
  ).toBeVisible()

  await page.getByRole('link', { name: 'Copy a test' }).click()
  await page.getByLabel('Season').fill('Autumn 2027')
  await page.getByLabel('Code').fill(`${name}B`)
  await expectSound(page)
  await page.getByRole('button', { name: 'Copy 1 question into a draft' }).click()
  await expect(page).toHaveURL(`/organise/${society}/assessments/${name}B`)
  await page.goto(`/organise/${society}`)
  await expect(page.getByRole('heading', { name: 'Autumn 2026', level: 2 })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Autumn 2027', level: 2 })).toBeVisible()
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2)
  await expectSound(page)
})

/** A published assessment that opens in two days. @returns its code */
async function makeOne(product: Product, email: string, season: string | null = null) {
  const [opensAt, closesAt] = [48, 49].map((hours) => new Date(Date.now() + hours * 3_600_000))
  const times = { durationSeconds: 1_800, opensAt, closesAt, timeZone: 'Europe/Lisbon' }
  return makeTest(product, email, { ...times, season, itemCount: 1 })
}
