import { choose, enterTest, makeCandidate, openOtherBrowser } from '../assessment-rig.ts'
import { expect, expectSound, test } from '../rig.ts'
import { makeTest } from './console-rig.ts'

test('A candidate asks for help while offline, returns, and reads that a helper saw it and the answer', async ({
  page,
  product,
  signedIn,
  browser,
  expectConsoleErrors,
}) => {
  expectConsoleErrors((text) => text.includes('Failed to load resource'))
  const { code, of } = await makeTest(product, signedIn.email, { navigator: true, itemCount: 24 })
  const candidate = await makeCandidate(product, code)
  const { context, page: own } = await openOtherBrowser(browser, product)
  await own.setViewportSize({ width: 390, height: 844 })
  await enterTest(own, code, candidate.username)
  await choose(own, 'A')
  await expect(own.getByText('Turn keys off')).toBeHidden()
  const target = await own.getByRole('button', { name: /^Question 2,/ }).boundingBox()
  expect(Math.min(target?.width ?? 0, target?.height ?? 0)).toBeGreaterThanOrEqual(44)

  const help = own.getByRole('region', { name: 'Help' })
  await help.getByRole('button', { name: 'Ask for help' }).click()
  await own.getByLabel('What’s the problem?').fill('My laptop has no power')
  await expectSound(own, 'ask-for-help')
  await context.setOffline(true)
  await own.keyboard.press('Enter')
  await expect(help).toContainText('Sending your request')
  await context.setOffline(false)
  await expect(help).toContainText('No helper has read it yet', { timeout: 20_000 })

  await page.goto(of('live'))
  const alert = page.getByRole('listitem').filter({ hasText: 'Asked for help.' })
  await expect(alert).toContainText('“My laptop has no power”')
  await expectSound(page, 'live-help')
  await alert.getByRole('button', { name: `Answer ${candidate.username}` }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('They asked: “My laptop has no power”')
  await dialog.getByLabel('Message').fill('A helper is bringing you a charger.')
  await dialog.getByRole('button', { name: /^Send to/ }).click()
  await expect(page.getByText('No one needs help right now.')).toBeVisible()

  await own.reload()
  await expect(help).toContainText('A helper read it at')
  await expect(own.getByText('A helper is bringing you a charger.').first()).toBeVisible()
  await own.goto('/recruitment/instructions')
  const running = own.getByRole('region', { name: 'Your test is running' })
  await expect(running).toContainText(/Your test is running: \d\d:\d\d left, 0 of 3 strikes/)
  await expect(own.getByText('The clock starts when you')).toHaveCount(0)
  await expectSound(own, 'instructions-continue')
  await running.getByRole('button', { name: 'Continue' }).click()
  await expect(help).toBeVisible()
  await context.close()
})

test('An owner lets one candidate start on another day, and Live and the list say so', async ({
  page,
  product,
  signedIn,
}) => {
  const at = (minutes: number) => new Date(product.clock.now().getTime() + minutes * 60_000)
  const { code, of } = await makeTest(product, signedIn.email, {
    ...{ opensAt: at(-60), closesAt: at(60) },
  })
  const { username } = await makeCandidate(product, code)
  await page.goto(of('candidates'))
  await page.getByRole('button', { name: username }).press('Enter')
  await page.getByRole('button', { name: '+50 %' }).click()
  await page.getByLabel(/^Different start time/).check()
  const day = at(3 * 24 * 60)
    .toISOString()
    .slice(0, 10)
  await page.getByLabel('Day', { exact: true }).fill(day)
  await page.getByLabel('Between').fill('14:00')
  await expect(page.getByRole('button', { name: 'Save the changes' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await page.getByLabel('and', { exact: true }).fill('14:10')
  await expect(
    page.getByText(/between 14:00 and 14:10 and finishes by 14:40, Tokyo time/),
  ).toBeVisible()
  await expectSound(page, 'another-start')
  await page.getByRole('button', { name: 'Save the changes' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Another time/ })).toContainText('1')
  await page.goto(of('live'))
  await expect(page.getByText(/^Starts \w{3} \d+ \w{3}.*, 14:00$/)).toBeVisible()
})
