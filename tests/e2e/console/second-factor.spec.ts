import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { Secret } from 'otpauth'
import { codeNow } from '../../../accounts/server/second-factor/app-codes.ts'
import { type Account, expect, expectAccessible, type Product, test } from '../rig.ts'

// What asks for the second factor, by keyboard, and each screen in both themes on a phone and on a desk.

test.use({ contextOptions: { reducedMotion: 'reduce' }, movesClock: true })
test.describe.configure({ timeout: 90_000 })
test.beforeEach(({ expectConsoleErrors }) => {
  // What is refused is said in the page, and by the browser on the console.
  expectConsoleErrors((text) => /status of (40[0134]|422)/.test(text))
})

const codeIn = (product: Product, secret: Buffer) => codeNow(secret, product.clock.now())

/** The screen as it stands, in both themes at both widths. */
async function look(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate((chosen) => {
      localStorage.setItem('superday-theme', chosen)
      dispatchEvent(new StorageEvent('storage', { key: 'superday-theme' }))
    }, theme)
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await test.step(`${name}, ${theme}, ${width} px`, () => expectAccessible(page))
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(wide, `pixels wider than the window of ${width}`).toBeLessThanOrEqual(0)
      const folder = process.env.SHOTS
      if (folder) await page.screenshot({ path: `${folder}/${name}-${width}-${theme}.png` })
    }
  }
}

/** Presses Tab until something has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab')
    const focused = page.locator(':focus')
    if ((await focused.count()) > 0 && (await focused.getByText(name, { exact: true }).count()) > 0)
      return
    if ((await focused.textContent().catch(() => null))?.trim() === name) return
  }
  throw new Error(`${name} is not reached by Tab`)
}

/** Sets an app up in the Personal Hub, by keyboard. */
async function setUp(page: Page, product: Product, shoot = false) {
  await page.getByRole('button', { name: 'Set up', exact: true }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Set up your app' })
  await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  await expect(dialog.getByLabel('Code of your app')).toBeFocused()
  const key = (await dialog.locator('code').textContent()) ?? ''
  const secret = Buffer.from(Secret.fromBase32(key.replaceAll(' ', '')).bytes)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Please enter the six digits that your app shows.')).toBeVisible()
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('This code is not right.')).toBeVisible()
  if (shoot) await look(page, 'set-up')
  const used = codeIn(product, secret)
  await dialog.getByLabel('Code of your app').fill(used)
  await page.keyboard.press('Enter')
  const kept = page.getByRole('dialog', { name: 'Keep your recovery codes' })
  await expect(kept.getByRole('listitem')).toHaveCount(10)
  return { secret, kept, used, codes: await kept.getByRole('listitem').allTextContents() }
}

async function signInByHand(page: Page, { email, password }: Account): Promise<void> {
  await page.goto('/auth')
  const form = page.locator('form[name=sign-in]')
  await form.getByLabel('E-mail').fill(email)
  await form.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

const section = (page: Page) => page.getByRole('region', { name: 'Second factor' })

test('an app is set up by keyboard, the codes are copied, downloaded and printed', async ({
  page,
  product,
  signedIn,
  context,
}) => {
  void signedIn
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/personal-hub#second-factor')
  await expect(section(page).getByText('Codes from your phone')).toBeVisible()
  await look(page, 'hub-without')
  const { kept, codes } = await setUp(page, product, true)
  await look(page, 'codes')
  // Another window is looked at meanwhile: the codes stay.
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
  await kept.getByRole('button', { name: 'I have kept them' }).focus()
  await page.keyboard.press('Enter')
  await expect(kept).toBeHidden()
  await expect(section(page).getByText('10 of 10 are left.')).toBeVisible()
  await look(page, 'hub-with')
})

test('the code is asked for after the password, and leads on', async ({
  page,
  product,
  signedIn,
}) => {
  await page.goto('/personal-hub')
  const { secret, codes, kept, used } = await setUp(page, product)
  await kept.getByRole('button', { name: 'I have kept them' }).click()
  await page.evaluate(() => localStorage.removeItem('superday-auth'))

  await signInByHand(page, signedIn)
  await expect(page).toHaveURL('/second-factor?next=%2Fdashboard')
  await expect(page.getByRole('heading', { name: 'Enter the code' })).toBeVisible()
  await expect(page.getByLabel('Code of your app')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Please enter the six digits that your app shows.')).toBeVisible()
  await look(page, 'code')
  // The app may show another one by now.
  await page.getByLabel('Code of your app').fill(used)
  await page.keyboard.press('Enter')
  await expect(page.getByText('This code was used already.')).toBeVisible()
  await product.clock.move(30_000)
  await page.getByLabel('Code of your app').fill(codeIn(product, secret))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')
  // Shown once, it is not asked for again.
  await page.goto('/second-factor?next=%2Ffaq')
  await expect(page).toHaveURL('/faq')

  // Without the phone.
  await page.evaluate(() => localStorage.removeItem('superday-auth'))
  await signInByHand(page, signedIn)
  await expect(page.getByLabel('Code of your app')).toBeFocused()
  await page.goto('/second-factor?next=https%3A%2F%2Fevil.example')
  await expect(page.getByLabel('Code of your app')).toBeFocused()
  await tabTo(page, 'Use a recovery code instead')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Recovery code')).toBeFocused()
  await look(page, 'recovery-code')
  await page.getByLabel('Recovery code').fill(codes[3] as string)
  await page.keyboard.press('Enter')
  await expect(page.getByText('You have 9 recovery codes left.')).toBeVisible()
  await look(page, 'codes-left')
  await tabTo(page, 'Continue')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')
})

test('practice goes on without the code, and what matters asks for it first', async ({
  page,
  product,
  signedIn,
}) => {
  await page.goto('/personal-hub')
  const { secret, kept } = await setUp(page, product)
  await kept.getByRole('button', { name: 'I have kept them' }).click()
  await page.evaluate(() => localStorage.removeItem('superday-auth'))
  await signInByHand(page, signedIn)
  await page.getByRole('link', { name: 'Go on without it' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/personal-hub')
  await expect(
    section(page).getByText('In this session the code was not entered yet.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await dialog.getByLabel('Current password', { exact: true }).fill(signedIn.password)
  await dialog.getByLabel('New password', { exact: true }).fill('another horse battery')
  await dialog.getByRole('button', { name: 'Save password' }).click()
  await expect(page).toHaveURL(/\/second-factor\?next=%2Fpersonal-hub$/)
  await product.clock.move(30_000)
  await page.getByLabel('Code of your app').fill(codeIn(product, secret))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/personal-hub')
  await expect(section(page).getByText('10 of 10 are left.')).toBeVisible()
})

test('a proof is asked for again after five minutes: the password, later the code', async ({
  page,
  product,
  signedIn,
}) => {
  await page.goto('/personal-hub')
  await product.clock.move(5 * 60_000)
  await page.getByRole('button', { name: 'Set up', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Is it you?' })
  await expect(question.getByLabel('Your password', { exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question.getByText('Please enter your password.')).toBeVisible()
  await page.keyboard.type('not my password')
  await page.keyboard.press('Enter')
  await expect(question.getByText('This is not your password.')).toBeVisible()
  await look(page, 'proof-password')
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
  await kept.getByRole('button', { name: 'I have kept them' }).click()

  await product.clock.move(5 * 60_000)
  await page.getByRole('button', { name: 'Make new codes' }).click()
  await expect(question.getByLabel('Code of your app')).toBeFocused()
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(question.getByText('This code is not right.')).toBeVisible()
  await look(page, 'proof-code')
  await question.getByLabel('Code of your app').fill(codeIn(product, secret))
  await page.keyboard.press('Enter')
  const made = page.getByRole('dialog', { name: 'Your recovery codes' })
  await expect(made.getByRole('listitem')).toHaveCount(10)
  expect(await made.getByRole('listitem').allTextContents()).not.toContain(codes[0])
  await page.keyboard.press('Escape')

  await product.clock.move(5 * 60_000)
  await page.getByRole('button', { name: 'Remove' }).click()
  await question.getByLabel('Code of your app').fill(codeIn(product, secret))
  await page.keyboard.press('Enter')
  await expect(page.getByText('The app is removed')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Set up', exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Set up', exact: true })).toBeVisible()
})

test('who needs one and has none is led to the Personal Hub, and back', async ({
  page,
  product,
  signedIn,
}) => {
  void signedIn
  await page.goto('/second-factor?next=%2Ffaq')
  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await look(page, 'needed')
  await tabTo(page, 'Set it up')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/personal-hub?next=%2Ffaq#second-factor')
  const { kept } = await setUp(page, product)
  await kept.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByRole('link', { name: 'Go on to where you came from' }).click()
  await expect(page).toHaveURL('/faq')

  await page.goto('/second-factor?next=%2Ffaq&again=1')
  await expect(page.getByRole('heading', { name: 'Is it you?' })).toBeVisible()
  await look(page, 'again')
})
