import type { Page } from '@playwright/test'
import { sized } from '../setup/size.ts'
import { expect, expectAccessible, isFull, practise, test } from './rig.ts'

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

/** A route, where it ends, and what it shows. */
interface Row {
  route: string
  ends: string
  title: string
  texts: string[]
  act?: ((page: Page) => Promise<unknown>) | undefined
}

const press = (page: Page, name: string) => page.getByRole('button', { name }).click()

/** The texts that docs/product.md quotes for each screen, its title, and what is done before axe looks at it. */
const SCREENS: [
  route: string,
  title: string,
  texts: string[],
  act?: (page: Page) => Promise<unknown>,
][] = [
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
    (page) => press(page, 'Financial Accounting & Analysis'),
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
    (page) => press(page, 'Which topics do the questions cover?'),
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
    (page) => press(page, 'Venture Capital'),
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
    async (page) => {
      await press(page, 'Recruiting calendar')
      if (!isFull) return
      await look(page)
      await press(page, 'A deal discussion, in full')
    },
  ],
  [
    '/practice',
    'Practice',
    ['Build a test', 'Cases', 'Drills', 'Answer aloud', 'Mock superday', 'Formula sheet'],
  ],
  ['/formula-sheet', 'Formula sheet', []],
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

const DASHBOARD = { ends: '/dashboard', title: 'Dashboard', texts: ['Welcome'] }
const SIGN_IN = { ends: '/auth', title: 'Sign In', texts: AUTH }
const NOWHERE = '/no/such/page'
const NOT_THERE = { route: NOWHERE, ends: NOWHERE, title: 'Page not found', texts: NOT_FOUND }

const PUBLIC: Row[] = [
  {
    route: '/',
    ends: '/',
    title: 'Superday: finance interview preparation',
    texts: LANDING,
    // These appear after hydration.
    act: (page) => expect(page.getByRole('img')).toHaveCount(4),
  },
  { route: '/auth?tab=signin', ...SIGN_IN, ends: '/auth?tab=signin' },
  {
    route: '/auth?tab=signup',
    ends: '/auth?tab=signup',
    title: 'Sign Up',
    texts: ['Create Account', 'Terms and Conditions', 'Privacy Policy'],
  },
  NOT_THERE,
]

const ELSEWHERE = [...SCREENS.map(([route]) => route), ...SOCIETY_ROUTES]

/** These apply to guests too. */
const SIGNED_IN: Row[] = [
  ...SCREENS.map(([route, title, texts, act]) => ({ route, ends: route, title, texts, act })),
  ...SOCIETY_ROUTES.map((route) => ({
    route,
    ends: '/recruitment',
    title: 'Society Assessments',
    texts: SOCIETIES,
  })),
  { route: '/', ...DASHBOARD },
  { route: '/auth?tab=signup', ...DASHBOARD },
  NOT_THERE,
]

/** Adds up the browser's cumulative layout shift. */
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

/**
 * No axe violation in the current screen (product 10.3.1), and nothing wider than the window: in desktop size and light.
 * The full suite checks both themes and both widths.
 */
async function look(page: Page): Promise<void> {
  await expect(page.locator('.skeleton, .animate-spin')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
  for (const theme of isFull ? (['light', 'dark'] as const) : (['light'] as const)) {
    // As another tab would change it.
    await page.evaluate((chosen) => {
      localStorage.setItem('superday-theme', chosen)
      dispatchEvent(new StorageEvent('storage', { key: 'superday-theme' }))
    }, theme)
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
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

/** In the low window of a phone in landscape, the title shows (product 10.1.7), and little stays while it scrolls. */
async function expectTitleInLandscape(page: Page): Promise<void> {
  await page.setViewportSize({ width: 844, height: 390 })
  await page.evaluate(() => scrollTo(0, 0))
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
  const fixed = await page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => /fixed|sticky/.test(getComputedStyle(element).position))
      .reduce((sum, element) => sum + element.getBoundingClientRect().height, 0),
  )
  expect(fixed).toBeLessThan(130)
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Opens each route in turn, like a link from another site. */
async function expectRoutes(page: Page, rows: Row[], looks = true): Promise<void> {
  const layoutShift = await watchLayoutShift(page)
  for (const { route, ends, title, texts, act } of rows) {
    await test.step(route, async () => {
      const response = await page.goto(route, { waitUntil: 'commit' })
      expect(response?.status(), route).toBe(route === NOWHERE ? 404 : 200)
      for (const text of texts) {
        // A regular expression, because a string would match any case.
        const pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        const found = page.getByText(pattern).filter({ visible: true }).first()
        await expect(found, `${route}: ${text}`).toBeVisible()
      }
      await expect(page, route).toHaveURL(ends)
      await expect(page, route).toHaveTitle(
        title.startsWith('Superday') ? title : `${title} · Superday`,
      )
      await expect(page.getByRole('heading', { level: 1 }), route).toBeVisible()
      await page.evaluate(() => document.fonts.ready)
      expect(await layoutShift(), `layout shift of ${route}`).toBeLessThan(0.02)
      if (looks && isFull && ends === route) await expectTitleInLandscape(page)
      await act?.(page)
      if (looks) await look(page)
    })
  }
}

test('A candidate who follows a society’s email reads why to sign in, and is led back as a guest', async ({
  page,
}) => {
  const note = page.getByText('You’re about to open a society’s test.')
  await page.goto('/recruitment')
  await expect(page).toHaveURL('/auth')
  await expect(note).toBeVisible()
  // Opening the screen directly forgets it.
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
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out anyway' }).click()
  await expect(page).toHaveURL(/\/auth/)
})

test.describe('every route', () => {
  // The full suite looks at each screen four times.
  test.describe.configure({ timeout: isFull ? 300_000 : 120_000 })
  test.use({ contextOptions: { reducedMotion: 'reduce' } })
  test.beforeEach(({ expectConsoleErrors }) => {
    expectConsoleErrors((text) => text.includes('404'))
  })

  test('A visitor finds the public pages without axe violations, and Sign In instead of all others', async ({
    page,
  }) => {
    await expectRoutes(page, PUBLIC)
    const away = ELSEWHERE.filter((_, n) => sized(true, n % 6 === 0))
    await expectRoutes(
      page,
      away.map((route) => ({ route, ...SIGN_IN })),
      false,
    )
    await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
  })

  test('A student finds every screen at its address, without axe violations', async ({
    page,
    signedIn,
  }) => {
    void signedIn
    await expectRoutes(page, SIGNED_IN)
  })

  test('The screens of a student with results have no axe violations', async ({
    page,
    signedIn,
  }) => {
    void signedIn
    await page.goto('/faq')
    await practise(page, [4, 7])
    await page.goto(`/error-practice/${CELL}`)
    await page.getByRole('link', { name: 'Start Practice' }).waitFor()
    await look(page)
    await page.getByRole('link', { name: 'Start Practice' }).click()
    await page.getByRole('radiogroup').waitFor()
    await look(page)
    while (page.url().endsWith('/quiz')) {
      await page.keyboard.press('a')
      await page.keyboard.press('Enter')
    }
    await page.getByRole('heading', { name: 'Question Review' }).waitFor()
    await look(page)
    for (const tab of ['progress', 'mistakes', 'account', 'history']) {
      await page.goto(`/personal-hub?tab=${tab}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await look(page)
    }
    await page
      .getByRole('link', { name: /Open the review/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Question Review' }).waitFor()
    await look(page)
  })
})
