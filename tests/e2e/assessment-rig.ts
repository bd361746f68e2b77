import { randomUUID } from 'node:crypto'
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test'
import { sql } from 'drizzle-orm'
import { worthALook } from '../../assessments/attempt-looks.ts'
import { hashCandidatePassword } from '../../assessments/server/password-store.ts'
import { assessmentItems, assessments, candidates } from '../../assessments/server/tables.ts'
import { OPTION_LETTERS } from '../../platform/options.ts'
import { findOrMakeSociety } from '../../societies/access/server/societies.ts'
import { findingsIn, unmonitoredWords } from '../rig/assessment-rig.ts'
import { expect, type Product, putSession, test, tokenOf } from './rig.ts'

export const PASSWORD = 'abcd-efgh-jkmnp'
/** Whom the rules of `makeAssessment` name. */
export const CONTACT = 'the desk at the door, or exam@society.example'

/** Before each test of a file: signs a user in and allows failed calls, which Chromium logs to the console. */
export function signInWhereCallsFail(): void {
  test.beforeEach(({ signedIn, expectConsoleErrors }) => {
    void signedIn
    expectConsoleErrors((text) => text.includes('Failed to load resource'))
  })
}

/** An assessment with items 1 to n, in its own society unless `given` names one. The keys repeat A, B, C, D. */
export async function makeAssessment(
  product: Product,
  {
    itemCount = 3,
    ...given
  }: Partial<typeof assessments.$inferInsert> & { itemCount?: number } = {},
) {
  const code = given.code ?? `T${randomUUID().slice(0, 8).toUpperCase()}`
  const society = given.society ?? `Society ${code}`
  const societyId = await findOrMakeSociety(product.db.$client, society, new Date())
  await product.db.insert(assessments).values({
    ...{ societyId, durationSeconds: 1200, shuffle: false, navigator: false },
    rules: {
      timing: ['Questions differ in length.'],
      allowed: ['Pen and paper'],
      forbidden: ['Calculators'],
      contact: CONTACT,
    },
    ...{ timeZone: 'Asia/Tokyo', isSample: false, createdAt: new Date() },
    ...given,
    ...{ code, society },
  })
  if (itemCount === 0) return { code, society, societyId, items: [] }
  const items = await product.db
    .insert(assessmentItems)
    .values(
      Array.from({ length: itemCount }, (_, index) => ({
        assessment: code,
        position: index + 1,
        question: `Stem ${index + 1}: by how much does the price of a five-year bond change?`,
        answerA: `Falls by ${index + 1}.1%`,
        answerB: `Rises by ${index + 1}.2%`,
        answerC: `Falls by ${index + 1}.3%`,
        answerD: `Rises by ${index + 1}.4%`,
        correctOption: OPTION_LETTERS[index % 4] as 'A' | 'B' | 'C' | 'D',
        isSample: false,
      })),
    )
    .returning({ id: assessmentItems.id, correctOption: assessmentItems.correctOption })
  return { code, society, societyId, items }
}

export async function makeCandidate(
  product: Product,
  code: string,
  more: Partial<typeof candidates.$inferInsert> = {},
): Promise<{ id: string; username: string }> {
  const id = randomUUID()
  const username = `candidate-${id.slice(0, 8)}`
  await product.db.insert(candidates).values({
    id,
    assessment: code,
    username,
    passwordHash: hashCandidatePassword(product.secretKey, PASSWORD),
    createdAt: new Date(),
    ...more,
  })
  return { id, username }
}

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
  // Only the question's, because the page that replaces it may have radio buttons too.
  await page
    .getByRole('radiogroup', { name: /^Question / })
    .getByRole('radio')
    .nth('ABCD'.indexOf(letter))
    .check({ force: true })
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

export async function attemptOf(product: Product, candidateId: string) {
  const { rows } = await product.db.execute<{
    id: string
    submitted_at: string | null
    submit_reason: string | null
  }>(sql`select * from attempts where candidate_id = ${candidateId}`)
  return rows[0]
}

export async function answersOf(product: Product, candidateId: string) {
  const { rows } = await product.db.execute<{ item_id: number; choice: string }>(sql`
    select item_id, choice from attempt_answers join attempts on attempts.id = attempt_id
    where candidate_id = ${candidateId} order by item_id`)
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

export async function resultOf(product: Product, code: string) {
  const { rows } = await product.db.execute<{
    correct: number
    incorrect: number
    time: string
    cheated: boolean
  }>(
    sql`select correct, incorrect, time, cheated from assessment_results where assessment = ${code}`,
  )
  return rows[0]
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
