import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { createAccountMails } from '../../accounts/server/mails.ts'
import { startMailQueue } from '../../platform/server/mail-queue.ts'
import { createMailer } from '../../platform/server/mailer.ts'
import { AUTH_CLIENT_OFFLINE, expect, expectAccessible, putSession, test, tokenOf } from './rig.ts'

test('a visitor signs up, signs in, and signs out', async ({ page, account }) => {
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/auth/)
  await page.goto('/auth?tab=signup')
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true')

  const form = page.getByRole('tabpanel', { name: 'Sign Up' })
  await form.getByLabel('E-mail').fill(account.email)
  await form.getByLabel('Password', { exact: true }).fill(account.password)
  await form.getByLabel('Degree').fill('Economics')
  await form.getByLabel('Year of studies').fill('2')
  await form.getByRole('button', { name: 'Create Account' }).click()
  await expect(
    form.getByText(
      'Terms and conditions required: Please accept the terms and conditions to create an account.',
    ),
  ).toBeVisible()

  for (const title of ['Terms and Conditions', 'Privacy Policy']) {
    await form.getByRole('button', { name: title }).click()
    const dialog = page.getByRole('dialog', { name: title })
    await expect(dialog.getByRole('heading', { level: 3 })).toHaveCount(11)
    await expect(dialog.getByText('support@superday.example').first()).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(form.getByRole('button', { name: title })).toBeFocused()
  }
  await form.getByRole('checkbox').check()
  await form.getByRole('button', { name: 'Create Account' }).click()
  await expect(
    page.getByText('Account created successfully! You can now sign in with your credentials.'),
  ).toBeVisible()

  // The screen switches to Sign In with the e-mail prefilled, the sign-up form cleared.
  const signIn = page.getByRole('tabpanel', { name: 'Sign In' })
  await expect(signIn.getByLabel('E-mail')).toHaveValue(account.email)
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await expect(form.getByLabel('E-mail')).toHaveValue('')
  await expect(form.getByLabel('Degree')).toHaveValue('')
  await page.getByRole('tab', { name: 'Sign In' }).click()
  await signIn.getByLabel('Password', { exact: true }).fill(account.password)
  await signIn.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText('Welcome back!')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')

  // Signed in, /auth and / lead to the dashboard.
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

test('a wrong password, a weak one and a taken address say so', async ({
  page,
  product,
  account,
  expectConsoleErrors,
}) => {
  expectConsoleErrors((text) => /status of 4\d\d/.test(text))
  await fetch(`${product.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...account, data: {} }),
  })
  await page.goto('/auth?tab=signin')
  const signIn = page.getByRole('tabpanel', { name: 'Sign In' })
  await signIn.getByLabel('E-mail').fill(account.email)
  await signIn.getByLabel('Password', { exact: true }).fill('wrong wrong wrong')
  await signIn.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText('Invalid login credentials')).toBeVisible()
  await expect(page).toHaveURL(/\/auth/)

  await page.goto('/auth?tab=signup')
  const signUp = page.getByRole('tabpanel', { name: 'Sign Up' })
  const submit = async (password: string) => {
    await signUp.getByLabel('E-mail').fill(account.email)
    await signUp.getByLabel('Password', { exact: true }).fill(password)
    await signUp.getByRole('checkbox').check()
    await signUp.getByRole('button', { name: 'Create Account' }).click()
  }
  await submit('short')
  await expect(signUp.getByText(/8 characters/).first()).toBeVisible()
  await submit(account.password)
  await expect(page.getByText(/already/i).first()).toBeVisible()
})

test('a guest practises, becomes an account in place and keeps everything', async ({
  page,
  account,
}) => {
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Continue as Guest' }).click()
  await expect(page.getByText('Welcome, Guest!')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  const before = await page.evaluate(
    () => JSON.parse(localStorage.getItem('superday-auth') ?? '{}').user.id,
  )

  await page.goto('/personal-hub')
  await expectAccessible(page)
  const form = page.getByRole('region', { name: 'Create your account' })
  await form.getByLabel('E-mail').fill(account.email)
  await form.getByLabel('Password', { exact: true }).fill(account.password)
  const checkbox = form.getByRole('checkbox')
  if (await checkbox.count()) await checkbox.check()
  await form.getByRole('button', { name: /Create/ }).click()
  await expect(form).toBeHidden()
  await expect(page.getByText(account.email).first()).toBeVisible()
  const after = await page.evaluate(
    () => JSON.parse(localStorage.getItem('superday-auth') ?? '{}').user,
  )
  expect([after.id, after.is_anonymous]).toEqual([before, false])
})

test('a guest is asked before signing out', async ({ page }) => {
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Continue as Guest' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.getByRole('button', { name: 'Sign Out' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('progress')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await question.getByRole('button', { name: 'Sign out anyway' }).click()
  await expect(page).toHaveURL(/\/auth/)
})

test('signing out works without a network too', async ({
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

test('signing out everywhere ends the other device', async ({
  page,
  browser,
  product,
  signedIn,
  expectConsoleErrors,
}) => {
  void signedIn
  expectConsoleErrors((text) => /status of 40[13]/.test(text))
  await page.goto('/personal-hub')
  const otherDevice = await browser.newContext({ baseURL: product.url })
  const otherPage = await otherDevice.newPage()
  await otherPage.goto('/auth')
  const signIn = otherPage.getByRole('tabpanel', { name: 'Sign In' })
  await signIn.getByLabel('E-mail').fill(signedIn.email)
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

test('twenty tabs that refresh one session at once all stay signed in', async ({
  page,
  context,
  product,
  account,
  expectConsoleErrors,
}) => {
  void expectConsoleErrors
  await putSession(page, product, account)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Sign Out' }).waitFor()
  const tabs = [page, ...(await Promise.all(Array.from({ length: 19 }, () => context.newPage())))]
  await Promise.all(tabs.slice(1).map((tab) => tab.goto('/faq')))
  // The access token is about to expire, in all of them.
  await page.evaluate(() => {
    const stored = JSON.parse(localStorage.getItem('superday-auth') ?? '{}')
    stored.expires_at = Math.floor(Date.now() / 1000) - 5
    localStorage.setItem('superday-auth', JSON.stringify(stored))
  })
  await Promise.all(tabs.map((tab) => tab.reload()))
  for (const tab of tabs) await expect(tab).not.toHaveURL(/\/auth/)
  const token = await tokenOf(page)
  const profile = await page.request.get('/api/profile', {
    headers: { Authorization: `Bearer ${token}` },
  })
  expect(profile.status()).toBe(200)
  const { rows } = await product.db.$client.query<{ count: number }>(
    'select count(*)::int as count from sessions s join users u on u.id = s.user_id where u.email = $1',
    [account.email],
  )
  expect(rows).toEqual([{ count: 1 }])
})

test('a password is recovered by a mail received over SMTP', async ({
  page,
  product,
  account,
  expectConsoleErrors,
}) => {
  expectConsoleErrors((text) => /status of 4\d\d/.test(text))
  const received: string[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _, done) {
      let raw = ''
      stream.on('data', (chunk) => {
        raw += chunk
      })
      stream.on('end', () => {
        received.push(raw)
        done()
      })
    },
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const address = smtp.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const queue = startMailQueue({
    db: product.db,
    now: product.clock.now,
    mailer: createMailer({
      smtpUrl: `smtp://127.0.0.1:${port}`,
      from: 'Superday <no-reply@superday.example>',
      outboxDir: '/nonexistent',
      log: product.log,
    }),
    kinds: createAccountMails({
      db: product.db,
      now: product.clock.now,
      publicUrl: product.url,
      secretKey: product.secretKey,
    }),
    log: product.log,
  })
  try {
    await fetch(`${product.url}/auth/v1/signup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...account, data: {} }),
    })
    await page.goto('/auth')
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await page.getByLabel('E-mail').fill(account.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await expect(
      page.getByText(
        'If an account exists for that address, we sent a link. It is valid for one hour.',
      ),
    ).toBeVisible()
    await expect.poll(() => received.length, { timeout: 15_000 }).toBe(1)
    const mail = await PostalMime.parse(received[0] ?? '')
    expect(mail.to?.[0]?.address).toBe(account.email)
    const link = /http\S+\/auth\?recovery=\S+/.exec(mail.text ?? '')?.[0] ?? ''

    // A scanner that opens the link consumes nothing.
    await fetch(link)
    await page.goto(link)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Set a new password' }).click()
    await page.getByLabel('New password').waitFor()
    await page.reload()
    await page.getByLabel('New password').fill('another horse battery')
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(page).toHaveURL('/dashboard')

    const signIn = (password: string) =>
      fetch(`${product.url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: account.email, password }),
      })
    expect((await signIn(account.password)).status).toBe(400)
    expect((await signIn('another horse battery')).status).toBe(200)

    // The link works once.
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL(/\/auth/)
    await page.goto(link)
    await page.getByRole('button', { name: 'Set a new password' }).click()
    await expect(
      page.getByText('This link has expired or was already used.', { exact: false }),
    ).toBeVisible()
  } finally {
    await queue.stop()
    await new Promise<void>((resolve) => smtp.close(resolve))
  }
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the drawer opens from the right, by keyboard, and gives the focus back', async ({
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

  test('signing up and in goes by keyboard alone', async ({ page, account }) => {
    await page.goto('/auth?tab=signup')
    await page.getByRole('tab', { name: 'Sign Up' }).focus()
    const press = async (key: string, times = 1) => {
      for (let count = 0; count < times; count += 1) await page.keyboard.press(key)
    }
    const tabTo = async (isThere: (element: Element) => boolean) => {
      for (let tab = 0; tab < 25; tab += 1) {
        await press('Tab')
        const found = await page.evaluate(`(${isThere.toString()})(document.activeElement)`)
        if (found) return
      }
      throw new Error('the keyboard does not get there')
    }
    await tabTo((element) => (element as HTMLInputElement).name === 'email')
    await page.keyboard.type(account.email)
    await tabTo((element) => (element as HTMLInputElement).name === 'password')
    await page.keyboard.type(account.password)
    await tabTo((element) => (element as HTMLInputElement).type === 'checkbox')
    await press('Space')
    await tabTo((element) => (element as HTMLButtonElement).type === 'submit')
    await press('Enter')
    await expect(page.getByText('Account created successfully!', { exact: false })).toBeVisible()
    await expect(
      page.getByRole('tabpanel', { name: 'Sign In' }).getByLabel('Password', { exact: true }),
    ).toBeFocused()
    await page.keyboard.type(account.password)
    await press('Enter')
    await expect(page).toHaveURL('/dashboard')
  })
})
