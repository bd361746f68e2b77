import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import type { Role } from '../../../societies/kit/roles.ts'
import { memberships } from '../../../societies/server/tables.ts'
import {
  choose,
  enterTest,
  makeAssessment,
  makeCandidate,
  questionHeading,
  saveState,
} from '../assessment-rig.ts'
import { type Account, expect, type Product, putSession } from '../rig.ts'

/* Helpers for a test of a whole day: people with their own browsers, and a ledger of what they did. The ledger
   records what was pressed and what pages said about it, never what the server stores. */

export const QUESTIONS = 8
export const DURATION_SECONDS = 1_800

/** A candidate with a browser, and what the test knows from its own actions. */
export interface Seat {
  id: string
  username: string
  name: string
  room: string
  context: BrowserContext
  page: Page
  account: Account
  plannedSeconds: number
  /** by question: the last choice that the page acknowledged */
  chosen: Map<number, string>
  strikes: number
  takenBack: number
  givenSeconds: number
  startedMs: number
  /** by the server's clock: each time the page said that the test was submitted */
  handedInMs: number[]
  /** when it was reopened */
  reopenedMs: number | null
}

/** An organizer's action, as the log must show it. */
export interface Done {
  by: 'owner' | 'reviewer' | 'invigilator'
  what: RegExp
}

/** A running test in its own season, with the page's account as an owner. */
export async function openDay(product: Product, ownerEmail: string) {
  const nowMs = product.clock.now().getTime()
  const { code, items } = await makeAssessment(product, {
    itemCount: QUESTIONS,
    durationSeconds: DURATION_SECONDS,
    opensAt: new Date(nowMs - 5 * 60_000),
    closesAt: new Date(nowMs + 15 * 60_000),
  })
  const season = `Season ${code}`
  const { rows } = await product.db.$client.query<{ society: string }>(
    `update assessments set season = $2, session = 'Morning', time_zone = 'Europe/Lisbon'
     where code = $1 returning society_id as society`,
    [code, season],
  )
  const society = rows[0]?.society as string
  await putMember(product, society, ownerEmail, 'owner')
  const of = (page: string) => `/organise/${society}/assessments/${code}/${page}`
  return { code, society, season, of, keys: items.map(({ correctOption }) => correctOption) }
}

export type Day = Awaited<ReturnType<typeof openDay>>

async function putMember(
  product: Product,
  societyId: string,
  email: string,
  role: Role,
  room: string | null = null,
) {
  const { $client } = product.db
  const { rows } = await $client.query('select id from users where email = $1', [email])
  const id = randomUUID()
  await product.db.insert(memberships).values({
    ...{ id, societyId, userId: rows[0].id, role },
    createdAt: product.clock.now(),
  })
  await $client.query('update memberships set room = $2 where id = $1', [id, room])
}

/** Opens a browser for a member of the society; invigilators use a phone. */
export async function joinDay(
  browser: Browser,
  product: Product,
  { society }: Day,
  role: 'reviewer' | 'invigilator',
  room: string | null = null,
): Promise<Page> {
  const account = newAccount(role)
  const isPhone = role === 'invigilator'
  const context = await browser.newContext({
    baseURL: product.url,
    ...(isPhone ? { viewport: { width: 390, height: 844 }, hasTouch: true } : {}),
  })
  const page = await context.newPage()
  await putSession(page, product, account)
  await putMember(product, society, account.email, role, room)
  return page
}

const newAccount = (who: string): Account => ({
  email: `${who}-${randomUUID().slice(0, 8)}@example.com`,
  password: 'correct horse battery',
})

/** Starts the test for a listed candidate, up to the first question. */
export async function sitDown(
  browser: Browser,
  product: Product,
  { code }: Day,
  who: { name: string; room: string; plannedSeconds?: number },
): Promise<Seat> {
  const { name, room, plannedSeconds = 0 } = who
  const { id, username } = await makeCandidate(product, code)
  await product.db.$client.query(
    'update candidates set name = $2, room = $3, extra_seconds = $4 where id = $1',
    [id, name, room, plannedSeconds],
  )
  const account = newAccount('candidate')
  const context = await browser.newContext({ baseURL: product.url })
  const page = await context.newPage()
  await putSession(page, product, account)
  await enterTest(page, code, username)
  await expect(questionHeading(page, 1)).toBeVisible()
  return {
    ...{ id, username, name, room, context, page, account, plannedSeconds },
    ...{ chosen: new Map(), strikes: 0, takenBack: 0, givenSeconds: 0 },
    ...{ startedMs: product.clock.now().getTime(), handedInMs: [], reopenedMs: null },
  }
}

/** The same candidate and account in a new browser. */
export async function sitDownElsewhere(
  browser: Browser,
  product: Product,
  { code }: Day,
  seat: Seat,
): Promise<Page> {
  const context = await browser.newContext({ baseURL: product.url })
  const page = await context.newPage()
  const { email, password } = seat.account
  const response = await fetch(`${product.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  expect(response.status).toBe(200)
  const session = await response.text()
  await page.goto('/robots.txt')
  await page.evaluate((stored) => localStorage.setItem('superday-auth', stored), session)
  await page.goto('/recruitment')
  await enterTest(page, code, seat.username)
  seat.context = context
  seat.page = page
  return page
}

/** Goes to a question with Next and Previous. */
export async function turnTo(page: Page, number: number): Promise<void> {
  const heading = page.getByRole('heading', { level: 2, name: /^Question \d+ of / })
  for (let turns = 0; turns <= QUESTIONS; turns += 1) {
    const at = Number(/\d+/.exec((await heading.textContent()) ?? '')?.[0])
    if (at === number) return
    const name = at < number ? 'Next' : 'Previous'
    await page.getByRole('button', { name, exact: true }).click()
    await expect(questionHeading(page, at < number ? at + 1 : at - 1)).toBeVisible()
  }
  throw new Error(`question ${number} was never reached`)
}

/** Chooses, waits until the page says that it is saved, and then adds it to the ledger. */
export async function answer(seat: Seat, number: number, letter: string): Promise<void> {
  await turnTo(seat.page, number)
  await choose(seat.page, letter)
  await expect(saveState(seat.page, 'saved')).toBeVisible()
  seat.chosen.set(number, letter)
}

/** Answers the unanswered questions from a string with one letter per question. */
export async function answerRest(seat: Seat, letters: string): Promise<void> {
  for (const [index, letter] of [...letters].entries()) {
    if (seat.chosen.get(index + 1) !== letter) await answer(seat, index + 1, letter)
  }
}

/** Submits on the last question. */
export async function handIn(seat: Seat, product: Product): Promise<void> {
  await turnTo(seat.page, QUESTIONS)
  await seat.page.getByRole('button', { name: 'Submit Test' }).click()
  await expect(seat.page.getByRole('heading', { name: 'Assessment Submitted' })).toBeVisible({
    timeout: 20_000,
  })
  seat.handedInMs.push(product.clock.now().getTime())
}

/** How many of the ledger's choices are correct with these keys. */
export const scoreOf = (seat: Seat, keys: readonly string[]): number =>
  keys.filter((key, index) => seat.chosen.get(index + 1) === key).length

/** Seconds from the first question to the end by the ledger, without the time while the test was closed. */
export function secondsOf({ startedMs, handedInMs, reopenedMs }: Seat): number {
  const closedMs = reopenedMs === null ? 0 : reopenedMs - (handedInMs[0] ?? Number.NaN)
  return ((handedInMs.at(-1) ?? Number.NaN) - startedMs - closedMs) / 1_000
}

/** The rows of a CSV without quoted fields, by its header. */
export function rowsOf(csv: string): Record<string, string>[] {
  const [header = '', ...lines] = csv
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/)
  const names = header.split(',')
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((value, index) => [names[index] ?? '', value])),
  )
}

/** Presses a button that downloads a file, and re-authenticates if asked. @returns the file's text */
export async function takeFile(page: Page, press: () => Promise<void>, password: string) {
  const downloading = page.waitForEvent('download')
  await press()
  await proveIfAsked(page, password)
  return readFile(await (await downloading).path(), 'utf8')
}

/** Enters the password if the page asks for re-authentication. */
export async function proveIfAsked(page: Page, password: string): Promise<void> {
  const field = page
    .getByRole('dialog', { name: 'Confirm your identity' })
    .getByLabel('Your password')
  const isAsked = await field.waitFor({ state: 'visible', timeout: 1_500 }).then(
    () => true,
    () => false,
  )
  if (!isAsked) return
  await field.fill(password)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
}

/** Dismisses a toast, which covers the page as long as it can be undone. */
export const putToastAway = (page: Page) =>
  page.getByRole('button', { name: 'Dismiss' }).first().click()

/** Sets the clock of the page's device to the server's from the next load on. */
export async function setDeviceAhead(page: Page, ms: number): Promise<void> {
  await page.addInitScript((ahead) => {
    const deviceNow = Date.now.bind(Date)
    Date.now = () => deviceNow() + ahead
  }, ms)
}
