import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { Secret } from 'otpauth'
import { codeNow } from '../../../accounts/server/second-factor/codes.ts'
import { type Account, expect, expectSound, type Product, tabTo, test } from '../rig.ts'
import { openedDialog } from './console-rig.ts'

// Sets up, uses and removes the second factor by keyboard.

test.use({ contextOptions: { reducedMotion: 'reduce' }, movesClock: true })
test.describe.configure({ timeout: 90_000 })
test.beforeEach(({ expectConsoleErrors }) => {
  // The browser logs refused calls to the console. The page shows them too.
  expectConsoleErrors((text) => /status of (40[0134]|422)/.test(text))
})

const codeIn = (product: Product, secret: Buffer) => codeNow(secret, product.clock.now())

/** Sets up an app in the Personal Hub by keyboard. */
async function setUp(page: Page, product: Product, shoot = false) {
  await page.getByRole('button', { name: 'Set up', exact: true }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Set up your app' })
  await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  await expect(dialog.getByLabel('Code from your app')).toBeFocused()
  const key = (await dialog.locator('code').textContent()) ?? ''
  const secret = Buffer.from(Secret.fromBase32(key.replaceAll(' ', '')).bytes)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Please enter the six digits in your app.')).toBeVisible()
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('This code is wrong.')).toBeVisible()
  if (shoot) await expectSound(page, 'set-up')
  const used = codeIn(product, secret)
  await dialog.getByLabel('Code from your app').fill(used)
  await page.keyboard.press('Enter')
  const kept = page.getByRole('dialog', { name: 'Keep your recovery codes' })
  await expect(kept.getByRole('listitem')).toHaveCount(10)
  return { secret, kept, used, codes: await kept.getByRole('listitem').allTextContents() }
}

async function signInByHand(page: Page, { email, password }: Account): Promise<void> {
  await page.goto('/auth')
  const form = page.locator('form[name=sign-in]')
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

const section = (page: Page) => page.getByRole('region', { name: 'Second factor' })

test('A member sets up an app, signs in with its code and with a recovery code, and removes it by keyboard', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  await page.goto('/personal-hub?tab=account')
  const { secret, codes, kept, used } = await setUp(page, product)
  await expectSound(page, 'codes')
  await kept.getByRole('button', { name: 'I’ve saved my codes' }).press('Enter')
  await expect(section(page).getByText('10 of 10 left.')).toBeVisible()
  await page.evaluate(() => localStorage.removeItem('superday-auth'))

  await signInByHand(page, signedIn)
  await expect(page).toHaveURL('/second-factor?next=%2Fdashboard')
  await expect(page.getByRole('heading', { name: 'Enter the code' })).toBeVisible()
  await expect(page.getByLabel('Code from your app')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Please enter the six digits in your app.')).toBeVisible()
  await expectSound(page, 'code')
  // A code works once.
  await page.getByLabel('Code from your app').fill(used)
  await page.keyboard.press('Enter')
  await expect(page.getByText('This code was already used.')).toBeVisible()
  await product.clock.move(30_000)
  await page.getByLabel('Code from your app').fill(codeIn(product, secret))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')
  // Entered once, it isn't asked for again in this session.
  await page.goto('/second-factor?next=%2Ffaq')
  await expect(page).toHaveURL('/faq')

  // Works without the phone, and never leads to another site.
  await page.evaluate(() => localStorage.removeItem('superday-auth'))
  await signInByHand(page, signedIn)
  await expect(page.getByLabel('Code from your app')).toBeFocused()
  await page.goto('/second-factor?next=https%3A%2F%2Fevil.example')
  await expect(page.getByLabel('Code from your app')).toBeFocused()
  await tabTo(page, 'Use a recovery code instead')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Recovery code')).toBeFocused()
  await expectSound(page, 'recovery-code')
  await page.getByLabel('Recovery code').fill(codes[3] as string)
  await page.keyboard.press('Enter')
  await expect(page.getByText('You have 9 recovery codes left.')).toBeVisible()
  await tabTo(page, 'Continue')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')

  // Five minutes later, removing the app needs its code.
  await product.clock.move(5 * 60_000)
  await page.goto('/personal-hub?tab=account')
  await page.getByRole('button', { name: 'Remove' }).press('Enter')
  const question = await openedDialog(page, 'Confirm your identity')
  await expect(question.getByLabel('Code from your app')).toBeFocused()
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(question.getByText('This code is wrong.')).toBeVisible()
  await expectSound(page, 'proof-code')
  await question.getByLabel('Code from your app').fill(codeIn(product, secret))
  await page.keyboard.press('Enter')
  await expect(page.getByText('The app is removed')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Set up', exact: true })).toBeVisible()
})

test('Recovery codes are copied, downloaded and printed, and stay while another window is viewed', {
  tag: '@full',
}, async ({ page, product, signedIn, context }) => {
  void signedIn
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/personal-hub#second-factor')
  await expect(section(page).getByText('Codes from your phone')).toBeVisible()
  await expectSound(page, 'hub-without')
  const { kept, codes } = await setUp(page, product, true)
  await expectSound(page, 'codes')
  // The user looks at another window meanwhile, and the codes stay.
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await kept.getByRole('button', { name: 'Copy' }).click()
  await expect(kept.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'))
  const download = page.waitForEvent('download')
  await kept.getByRole('button', { name: 'Download' }).click()
  const file = await (await download).path()
  expect(await readFile(file, 'utf8')).toContain(codes[9])
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('listitem').filter({ visible: true })).toHaveCount(10)
  await expect(page.getByText('Personal information')).toBeHidden()
  await expect(kept.getByRole('button', { name: 'Print' })).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await kept.getByRole('button', { name: 'I’ve saved my codes' }).focus()
  await page.keyboard.press('Enter')
  await expect(kept).toBeHidden()
  await expect(section(page).getByText('10 of 10 left.')).toBeVisible()
  await expectSound(page, 'hub-with')
})

test('Practice continues without the code, and a change of password asks for it', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  await page.goto('/personal-hub?tab=account')
  const { secret, kept } = await setUp(page, product)
  await kept.getByRole('button', { name: 'I’ve saved my codes' }).click()
  await page.evaluate(() => localStorage.removeItem('superday-auth'))
  await signInByHand(page, signedIn)
  await page.getByRole('link', { name: 'Continue without the code' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/personal-hub?tab=account')
  await expect(
    section(page).getByText('You haven’t entered the code in this session yet.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await dialog.getByLabel('Current password', { exact: true }).fill(signedIn.password)
  await dialog.getByLabel('New password', { exact: true }).fill('another horse battery')
  await dialog.getByRole('button', { name: 'Save password' }).click()
  await expect(page).toHaveURL(/\/second-factor\?next=%2Fpersonal-hub%3Ftab%3Daccount$/)
  await product.clock.move(30_000)
  await page.getByLabel('Code from your app').fill(codeIn(product, secret))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/personal-hub?tab=account')
  await expect(section(page).getByText('10 of 10 left.')).toBeVisible()
})

test('After five minutes the page asks for the password again, later for the code', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  await page.goto('/personal-hub?tab=account')
  await product.clock.move(5 * 60_000)
  await page.getByRole('button', { name: 'Set up', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Confirm your identity' })
  await expect(question.getByLabel('Your password', { exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question.getByText('Please enter your password.')).toBeVisible()
  await page.keyboard.type('not my password')
  await page.keyboard.press('Enter')
  await expect(question.getByText('That isn’t your password.')).toBeVisible()
  await expectSound(page, 'proof-password')
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Set up', exact: true }).click()
  await question.getByLabel('Your password', { exact: true }).fill(signedIn.password)
  await page.keyboard.press('Enter')
  const setUpDialog = page.getByRole('dialog', { name: 'Set up your app' })
  await expect(setUpDialog).toBeVisible()
  await page.keyboard.press('Escape')
  const { secret, kept, codes } = await setUp(page, product)
  await kept.getByRole('button', { name: 'I’ve saved my codes' }).click()

  await product.clock.move(5 * 60_000)
  await page.getByRole('button', { name: 'Create new codes' }).click()
  await expect(question.getByLabel('Code from your app')).toBeFocused()
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(question.getByText('This code is wrong.')).toBeVisible()
  await expectSound(page, 'proof-code')
  await question.getByLabel('Code from your app').fill(codeIn(product, secret))
  await page.keyboard.press('Enter')
  const made = page.getByRole('dialog', { name: 'Your recovery codes' })
  await expect(made.getByRole('listitem')).toHaveCount(10)
  expect(await made.getByRole('listitem').allTextContents()).not.toContain(codes[0])
  await page.keyboard.press('Escape')
})

test('A member who needs a second factor is led to the Personal Hub and back', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  void signedIn
  await page.goto('/second-factor?next=%2Ffaq')
  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await expectSound(page, 'needed')
  await tabTo(page, 'Set it up')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/personal-hub?next=%2Ffaq#second-factor')
  const { kept } = await setUp(page, product)
  await kept.getByRole('button', { name: 'I’ve saved my codes' }).click()
  await page.getByRole('link', { name: 'Continue where you left off' }).click()
  await expect(page).toHaveURL('/faq')

  await page.goto('/second-factor?next=%2Ffaq&again=1')
  await expect(page.getByRole('heading', { name: 'Confirm your identity' })).toBeVisible()
  await expectSound(page, 'again')
})
