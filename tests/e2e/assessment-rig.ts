import { randomUUID } from 'node:crypto'
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test'
import { sql } from 'drizzle-orm'
import { worthALook } from '../../assessments/attempt-looks.ts'
import {
  type AssessmentOptions,
  answerRowsOf,
  attemptRowOf,
  findingsIn,
  makeAssessment as makeListed,
  makeCandidate as makeNamed,
  PASSWORD,
  resultRowOf,
  unmonitoredWords,
} from '../rig/assessment-rig.ts'
import { expect, type Product, putSession, test, tokenOf } from './rig.ts'

export { attemptRowOf as attemptOf, PASSWORD, resultRowOf as resultOf }
/** Whom the rules of `makeAssessment` name. */
export const CONTACT = 'the desk at the door, or exam@society.example'

/** Before each test of a file: signs a user in and allows failed calls, which Chromium logs to the console. */
export function signInWhereCallsFail(): void {
  test.beforeEach(({ signedIn, expectConsoleErrors }) => {
    void signedIn
    expectConsoleErrors((text) => text.includes('Failed to load resource'))
  })
}

/** An assessment of three items, in its own society unless `given` names one. */
export function makeAssessment(product: Product, given: AssessmentOptions = {}) {
  const { code = `T${randomUUID().slice(0, 8).toUpperCase()}` } = given
  return makeListed(product, {
    ...{ itemCount: 3, society: `Society ${code}`, timeZone: 'Asia/Tokyo', createdAt: new Date() },
    rules: {
      timing: ['Questions differ in length.'],
      allowed: ['Pen and paper'],
      forbidden: ['Calculators'],
      contact: CONTACT,
    },
    ...given,
    code,
  })
}

export const makeCandidate = (
  product: Product,
  code: string,
  more: Parameters<typeof makeNamed>[3] = {},
) => makeNamed(product, code, undefined, more)

/** Verifies through the API, stores the credentials as the dialog does, and opens the test. */
export async function enterTest(
  page: Page,
  code: string,
  username: string,
  to = '/recruitment/test',
): Promise<void> {
  if (!page.url().startsWith('http')) await page.goto('/recruitment')
  const response = await page.request.post(`/api/assessments/${code}/verify`, {
    headers: { Authorization: `Bearer ${await tokenOf(page)}` },
    data: { username, password: PASSWORD },
  })
  const { candidateToken } = await response.json()
  await page.evaluate(
    ([name, user, token]) => {
      const key = String(name).toLowerCase()
      sessionStorage.setItem(`${key}_username`, String(user))
      sessionStorage.setItem(`${key}_candidate_token`, String(token))
      sessionStorage.setItem('recruitment_association', String(name))
    },
    [code, username, candidateToken],
  )
  await page.goto(to)
}

/** Starts a new assessment with one candidate. */
export async function startTest(
  page: Page,
  product: Product,
  options: Parameters<typeof makeAssessment>[1] = {},
) {
  const made = await makeAssessment(product, options)
  const candidate = await makeCandidate(product, made.code)
  await enterTest(page, made.code, candidate.username)
  await expect(questionHeading(page, 1)).toBeVisible()
  return { ...made, candidate }
}

/** The same from the instructions, to which the Back button then leads. */
export async function startByInstructions(page: Page, product: Product) {
  const made = await makeAssessment(product)
  const candidate = await makeCandidate(product, made.code)
  await enterTest(page, made.code, candidate.username, '/recruitment/instructions')
  await page.getByRole('button', { name: 'I Understand - Start the Exam' }).press('Enter')
  await expect(questionHeading(page, 1)).toBeFocused()
  return { ...made, candidate }
}

export async function openOtherBrowser(
  browser: Browser,
  product: Product,
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ baseURL: product.url })
  const page = await context.newPage()
  await putSession(page, product, {
    email: `other-${randomUUID().slice(0, 8)}@example.com`,
    password: 'correct horse battery',
  })
  return { context, page }
}

export const questionHeading = (page: Page, number: number): Locator =>
  page.getByRole('heading', { level: 2, name: new RegExp(`^Question ${number} of `) })

export const submitted = (page: Page): Locator =>
  page.getByRole('heading', { name: 'Assessment Submitted' })

export const toast = (page: Page, text: string): Locator =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)

/** Fills in the dialog 'Login to Access Test' and sends it. */
export async function logIn(page: Page, username: string, password: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Login to Access Test' })
  await dialog.getByLabel('Username').fill(username)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByLabel('Password', { exact: true }).press('Enter')
}

export async function choose(page: Page, letter: string): Promise<void> {
  // Only the question's, because the page that replaces it may have radio buttons too. After a refused save the question
  // can be gone before check() would see the choice.
  await page
    .getByRole('radiogroup', { name: /^Question / })
    .getByRole('radio')
    .nth('ABCD'.indexOf(letter))
    .click({ force: true })
}

/** Top and height of the options, which must not move during a tap. */
export const placeOfOptions = (page: Page) =>
  page.getByRole('radiogroup', { name: /^Question / }).evaluate((group) => {
    const { top, height } = group.getBoundingClientRect()
    return [top, height]
  })

export const saveState = (page: Page, state: 'saved' | 'saving' | 'retrying'): Locator =>
  page.locator(`[data-save-state=${state}]:visible`)

export const strikes = (page: Page, count: number): Locator =>
  page.getByRole('img', { name: `Strikes: ${count} of 3` })

export async function shownSeconds(page: Page): Promise<number> {
  const text = (await page.getByRole('timer').textContent()) ?? ''
  const [minutes, seconds] = (/(\d+):(\d\d)/.exec(text) ?? []).slice(1).map(Number)
  return (minutes ?? Number.NaN) * 60 + (seconds ?? Number.NaN)
}

/** Makes the page check again, as when returning from another tab, but without an absence. */
export async function wakePage(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('pageshow')))
}

/** Sets the end of a candidate's attempt to `ms` from now. */
export async function setRemaining(product: Product, candidateId: string, ms: number) {
  const deadline = new Date(Date.now() + product.clock.offsetMs + ms)
  await product.db.execute(
    sql`update attempts set deadline_at = ${deadline} where candidate_id = ${candidateId}`,
  )
}

export async function answersOf(product: Product, candidateId: string) {
  const rows = await answerRowsOf(product, candidateId)
  return Object.fromEntries(rows.map(({ item_id, choice }) => [item_id, choice]))
}

/** Kinds of reported events except heartbeats, in order; with `violations` only those that counted. */
export async function eventsOf(
  product: Product,
  candidateId: string,
  which: 'all' | 'violations' = 'all',
): Promise<string[]> {
  const { rows } = await product.db.execute<{ kind: string; is_violation: boolean }>(sql`
    select kind, is_violation from attempt_events
    where candidate_id = ${candidateId} and number is not null and kind <> 'heartbeat' order by id`)
  return rows.filter(({ is_violation }) => which === 'all' || is_violation).map(({ kind }) => kind)
}

/** What an organizer sees of the only candidate: strikes, and what is worth a look. */
export async function organizerSees(product: Product, code: string) {
  const client = product.db.$client
  const { rows } = await client.query<{ strikes: number }>(
    'select attempt_strikes(id)::int as strikes from attempts where assessment = $1',
    [code],
  )
  const findings = await findingsIn(client, code)
  return {
    strikes: rows[0]?.strikes ?? 0,
    worthALook: [
      ...worthALook(findings),
      ...unmonitoredWords(findings).map((words) => `unmonitored: ${words}`),
    ],
  }
}

/** Switches the page to the background or back, as the browser reports it. */
export const setAway = (page: Page, isAway: boolean) =>
  page.evaluate((away) => {
    const state = away ? 'hidden' : 'visible'
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
    dispatchEvent(new Event(away ? 'blur' : 'focus'))
    document.dispatchEvent(new Event('visibilitychange'))
  }, isAway)

/** Takes the focus from the page or returns it, as another window does. */
export const setFocus = (page: Page, isFocused: boolean) =>
  page.evaluate((name) => dispatchEvent(new Event(name)), isFocused ? 'focus' : 'blur')

export const setVisible = (page: Page, isVisible: boolean) =>
  page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    isVisible ? 'visible' : 'hidden',
  )
