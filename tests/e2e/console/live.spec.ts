import type { Page } from '@playwright/test'
import type { Role } from '../../../societies/kit/roles.ts'
import { expect, expectAccessible, expectSound, type Product, test } from '../rig.ts'
import { makeTest, openedDialog } from './console-rig.ts'

const MINUTE = 60_000

type Room = Awaited<ReturnType<typeof openRoom>>

/** A running test with candidates by SQL, and a role in its society for the page's account. */
async function openRoom(
  product: Product,
  email: string,
  more: { role?: Role; candidates?: number; opensInMs?: number; closesInMs?: number } = {},
) {
  const { role, candidates = 12, opensInMs = -20 * MINUTE, closesInMs = 20 * MINUTE } = more
  const nowMs = product.clock.now().getTime()
  const { code, society, of } = await makeTest(product, email, {
    ...{ role, itemCount: 6, durationSeconds: 1_800 },
    ...{ opensAt: new Date(nowMs + opensInMs), closesAt: new Date(nowMs + closesInMs) },
  })
  await product.db.$client.query(
    `insert into candidates (id, assessment, username, name, room, password_hash, created_at)
     select gen_random_uuid(), $1, 'person.' || n, 'Person ' || lpad(n::text, 4, '0'),
       case when n % 2 = 0 then '1.04' else '2.11' end, '\\x00', $3 from generate_series(1, $2::int) n`,
    [code, candidates, new Date(nowMs)],
  )
  return { code, society, page: of('live'), of }
}

/** The first `count` candidates started ten minutes ago and saved an answer a minute ago. */
async function start(product: Product, { code }: Room, count: number) {
  const now = product.clock.now()
  await product.db.$client.query(
    `with who as (
       select id from candidates where assessment = $1 order by length(username), username limit $2
     ), made as (
       insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, window_id,
         is_demo)
       select gen_random_uuid(), $1, id,
         array(select i.id from assessment_items i where i.assessment = $1 order by position),
         $3::timestamptz - interval '10 minutes', $3::timestamptz + interval '20 minutes', 'w', false
       from who returning *
     ), answered as (
       insert into attempt_answers (attempt_id, item_id, choice, revision, saved_at)
       select id, paper[1], 'B', 1, started_at + interval '9 minutes' from made
     )
     insert into attempt_events (candidate_id, attempt_id, kind, window_id, number, at_ms, detail,
       received_at)
     select candidate_id, made.id, told.kind, 'w', told.number, told.at_ms,
       case when told.kind = 'saved' then jsonb_build_array(jsonb_build_array(paper[1], 'B', 1, 5)) end,
       started_at + told.at_ms * interval '1 ms'
     from made, (values ('started', null::int, 0), ('ready', 1, 1000), ('saved', null, 540000))
       as told (kind, number, at_ms)`,
    [code, count, now],
  )
}

/** An event that a candidate's page reported `ago` seconds ago. */
async function tell(
  product: Product,
  { code }: Room,
  username: string,
  kind: string,
  secondsAgo = 5,
) {
  await product.db.$client.query(
    `with answered as (
       insert into attempt_answers (attempt_id, item_id, choice, revision, saved_at)
       select t.id, t.paper[2], 'B', 1, $4 from candidates c join attempts t on t.candidate_id = c.id
       where c.assessment = $1 and c.username = $2 and $3 = 'saved'
     )
     insert into attempt_events (candidate_id, attempt_id, kind, window_id, number, at_ms, is_violation,
       detail, received_at)
     select c.id, t.id, $3, 'w', case when $3 <> 'saved' then (random() * 1e6)::int + 100 end, 600000,
       $3 in ('copy', 'page_hidden'),
       case when $3 = 'saved' then jsonb_build_array(jsonb_build_array(t.paper[2], 'B', 1, 5)) end, $4
     from candidates c join attempts t on t.candidate_id = c.id
     where c.assessment = $1 and c.username = $2`,
    [code, username, kind, new Date(product.clock.now().getTime() - secondsAgo * 1000)],
  )
}

const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })

test('An owner watches a running test by keyboard, marks an alert as seen, undoes it and finds candidates', async ({
  page,
  product,
  signedIn,
}) => {
  const room = await openRoom(product, signedIn.email)
  await start(product, room, 9)
  await page.goto(room.page)
  const numbers = page.getByRole('region', { name: 'Numbers' })
  await expect(numbers).toContainText('0need attention')
  await expect(numbers).toContainText('9in progress')
  await expect(numbers).toContainText('3not signed in')
  await expect(numbers).toContainText('No save for 3 minutes: 0 of 9')
  await expect(page.getByText('No one needs help right now.')).toBeVisible()

  // Events appear within seconds, without a reload.
  await tell(product, room, 'person.2', 'saved')
  await expect(row(page, 'Person 0002')).toContainText('2 of 6')
  await tell(product, room, 'person.1', 'copy', 70)
  await tell(product, room, 'person.1', 'page_hidden', 60)
  const line = page.getByRole('listitem').filter({ hasText: 'Second strike:' })
  await expect(line).toContainText('left the page and hasn’t returned')
  await expect(line).toContainText('No one else in room 2.11 was away in that minute.')
  await expect(numbers).toContainText('1need attention')
  await expect(row(page, 'Person 0001').getByText('2 strikes')).toBeAttached()
  await expectSound(page)

  await page.getByRole('button', { name: 'Seen: Person 0001, second strike' }).press('Enter')
  await expect(page.getByText('No one needs help right now.')).toBeVisible()
  await expect(row(page, 'Person 0001')).toContainText('second strike, seen')
  await expect(page.getByText('You pressed Seen on person.1: second strike')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(line).toBeVisible()

  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('2.11 person')
  await expect(page.getByRole('row')).toHaveCount(1 + 6)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Not signed in 3' }).press('Enter')
  await expect(page.getByRole('row')).toHaveCount(1 + 3)
  await page.getByRole('button', { name: 'All 12' }).press('Enter')
  await page.getByRole('link', { name: 'Person 0001', exact: true }).last().focus()
  await page.keyboard.press('x')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  const bar = page.getByRole('region', { name: 'With the ticked rows' })
  await expect(bar).toContainText('2 ticked')
  await page.keyboard.press('Escape')
  await expect(bar).toBeHidden()
  await page.getByRole('link', { name: 'Person 0001', exact: true }).last().press('Enter')
  await expect(page).toHaveURL(/\/incidents\/[0-9a-f-]{36}$/)
})

test('An owner reopens a test from its alert that the third strike ended it', async ({
  page,
  product,
  signedIn,
}) => {
  const room = await openRoom(product, signedIn.email)
  await start(product, room, 2)
  for (const seconds of [30, 20, 10]) await tell(product, room, 'person.1', 'copy', seconds)
  const name = 'Maria Alexandra de Oliveira Vasconcelos Montenegro Albuquerque'
  await product.db.$client.query(
    `with ended as (
       update attempts t set submitted_at = $2, submit_reason = 'violations' from candidates c
       where c.id = t.candidate_id and c.assessment = $1 and c.username = 'person.1'
     )
     update candidates set name = $3 where assessment = $1 and username = 'person.1'`,
    [room.code, product.clock.now(), name],
  )
  await page.goto(room.page)
  await expect(page.getByText('The third strike ended the test,')).toBeVisible()
  await expectSound(page)
  await page.getByRole('button', { name: `Reopen ${name}` }).press('Enter')
  const taking = await openedDialog(page, `Take back strikes of ${name}`)
  await taking
    .getByRole('checkbox', { name: /Copying/ })
    .last()
    .press('Space')
  await taking.getByRole('button', { name: 'fire alarm' }).press('Enter')
  await taking.getByRole('button', { name: 'Take 1 strike back' }).press('Enter')
  const opening = await openedDialog(page, `Open the test of ${name} again`)
  await opening.getByRole('button', { name: 'fire alarm' }).press('Enter')
  await opening.getByRole('button', { name: 'Open 1 again for 10 min' }).click()
  await expect(opening).toBeHidden()
  await expect(page.getByRole('region', { name: 'Numbers' })).toContainText('2in progress')
})

test('Live keeps the order of its rows while the pointer moves over them', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  const room = await openRoom(product, signedIn.email)
  await start(product, room, 12)
  await page.goto(room.page)
  const names = () => page.locator('tr[data-row] a').allTextContents()
  await expect(page.locator('tr[data-row]')).toHaveCount(12)
  const before = await names()
  const last = before.at(-1) as string
  const number = Number(last.split(' ')[1])
  await page.locator('tr[data-row]').nth(2).hover()
  const wiggle = setInterval(() => {
    void page.mouse.move(300 + Math.random() * 20, 700 + Math.random() * 5).catch(() => {})
  }, 60)
  await tell(product, room, `person.${number}`, 'copy', 70)
  await tell(product, room, `person.${number}`, 'copy', 60)
  await expect(row(page, last)).toContainText('second strike')
  expect(await names()).toEqual(before)
  clearInterval(wiggle)
  await expect.poll(async () => (await names())[0]).toBe(last)
})

test('Live says since when the connection is lost, and recovers by itself', {
  tag: '@full',
}, async ({ page, product, signedIn, expectConsoleErrors }) => {
  expectConsoleErrors((text) => text.includes('Failed to load resource'))
  const room = await openRoom(product, signedIn.email)
  await start(product, room, 3)
  await page.goto(room.page)
  await expect(page.getByRole('region', { name: 'Numbers' })).toContainText('3in progress')
  await page.route('**/live?*', (route) => route.abort())
  await expect(page.getByText(/last update \d\d:\d\d:\d\d, trying again/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Numbers' })).toContainText('3in progress')
  await page.unroute('**/live?*')
  await expect(page.getByText(/trying again/)).toBeHidden({ timeout: 15_000 })
})

test('Live renders 200 of 2,000 candidates first, and the others as the list is scrolled', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  const room = await openRoom(product, signedIn.email, { candidates: 2_000 })
  await start(product, room, 1_900)
  await page.goto(room.page)
  await expect(page.getByRole('button', { name: 'In progress 1900' })).toBeVisible({
    timeout: 20_000,
  })
  await expect(page.locator('tr[data-row]')).toHaveCount(200)
  // The other rows are rendered as the list is scrolled.
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await expect(page.locator('tr[data-row]').nth(200)).toBeAttached()
})

test('Live counts down before the opening and says after the end that all candidates have finished', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  const early = await openRoom(product, signedIn.email, { opensInMs: 5 * MINUTE })
  await page.goto(early.page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Opens in [45]:\d\d$/)
  await expect(page.getByText('No one has signed in yet.')).toBeVisible()
  const before = page.getByRole('region', { name: 'Before it opens' })
  await expect(before.getByRole('listitem').first()).toContainText('To fix:')
  await expectSound(page)
  const over = await openRoom(product, signedIn.email, { closesInMs: -MINUTE })
  await start(product, over, 3)
  await product.db.$client.query(
    `update attempts set submitted_at = deadline_at - interval '1 minute', submit_reason = 'candidate'
     where assessment = $1`,
    [over.code],
  )
  await page.goto(over.page)
  await expect(page.getByRole('heading', { name: 'Everyone has finished.' })).toBeVisible()
  await expect(page.getByText('3 candidates took the test, 9 did not show up.')).toBeVisible()
  const late = page.getByRole('button', { name: 'Late answers…' })
  await expect(page.getByRole('button', { name: 'Strikes…' })).toBeVisible()
  await expect(late).toHaveCount(0)
  await tell(product, over, 'person.1', 'late_answer')
  await expect(late).toBeVisible()
})

test('Live on a phone has large buttons and a bottom bar', { tag: '@full' }, async ({
  page,
  product,
  signedIn,
}) => {
  const room = await openRoom(product, signedIn.email)
  await start(product, room, 4)
  await tell(product, room, 'person.1', 'copy', 70)
  await tell(product, room, 'person.1', 'copy', 60)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(room.page)
  await expect(page.getByRole('link', { name: 'Open Person 0001' })).toBeVisible()
  const small = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main a, main button, nav a, nav button')]
      .filter((one) => one.offsetParent !== null || getComputedStyle(one).position === 'fixed')
      .map((one) => ({ text: one.textContent, height: one.getBoundingClientRect().height }))
      .filter(({ height }) => height > 0 && height < 44),
  )
  expect(small).toEqual([])

  // The room can be chosen, however long the list of strikes is.
  for (const n of [2, 3, 4]) {
    for (const ago of [90, 80, 70]) await tell(product, room, `person.${n}`, 'copy', ago)
  }
  await page.getByRole('button', { name: 'Strikes…' }).click()
  const strikes = await openedDialog(page, 'Take back strikes of everybody')
  await expect(strikes.getByRole('checkbox')).toHaveCount(11)
  await strikes.getByRole('button', { name: 'Room 1.04' }).click({ timeout: 5_000 })
  await openedDialog(page, 'Take back strikes of room 1.04')
  await page.keyboard.press('Escape')
  const bar = page.getByRole('navigation', { name: 'Pages' })
  await expect(bar.getByRole('link')).toHaveText(['Overview', 'Live', 'Candidates', 'Incidents'])
  // Five buttons next to each other, all equally wide.
  const widths = await bar
    .locator('a, button')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().width)))
  expect(widths).toEqual(Array(5).fill(Math.round((page.viewportSize()?.width ?? 0) / 5)))
  await bar.getByRole('button', { name: 'More' }).click()
  await expectAccessible(page)
  await bar.getByRole('link', { name: 'Overview' }).click()
  await expect(page.getByRole('heading', { name: 'On duty' })).toBeVisible()
})

test("The helpers' card is printed from Overview on one page", { tag: '@full' }, async ({
  page,
  product,
  signedIn,
}) => {
  const room = await openRoom(product, signedIn.email, { role: 'invigilator' })
  await product.db.$client.query(`update memberships set room = '2.11' where society_id = $1`, [
    room.society,
  ])
  await start(product, room, 4)
  await page.goto(room.page)
  await expect(page.getByText('Your role is for room 2.11.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Person 0002' })).toHaveCount(0)
  await page.goto(room.of('card'))
  await expect(page.getByRole('heading', { name: 'What you do' })).toBeVisible()
  await page.evaluate(() => {
    window.print = () => {}
  })
  await page.getByRole('button', { name: 'Print helpers’ card' }).click()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { name: 'Helpers’ card, Room 2.11' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'What you do' })).toBeHidden()
  await expect(page.getByRole('term')).toHaveCount(8)
  const pdf = await page.pdf({ format: 'A4' })
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page[^s]/g)).toHaveLength(1)
})

test('A simulated crowd is watched on Live', { tag: '@full' }, async ({
  page,
  product,
  signedIn,
}) => {
  const room = await openRoom(product, signedIn.email, {
    opensInMs: 26 * 60 * MINUTE,
    closesInMs: 27 * 60 * MINUTE,
  })
  // Simulated crowds yield to open tests, and earlier tests of this worker left some open.
  await product.db.$client.query(
    `update attempts set submitted_at = started_at, submit_reason = 'deadline' where submitted_at is null`,
  )
  await product.db.$client.query(
    `update assessments set opens_at = created_at - interval '2 days',
       closes_at = created_at - interval '1 day' where code <> $1`,
    [room.code],
  )
  await page.goto(room.of('rehearsal'))
  await page.getByRole('button', { name: /^Rehearse with \d+ simulated candidates$/ }).click()
  await expect(page.getByText('Rehearsal. Nothing here counts.')).toBeVisible()
  const candidates = page.getByRole('table', { name: 'Candidates' })
  await expect(candidates.getByText('simulated-001')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Numbers' })).toContainText(/\din progress/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('Rehearsal. It has ended. Nothing here counts.')).toBeVisible()
  await page.getByRole('link', { name: 'Back to Overview' }).click()
  await expect(page.getByRole('button', { name: /^Rehearse with/ })).toBeVisible()
})
