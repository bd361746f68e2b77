import { makeAddressToken } from '../../../accounts/server/recovery/address-change.ts'
import { expect, expectAccessible, test } from '../rig.ts'

test('A new e-mail address is confirmed once, by the button behind the mailed link', {
  tag: '@full',
}, async ({ page, product, signedIn, expectConsoleErrors }) => {
  expectConsoleErrors((text) => /status of 40[03]/.test(text))
  await page.goto('/personal-hub')
  await expect(page.getByText(signedIn.email, { exact: true })).toBeVisible()
  const next = `new-${signedIn.email}`
  // By the form, with keys alone: what is wrong is told at its field.
  await page.getByRole('button', { name: 'Change e-mail' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Change e-mail address' })
  await expect(dialog.getByText(`Now it is ${signedIn.email}.`)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('New address').fill(signedIn.email)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('This is the address that you have.')).toBeVisible()
  await expect(dialog.getByText('Please enter your password.')).toBeVisible()
  await dialog.getByLabel('New address').fill(next)
  await dialog.getByLabel('Password', { exact: true }).fill('not the right one')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Your current password is not right.')).toBeVisible()
  await dialog.getByLabel('Password', { exact: true }).fill(signedIn.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`A link is on its way to ${next}.`)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().press('Enter')
  await expect(page.getByText(signedIn.email, { exact: true })).toBeVisible()
  const { db, secretKey } = product
  const known = await db.$client.query('select id from users where email = $1', [signedIn.email])
  const userId = known.rows[0].id
  const token = await makeAddressToken(db, secretKey, new Date(), { userId, email: next })

  // Opened, it changes nothing: scanners of mail open every link.
  await page.goto(`/confirm-email#${token}`)
  const button = page.getByRole('button', { name: 'Confirm this address' })
  await expect(button).toBeVisible()
  await expectAccessible(page)
  const { rows } = await db.$client.query('select 1 from users where email = $1', [next])
  expect(rows).toHaveLength(0)
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Personal Hub' }).click()
  await expect(page.getByText(next, { exact: true })).toBeVisible()

  await page.goto(`/faq`)
  await page.goto(`/confirm-email#${token}`)
  await button.click()
  await expect(
    page.getByRole('heading', { name: 'This link has expired or was already used' }),
  ).toBeVisible()
  await expectAccessible(page)
})
