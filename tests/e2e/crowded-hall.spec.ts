import { makeAssessment, makeCandidate, PASSWORD as SOCIETY_PASSWORD } from './assessment-rig.ts'
import { expect, expectSound, test } from './rig.ts'

test('A candidate gets in with the society’s credentials when there are too many guests', {
  tag: '@full',
}, async ({ page, product, expectConsoleErrors }) => {
  expectConsoleErrors((text) => /status of 429/.test(text))
  const { code, society } = await makeAssessment(product)
  const { username } = await makeCandidate(product, code)
  const proofs: string[] = []
  await page.route('**/auth/v1/signup', async (route) => {
    const proof = route.request().postDataJSON().gotrue_meta_security?.captcha_token
    if (proof) proofs.push(proof)
    if (proof && !proof.includes('wrong')) await route.continue()
    else {
      await route.fulfill({
        status: 429,
        headers: { 'X-Supabase-Api-Version': '2024-01-01' },
        json: { code: 'over_request_rate_limit', message: 'Too many guests are joining.' },
      })
    }
  })
  await page.goto('/auth')
  const wayIn = page.getByRole('heading', { name: 'Here for an assessment?' })
  await expect(wayIn).toHaveCount(0)
  await page.getByRole('button', { name: 'Continue as Guest' }).click()
  await expect(wayIn).toBeVisible()
  await expectSound(page)
  const comeIn = page.getByRole('button', { name: 'Open assessment' })
  await comeIn.click()
  await expect(page.getByText('Please enter both username and password.')).toBeVisible()
  await page.getByLabel('Society username').fill(` ${username} `)
  await page.getByLabel('Society password', { exact: true }).fill('wrong')
  await comeIn.click()
  await expect(page).toHaveURL(/\/auth/)
  await page.getByLabel('Society password', { exact: true }).fill(SOCIETY_PASSWORD)
  await comeIn.click()
  await expect(page).toHaveURL('/recruitment')
  expect(proofs.map((proof) => JSON.parse(proof))).toEqual([
    { username, password: 'wrong' },
    { username, password: SOCIETY_PASSWORD },
  ])
  // The entered credentials aren't asked for again.
  await page.getByRole('listitem').filter({ hasText: society }).getByRole('button').first().click()
  await page.getByRole('button', { name: 'Access Test' }).click()
  await expect(page).toHaveURL('/recruitment/instructions')
})
