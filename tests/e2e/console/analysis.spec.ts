import type { Page } from '@playwright/test'
import type { Role } from '../../../societies/kit/roles.ts'
import { CROWD_KEY, crowd, makeSatTest } from '../../rig/analysis-rig.ts'
import { closedSession, release } from '../../rig/fairness-rig.ts'
import { expect, expectSound, type Product, tabTo, test } from '../rig.ts'
import { addMember, makeSociety, openedDialog } from './console-rig.ts'

// Analysis by question, and rulings (product 7.18). The last question's key is wrong.

/** A closed test that `people` took, with a role for the page's account. @returns the address of its pages */
async function sat(product: Product, email: string, people: number, role: Role = 'owner') {
  const { db, secretKey } = product
  const rig = { db, clock: { now: product.clock.now() }, dependencies: { secretKey } }
  const made = await makeSatTest(rig, CROWD_KEY, crowd(people))
  await addMember(product, made.society, email, role)
  return { ...made, page: `/organise/${made.society}/assessments/${made.code}/analysis` }
}

const headline = (page: Page) => page.getByRole('heading', { level: 1 })

test('An owner finds a wrong key, rules on it and withdraws the ruling, by keyboard', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  const { code, page: address } = await sat(product, signedIn.email, 66)
  await product.db.$client.query(
    `insert into result_lines (assessment, points, version, changed_by, changed_at)
     values ($1, 6, 1, 'tester', now())`,
    [code],
  )
  await page.goto(address)
  await expect(headline(page)).toHaveText('Question 10 probably has the wrong key')
  // The suspicious row is open and shows who chose what.
  await expect(page.getByText(/of the top \d+ candidates chose B\.$/)).toBeVisible()
  await expect(page.getByText('key is probably B').last()).toBeVisible()
  await expectSound(page)

  // It is the second view of Results.
  const views = page.getByRole('navigation', { name: 'Results' })
  await views.getByRole('link', { name: 'Scores' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Every candidate, by score' })).toBeVisible()
  await views.getByRole('link', { name: 'Analysis' }).press('Enter')
  await expect(headline(page)).toHaveText('Question 10 probably has the wrong key')
  await expect(page.getByRole('link', { name: 'Results', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  )

  // Another row opens in place.
  await tabTo(page, /^Stem 2 of/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Rule on question 2…' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Rule on question 2…' })).toHaveCount(0)

  await tabTo(page, 'Rule on question 10…')
  await page.keyboard.press('Enter')
  await expect(headline(page)).toHaveText('Rule on question 10')
  await expect(page.getByRole('radio', { name: /Replace the key: B instead of A/ })).toBeChecked()
  await expect(page.getByRole('heading', { name: 'Across the cut score' })).toBeVisible()
  await expectSound(page)
  await tabTo(page, /^Replace the key/)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: /Accept B as well as A/ })).toBeChecked()
  await page.keyboard.press('ArrowDown')
  await expect(
    page.getByText('Lower the cut score to 5, because one question no longer counts'),
  ).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await tabTo(page, 'Reason')
  await page.keyboard.type('The options were rewritten, the key was not moved')
  await expect(
    page.getByRole('button', { name: /^Replace the key: \d+ results change$/ }),
  ).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/\d+ results have changed\./)).toBeVisible()
  await expect(headline(page)).not.toHaveText(/wrong key/)
  await expect(page.getByText('ruled: B').last()).toBeVisible()

  // The question's history shows the ruling, which is then withdrawn.
  await page.goto(`${address}/10`)
  await expect(page.getByText('B is the key instead')).toBeVisible()
  await tabTo(page, 'Withdraw…')
  await page.keyboard.press('Enter')
  await openedDialog(page)
  await page.keyboard.type('A was right after all')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/^Withdrawn by .*: A was right after all$/)).toBeVisible()
  await page.goto(address)
  await expect(headline(page)).toHaveText('Question 10 probably has the wrong key')

  // Alternatively the key is right, and nobody is asked again.
  await page.getByRole('button', { name: 'Confirm the key' }).click()
  await page.getByLabel('Reason').fill('Worked out again')
  await page.getByRole('button', { name: 'Confirm A' }).click()
  await expect(page.getByText('key confirmed').last()).toBeVisible()
})

test('An author proposes a ruling without seeing a candidate, and an owner adopts it', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  const made = await sat(product, signedIn.email, 66, 'author')
  // For authors, the Results tab leads to the analysis.
  await page.goto(made.page.replace('/analysis', '/results'))
  await page.getByRole('link', { name: 'Propose a ruling on question 10…' }).first().click()
  await expect(headline(page)).toHaveText('Propose a ruling on question 10')
  await expect(page.getByRole('heading', { name: 'Across the cut score' })).toHaveCount(0)
  await page.getByLabel('Reason').fill('B is right')
  await page.getByRole('button', { name: 'Propose: replace the key' }).click()
  await expect(page.getByText('a ruling is proposed', { exact: false }).last()).toBeVisible()
  await expect(headline(page)).toHaveText('Question 10 probably has the wrong key')

  await product.db.$client.query(`update memberships set role = 'owner' where society_id = $1`, [
    made.society,
  ])
  await page.goto(`${made.page}/10`)
  await expect(page.getByText(/proposes: B is the key instead\./)).toBeVisible()
  await page.getByRole('button', { name: 'Adopt…' }).click()
  await expect(page.getByLabel('Reason')).toHaveValue('B is right')
  await page.getByRole('button', { name: /^Replace the key: \d+ results change$/ }).click()
  await expect(page.getByText(/\d+ results have changed\./)).toBeVisible()
})

test('An owner publishes a test’s fairness report, and visitors can see it once results are released', {
  tag: '@full',
}, async ({ page, browser, product, signedIn }) => {
  const { $client } = product.db
  const { id: society } = await makeSociety(product, signedIn.email)
  const { code, candidates, rulingOn } = await closedSession(product, {
    ...{ societyId: society, season: 'Autumn 2025', people: 110 },
    opensAt: new Date(Date.UTC(2025, 10, 25, 9)),
  })
  await rulingOn(6, 'replace', 'The options were rewritten after the check.', 105)

  await page.goto(`/organise/${society}/seasons`)
  await expect(page).toHaveURL(`/organise/${society}`)
  await page.getByRole('link', { name: /^Fairness report of/ }).focus()
  await page.keyboard.press('Enter')
  await expect(
    page.getByRole('heading', { name: 'The fairness report isn’t published' }),
  ).toBeVisible()
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText(
    '110 candidates took a test of 12 questions',
  )
  await page.getByRole('button', { name: 'Publish the report' }).focus()
  await page.keyboard.press('Enter')
  await expect(
    page.getByRole('heading', { name: 'The fairness report is waiting for the results' }),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: /report$/ })).toHaveCount(0)
  const { rows } = await $client.query<{ id: string }>(
    'select id from fairness_reports where assessment = $1',
    [code],
  )
  const address = `${product.url}/fairness/${rows[0]?.id}`
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy the link' }).click()
  await expect(page.getByText('Copied', { exact: true })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)

  const visitor = await browser.newPage()
  const answer = await visitor.goto(address)
  expect(answer?.headers()['x-robots-tag']).toBe('noindex')
  await expect(visitor.getByRole('heading', { name: 'Not yet' })).toBeVisible()
  await release(product, code)
  await visitor.getByRole('button', { name: 'Check again' }).click()
  await expect(
    visitor.getByRole('heading', { name: 'How the test Autumn 2025 was run' }),
  ).toBeVisible()
  await expect(visitor.getByText('Question 7 had a wrong key')).toContainText(
    '105 scores changed. The reason: “The options were rewritten after the check”.',
  )
  const scripts = await visitor.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name),
  )
  expect(scripts.filter((name) => /console|assessments-page/.test(name))).toEqual([])

  await $client.query('update candidates set extra_seconds = 300 where id = $1', [candidates[0]])
  await page.reload()
  await expect(
    page.getByRole('heading', { name: 'The fairness report isn’t up to date' }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Update the report' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'The fairness report is public' })).toBeVisible()
  await visitor.reload()
  await expect(visitor.getByText(/Changed on/)).toBeVisible()
  await expect(visitor.getByText('Extra time was agreed before the test.')).toBeVisible()

  for (const one of [visitor, page]) await expectSound(one)
  const sheet = await visitor.pdf({ format: 'A4' })
  expect(sheet.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(2)
  await visitor.close()
})
