import { makeRecoveryToken } from '../../accounts/server/recovery/recovery.ts'
import { signUp } from './product.ts'
import { AUTH_CLIENT_OFFLINE, expect, expectAccessible, signIn, tabTo, test } from './rig.ts'

test('A visitor signs up, signs in after a wrong password, and signs out', {
  tag: '@full',
}, async ({ page, account, expectConsoleErrors }) => {
  expectConsoleErrors((text) => /status of 4\d\d/.test(text))
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/auth/)
  await page.goto('/auth?tab=signup')
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true')

  const form = page.getByRole('tabpanel', { name: 'Sign Up' })
  // By keyboard only.
  await page.getByRole('tab', { name: 'Sign Up' }).focus()
  await tabTo(page, 'Email')
  await page.keyboard.type(account.email)
  await tabTo(page, /^Password/)
  await page.keyboard.type('short')
  await tabTo(page, /^Degree/)
  await page.keyboard.type('Economics')
  await tabTo(page, 'Create Account')
  await page.keyboard.press('Enter')
  await expect(
    form.getByText(
      'Terms and conditions required: Please accept the terms and conditions to create an account.',
    ),
  ).toBeVisible()

  await form.getByRole('checkbox').press('Space')
  await tabTo(page, 'Create Account')
  await page.keyboard.press('Enter')
  await expect(form.getByText(/8 characters/).first()).toBeVisible()
  await form.getByLabel('Password', { exact: true }).fill(account.password)
  await page.keyboard.press('Enter')
  await expect(
    page.getByText('Account created successfully! You can now sign in with your credentials.'),
  ).toBeVisible()

  // The screen switches to Sign In with the email prefilled, and the sign-up form is cleared.
  const signIn = page.getByRole('tabpanel', { name: 'Sign In' })
  await expect(signIn.getByLabel('Email')).toHaveValue(account.email)
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await expect(form.getByLabel('Email')).toHaveValue('')
  await expect(form.getByLabel('Degree')).toHaveValue('')
  await page.getByRole('tab', { name: 'Sign In' }).click()
  await signIn.getByLabel('Password', { exact: true }).fill('wrong wrong wrong')
  await signIn.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText('Invalid login credentials')).toBeVisible()
  await expect(page).toHaveURL(/\/auth/)
  await signIn.getByLabel('Password', { exact: true }).fill(account.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Welcome back!')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')

  // For signed-in users, /auth and / lead to the dashboard.
  for (const route of ['/auth', '/']) {
    await page.goto(route)
    await expect(page).toHaveURL('/dashboard')
  }
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await expect(navigation.getByRole('link', { name: 'Dashboard' })).toHaveAttribute(
    'aria-current',
    'page',
  )
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByText("You've been successfully signed out.")).toBeVisible()
  await expect(page).toHaveURL(/\/auth/)
  expect(await page.evaluate(() => localStorage.getItem('superday-auth'))).toBeNull()
  await page.goto('/personal-hub')
  await expect(page).toHaveURL(/\/auth/)
})

test('A guest practices, creates an account and keeps everything', async ({ page, account }) => {
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Continue as Guest' }).click()
  await expect(page.getByText('Welcome, Guest!')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  const userOf = () =>
    page.evaluate(() => JSON.parse(localStorage.getItem('superday-auth') ?? '{}').user)
  const guest = await userOf()
  const card = page.getByRole('region', { name: 'Daily challenge' })
  await card.getByRole('button', { name: 'Reveal' }).click()
  await card.getByRole('radio').first().check({ force: true })
  await card.getByRole('button', { name: 'Submit Answer' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText('Great start! Come back tomorrow.')).toBeVisible()

  // Signing out would lose the progress, so it asks first.
  await page.getByRole('button', { name: 'Sign Out' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('progress')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Stay signed in' }).click()

  await page.goto('/personal-hub?tab=account')
  const form = page.getByRole('region', { name: 'Create your account' })
  await expect(form).toBeVisible()
  await expectAccessible(page)
  await form.getByLabel('Email').fill(account.email)
  await form.getByLabel('Password', { exact: true }).fill(account.password)
  const checkbox = form.getByRole('checkbox')
  if (await checkbox.count()) await checkbox.check()
  await form.getByRole('button', { name: /Create/ }).click()
  await expect(form).toBeHidden()
  await expect(page.getByText(account.email).first()).toBeVisible()
  expect(await userOf()).toMatchObject({ id: guest.id, is_anonymous: false })
  await page.goto('/dashboard')
  await expect(card.getByRole('button', { name: 'Complete! Tap for details' })).toBeVisible()
  await expect(page.getByText('Great start! Come back tomorrow.')).toBeVisible()
})

test('Signing out works without a network', { tag: '@full' }, async ({
  page,
  context,
  signedIn,
  expectConsoleErrors,
}) => {
  void signedIn
  expectConsoleErrors((text) => /ERR_INTERNET_DISCONNECTED|Failed to load resource/.test(text))
  expectConsoleErrors((text) => AUTH_CLIENT_OFFLINE.test(text))
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Sign Out' }).waitFor()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/auth/)
  expect(await page.evaluate(() => localStorage.getItem('superday-auth'))).toBeNull()
})

test('Signing out everywhere ends the session of another device', { tag: '@full' }, async ({
  page,
  browser,
  product,
  signedIn,
  expectConsoleErrors,
}) => {
  void signedIn
  expectConsoleErrors((text) => /status of 40[13]/.test(text))
  await page.goto('/personal-hub?tab=account')
  const otherDevice = await browser.newContext({ baseURL: product.url })
  const otherPage = await otherDevice.newPage()
  await otherPage.goto('/auth')
  const signIn = otherPage.getByRole('tabpanel', { name: 'Sign In' })
  await signIn.getByLabel('Email').fill(signedIn.email)
  await signIn.getByLabel('Password', { exact: true }).fill(signedIn.password)
  await signIn.getByRole('button', { name: 'Sign In' }).click()
  await expect(otherPage).toHaveURL(/dashboard/)

  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page).toHaveURL(/\/auth/)
  await otherPage.goto('/personal-hub')
  await expect(otherPage).toHaveURL(/\/auth/)
  await otherDevice.close()
})

test('A password is recovered by a mailed link, which works once', { tag: '@full' }, async ({
  page,
  product,
  account,
  expectConsoleErrors,
}) => {
  expectConsoleErrors((text) => /status of 4\d\d/.test(text))
  const { user } = await signUp(product, account)
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await page.getByLabel('Email').fill(account.email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(
    page.getByText(
      'If an account exists for that address, we sent a link. It is valid for one hour.',
    ),
  ).toBeVisible()
  const { db, secretKey, clock } = product
  const { token } = await makeRecoveryToken(db, secretKey, clock.now(), user.id)
  const link = `/auth?recovery=${token}`

  // A scanner that opens the link consumes nothing.
  await page.request.get(link)
  await page.goto(link)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Set a new password' }).click()
  await page.getByLabel('New password').waitFor()
  await page.reload()
  await page.getByLabel('New password').fill('another horse battery')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page).toHaveURL('/dashboard')
  expect(await signIn(product, account)).toBe(400)
  expect(await signIn(product, { ...account, password: 'another horse battery' })).toBe(200)

  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/auth/)
  await page.goto(link)
  await page.getByRole('button', { name: 'Set a new password' }).click()
  await expect(
    page.getByText('This link has expired or was already used.', { exact: false }),
  ).toBeVisible()
})

test.describe('On a phone', { tag: '@full' }, () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('The drawer opens from the right by keyboard and returns the focus', async ({
    page,
    signedIn,
  }) => {
    await page.goto('/dashboard')
    const menu = page.getByRole('button', { name: 'Menu', exact: true })
    await menu.focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog')
    await expect(drawer).toBeVisible()
    await expect(drawer.getByText(signedIn.email)).toBeVisible()
    await expect(drawer.getByRole('link', { name: 'Feedback Hub' })).toBeVisible()
    await expect.poll(async () => Math.round((await drawer.boundingBox())?.width ?? 0)).toBe(300)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
    await expect(menu).toBeFocused()
    await page.setViewportSize({ width: 700, height: 844 })
    await menu.click()
    await expect.poll(async () => Math.round((await drawer.boundingBox())?.width ?? 0)).toBe(400)
    await drawer.getByRole('link', { name: 'FAQ' }).click()
    await expect(drawer).toBeHidden()
    await expect(page).toHaveURL('/faq')
  })
})
