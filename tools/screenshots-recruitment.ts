import type { Page } from '@playwright/test'
import { URLS } from '../platform/urls.ts'
import { answerAll, goOnline, post, press, type Scene, type Stage } from './screenshots-product.ts'

/** A candidate's way through an assessment. */
export const RECRUITMENT: Scene[] = [
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
