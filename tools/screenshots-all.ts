import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import type { OptionLetter } from '../platform/options.ts'
import { errorPracticeUrl, quizUrl, resultsUrl, testsUrl, URLS } from '../platform/urls.ts'
import {
  type Account,
  CATEGORY,
  makeHistory,
  openContext,
  type Product,
  post,
  ROOT,
  saveResult,
  settle,
  show,
  signUp,
  startProduct,
  TIME_ZONE,
  wrongFor,
} from './screenshots-product.ts'

/** Who looks: one with a history, one whose daily answer was right, one whose was wrong, a new guest, nobody. */
type Who = 'student' | 'right' | 'wrong' | 'guest' | 'visitor'

type People = Record<Exclude<Who, 'visitor'>, Account>

interface Stage {
  product: Product
  people: People
  /** the browser of who looks */
  context: BrowserContext
}

interface Scene {
  name: string
  /** null: goes on where the scene before it ended */
  route: string | ((stage: Stage) => string) | null
  who: Who
  /** before the route is opened */
  before?: (page: Page, stage: Stage) => Promise<unknown>
  /** on the screen, before it is photographed */
  act?: (page: Page, stage: Stage) => Promise<unknown>
  /** what lies over the page; the picture is of the window then */
  over?: 'dialog' | 'notice'
  /** the only width at which there is such a thing */
  width?: number
}

const QUIZ = quizUrl(CATEGORY, 'Analyst', 1)
const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click()
const VISITOR: Scene[] = [
  { name: 'landing', route: URLS.landing, who: 'visitor' },
  { name: 'auth-signin', route: '/auth?tab=signin', who: 'visitor' },
  { name: 'auth-signup', route: '/auth?tab=signup', who: 'visitor' },
  {
    name: 'auth-signup-errors',
    route: '/auth?tab=signup',
    who: 'visitor',
    act: press('Create Account'),
  },
  {
    name: 'auth-terms',
    route: '/auth?tab=signup',
    who: 'visitor',
    act: press('Terms and Conditions'),
    over: 'dialog',
  },
  {
    name: 'auth-privacy',
    route: '/auth?tab=signup',
    who: 'visitor',
    act: press('Privacy Policy'),
    over: 'dialog',
  },
  { name: 'auth-recover', route: '/auth', who: 'visitor', act: press('Forgot password?') },
  {
    name: 'auth-recover-code',
    route: null,
    who: 'visitor',
    act: press('Enter the six-digit code instead'),
  },
  { name: 'auth-recover-link', route: '/auth?recovery=from-the-mail', who: 'visitor' },
  {
    name: 'auth-recover-password',
    route: null,
    who: 'visitor',
    // No mail is sent here: the link counts as good.
    before: (page, { people }) =>
      page.route('**/auth/v1/verify', (route) => route.fulfill({ json: people.student.session })),
    act: press('Set a new password'),
  },
  { name: 'not-found', route: '/no/such/page', who: 'visitor' },
]

const PRACTICE: Scene[] = [
  { name: 'dashboard', route: URLS.dashboard, who: 'student' },
  { name: 'dashboard-guest', route: URLS.dashboard, who: 'guest' },
  {
    name: 'dashboard-picker',
    route: URLS.dashboard,
    who: 'student',
    act: press('Financial Markets & Instruments'),
  },
  { name: 'dashboard-failed', route: URLS.dashboard, who: 'guest', before: refuseCalls },
  {
    name: 'drawer',
    route: URLS.dashboard,
    who: 'student',
    act: press('Menu'),
    over: 'dialog',
    width: 390,
  },
  { name: 'daily-revealed', route: URLS.dashboard, who: 'student', act: press('Reveal') },
  { name: 'daily-right', route: URLS.dashboard, who: 'right' },
  {
    name: 'daily-right-details',
    route: null,
    who: 'right',
    act: press('Complete! Tap for details'),
    over: 'dialog',
  },
  { name: 'daily-wrong', route: URLS.dashboard, who: 'wrong' },
  {
    name: 'daily-wrong-details',
    route: null,
    who: 'wrong',
    act: press('Complete! Tap for details'),
    over: 'dialog',
  },
  {
    name: 'daily-archive',
    route: URLS.dashboard,
    who: 'student',
    act: press('The past seven days'),
    over: 'dialog',
  },
  {
    name: 'daily-archive-day',
    route: null,
    who: 'student',
    act: (page) =>
      page.getByRole('dialog').getByRole('button', { name: 'Not played' }).first().click(),
    over: 'dialog',
  },
  { name: 'tests', route: testsUrl(CATEGORY, 'Intern'), who: 'student' },
  { name: 'tests-empty', route: testsUrl('None', 'Intern'), who: 'student' },
  { name: 'tests-failed', route: testsUrl(CATEGORY, 'Intern'), who: 'guest', before: refuseCalls },
  { name: 'quiz', route: QUIZ, who: 'student' },
  {
    name: 'quiz-chosen',
    route: null,
    who: 'student',
    act: (page) => page.keyboard.press('b'),
  },
  {
    name: 'quiz-last',
    route: null,
    who: 'student',
    act: (page) => answerAll(page, 9),
  },
  {
    name: 'quiz-leave',
    route: null,
    who: 'student',
    act: (page) => page.getByRole('link', { name: 'Close test' }).click(),
    over: 'dialog',
  },
  { name: 'quiz-none', route: quizUrl(CATEGORY, 'Intern', 99), who: 'student' },
  { name: 'error-practice', route: errorPracticeUrl(CATEGORY, 'Intern'), who: 'student' },
  {
    name: 'error-practice-quiz',
    route: null,
    who: 'student',
    act: (page) => page.getByRole('link', { name: 'Start Practice' }).click(),
  },
  { name: 'error-practice-none', route: errorPracticeUrl(CATEGORY, 'Intern'), who: 'guest' },
  {
    name: 'results',
    route: ({ people }) => resultsUrl(CATEGORY, 'Intern', 1, people.student.attemptId),
    who: 'student',
  },
  {
    name: 'results-high',
    route: ({ people }) => resultsUrl(CATEGORY, 'Intern', 1, people.right.attemptId),
    who: 'right',
  },
  {
    name: 'results-low',
    route: ({ people }) => resultsUrl(CATEGORY, 'Intern', 1, people.wrong.attemptId),
    who: 'wrong',
  },
  {
    name: 'results-report',
    route: null,
    who: 'wrong',
    act: press(/^Report a problem/),
    over: 'dialog',
  },
  { name: 'results-none', route: URLS.errorResults, who: 'student' },
]

const PERSON: Scene[] = [
  { name: 'personal-hub', route: URLS.personalHub, who: 'student' },
  { name: 'personal-hub-guest', route: URLS.personalHub, who: 'guest' },
  {
    name: 'personal-hub-password',
    route: URLS.personalHub,
    who: 'student',
    act: press('Change password'),
    over: 'dialog',
  },
  {
    name: 'personal-hub-delete',
    route: URLS.personalHub,
    who: 'student',
    act: press('Delete my account'),
    over: 'dialog',
  },
  {
    name: 'personal-hub-everywhere',
    route: URLS.personalHub,
    who: 'student',
    act: press('Sign out everywhere'),
    over: 'dialog',
  },
  {
    name: 'sign-out-guest',
    route: URLS.dashboard,
    who: 'guest',
    act: async (page) => {
      if (await page.getByRole('button', { name: 'Menu', exact: true }).isVisible()) {
        await press('Menu')(page)
      }
      await press('Sign Out')(page)
    },
    over: 'dialog',
  },
]

const READING: Scene[] = [
  { name: 'about', route: URLS.about, who: 'student' },
  { name: 'faq', route: URLS.faq, who: 'student' },
  { name: 'faq-open', route: `${URLS.faq}#study-tips`, who: 'student' },
  { name: 'career-hub', route: URLS.careerHub, who: 'student' },
  { name: 'career-hub-open', route: `${URLS.careerHub}#sales-and-trading`, who: 'student' },
  { name: 'feedback', route: URLS.feedback, who: 'student' },
  { name: 'recruitment-resources', route: URLS.recruitmentResources, who: 'student' },
  { name: 'recruitment-resources-open', route: `${URLS.recruitmentResources}#cv`, who: 'student' },
  {
    name: 'offline',
    route: URLS.about,
    who: 'student',
    act: (_, { context }) => context.setOffline(true),
    over: 'notice',
  },
  { name: 'not-found-signed-in', route: '/no/such/page', who: 'student', before: goOnline },
]

const RECRUITMENT: Scene[] = [
  { name: 'recruitment', route: URLS.recruitment, who: 'student' },
  {
    name: 'recruitment-sessions',
    route: null,
    who: 'student',
    act: (page) => page.getByRole('button', { name: /^Access Test/, expanded: false }).click(),
  },
  {
    name: 'recruitment-credentials',
    route: URLS.recruitment,
    who: 'student',
    act: openCredentials,
    over: 'dialog',
  },
  {
    name: 'recruitment-refused',
    route: null,
    who: 'student',
    act: async (page) => {
      await page.getByLabel('Username').fill('demo')
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await page.keyboard.press('Enter')
      await page.getByText('Invalid Credentials').waitFor()
    },
    over: 'notice',
  },
  {
    name: 'instructions-pcf',
    route: URLS.recruitmentInstructions,
    who: 'student',
    before: (page, stage) => verify(page, stage, 'PCF'),
  },
  {
    name: 'test-pcf',
    route: null,
    who: 'student',
    act: async (page) => {
      await press(/^I Understand/)(page)
      await page.getByText('Question 1 of').first().waitFor()
    },
  },
  { name: 'test-pcf-last', route: null, who: 'student', act: (page) => answerAll(page, 29) },
  {
    name: 'test-pcf-submitted',
    route: null,
    who: 'student',
    act: async (page) => {
      await page.keyboard.press('a')
      await press('Submit Test')(page)
      await page.getByRole('heading', { name: 'Assessment Submitted' }).waitFor()
      await page.getByRole('button', { name: 'Dismiss' }).click()
    },
  },
  {
    name: 'instructions-esfs',
    route: URLS.recruitmentInstructions,
    who: 'student',
    before: (page, stage) => verify(page, stage, 'ESFS_MORNING'),
  },
  {
    name: 'test-esfs',
    route: null,
    who: 'student',
    act: async (page) => {
      await press(/^I Understand/)(page)
      await page.getByText('Question 1 of').first().waitFor()
      await answerAll(page, 7)
    },
  },
  {
    name: 'test-esfs-strike',
    route: null,
    who: 'student',
    act: async (page) => {
      await page.keyboard.press('Control+c')
      await page.getByRole('button', { name: 'Dismiss' }).waitFor()
    },
    over: 'notice',
  },
  {
    name: 'test-esfs-leave',
    route: null,
    who: 'student',
    act: async (page) => {
      await page.getByRole('button', { name: 'Dismiss' }).click()
      await page.goBack()
      await page.getByRole('alertdialog').waitFor()
    },
    over: 'dialog',
  },
  {
    name: 'test-esfs-not-saved',
    route: null,
    who: 'student',
    act: async (page, { context }) => {
      await press('Stay in the test')(page)
      await context.setOffline(true)
      await page.getByRole('radio').nth(2).check({ force: true })
      await page.locator('[data-save-state=retrying]:visible').waitFor()
    },
    over: 'notice',
  },
  {
    name: 'test-esfs-taken-over',
    route: null,
    who: 'student',
    before: goOnline,
    act: async (page, stage) => {
      const other = await stage.context.newPage()
      await verify(other, stage, 'ESFS_MORNING')
      await other.goto(URLS.recruitmentTest)
      await page.getByText('This test is open in another window').waitFor()
      await shortenTime(page)
    },
  },
  {
    name: 'test-esfs-last-minutes',
    route: null,
    who: 'student',
    act: async (page) => {
      await press('Continue in this window instead')(page)
      await page.getByRole('timer').waitFor()
    },
  },
  {
    name: 'test-esfs-violations',
    route: null,
    who: 'student',
    act: async (page) => {
      const submitted = page.getByRole('heading', { name: 'Assessment Submitted' })
      while (!(await submitted.isVisible())) {
        await page.keyboard.press('Control+c')
        // What comes within two seconds counts as one (assessments/violations.ts).
        await page.waitForTimeout(2_200)
      }
    },
  },
  {
    name: 'test-waiting',
    route: URLS.recruitmentTest,
    who: 'student',
    before: (page, stage) => verify(page, stage, 'ESFS_AFTERNOON'),
  },
]

const SCENES = [...VISITOR, ...PRACTICE, ...PERSON, ...READING, ...RECRUITMENT]

/**
 * Photographs every screen in every state, in both themes and widths.
 * @param dataDir an empty folder for the product's data
 */
export async function photographAll(
  browser: Browser,
  dataDir: string,
  folder: string,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  let people: People | undefined
  let port: number | undefined
  for (const theme of ['light', 'dark'] as const) {
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      // Each start makes new demo candidates, and each can sit a test once.
      const product = await startProduct(dataDir, port)
      port = product.port
      try {
        people ??= await gather(product, dataDir)
        const contexts = new Map<Who, BrowserContext>()
        let page: Page | undefined
        for (const scene of SCENES) {
          if (scene.width && scene.width !== viewport.width) continue
          const session = scene.who === 'visitor' ? null : people[scene.who].session
          const context =
            contexts.get(scene.who) ??
            (await openContext(browser, product, { viewport, theme, session }))
          contexts.set(scene.who, context)
          if (scene.route !== null || !page) {
            await page?.close()
            page = await context.newPage()
          }
          await perform(scene, page, { product, people, context })
          const file = path.join(folder, `${scene.name}-${viewport.width}-${theme}.png`)
          await page.screenshot({ path: file, fullPage: !scene.over })
          console.log(file)
        }
        for (const context of contexts.values()) await context.close()
      } finally {
        await product.stop()
      }
    }
  }
}

async function perform(scene: Scene, page: Page, stage: Stage): Promise<void> {
  try {
    await scene.before?.(page, stage)
    const { route } = scene
    if (route !== null) await show(page, typeof route === 'string' ? route : route(stage))
    await scene.act?.(page, stage)
    if (scene.over === 'dialog')
      await page.locator('[role=dialog], [role=alertdialog]').first().waitFor()
    // Offline nothing comes to rest.
    if (await page.evaluate(() => navigator.onLine)) await settle(page)
  } catch (error) {
    throw new Error(`the scene ${scene.name} failed`, { cause: error })
  }
}

/** Everybody who looks, with what they did before; and a test that opens only tomorrow. */
async function gather(product: Product, dataDir: string): Promise<People> {
  const [right, wrong, guest] = await Promise.all([
    signUp(product, 'rita@superday.example'),
    signUp(product, 'nuno@superday.example'),
    signUp(product),
  ])
  const cell = { category: CATEGORY, difficulty: 'Intern', daysAgo: 0 }
  const people = {
    student: await makeHistory(product),
    right: { session: right, attemptId: await saveResult(product, right, { ...cell, score: 10 }) },
    wrong: { session: wrong, attemptId: await saveResult(product, wrong, { ...cell, score: 3 }) },
    guest: { session: guest, attemptId: '' },
  }
  const answer = (session: Account['session'], selectedOption: OptionLetter) =>
    post(
      product,
      '/api/daily/answer',
      { selectedOption, timeTakenSeconds: 42, timeZone: TIME_ZONE },
      session.access_token,
    )
  // Nobody learns the key but by an answer.
  const { correctOption } = await answer(await signUp(product), 'A')
  await answer(right, correctOption)
  await answer(wrong, wrongFor(correctOption))

  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const window = ['--opens', `${tomorrow} 14:00`, '--closes', `${tomorrow} 14:30`]
  await promisify(execFile)(
    process.execPath,
    [
      '--import',
      'tsx',
      'app/command/admin.ts',
      'assessments',
      'window',
      'ESFS_AFTERNOON',
      ...window,
    ],
    { cwd: ROOT, env: { ...process.env, DATA_DIR: dataDir } },
  )
  return people
}

/** Puts a demo candidate's credentials where the dialog puts them. */
async function verify(page: Page, { product, people }: Stage, code: string): Promise<void> {
  const { username, password } = product.candidates.get(code) ?? {}
  const token = people.student.session.access_token
  const body = { username, password }
  const { candidateToken } = await post(product, `/api/assessments/${code}/verify`, body, token)
  await page.addInitScript(
    ([name = '', user = '', verified = '']) => {
      const key = name.toLowerCase()
      sessionStorage.setItem(`${key}_username`, user)
      sessionStorage.setItem(`${key}_candidate_token`, verified)
      sessionStorage.setItem('recruitment_association', name)
    },
    [code, username, candidateToken],
  )
}

/** Answers the questions from here on, and stands on the next one. */
async function answerAll(page: Page, count: number): Promise<void> {
  for (let answered = 0; answered < count; answered += 1) {
    await page.keyboard.press('abcd'.charAt(answered % 4))
    await page.keyboard.press('Enter')
  }
}

async function openCredentials(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Access Test/ })
    .and(page.locator(':not([aria-expanded])'))
    .click()
  await page.getByRole('dialog').waitFor()
}

/** From now on the server says that less than five minutes are left. */
async function shortenTime(page: Page): Promise<void> {
  await page.route('**/attempt', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    await route.fulfill({ response, json: { ...body, remainingMs: 254_000 } })
  })
}

async function refuseCalls(page: Page): Promise<void> {
  await page.route('**/api/**', (route) =>
    route.fulfill({ status: 500, json: { code: 'unexpected_failure', message: 'refused' } }),
  )
}

function goOnline(_: Page, { context }: Stage): Promise<void> {
  return context.setOffline(false)
}
