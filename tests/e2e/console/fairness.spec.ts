import { closedSession, release } from '../../rig/fairness-rig.ts'
import { expect, expectSound, test } from '../rig.ts'
import { makeSociety } from './console-rig.ts'

test('An owner publishes a test’s fairness report, and visitors read it once results are released', {
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
    page.getByRole('heading', { name: 'The fairness report waits for the results' }),
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
  await visitor.getByRole('button', { name: 'Look again' }).click()
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
