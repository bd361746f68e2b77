import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { expect, expectSound, holdBack, isFull, questionsOf, take, test } from './rig.ts'

// How far a student is from a question. practice/web/dashboard/lead-content.test.ts and
// practice/web/results/results-facts.test.ts cover which question is offered in which state.

const VALUATION = 'Valuation & Corporate Finance'
const ACCOUNTING = 'Financial Accounting & Analysis'
const LEAD = 'main .lead .btn'

/** The files of the built quiz. */
const quizFiles = filesOf('../../practice/web/quiz/quiz.tsx').map((file) => new RegExp(file))

function filesOf(source: string, found: Set<string> = new Set()): string[] {
  const manifest: Record<string, { file: string; imports?: string[] }> = JSON.parse(
    readFileSync(path.join(import.meta.dirname, '../../dist/.vite/manifest.json'), 'utf8'),
  )
  const part = manifest[source]
  if (!part) throw new Error(`the build knows no ${source}`)
  if (!found.has(part.file)) {
    found.add(part.file)
    for (const other of part.imports ?? []) filesOf(other, found)
  }
  return [...found]
}

/** Waits until a button's target is prefetched, which happens when the page is idle. */
async function expectFetched(page: Page, wanted: RegExp[]): Promise<void> {
  const missing = async () => {
    const names = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    )
    return wanted.filter((one) => !names.some((name) => one.test(name)))
  }
  await expect.poll(missing).toEqual([])
}

/** Leaves an unfinished test on this device. */
async function leave(page: Page, name: string, answered: number, minutesAgo = 0) {
  const [category = '', difficulty = '', number] = name.split('/')
  const questions = await questionsOf(page, Number(number), 0, { category, difficulty })
  const at = Date.now() - minutesAgo * 60_000
  const answers = Object.fromEntries(questions.slice(0, answered).map(({ id }) => [id, 'A']))
  const draft = { answers, index: answered, startedAtMs: at, savedAtMs: at }
  await page.evaluate(
    ([test, text]) => {
      const { user } = JSON.parse(localStorage.getItem('superday-auth') ?? '{}')
      localStorage.setItem(`superday-draft:${user.id}:${test}`, text as string)
    },
    [name, JSON.stringify(draft)],
  )
}

test('A new student is one tap from a question: from the dashboard, results and mistakes, also offline', {
  tag: '@full',
}, async ({ page, signedIn, expectConsoleErrors }) => {
  void signedIn
  expectConsoleErrors((text) => /ERR_INTERNET_DISCONNECTED|Failed to load resource/.test(text))
  await page.goto('/faq')
  const question = page.getByRole('radiogroup').first()
  const lead = page.locator('#lead')
  await test.step('the first test', async () => {
    await page.goto('/dashboard')
    await expect(lead).toHaveText(/Ten questions, four minutes/)
    await expect(page.locator(LEAD)).toHaveText('Start Test 1')
    await expect(page.locator('main .btn:not(.btn-ghost)')).toHaveCount(1)
    await page.locator(LEAD).focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/quiz\/Financial%20Accounting.*\/Discover%20Finance\/1$/)
    await expect(question).toBeVisible()
    await page.keyboard.press('A')
    await page.getByRole('button', { name: 'Next' }).click()
  })

  await test.step('the test in progress, offline', async () => {
    await page.goto('/dashboard')
    await expect(lead).toHaveText(/Test 1 · Accounting, Discover Finance.*question 2 of 10/)
    await expect(page.locator(LEAD)).toHaveText('Continue')
    await expectFetched(page, [...quizFiles, /api\/questions\?.*testNumber=1/])
    await page.context().setOffline(true)
    await page.locator(LEAD).press('Enter')
    await expect(page).toHaveURL(/Discover%20Finance\/1$/)
    await expect(question).toBeVisible()
    await page.context().setOffline(false)
  })

  await test.step('the mistakes of a result, offline', async () => {
    const attempt = await take(page, 1, 7)
    await page.goto(`/results/${encodeURIComponent(VALUATION)}/Intern/1?attempt=${attempt}`)
    const first = page.locator('.ways-on .btn-big').first()
    await expect(first).toHaveText('Practice these 3 mistakes')
    await expectFetched(page, quizFiles)
    await page.context().setOffline(true)
    await first.click()
    await expect(page).toHaveURL('/quiz')
    await expect(question).toBeVisible()
    await page.context().setOffline(false)
    for (let place = 0; place < 3; place += 1) {
      await page.keyboard.press('A')
      await page.getByRole('button', { name: place < 2 ? 'Next' : 'Finish' }).click()
    }
  })

  await test.step('due questions after the mistakes', async () => {
    const first = page.locator('.ways-on .btn-big').first()
    await expect(first).toHaveText(/^(Start Test 2|Review \d due)$/)
    await first.click()
    await expect(question).toBeVisible()
  })
})

test('A student uses the categories, the list of tests and the hub by keyboard', {
  tag: '@full',
}, async ({ page, signedIn }) => {
  void signedIn
  await page.goto('/faq')
  await take(page, 1, 4)
  await leave(page, `${VALUATION}/Intern/3`, 3)
  await leave(page, `${ACCOUNTING}/Intern/2`, 1, 5)
  await page.goto('/dashboard')
  await expect(page.getByText('Also in progress: Test 2 · Accounting, Intern')).toBeVisible()
  await expect(page.getByText('104 tests · 1,040 questions')).toBeVisible()

  await page.getByRole('button', { name: ACCOUNTING }).focus()
  await page.keyboard.press('ArrowDown')
  const category = page.getByRole('button', { name: VALUATION })
  await expect(category).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  const level = page.getByRole('link', { name: /Intern \(Medium\)/ })
  await expect(level).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(category).toBeFocused()
  await expect(category).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('Enter')
  if (isFull) await expectSound(page, 'dashboard')
  await level.press('Enter')

  await expect(page.locator('#lead')).toHaveText(/Test 3.*in progress, question 4/)
  const rows = page.locator('.test-row')
  await expect(rows).toHaveCount(8)
  await expect(rows.nth(0)).toContainText('Best score 40%Needs practice')
  await expect(rows.nth(2)).toContainText('in progress, question 4')
  // Titles come from the questions' topics.
  await expect(rows.nth(1).locator('.test-title')).toHaveText(/^[A-Z].*, .*/)
  await expect(page.getByRole('link', { name: 'Practice 6 mistakes' })).toBeVisible()
  await page.getByRole('link', { name: 'Retake Test 1', exact: true }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('link', { name: 'Start Test 2', exact: true })).toBeFocused()
  if (isFull) await expectSound(page, 'tests')
  await page.getByRole('link', { name: 'Discover Finance' }).click()
  await expect(page.locator('#lead')).toHaveText('Test 1')
  await expect(page.getByText('No mistakes')).toHaveCount(0)

  await page.goto('/personal-hub?tab=history')
  await expect(page.getByRole('region', { name: 'In progress' }).getByRole('listitem')).toHaveText([
    /Test 3 · Valuation, Intern/,
    /Test 2 · Accounting, Intern/,
  ])
  await page.setViewportSize({ width: 320, height: 640 })
  for (const path of ['/dashboard', `/tests/${encodeURIComponent(VALUATION)}/Intern`]) {
    await page.goto(path)
    await expect(page.locator(LEAD)).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  }
})

test('Nothing on the dashboard moves when its data arrives', { tag: '@full' }, async ({
  page,
  signedIn,
}) => {
  void signedIn
  const { released, release } = holdBack()
  await page.route(/\/api\/(practice\/today|progress|streak|daily)/, async (route) => {
    await released
    await route.continue()
  })
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/dashboard')
    const tops = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.streak-strip, .front-cell, #categories')].map((element) =>
          Math.round(element.getBoundingClientRect().top),
        ),
      )
    await expect(page.locator('#categories')).toBeVisible()
    await page.evaluate(() => document.fonts.ready)
    const before = await tops()
    if (width === 1440) release()
    else await page.reload()
    await expect(page.getByText('Start your streak today!')).toBeVisible()
    await expect(page.locator(LEAD)).toHaveText('Start Test 1')
    await expect(page.getByRole('button', { name: 'Reveal' })).toBeVisible()
    if (width === 1440) expect(await tops()).toEqual(before)
    else {
      // The next step, the streak and the daily challenge end above 640 px, due cards above 770.
      const ends = await page.evaluate(() =>
        [...document.querySelectorAll('.front-cell')].map(
          (element) => element.getBoundingClientRect().bottom,
        ),
      )
      expect(ends[0]).toBeLessThanOrEqual(640)
      expect(ends[1]).toBeLessThanOrEqual(770)
    }
  }
})
