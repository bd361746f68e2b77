import type { Page } from '@playwright/test'
import { enterTest, makeAssessment, makeCandidate, questionHeading } from './assessment-rig.ts'
import { expect, expectAccessible, isFull, practise, test } from './rig.ts'

// Every route of product 1.4, in both themes, on a phone and on a desk: no violation
// (product 10.3.1), and nothing wider than the window. Dialogs and errors are looked at where they are
// tested.

const CELL = `${encodeURIComponent('Valuation & Corporate Finance')}/Intern`

interface Screen {
  route: string
  /** on the route, up to what is looked at */
  act?: (page: Page) => Promise<unknown>
}

const SIGNED_OUT: Screen[] = [
  // Awake: the pictures that wait for it are there.
  { route: '/', act: (page) => expect(page.getByRole('img')).toHaveCount(4) },
  { route: '/auth?tab=signin' },
  { route: '/auth?tab=signup' },
  { route: '/no/such/page' },
]

const PRACTICE: Screen[] = [
  { route: '/dashboard' },
  { route: '/dashboard', act: (page) => press(page, 'Financial Accounting & Analysis') },
  { route: `/tests/${CELL}` },
  { route: '/tests/None/Intern' },
  { route: `/quiz/${CELL}/1` },
  { route: '/quiz' },
]

const MISTAKES: Screen[] = [
  { route: `/error-practice/${CELL}` },
  { route: `/error-practice/${CELL}`, act: startErrorPractice },
  { route: `/error-practice/${CELL}`, act: finishErrorPractice },
]

const HISTORY: Screen[] = [
  { route: '/results/error-practice' },
  { route: '/personal-hub' },
  { route: '/personal-hub', act: openReview },
]

const READING: Screen[] = [
  { route: '/about' },
  { route: '/faq', act: (page) => press(page, 'Which topics do the questions cover?') },
  { route: '/career-hub', act: (page) => press(page, 'Venture Capital') },
  { route: '/feedback' },
  { route: '/formula-sheet' },
  { route: '/recruitment-resources', act: (page) => press(page, 'Recruiting calendar') },
  { route: '/recruitment-resources', act: (page) => press(page, 'A deal discussion, in full') },
  { route: '/no/such/page' },
]

function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name }).click()
}

async function startErrorPractice(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Start Practice' }).click()
  await expect(page).toHaveURL('/quiz')
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** /results/error-practice as it comes after a practice. */
async function finishErrorPractice(page: Page): Promise<void> {
  await startErrorPractice(page)
  while (page.url().endsWith('/quiz')) {
    await page.keyboard.press('a')
    await page.keyboard.press('Enter')
  }
  await page.getByRole('heading', { name: 'Question Review' }).waitFor()
}

/** /results/… of a saved attempt. */
async function openReview(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /Open the review/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Question Review' }).waitFor()
}

/** The screen as it is now: once, on a desk in light; in the full suite in both themes and at both widths. */
async function look(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  for (const theme of isFull ? (['light', 'dark'] as const) : (['light'] as const)) {
    await changeTheme(page, theme)
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      if (isFull || width === 1440) {
        await test.step(`${theme}, ${width} px`, () => expectAccessible(page))
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(wide, `pixels wider than the window of ${width}`).toBeLessThanOrEqual(0)
    }
  }
}

/** As another tab's choice would. */
async function changeTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((chosen) => {
    localStorage.setItem('superday-theme', chosen)
    dispatchEvent(new StorageEvent('storage', { key: 'superday-theme' }))
  }, theme)
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
}

async function lookAt(page: Page, { route, act }: Screen): Promise<void> {
  await test.step(route, async () => {
    await page.goto(route)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await act?.(page)
    await look(page)
  })
}

// Four looks at each screen.
test.describe.configure({ timeout: 120_000 })
test.use({ contextOptions: { reducedMotion: 'reduce' } })
test.beforeEach(({ expectConsoleErrors }) => {
  expectConsoleErrors((text) => text.includes('404'))
})

test("what everybody sees stands in nobody's way", async ({ page }) => {
  for (const screen of SIGNED_OUT) await lookAt(page, screen)
})

test('nor does practice', async ({ page, signedIn }) => {
  void signedIn
  for (const screen of PRACTICE) await lookAt(page, screen)
})

for (const [name, screens] of [
  ['mistakes', MISTAKES],
  ['what was done before', HISTORY],
] as const) {
  test(`nor ${name}`, async ({ page, signedIn }) => {
    void signedIn
    await page.goto('/dashboard')
    await practise(page, [4, 7])
    for (const screen of screens) await lookAt(page, screen)
  })
}

test('nor the pages to read', async ({ page, signedIn }) => {
  void signedIn
  for (const screen of READING) await lookAt(page, screen)
})

test('nor an assessment, from the list to the end', async ({ page, product, signedIn }) => {
  void signedIn
  const { code } = await makeAssessment(product, { navigator: true, itemCount: 2 })
  const { username } = await makeCandidate(product, code)
  await lookAt(page, { route: '/recruitment' })
  await test.step('/recruitment/instructions', async () => {
    await enterTest(page, code, username, '/recruitment/instructions')
    await page.getByRole('button', { name: /^I Understand/ }).waitFor()
    await look(page)
  })
  await test.step('/recruitment/test', async () => {
    await press(page, 'I Understand')
    await expect(questionHeading(page, 1)).toBeVisible()
    await page.keyboard.press('a')
    await page.keyboard.press('Enter')
    await look(page)
    await page.keyboard.press('b')
    await press(page, 'Submit Test')
    await page.getByRole('heading', { name: 'Assessment Submitted' }).waitFor()
    await look(page)
  })
})
