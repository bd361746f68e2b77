import type { Page } from '@playwright/test'
import { enterTest, makeAssessment, makeCandidate, questionHeading } from './assessment-rig.ts'
import { expect, expectAccessible, isFull, practise, test } from './rig.ts'

// Every route of product 1.4 has no axe violation (product 10.3.1) and isn't wider than the window. Dialogs and errors
// are checked in their own tests.

const VALUATION = 'Valuation & Corporate Finance'
const CELL = `${encodeURIComponent(VALUATION)}/Intern`

interface Screen {
  /** omitted if the previous screen stays open */
  route?: string
  title: string
  /** actions on the route before the check */
  act?: (page: Page) => Promise<unknown>
}

const PUBLIC: Screen[] = [
  {
    route: '/',
    title: 'Superday: finance interview preparation',
    // These appear after hydration.
    act: (page) => expect(page.getByRole('img')).toHaveCount(4),
  },
  { route: '/auth?tab=signin', title: 'Sign In · Superday' },
  { route: '/auth?tab=signup', title: 'Sign Up · Superday' },
  { route: '/no/such/page', title: 'Page not found · Superday' },
]

const PRACTICE: Screen[] = [
  {
    route: '/dashboard',
    title: 'Dashboard · Superday',
    act: (page) => press(page, 'Financial Accounting & Analysis'),
  },
  { route: `/tests/${CELL}`, title: `${VALUATION} · Intern · Superday` },
  { route: '/tests/None/Intern', title: 'None · Intern · Superday' },
  { route: `/quiz/${CELL}/1`, title: `Test 1 · ${VALUATION} · Superday` },
  { route: '/quiz', title: 'Practice Your Mistakes · Superday' },
  { route: `/error-practice/${CELL}`, title: 'Practice Your Mistakes · Superday' },
  { title: 'Practice Your Mistakes · Superday', act: startErrorPractice },
  { title: 'Results · Superday', act: finishErrorPractice },
  { route: '/results/error-practice', title: 'Results · Superday' },
  { route: '/personal-hub', title: 'Personal Hub · Superday' },
  { route: '/personal-hub?tab=mistakes', title: 'Personal Hub · Superday' },
  { route: '/personal-hub?tab=account', title: 'Personal Hub · Superday' },
  { route: '/personal-hub?tab=history', title: 'Personal Hub · Superday' },
  { title: 'Results · Superday', act: openReview },
]

const READING: Screen[] = [
  { route: '/about', title: 'About Us · Superday' },
  {
    route: '/faq',
    title: 'FAQ · Superday',
    act: (page) => press(page, 'Which topics do the questions cover?'),
  },
  {
    route: '/career-hub',
    title: 'Career Hub · Superday',
    act: (page) => press(page, 'Venture Capital'),
  },
  { route: '/feedback', title: 'Feedback & Support · Superday' },
  { route: '/formula-sheet', title: 'Formula sheet · Superday' },
  {
    route: '/recruitment-resources',
    title: 'Recruitment Resources · Superday',
    act: (page) => press(page, 'Recruiting calendar'),
  },
  ...(isFull
    ? [
        {
          title: 'Recruitment Resources · Superday',
          act: (page: Page) => press(page, 'A deal discussion, in full'),
        },
      ]
    : []),
  { route: '/recruitment', title: 'Society Assessments · Superday' },
  { route: '/no/such/page', title: 'Page not found · Superday' },
]

function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name }).click()
}

async function startErrorPractice(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Start Practice' }).click()
  await expect(page).toHaveURL('/quiz')
  await page.getByRole('radiogroup').waitFor()
}

/** Opens /results/error-practice as after a practice. */
async function finishErrorPractice(page: Page): Promise<void> {
  while (page.url().endsWith('/quiz')) {
    await page.keyboard.press('a')
    await page.keyboard.press('Enter')
  }
  await page.getByRole('heading', { name: 'Question Review' }).waitFor()
}

/** Opens the results of a saved attempt. */
async function openReview(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /Open the review/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Question Review' }).waitFor()
}

/** Checks the current screen: once, in desktop size and light. The full suite checks both themes and both widths. */
async function look(page: Page): Promise<void> {
  await expect(page.locator('.skeleton, .animate-spin')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
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

/** Changes the theme as another tab would. */
async function changeTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((chosen) => {
    localStorage.setItem('superday-theme', chosen)
    dispatchEvent(new StorageEvent('storage', { key: 'superday-theme' }))
  }, theme)
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
}

/** Navigates within the open page, like the Forward button, so that axe stays loaded. */
async function goForward(page: Page, route: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, route)
}

/** @param open how a route is opened */
async function lookAt(
  page: Page,
  screens: Screen[],
  open: (route: string) => Promise<unknown>,
): Promise<void> {
  for (const { route, title, act } of screens) {
    await test.step(`${route ?? 'then'}: ${title}`, async () => {
      if (route) {
        await open(route)
        await expect(page).toHaveTitle(title)
      }
      await act?.(page)
      await expect(page).toHaveTitle(title)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await look(page)
    })
  }
}

// The full suite checks each screen four times.
test.describe.configure({ timeout: isFull ? 240_000 : 60_000 })
test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('The public screens have no axe violations', async ({ page, expectConsoleErrors }) => {
  expectConsoleErrors((text) => text.includes('404'))
  await lookAt(page, PUBLIC, (route) => page.goto(route))
})

test('The practice screens have no axe violations', async ({ page, signedIn }) => {
  void signedIn
  await page.goto('/faq')
  await practise(page, [4, 7])
  await lookAt(page, PRACTICE, (route) => goForward(page, route))
})

test('The text pages have no axe violations', async ({ page, signedIn }) => {
  void signedIn
  await page.goto('/faq')
  await lookAt(page, READING, (route) => goForward(page, route))
})

test('The screens of an assessment have no axe violations', { tag: '@full' }, async ({
  page,
  product,
  signedIn,
}) => {
  void signedIn
  const { code } = await makeAssessment(product, { navigator: true, itemCount: 2 })
  const { username } = await makeCandidate(product, code)
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
