import { expect, test } from './rig.ts'

// The parts of decision 050 that need a browser. connectivity.test.ts covers the rule.

test.describe('a browser that is wrong about its connection', { tag: '@full' }, () => {
  test('The dashboard says that the server is away, and loads the puzzle when it is back', async ({
    page,
    signedIn,
    expectConsoleErrors,
  }) => {
    expect(signedIn.email).toBeTruthy()
    expectConsoleErrors((text) => text.includes('ERR_FAILED'))
    const server = /\/api\/|\/favicon\.svg/
    await page.route(server, (route) => route.abort())
    await page.goto('/dashboard')
    await expect(page.getByText('The puzzle of the day needs a connection.')).toBeVisible()
    await expect(page.getByText('No connection')).toBeVisible()
    expect(await page.evaluate(() => navigator.onLine)).toBe(true)
    await page.unroute(server)
    await expect(page.getByText('Connected again')).toBeVisible({ timeout: 15_000 })
    await expect(page.getByRole('button', { name: 'Reveal' })).toBeVisible()
  })

  test('The dashboard does not change while the server responds', async ({ page, signedIn }) => {
    expect(signedIn.email).toBeTruthy()
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false })
    })
    await page.goto('/dashboard')
    await expect(page.getByRole('button', { name: 'Reveal' })).toBeVisible()
    const asked = page.waitForResponse('/favicon.svg')
    await page.evaluate(() => dispatchEvent(new Event('offline')))
    expect((await asked).ok()).toBe(true)
    await expect(page.getByText('No connection')).toHaveCount(0)
  })
})
