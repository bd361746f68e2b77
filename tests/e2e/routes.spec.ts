import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { expect, type Product, putSession, test } from './rig.ts'

/** A guest's session, put where the page looks for it. */
async function putGuest(page: Page, product: Product): Promise<void> {
  await putSession(page, product, {} as { email: string; password: string })
}

const STATES = ['signed out', 'guest', 'signed in'] as const
type State = (typeof STATES)[number]

const CELL = `${encodeURIComponent('Valuation & Corporate Finance')}/Intern`
const CATEGORIES = [
  'Financial Accounting & Analysis',
  'Valuation & Corporate Finance',
  'Financial Markets & Instruments',
  'Macroeconomics & Business Strategy',
  'Mental Agility & Problem Solving',
]
const NO_TESTS =
  "We haven't prepared tests for this difficulty level yet. Try selecting an easier difficulty or check back later!"
const NO_RESULTS = ['No results data found', 'Return to Dashboard']
const NO_ATTEMPTS = 'No previous test results found. Take some regular tests first!'

/** What docs/product.md quotes of each screen, and the screen's title. */
const SCREENS: [route: string, title: string, texts: string[]][] = [
  [
    '/dashboard',
    'Dashboard',
    [
      'Welcome',
      'Start your streak today!',
      'Reveal',
      ...CATEGORIES,
      'Finance Society Recruiting',
      'No calculators allowed',
    ],
  ],
  [
    `/tests/${CELL}`,
    'Valuation & Corporate Finance · Intern',
    ['Start Test', 'Practice Your Mistakes', 'Back to Categories'],
  ],
  ['/tests/None/Intern', 'None · Intern', ['No Tests Available', NO_TESTS]],
  [`/quiz/${CELL}/1`, 'Test 1 · Valuation & Corporate Finance', ['Previous', 'Next']],
  ['/quiz/None/Intern/1', 'Test 1 · None', ['No questions found for this test']],
  [
    `/quiz/${CELL}/99`,
    'Test 99 · Valuation & Corporate Finance',
    ['No questions available for this test number'],
  ],
  ['/quiz', 'Practice Your Mistakes', ['No questions available for this test.']],
  [`/error-practice/${CELL}`, 'Practice Your Mistakes', [NO_ATTEMPTS]],
  [`/results/${CELL}/1`, 'Results', NO_RESULTS],
  ['/results/error-practice', 'Results', NO_RESULTS],
  [
    '/about',
    'About Us',
    [
      'three student co-founders',
      'Finance and Accounting',
      'Excellence in Education',
      'Global Perspective',
      'Continuous Innovation',
      'mission',
    ],
  ],
  [
    '/faq',
    'FAQ',
    [
      'What is Superday?',
      'Which topics do the questions cover?',
      'Which accounting standard do the questions follow?',
      'How can I contribute a question or suggest an improvement?',
      'Can I retake a test?',
      'What do the difficulty levels mean?',
      'How is my progress tracked?',
      'How should I study with Superday?',
    ],
  ],
  [
    '/career-hub',
    'Career Hub',
    [
      'Buy Side',
      'Asset Management',
      'Venture Capital',
      'Hedge Funds',
      'Private Equity',
      'Sell Side',
      'Investment Banking',
      'Research',
      'Sales & Trading',
      'Commercial & Corporate Banking',
    ],
  ],
  [
    '/feedback',
    'Feedback & Support',
    [
      'support@superday.example',
      'typically respond within 24 hours',
      'Suggestions',
      'Bug Reports',
      'General Support',
      'Content Requests',
    ],
  ],
  [
    '/recruitment-resources',
    'Recruitment Resources',
    [
      'CV Template',
      'Cover Letter Template',
      'LinkedIn',
      'CV',
      'Cover letter',
      'Networking',
      'Interview tips',
    ],
  ],
  [
    '/personal-hub',
    'Personal Hub',
    [
      'Back to dashboard',
      'Personal information',
      'Start Your Journey',
      'Take your first quiz to see your progress here!',
      'More Features Coming Soon',
    ],
  ],
]
/** The society's screens without society credentials (with them: assessment.spec.ts). */
const SOCIETIES = ['Society Assessments', 'Requirements', 'Valid credentials', 'Open processes']
const SOCIETY_ROUTES = ['/recruitment', '/recruitment/instructions', '/recruitment/test']
const AUTH = ['Sign In', 'Sign Up', 'Continue as Guest', 'Back to home', 'Forgot password?']
const LANDING = [
  'Get Started Free',
  'Log In',
  'Practice Questions',
  'Mental Math & Logic',
  'Performance Analytics',
  "What You'll Get",
  'Create Free Account',
]
const NOT_FOUND = ['Oops! Page not found', 'Back to home']

/** One row for each route and state: where it ends, and what stands there. */
const TABLE: { route: string; state: State; ends: string; title: string; texts: string[] }[] = [
  ...SCREENS.flatMap(([route, title, texts]) => [
    { route, state: 'signed out' as const, ends: '/auth', title: 'Sign In', texts: AUTH },
    { route, state: 'guest' as const, ends: route, title, texts },
    { route, state: 'signed in' as const, ends: route, title, texts },
  ]),
  ...SOCIETY_ROUTES.flatMap((route) =>
    STATES.map((state) => {
      const there = { ends: '/recruitment', title: 'Society Assessments', texts: SOCIETIES }
      const auth = { ends: '/auth', title: 'Sign In', texts: AUTH }
      return { route, state, ...(state === 'signed out' ? auth : there) }
    }),
  ),
  ...STATES.flatMap((state) => {
    const dashboard = { ends: '/dashboard', title: 'Dashboard', texts: ['Welcome'] }
    const isOut = state === 'signed out'
    return [
      {
        route: '/',
        state,
        ...(isOut
          ? { ends: '/', title: 'Superday: finance interview preparation', texts: LANDING }
          : dashboard),
      },
      {
        route: '/auth?tab=signup',
        state,
        ...(isOut
          ? {
              ends: '/auth?tab=signup',
              title: 'Sign Up',
              texts: ['Create Account', 'Terms and Conditions', 'Privacy Policy'],
            }
          : dashboard),
      },
      {
        route: '/no/such/page',
        state,
        ends: '/no/such/page',
        title: 'Page not found',
        texts: NOT_FOUND,
      },
    ]
  }),
]

/** Adds up how far the page moved under its reader (the browser's cumulative layout shift). */
async function watchLayoutShift(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts = { sum: 0 }
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
      })[]) {
        if (!entry.hadRecentInput) shifts.sum += entry.value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum)
}

async function expectTexts(page: Page, texts: string[]): Promise<void> {
  for (const text of texts) {
    // To the letter: a string would match any case.
    const pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    await expect(page.getByText(pattern).filter({ visible: true }).first(), text).toBeVisible()
  }
}

test('who comes by a society’s mail is told what is asked for, and is led back as a guest', async ({
  page,
}) => {
  const note = page.getByText('You are on your way to a society’s test.')
  await page.goto('/recruitment')
  await expect(page).toHaveURL('/auth')
  await expect(note).toBeVisible()
  // Forgotten by who opens the screen without it.
  await page.goto('/auth?tab=signin')
  await expect(page.getByRole('button', { name: 'Continue as Guest' })).toBeVisible()
  await expect(note).toBeHidden()

  await page.goto('/recruitment')
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByRole('tab', { name: 'Sign In' }).click()
  await page.reload()
  await expect(note).toBeVisible()
  await page.getByRole('button', { name: 'Continue as Guest' }).click()
  await expect(page).toHaveURL('/recruitment')
})

test.describe('every route', () => {
  for (const { route, state, ends, title, texts } of TABLE) {
    test(`${route}, ${state}`, async ({ page, product, account, expectConsoleErrors }) => {
      expectConsoleErrors((text) => route === '/no/such/page' && text.includes('404'))
      // Guests come by phone.
      if (state === 'guest') {
        await page.setViewportSize({ width: 390, height: 844 })
        await putGuest(page, product)
      }
      if (state === 'signed in') await putSession(page, product, account)
      const layoutShift = await watchLayoutShift(page)

      const response = await page.goto(route)
      expect(response?.status()).toBe(route === '/no/such/page' ? 404 : 200)
      await expectTexts(page, texts)
      await expect(page).toHaveURL(ends)
      await expect(page).toHaveTitle(title.startsWith('Superday') ? title : `${title} · Superday`)
      await page.waitForLoadState('networkidle')
      expect(await layoutShift()).toBeLessThan(0.02)
      const hasNavigation = (await page.getByRole('navigation', { name: 'Main' }).count()) > 0
      if (state === 'signed out') expect(hasNavigation).toBe(false)
    })
  }
})

test('the page of the design system is not in the product', async ({
  page,
  expectConsoleErrors,
}) => {
  expectConsoleErrors((text) => text.includes('404'))
  const response = await page.goto('/dev/ui')
  expect(response?.status()).toBe(404)
  await expectTexts(page, NOT_FOUND)
  const assets = path.join(import.meta.dirname, '..', '..', 'dist', 'assets')
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'))
  const texts = await Promise.all(scripts.map((name) => readFile(path.join(assets, name), 'utf8')))
  // Something is found where it is, so the search can find.
  expect(texts.some((text) => text.includes('Personal Hub'))).toBe(true)
  expect(scripts.filter((_, index) => texts[index]?.includes('Design system'))).toEqual([])
})

test('the back button closes what is open, and leaves the page at the next press', async ({
  page,
  signedIn,
}) => {
  void signedIn
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'About' }).first().click()
  await expect(page).toHaveURL('/about')
  await page.getByRole('button', { name: 'Privacy' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL('/about')
  // Closed by its own button it leaves nothing behind in the history.
  await page.getByRole('button', { name: 'Privacy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.goBack()
  await expect(page).toHaveURL('/dashboard')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.goForward()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL('/dashboard')
})
