import type { Page } from '@playwright/test'
import type { AskedSum } from '../../../practice/drill/generator.ts'
import { getPreset, type Preset } from '../../../practice/drill/presets.ts'
import { type DrillRun, sumsOfRun } from '../../../practice/web/drill/drill-runs.ts'
import { expect, expectSound, type Product, test } from '../rig.ts'

const TYPED = getPreset('80-in-8-typed') as Preset

/** The current drill in the browser's storage. */
async function runOf(page: Page, preset: Preset): Promise<DrillRun> {
  const text = await page.evaluate((id) => {
    const key = Object.keys(localStorage).find(
      (one) => one.startsWith('superday-drill:') && one.endsWith(`:${id}`),
    )
    return key ? localStorage.getItem(key) : null
  }, preset.id)
  return JSON.parse(text ?? 'null')
}
async function sumAtHand(page: Page, preset: Preset): Promise<AskedSum> {
  const run = await runOf(page, preset)
  const sum = sumsOfRun(run, preset)[run.answers.length]
  if (!sum) throw new Error('the drill has no sum')
  return sum
}
/** Moves the start of a drill back and reloads it. */
async function begunBefore(page: Page, preset: Preset, ms: number): Promise<void> {
  await page.evaluate(
    ([id, by]) => {
      for (const key of Object.keys(localStorage)) {
        if (!key.startsWith('superday-drill:') || !key.endsWith(`:${id}`)) continue
        const run = JSON.parse(localStorage.getItem(key) ?? '{}')
        localStorage.setItem(
          key,
          JSON.stringify({ ...run, startedAtMs: run.startedAtMs - Number(by) }),
        )
      }
    },
    [preset.id, ms] as const,
  )
  await page.reload()
}
async function storedDrills(product: Product, email: string) {
  const { rows } = await product.db.$client.query(
    `select preset, correct, wrong, skipped, score, took_ms as "tookMs", answers
     from drills d join users u on u.id = d.user_id where u.email = $1 order by started_at`,
    [email],
  )
  return rows
}
async function type(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

test('A typed drill is done by keyboard, continues after a reload and lists its mistakes at the end', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  await page.goto('/drills')
  await expect(page.getByRole('heading', { level: 1, name: 'Drills' })).toBeVisible()
  await expectSound(page, 'drills')
  await page.getByRole('link', { name: 'Start Mental math, 80 in 8 minutes, typed' }).focus()
  await page.keyboard.press('Enter')
  const start = page.getByRole('button', { name: 'Start' })
  await expect(start).toBeFocused()
  await expectSound(page, 'drill-ready')
  await start.press('Enter')
  await expect(page.getByRole('timer')).toContainText('7:5')

  await type(page, (await sumAtHand(page, TYPED)).key.replace('.', ','))
  await expect(
    page.getByRole('list', { name: 'The last three' }).getByLabel('Correct'),
  ).toHaveCount(1)
  const missed = await sumAtHand(page, TYPED)
  // Letters are ignored, Escape clears, and an empty answer isn't submitted.
  await page.keyboard.type('x7')
  await expect(page.getByRole('textbox')).toHaveValue('7')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await type(page, '7777')
  await expect(page.getByLabel('2 of 80 done, 1 right, 1 wrong.')).toBeVisible()

  await begunBefore(page, TYPED, 100_000)
  await expect(page.getByRole('timer')).toContainText('6:1')
  await expect(page.getByLabel('2 of 80 done, 1 right, 1 wrong.')).toBeVisible()
  await expectSound(page, 'drill-typed')
  await type(page, (await sumAtHand(page, TYPED)).key)
  await expect(page.getByLabel('3 of 80 done, 2 right, 1 wrong.')).toBeVisible()

  await begunBefore(page, TYPED, 480_000)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Your first score is set\./)
  await expect(page.getByText('2 right, 1 wrong at one point each, 77 not reached.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Wrong' })).toContainText(missed.prompt)
  await expectSound(page, 'drill-end')
  await expect
    .poll(() => storedDrills(product, signedIn.email))
    .toMatchObject([{ correct: 2, wrong: 1, skipped: 77, score: 1, tookMs: 480_000 }])

  // The end screen opens again, and wrong answers return in the next drill.
  const read = page.waitForResponse(/\/api\/practice\/drills/)
  await page.reload()
  await read
  await page.getByRole('link', { name: 'Again, 80 in 8, typed' }).click()
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByRole('timer')).toBeVisible()
  const again = sumsOfRun(await runOf(page, TYPED), TYPED)
  expect(again[4]?.prompt).toBe(missed.prompt)
})

test('A sprint takes an answer without Enter, from the keypad on a phone', {
  tag: '@full',
}, async ({ page, signedIn: _ }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/drills/sprint')
  await page.getByRole('button', { name: 'Start' }).click()
  const keys = page.getByRole('region', { name: 'Keys' })
  await expect(keys.getByRole('button', { name: '7' })).toHaveCSS('height', '62px')
  await expect(keys.getByRole('button', { name: 'Enter' })).toHaveCount(0)
  const sum = await sumAtHand(page, getPreset('sprint') as Preset)
  await keys
    .getByRole('button', { name: '.' })
    .or(keys.getByRole('button', { name: 'Point' }))
    .click()
  await keys.getByRole('button', { name: 'Delete' }).click()
  for (const digit of sum.key) await keys.getByRole('button', { name: digit, exact: true }).click()
  await expect(
    page.getByRole('list', { name: 'The last three' }).getByLabel('Correct'),
  ).toHaveCount(1)
})
