import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import pg from 'pg'
import { findRunningPostgres } from '../platform/database/embedded/start.ts'
import type { OptionLetter } from '../platform/options.ts'
import { errorPracticeUrl, hubUrl, quizUrl, resultsUrl, testsUrl, URLS } from '../platform/urls.ts'
import {
  type Account,
  answerAll,
  CATEGORY,
  goOnline,
  makeHistory,
  openContext,
  type People,
  type Product,
  post,
  press,
  refuseCalls,
  type Scene,
  type Stage,
  saveResult,
  settle,
  show,
  signUp,
  startProduct,
  TIME_ZONE,
  type Who,
  wrongFor,
} from './screenshots-product.ts'

import { RECRUITMENT } from './screenshots-recruitment.ts'

const QUIZ = quizUrl(CATEGORY, 'Analyst', 1)
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
  { name: 'personal-hub-mistakes', route: hubUrl('mistakes'), who: 'student' },
  { name: 'personal-hub-history', route: hubUrl('history'), who: 'student' },
  { name: 'personal-hub-account', route: hubUrl('account'), who: 'student' },
  { name: 'personal-hub-guest', route: URLS.personalHub, who: 'guest' },
  {
    name: 'personal-hub-password',
    route: hubUrl('account'),
    who: 'student',
    act: press('Change password'),
    over: 'dialog',
  },
  {
    name: 'personal-hub-delete',
    route: hubUrl('account'),
    who: 'student',
    act: press('Delete my account'),
    over: 'dialog',
  },
  {
    name: 'personal-hub-everywhere',
    route: hubUrl('account'),
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

  const client = new pg.Client((await findRunningPostgres(dataDir)) ?? '')
  await client.connect()
  const tomorrowAt = (time: string) =>
    `(current_date + 1 + time '${time}') at time zone assessments.time_zone`
  await client.query(
    `update assessments set opens_at = ${tomorrowAt('14:00')}, closes_at = ${tomorrowAt('14:30')}
     where code = 'ESFS_AFTERNOON'`,
  )
  await client.end()
  return people
}
