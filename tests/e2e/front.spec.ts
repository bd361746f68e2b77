import type { Locator, Page } from '@playwright/test'
import {
  type Account,
  expect,
  expectAccessible,
  expectSound,
  type Product,
  putSession,
  test,
} from './rig.ts'

const PHONE = { width: 390, height: 844 }

/** The option of the landing page's question that begins with a letter. */
const optionOf = (page: Page, letter: string): Locator =>
  page
    .getByRole('region', { name: 'Try a question' })
    .getByRole('button', { name: new RegExp(`^${letter}\\b`) })

/** Makes an account without signing the page in. */
async function signUp(product: Product, account: Account): Promise<void> {
  await fetch(`${product.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...account, data: {} }),
  })
}

test('a visitor answers four questions by keyboard, each with its verdict at once', async ({
  page,
}) => {
  await page.goto('/')
  await expect(page.getByRole('img')).toHaveCount(4)
  const trial = page.getByRole('region', { name: 'Try a question' })
  const verdict = trial.getByRole('note')
  await expect(trial.getByText('1 of 4')).toBeVisible()
  const placeOf = (text: string) =>
    trial.getByText(text, { exact: true }).evaluate((element) => {
      const { x, y } = element.getBoundingClientRect()
      return { x, y: y + window.scrollY }
    })
  const before = await placeOf('8.0x')
  await optionOf(page, 'C').focus()
  await page.keyboard.press('Enter')

  await expect(verdict).toBeFocused()
  await expect(verdict.getByText('The mistake')).toBeVisible()
  await expect(
    verdict.getByText('Divides equity value, not enterprise value, by EBITDA.'),
  ).toBeVisible()
  await expect(trial.getByText('YOUR ANSWER')).toBeVisible()
  await expect(trial.getByText('CORRECT', { exact: true })).toBeVisible()
  // Nothing has moved.
  expect(await placeOf('8.0x')).toEqual(before)
  await expect(trial.getByRole('link', { name: 'Get Started Free' })).toHaveAttribute(
    'href',
    '/auth?tab=signup',
  )
  await expectSound(page, 'landing-wrong')

  // A second answer to the same question is none.
  await verdict.focus()
  await page.keyboard.press('d')
  await expect(trial.getByText('YOUR ANSWER')).toBeVisible()
  for (const [place, key] of [
    [2, 'a'],
    [3, 'b'],
    [4, '3'],
  ] as const) {
    await verdict.focus()
    await page.keyboard.press('Enter')
    await expect(trial.getByText(`${place} of 4`)).toBeVisible()
    await expect(trial.getByRole('heading', { level: 3 })).toBeFocused()
    await page.keyboard.press(key)
    await expect(verdict.getByText('Correct', { exact: true })).toBeVisible()
    await expect(trial.getByText('YOUR ANSWER')).toHaveCount(0)
  }
  await expect(trial.getByRole('button')).toHaveCount(0)
  await trial.getByRole('link', { name: 'Get Started Free' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/auth?tab=signup')
})

test('an answer that is pressed before the page is awake counts', async ({ page }) => {
  let wake: (() => void) | undefined
  const slow = new Promise<void>((resolve) => {
    wake = resolve
  })
  await page.route('**/wake-up-*.js', async (route) => {
    await slow
    await route.continue()
  })
  await page.goto('/')
  await optionOf(page, 'D').click()
  await expect(page.getByText('CORRECT', { exact: true })).toHaveCount(0)
  wake?.()
  await expect(page.getByText('CORRECT', { exact: true })).toBeVisible()
})

test('on the narrowest phone nothing scrolls sideways, and the verdict comes into sight', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/')
  await expect(page.getByRole('img')).toHaveCount(4)
  await optionOf(page, 'A').click()
  await expect(page.getByText('The mistake')).toBeInViewport()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('a society reads how a test is run without an account, and comes to its own page after signing in', async ({
  page,
  product,
  account,
}) => {
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'For societies' }).click()
  const section = page.getByRole('region', {
    name: 'For finance societies: run your recruitment test here',
  })
  await expect(section).toBeInViewport()
  await expect(section.getByRole('link', { name: 'Begin with your society' })).toHaveAttribute(
    'href',
    '/organise',
  )
  await signUp(product, account)
  await section.getByRole('link', { name: 'How to run a test' }).click()
  await expect(page.getByRole('heading', { name: 'How to run a test' })).toBeVisible()
  await expect(page).toHaveURL('/organise/help')
  await page.goto('/')
  await section.getByRole('link', { name: 'Begin with your society' }).click()
  await expect(page).toHaveURL('/auth')
  await expect(page.getByText('on your way to a society’s test')).toHaveCount(0)
  await page.getByLabel('E-mail').first().fill(account.email)
  await page.getByRole('textbox', { name: 'Password' }).first().fill(account.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).toHaveURL('/organise')
})

test('an address that has an account is marked at sign-up and leads to Sign In', async ({
  page,
  product,
  account,
  expectConsoleErrors,
}) => {
  expectConsoleErrors((text) => /422/.test(text))
  await signUp(product, account)
  await page.goto('/auth?tab=signup')
  const form = page.locator('form[name=sign-up]')
  await form.getByLabel('E-mail').fill(account.email)
  await form.getByRole('textbox', { name: 'Password' }).fill('another good phrase')
  await form.getByRole('checkbox').check()
  await form.getByRole('button', { name: 'Create Account' }).click()
  await expect(form.getByText('This address has an account already.')).toBeVisible()
  await expect(form.getByLabel('E-mail')).toBeFocused()
  await expect(form.getByLabel('E-mail')).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Sign in with this address' }).click()
  const signIn = page.locator('form[name=sign-in]')
  await expect(signIn.getByLabel('E-mail')).toHaveValue(account.email)
  await expect(signIn.getByRole('textbox', { name: 'Password' })).toBeFocused()
  await page.keyboard.type(account.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')
})

test('Terms and Privacy are read again from the foot of a page, by keyboard', async ({
  page,
  signedIn,
}) => {
  void signedIn
  await page.goto('/faq')
  for (const [button, title] of [
    ['Terms', 'Terms and Conditions'],
    ['Privacy', 'Privacy Policy'],
  ] as const) {
    const opener = page.getByRole('contentinfo').getByRole('button', { name: button })
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: title })
    await expect(dialog.getByRole('heading', { level: 3 })).toHaveCount(11)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(opener).toBeFocused()
  }
})

test('the daily answer is chosen by a number and sent by Enter, with the focus on the statement', async ({
  page,
  product,
  signedIn,
}) => {
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Reveal' }).focus()
  await page.keyboard.press('Enter')
  const options = page.getByRole('main').getByRole('radio')
  await expect(options).toHaveCount(4)
  // Without a choice there is nothing to send.
  await page.keyboard.press('Enter')
  await page.keyboard.press('2')
  await expect(options.nth(1)).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(options).toHaveCount(0)
  const { rows } = await product.db.$client.query(
    `select selected_option from daily_results r join users u on u.id = r.user_id where u.email = $1`,
    [signedIn.email],
  )
  expect(rows).toEqual([{ selected_option: 'B' }])
})

test('the founders’ cards link to their profiles where those are set, and to nobody otherwise', async ({
  page,
  signedIn,
}) => {
  void signedIn
  const links = page.getByRole('link', { name: /^Professional profile/ })
  await page.goto('/about')
  await expect(page.getByRole('heading', { name: 'The founders' })).toBeVisible()
  await expect(links).toHaveCount(0)
  await page.route('**/api/contact', async (route) => {
    const contact = await (await route.fetch()).json()
    const founderProfiles = ['one', 'two', 'three'].map(
      (name) => `https://profiles.example/${name}`,
    )
    await route.fulfill({ json: { ...contact, founderProfiles } })
  })
  await page.reload()
  await expect(links).toHaveCount(3)
  await expect(links.nth(1)).toHaveAttribute('href', 'https://profiles.example/two')
  await expectSound(page, 'about')
})

test('a toast on a phone covers neither the title nor what is pressed at the foot', async ({
  page,
  product,
  account,
  expectConsoleErrors,
}) => {
  expectConsoleErrors((text) => /400/.test(text))
  await page.setViewportSize(PHONE)
  await page.goto('/')
  await signUp(product, account)
  await page.goto('/auth?tab=signin')
  await page.getByLabel('E-mail').first().fill(account.email)
  await page.getByRole('textbox', { name: 'Password' }).first().fill('not this one at all')
  await page.keyboard.press('Enter')
  const toast = page.getByRole('region', { name: 'Notifications' }).getByText('Sign in failed')
  await toast.waitFor()
  const box = await page.getByRole('region', { name: 'Notifications' }).boundingBox()
  expect(box?.y).toBeGreaterThan(PHONE.height / 2)
  // A bar of buttons stands free below it.
  expect(PHONE.height - ((box?.y ?? 0) + (box?.height ?? 0))).toBeGreaterThanOrEqual(80)
})

test('a page that a lost connection kept from loading comes by itself', async ({
  page,
  product,
  signedIn,
  expectConsoleErrors,
}) => {
  void signedIn
  expectConsoleErrors((text) => /Failed to (load|fetch)|dynamically imported|ERR_/.test(text))
  await page.goto('/faq')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await product.stop()
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Career Hub' })
    .click()
  await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible()
  await expect(page.getByText('As soon as there is, this page loads by itself.')).toBeVisible()
  await expectAccessible(page)
  await product.start()
  await expect(page.getByRole('heading', { level: 1, name: 'Career Hub' })).toBeVisible()
})

const STUDENT_SCREENS = [
  '/dashboard',
  '/tests/Valuation%20%26%20Corporate%20Finance/Intern',
  '/error-practice/Valuation%20%26%20Corporate%20Finance/Intern',
  '/personal-hub',
  '/career-hub',
  '/recruitment-resources',
  '/faq',
  '/about',
  '/feedback',
  '/recruitment',
]

test('on a phone held sideways every screen shows its title and has room', async ({
  page,
  product,
  account,
}) => {
  await page.setViewportSize({ width: 844, height: 390 })
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
  await putSession(page, product, account)
  for (const screen of STUDENT_SCREENS) {
    await page.goto(screen)
    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
    const view = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      // What stays while the page scrolls.
      fixed: [...document.querySelectorAll('body *')]
        .filter((element) => /fixed|sticky/.test(getComputedStyle(element).position))
        .reduce((sum, element) => sum + element.getBoundingClientRect().height, 0),
    }))
    expect([screen, view.wide]).toEqual([screen, 844])
    expect(view.fixed).toBeLessThan(130)
  }
})
