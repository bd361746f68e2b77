import type { Locator, Page } from '@playwright/test'
import { signUp } from './product.ts'
import { expect, expectAccessible, expectSound, holdBack, isFull, test } from './rig.ts'

const PHONE = { width: 390, height: 844 }

const optionOf = (page: Page, letter: string): Locator =>
  page
    .getByRole('region', { name: 'Try a question' })
    .getByRole('button', { name: new RegExp(`^${letter}\\b`) })

test('A visitor answers four questions by keyboard, each with immediate feedback', {
  tag: '@whole',
}, async ({ page }) => {
  await test.step('on the narrowest phone', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto('/')
    await expect(page.getByRole('img')).toHaveCount(4)
    await optionOf(page, 'A').click()
    await expect(page.getByText('The mistake', { exact: true })).toBeInViewport()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })
  await page.setViewportSize({ width: 1280, height: 720 })
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
    verdict.getByText('You divided equity value, not enterprise value, by EBITDA.'),
  ).toBeVisible()
  await expect(trial.getByText('YOUR ANSWER')).toBeVisible()
  await expect(trial.getByText('CORRECT', { exact: true })).toBeVisible()
  // Nothing has moved.
  expect(await placeOf('8.0x')).toEqual(before)
  await expect(trial.getByRole('link', { name: 'Get Started Free' })).toHaveAttribute(
    'href',
    '/auth?tab=signup',
  )
  if (isFull) await expectSound(page, 'landing-wrong')

  // A second answer to the same question is ignored.
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

test('A visitor with an account reads the legal texts at sign-up and is led to Sign In', async ({
  page,
  product,
  account,
  expectConsoleErrors,
}) => {
  expectConsoleErrors((text) => /400|422/.test(text))
  await signUp(product, account)
  await page.goto('/auth?tab=signup')
  for (const [title, text] of [
    ['Terms and Conditions', "30 days' notice"],
    ['Privacy Policy', 'not for children under 13'],
  ] as const) {
    await page.getByRole('button', { name: title }).click()
    const dialog = page.getByRole('dialog', { name: title })
    await expect(dialog.getByRole('heading', { level: 3 })).toHaveCount(11)
    await expect(dialog.getByText(text)).toBeVisible()
    for (const address of ['support@superday.example', 'privacy@superday.example']) {
      await expect(dialog.getByRole('link', { name: address }).first()).toBeVisible()
    }
    await expect(dialog.getByText(/\{\w+\}/)).toHaveCount(0)
    const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(new Date())
    await expect(dialog.getByText(`Last updated: ${today}`)).toBeVisible()
    await page.keyboard.press('Escape')
  }

  const form = page.locator('form[name=sign-up]')
  await form.getByLabel('Email').fill(account.email)
  await form.getByRole('textbox', { name: 'Password' }).fill('another good phrase')
  await form.getByRole('checkbox').check()
  await form.getByRole('button', { name: 'Create Account' }).click()
  await expect(form.getByText('This address already has an account.')).toBeVisible()
  await expect(form.getByLabel('Email')).toBeFocused()
  await expect(form.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
  if (isFull) await expectAccessible(page)
  await form.getByRole('button', { name: 'Sign in with this address' }).click()
  const signIn = page.locator('form[name=sign-in]')
  await expect(signIn.getByLabel('Email')).toHaveValue(account.email)
  const password = signIn.getByRole('textbox', { name: 'Password' })
  await expect(password).toBeFocused()
  await page.keyboard.type('not this one at all')
  await page.keyboard.press('Enter')
  await expect(
    page.getByRole('region', { name: 'Notifications' }).getByText('Sign in failed'),
  ).toBeVisible()
  await password.fill(account.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')
})

test('A student who loses the connection sees a message, and the page loads by itself once it is back', async ({
  page,
  context,
  product,
  signedIn,
  expectConsoleErrors,
}) => {
  void signedIn
  expectConsoleErrors((text) => /Failed to (load|fetch)|dynamically imported|ERR_/.test(text))
  await page.clock.install()
  await page.goto('/faq')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const notice = page.getByRole('status').filter({ hasText: /onnect/ })
  await expect(notice).toHaveCount(0)
  await context.setOffline(true)
  await expect(notice).toHaveText('No connection')
  await context.setOffline(false)
  await expect(notice).toHaveText('Connected again')
  await page.clock.fastForward(4_000)
  await expect(notice).toHaveCount(0)

  await product.stop()
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Career Hub' })
    .click()
  await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible()
  await expect(page.getByText('This page loads by itself once you are back online.')).toBeVisible()
  await expectAccessible(page)
  await product.start()
  await expect(page.getByRole('heading', { level: 1, name: 'Career Hub' })).toBeVisible()
})

test.describe('the front page and related pages', () => {
  test('An answer chosen before hydration counts', async ({ page }) => {
    const { released, release } = holdBack()
    await page.route('**/wake-up-*.js', async (route) => {
      await released
      await route.continue()
    })
    await page.goto('/')
    await optionOf(page, 'D').click()
    await expect(page.getByText('CORRECT', { exact: true })).toHaveCount(0)
    release()
    await expect(page.getByText('CORRECT', { exact: true })).toBeVisible()
  })

  test('The founders’ cards link to their profiles only where those are set', async ({
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

  test('A toast on a phone covers neither the title nor the bottom buttons', {
    tag: '@full',
  }, async ({ page, product, account, expectConsoleErrors }) => {
    expectConsoleErrors((text) => /400/.test(text))
    await page.setViewportSize(PHONE)
    await page.goto('/')
    await signUp(product, account)
    await page.goto('/auth?tab=signin')
    await page.getByLabel('Email').first().fill(account.email)
    await page.getByRole('textbox', { name: 'Password' }).first().fill('not this one at all')
    await page.keyboard.press('Enter')
    const toast = page.getByRole('region', { name: 'Notifications' }).getByText('Sign in failed')
    await toast.waitFor()
    const box = await page.getByRole('region', { name: 'Notifications' }).boundingBox()
    expect(box?.y).toBeGreaterThan(PHONE.height / 2)
    // The bar of buttons below it is uncovered.
    expect(PHONE.height - ((box?.y ?? 0) + (box?.height ?? 0))).toBeGreaterThanOrEqual(80)
  })
})
