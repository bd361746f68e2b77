import type { Page } from '@playwright/test'
import { questionHeading } from '../assessment-rig.ts'
import { expect, expectSound, isFull, type Product, test, tokenOf } from '../rig.ts'

const evening = (page: Page) => /superday\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''

/** Moves the start of a mock superday back. */
async function begunBefore(product: Product, id: string, minutes: number): Promise<void> {
  await product.db.$client.query(
    `update superdays set started_at = started_at - $2 * interval '1 minute',
       counts_from = counts_from - $2 * interval '1 minute' where id = $1`,
    [id, minutes],
  )
}

async function press(page: Page, role: 'link' | 'button', name: string | RegExp): Promise<void> {
  await page.getByRole(role, { name }).focus()
  await page.keyboard.press('Enter')
}

test('A student goes through a mock superday by keyboard: test, case, aloud, drill and report', {
  tag: '@full',
}, async ({ page, product, signedIn: _ }) => {
  await page.goto('/dashboard')
  await press(page, 'link', /^Mock superday/)
  await expect(page.getByRole('heading', { level: 1, name: 'Mock superday' })).toBeVisible()
  await expect(page.getByText('None yet.')).toBeVisible()
  await expectSound(page, 'superday-start')
  await press(page, 'button', 'Start mock superday')

  await expect(page.getByRole('heading', { level: 1, name: 'Four parts' })).toBeVisible()
  await expect(page.getByText('The third one ends the test.')).toBeVisible()
  if (isFull) await expectSound(page, 'superday-evening')
  const id = evening(page)
  await press(page, 'button', 'Start the test')

  // The assessment's own screen, with its own rules.
  await expect(page).toHaveURL('/recruitment/test')
  await expect(page.getByRole('timer')).toContainText(/29:|30:/)
  for (let question = 1; question <= 20; question += 1) {
    await expect(questionHeading(page, question)).toBeVisible()
    await page.keyboard.press('a')
    if (question < 20) await page.keyboard.press('Enter')
  }
  await press(page, 'button', 'Submit Test')
  await expect(page).toHaveURL(`/superday/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'One of four done' })).toBeVisible()

  await press(page, 'link', 'Open the case')
  await expect(page).toHaveURL(new RegExp(`/cases/.*superday=${id}`))
  for (let question = 0; question < 5; question += 1) {
    await expect(page.getByRole('radio').first()).toBeVisible()
    await page.keyboard.press('a')
    await page.keyboard.press('Enter')
  }
  await press(page, 'link', 'Back to the superday')
  await expect(page.getByRole('heading', { level: 1, name: 'Two of four done' })).toBeVisible()

  await press(page, 'link', 'Answer aloud')
  await page.getByRole('button', { name: 'Record' }).click()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('checkbox').first().check({ force: true })
  await page.getByRole('button', { name: 'Next' }).click()
  for (const onward of ['Next follow-up', 'Next follow-up', 'Finish']) {
    await page.getByRole('button', { name: 'Show the answer' }).click()
    await page.getByRole('button', { name: onward }).click()
  }
  await expect(page).toHaveURL(`/superday/${id}`)
  await expect(page.getByText('1 of 3 answered')).toBeVisible()
  await answerTheRest(page, id)

  await begunBefore(product, id, 30)
  await press(page, 'link', 'Open the drill')
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByRole('timer')).toBeVisible()
  await page.keyboard.press('1')
  await expect(page.getByLabel(/^1 of 80 done/)).toBeVisible()
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((one) => one.startsWith('superday-drill:')) ?? ''
    const run = JSON.parse(localStorage.getItem(key) ?? '{}')
    const startedAtMs = run.startedAtMs - 480_000
    // The server refuses an answer that took less than 150 ms.
    const answers = [{ ...run.answers[0], tookMs: 1_000 }]
    localStorage.setItem(key, JSON.stringify({ ...run, startedAtMs, answers }))
  })
  await page.reload()
  await press(page, 'link', 'Back to the superday')

  await expect(page).toHaveURL(`/superday/${id}/report`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('2 of 6 at interview level')
  const stops = page.getByRole('region', { name: 'Not yet' })
  await expect(stops.getByText(/70% needed: 14 of 20/)).toBeVisible()
  await expect(stops.getByText(/The reported pass mark is 56\./)).toBeVisible()
  const days = page.getByRole('region', { name: 'What to do' })
  await expect(days.getByRole('link', { name: 'Set the date of your interview' })).toBeVisible()
  await expectSound(page, 'superday-report')
  await page.emulateMedia({ media: 'print' })
  await expect(stops).toBeVisible()
  await expect(page.locator('header, footer, .btn').filter({ visible: true })).toHaveCount(0)
  await page.emulateMedia({ media: 'screen' })
  await page.goto('/superday')
  await expect(page.getByRole('link', { name: /Report$/ })).toContainText('of 20')
})

/** Answers the remaining spoken questions through the API, with all six points. */
async function answerTheRest(page: Page, id: string): Promise<void> {
  const headers = { Authorization: `Bearer ${await tokenOf(page)}` }
  const { aloud } = await (
    await page.request.get(`/api/practice/superdays/${id}`, { headers })
  ).json()
  for (const { slug, result } of aloud) {
    if (result) continue
    const saved = await page.request.post(`/api/practice/aloud/${slug}/answers`, {
      headers,
      data: {
        ...{ id: crypto.randomUUID(), points: [1, 2, 3, 4, 5, 6], rating: 3, tookMs: 80_000 },
        ...{ answeredAt: new Date().toISOString(), timeZone: 'Europe/Lisbon' },
      },
    })
    expect(saved.status()).toBe(201)
  }
}

test('An interrupted mock superday can be continued, and closes after four hours', {
  tag: '@full',
}, async ({ page, product, signedIn: _, expectConsoleErrors }) => {
  expectConsoleErrors((text) => text.includes('status of 404'))
  await page.goto('/superday')
  await page.getByRole('button', { name: 'Start mock superday' }).click()
  await expect(page.getByRole('button', { name: 'Start the test' })).toBeVisible()
  const id = evening(page)
  await page.goto('/superday')
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(page).toHaveURL(`/superday/${id}`)

  await begunBefore(product, id, 211)
  await page.reload()
  await expect(page.getByText(/^Too late. It had to start by/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start the test' })).toHaveCount(0)
  await begunBefore(product, id, 30)
  await page.reload()
  await expect(page).toHaveURL(`/superday/${id}/report`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('0 of 6 at interview level')
  await expect(page.getByRole('region', { name: 'Not done' }).getByRole('listitem')).toHaveCount(6)
  await page.goto('/superday/00000000-0000-4000-8000-000000000000')
  await expect(page.getByText('There is no such mock superday')).toBeVisible()
})
