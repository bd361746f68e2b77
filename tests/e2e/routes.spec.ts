import type { Page } from '@playwright/test'
import { sized } from '../setup/size.ts'
import { expect, putSession, test } from './rig.ts'

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
}

/** The texts that docs/product.md quotes for each screen, and its title. */
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
    '/practice',
    'Practice',
    ['Build a test', 'Cases', 'Drills', 'Answer aloud', 'Mock superday', 'Formula sheet'],
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

const DASHBOARD = { ends: '/dashboard', title: 'Dashboard', texts: ['Welcome'] }
const SIGN_IN = { ends: '/auth', title: 'Sign In', texts: AUTH }
/** Paths that don't exist. */
const NOWHERE = ['/no/such/page']

const SIGNED_OUT: Row[] = [
  {
    route: '/',
    ends: '/',
    title: 'Superday: finance interview preparation',
    texts: LANDING,
  },
  {
    route: '/auth?tab=signup',
    ends: '/auth?tab=signup',
    title: 'Sign Up',
    texts: ['Create Account', 'Terms and Conditions', 'Privacy Policy'],
  },
  ...SCREENS.map(([route]) => ({ route, ...SIGN_IN })),
  ...SOCIETY_ROUTES.map((route) => ({ route, ...SIGN_IN })),
  ...NOWHERE.map(notFound),
]

/** These apply to guests too. */
const SIGNED_IN: Row[] = [
  ...SCREENS.map(([route, title, texts]) => ({ route, ends: route, title, texts })),
  ...SOCIETY_ROUTES.map((route) => ({
    route,
    ends: '/recruitment',
    title: 'Society Assessments',
    texts: SOCIETIES,
  })),
  { route: '/', ...DASHBOARD },
  { route: '/auth?tab=signup', ...DASHBOARD },
  ...NOWHERE.map(notFound),
]

function notFound(route: string): Row {
  return { route, ends: route, title: 'Page not found', texts: NOT_FOUND }
}

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

/** Opens each route in turn, like a link from another site. */
async function expectRoutes(page: Page, rows: Row[], { isSignedOut = false } = {}): Promise<void> {
  const layoutShift = await watchLayoutShift(page)
  for (const { route, ends, title, texts } of rows) {
    await test.step(route, async () => {
      const response = await page.goto(route, { waitUntil: 'commit' })
      expect(response?.status(), route).toBe(NOWHERE.includes(route) ? 404 : 200)
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
      await page.evaluate(() => document.fonts.ready)
      expect(await layoutShift(), `layout shift of ${route}`).toBeLessThan(0.02)
      if (!isSignedOut) return
      await expect(page.getByRole('navigation', { name: 'Main' }), route).toHaveCount(0)
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
})

/** In `npm test` one route of each kind. axe.spec.ts opens most screens there too. */
const OFTEN = ['/', '/auth?tab=signup', '/dashboard', '/quiz', `/error-practice/${CELL}`]
const routesOf = (rows: Row[]) =>
  rows.filter(({ route }) =>
    sized(true, [...OFTEN, '/personal-hub', '/recruitment/test', '/no/such/page'].includes(route)),
  )

test.describe('every route', () => {
  test.beforeEach(({ expectConsoleErrors }) => {
    expectConsoleErrors((text) => text.includes('404'))
  })

  test('A signed-out visitor finds the public pages, and Sign In instead of all others', async ({
    page,
  }) => {
    await expectRoutes(page, routesOf(SIGNED_OUT), { isSignedOut: true })
  })

  test('A guest on a phone finds every screen at its address', async ({ page, product }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await putSession(page, product, {} as { email: string; password: string })
    await expectRoutes(page, routesOf(SIGNED_IN))
  })

  test('A signed-in student finds every screen at its address', { tag: '@full' }, async ({
    page,
    signedIn,
  }) => {
    void signedIn
    await expectRoutes(page, SIGNED_IN)
  })
})
