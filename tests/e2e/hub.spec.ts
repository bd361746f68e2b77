import { readFile } from 'node:fs/promises'
import {
  AUTH_CLIENT_OFFLINE,
  expect,
  expectAccessible,
  holdBack,
  practise,
  signIn,
  test,
} from './rig.ts'

const NEW_PASSWORD = 'another horse battery'

test('The charts show score, averages and days, and describe them in words', {
  tag: '@full',
}, async ({ page, signedIn }) => {
  void signedIn
  await page.goto('/personal-hub')
  await expect(page.getByText('Start Your Journey')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Score over time' })).toHaveCount(0)
  await practise(page, [4, 7, 10])

  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  const tracker = page.getByRole('region', { name: 'Progress Tracker' })
  const days = page.getByRole('region', { name: 'Days practiced' })
  const scores = page.getByRole('table', { name: 'Scores, oldest first' })
  await expect(scores.getByRole('row')).toHaveText([
    /Day.*Score/,
    /Valuation & Corporate Finance, Intern, Test 1.*40%/,
    /70%/,
    /100%/,
  ])
  await expect(tracker.getByText('Intern: 70%')).toBeVisible()
  await expect(tracker.getByText('Not tried yet')).toHaveCount(2)
  await expect(days.getByText('3 days')).toBeVisible()
  await expect(days.getByText(/^\w+day, \w+ \d+: 1 test$/)).toHaveCount(6)
  await expect(page.getByText('More Features Coming Soon')).toBeVisible()
  for (const tab of ['Progress', 'Mistakes', 'History', 'Account']) {
    await page.getByRole('link', { name: tab, exact: true }).click()
    await expect(page.locator('.skeleton')).toHaveCount(0)
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    expect([tab, height / 844 <= 3]).toEqual([tab, true])
  }
  await page.goBack()
  await expect(page.getByRole('link', { name: 'History' })).toHaveAttribute('aria-current', 'page')
})

test('A student downloads their data and deletes the account, which leaves nothing behind', async ({
  page,
  product,
  signedIn,
  expectConsoleErrors,
}) => {
  expectConsoleErrors((text) => /Failed to load resource/.test(text))
  await page.goto('/quiz/Valuation%20%26%20Corporate%20Finance/Intern/1')
  await page.getByRole('radio').first().check({ force: true })
  await page.goto('/personal-hub?tab=account')
  await practise(page, [7])
  await page.getByRole('button', { name: 'Download my data' }).click()
  const download = page.getByRole('dialog', { name: 'Download my data' })
  const proof = download.getByLabel('Your password', { exact: true })
  const go = download.getByRole('button', { name: 'Download' })
  await expect(proof).toBeFocused()
  await go.click()
  await expect(download.getByText('Please enter your password.', { exact: true })).toBeVisible()
  await proof.fill('not my password')
  await go.click()
  await expect(download.getByText('That isn’t your password.')).toBeVisible()
  await expect(proof).toBeFocused()
  await expectAccessible(page)
  await proof.fill(signedIn.password)
  await page.route('**/api/profile/export', (route) => route.abort())
  await go.click()
  await expect(page.getByText('Your data could not be downloaded')).toBeVisible()
  await page.unroute('**/api/profile/export')
  const [file] = await Promise.all([page.waitForEvent('download'), go.click()])
  await expect(download).toBeHidden()
  await expect(page.getByRole('button', { name: 'Download my data' })).toBeFocused()
  expect(file.suggestedFilename()).toBe('superday-data.json')
  const held = JSON.parse(await readFile(await file.path(), 'utf8'))
  expect(held.users).toMatchObject([{ email: signedIn.email }])
  expect(held.test_results).toMatchObject([{ score: 7, total_questions: 10 }])
  expect(held.test_results[0].questions_data).toHaveLength(10)

  const kept = () =>
    page.evaluate(() =>
      Object.keys(localStorage).filter((key) => /auth|draft|outbox|daily/.test(key)),
    )
  expect(await kept()).toHaveLength(2)

  const button = page.getByRole('button', { name: 'Delete my account' })
  await button.click()
  const question = page.getByRole('alertdialog', { name: 'Delete your account?' })
  await expect(question).toContainText('Assessment attempts stay with the society')
  const confirmation = question.getByLabel('Type DELETE to confirm')
  await expect(confirmation).toBeFocused()
  const confirm = question.getByRole('button', { name: 'Delete my account' })
  await confirmation.fill('delete')
  await confirm.click()
  await expect(question.getByText('Please type DELETE, in capital letters.')).toBeVisible()
  await question.getByRole('button', { name: 'Keep my account' }).click()
  await expect(question).toBeHidden()
  await expect(button).toBeFocused()

  await button.click()
  await confirmation.fill('DELETE')
  await confirm.click()
  await expect(question.getByText('Please enter your password.', { exact: true })).toBeVisible()
  const password = question.getByLabel('Your password', { exact: true })
  await password.fill('not my password')
  await confirm.click()
  await expect(question.getByText('That isn’t your password.')).toBeVisible()
  await expectAccessible(page)
  await password.fill(signedIn.password)
  await page.route('**/api/profile', (route) => route.abort())
  await confirm.click()
  await expect(page.getByText('Your account was not deleted')).toBeVisible()
  await page.unroute('**/api/profile')
  await confirm.click()
  await expect(page).toHaveURL(/\/auth/)
  await expect(page.getByText('Account deleted')).toBeVisible()
  await expect(page.getByText('Your account is closed.')).toBeVisible()
  expect(await kept()).toEqual([])
  expect(await signIn(product, signedIn)).toBe(400)
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/auth/)
})

test('A guest has no password to change and can delete everything', { tag: '@full' }, async ({
  page,
}) => {
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Continue as Guest' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/personal-hub?tab=account')
  await expect(page.getByRole('button', { name: 'Download my data' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Change password' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByLabel('Type DELETE to confirm').fill('DELETE')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/auth/)
  await expect(page.getByText('Account deleted')).toBeVisible()
  // It is shown once.
  await expect(page.getByText('Your account is closed.')).toBeVisible()
  await page.goto('/faq')
  await page.goto('/auth')
  await expect(page.getByRole('button', { name: 'Continue as Guest' })).toBeVisible()
  await expect(page.getByText('Your account is closed.')).toHaveCount(0)
})

test('Changing the password does not sign out another tab of the same browser', {
  tag: '@full',
}, async ({ page, context, product, signedIn, expectConsoleErrors }) => {
  // The other tab's calls in between are refused, then retried.
  expectConsoleErrors((text) => /status of 4(0[0134]|22)/.test(text))
  await page.goto('/personal-hub?tab=account')
  const other = await context.newPage()
  await other.goto('/quiz/Valuation%20%26%20Corporate%20Finance/Intern/1')
  await other.getByRole('radio').first().check({ force: true })
  const before = await page.evaluate(() => localStorage.getItem('superday-auth'))

  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  const next = dialog.getByLabel('New password', { exact: true })
  await dialog.getByLabel('Current password', { exact: true }).fill(signedIn.password)
  await next.fill('password123')
  await dialog.getByRole('button', { name: 'Save password' }).click()
  await expect(dialog.getByText(/^Many people use this password/)).toBeVisible()
  await expect(next).toBeFocused()
  await expectAccessible(page)
  await next.fill(NEW_PASSWORD)
  const made = holdBack()
  const held = holdBack()
  // The server makes the change, but its response is slow.
  await page.route('**/auth/v1/user', async (route) => {
    const response = await route.fetch()
    made.release()
    await held.released
    await route.fulfill({ response })
  })
  await dialog.getByRole('button', { name: 'Save password' }).click()
  await made.released
  // The other tab refreshes meanwhile with an ended session's token, after its access token has expired. The client
  // would sign out.
  const renewal = other.waitForResponse(/grant_type=refresh_token/)
  await other.evaluate(() => {
    const stored = JSON.parse(localStorage.getItem('superday-auth') ?? '{}')
    stored.expires_at = Math.floor(Date.now() / 1000) - 5
    localStorage.setItem('superday-auth', JSON.stringify(stored))
    dispatchEvent(new Event('visibilitychange'))
  })
  expect((await renewal).status()).toBe(400)
  held.release()
  await expect(page.getByText('Your new password is set.')).toBeVisible()
  await page.unroute('**/auth/v1/user')
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('superday-auth')))
    .not.toBe(before)
  for (const tab of [page, other]) {
    await expect(tab).not.toHaveURL(/\/auth/)
    await tab.reload()
    await expect(tab).not.toHaveURL(/\/auth/)
  }
  await expect(other.getByRole('radio').first()).toBeChecked()
  const { rows } = await product.db.$client.query<{ count: number }>(
    'select count(*)::int as count from sessions s join users u on u.id = s.user_id where u.email = $1',
    [signedIn.email],
  )
  expect(rows).toEqual([{ count: 1 }])
})

test('A password change whose response is lost is recognized, and the session continues', {
  tag: '@full',
}, async ({ page, product, signedIn, expectConsoleErrors }) => {
  expectConsoleErrors((text) => /Failed to load resource/.test(text))
  expectConsoleErrors((text) => AUTH_CLIENT_OFFLINE.test(text))
  await page.goto('/personal-hub?tab=account')
  const change = async (current: string, next: string) => {
    await page.getByRole('button', { name: 'Change password' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change password' })
    await dialog.getByLabel('Current password', { exact: true }).fill(current)
    await dialog.getByLabel('New password', { exact: true }).fill(next)
    await dialog.getByRole('button', { name: 'Save password' }).click()
  }
  await page.route('**/auth/v1/user', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await change(signedIn.password, NEW_PASSWORD)
  await expect(page.getByText('Your new password is set.')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Change password' })).toBeVisible()

  // The connection stays cut, so the page says which password to use.
  await page.route('**/auth/v1/token*', (route) => route.abort())
  await change(NEW_PASSWORD, 'and one more of them')
  await expect(page.getByText('use the password you just chose')).toBeVisible()
  await page.unroute('**/auth/v1/user')
  await page.unroute('**/auth/v1/token*')
  expect(await signIn(product, { ...signedIn, password: 'and one more of them' })).toBe(200)
})

test('A results page prints in light colors, without navigation or buttons, with whole explanations', {
  tag: '@full',
}, async ({ page, signedIn }) => {
  void signedIn
  await page.goto('/personal-hub?tab=history')
  await practise(page, [7])
  await page.evaluate(() => localStorage.setItem('superday-theme', 'dark'))
  await page.reload()
  await page.getByRole('link', { name: /Open the review/ }).click()
  await expect(page.getByRole('heading', { name: 'Question Review' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await expect(
    page.locator('header, footer, button:not(.reviewed-line), .btn').filter({ visible: true }),
  ).toHaveCount(0)
  await expect(page.getByText('CORRECT', { exact: true })).toHaveCount(10)
  const breaks = await page
    .getByText('Explanation', { exact: true })
    .evaluateAll((headings) =>
      headings.map((heading) => getComputedStyle(heading.parentElement as Element).breakInside),
    )
  expect(new Set(breaks)).toEqual(new Set(['avoid']))
  expect(breaks).toHaveLength(10)
})

test('On a phone the bar has four links and is replaced by a page’s own bar', {
  tag: '@full',
}, async ({ page, signedIn }) => {
  void signedIn
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard')
  const bar = page.getByRole('navigation', { name: 'Places' })
  await expect(bar.getByRole('link')).toHaveText(['Today', 'Practice', 'Plan', 'Me'])
  for (const [place, path] of [
    ['Plan', '/plan'],
    ['Me', '/personal-hub'],
    ['Practice', '/practice'],
  ] as const) {
    await bar.getByRole('link', { name: place, exact: true }).click()
    await expect(page).toHaveURL(path)
    await expect(bar.locator('[aria-current]')).toHaveText(place)
  }
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Build a test' }).click()
  await expect(page).toHaveURL('/build')
  await expect(page.getByRole('link', { name: /^Start 10 questions/ })).toBeInViewport()
  await expect(bar).toBeHidden()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/practice')
  await expect(page.getByRole('heading', { level: 1, name: 'Practice' })).toBeVisible()
  await expect(bar).toBeHidden()
})
