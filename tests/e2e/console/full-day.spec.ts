// Long because it is one day: each step depends on the previous one, and the final tally on all of them.
import type { Page } from '@playwright/test'
import {
  setVisible,
  shownSeconds,
  signInWhereCallsFail,
  strikes,
  wakePage,
} from '../assessment-rig.ts'
import { expect, test } from '../rig.ts'
import {
  answer,
  answerRest,
  type Done,
  DURATION_SECONDS,
  handIn,
  joinDay,
  openDay,
  proveIfAsked,
  putToastAway,
  QUESTIONS,
  rowsOf,
  scoreOf,
  secondsOf,
  setDeviceAhead,
  sitDown,
  sitDownElsewhere,
  takeFile,
  turnTo,
} from './full-day-rig.ts'

// A click that finds no target should fail quickly instead of waiting for the test's timeout.
test.use({ actionTimeout: 20_000, movesClock: true })
signInWhereCallsFail()

/** Milliseconds within which events must appear on Live. */
const LIVE_MS = 4_000
const MINUTE = 60_000
const RULED = 7
const NEW_KEY = 'A'

const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })
const minutes = (shown: string) => Number(shown.split(':')[0]) * 60 + Number(shown.split(':')[1])

// Simulated crowds yield to open tests, so one left open here would stop later simulations in this worker.
test.afterEach(async ({ product }) => {
  await product.db.$client.query(
    `update attempts set submitted_at = started_at, submit_reason = 'deadline' where submitted_at is null`,
  )
})

test('A full day: every page, file and the log say what each person did', { tag: '@full' }, async ({
  page: owner,
  product,
  signedIn,
  browser,
}) => {
  test.setTimeout(300_000)
  const { clock } = product
  const day = await openDay(product, signedIn.email)
  const done: Done[] = []
  const did = (by: Done['by'], what: RegExp) => done.push({ by, what })
  const reviewer = await joinDay(browser, product, day, 'reviewer')
  const phone = await joinDay(browser, product, day, 'invigilator', '2.11')
  for (const one of [owner, reviewer, phone]) await setDeviceAhead(one, clock.offsetMs)

  // The candidates start and appear on Live.
  await owner.goto(day.of('live'))
  const sit = (name: string, room: string, plannedSeconds = 0) =>
    sitDown(browser, product, day, { name, room, plannedSeconds })
  const [ada, ben, cem] = await Promise.all([
    sit('Ada Crash', '2.11'),
    sit('Ben Offline', '2.11'),
    sit('Cem Strikes', '2.11'),
  ])
  const [dora, eli, fay] = await Promise.all([
    sit('Dora Longer', '1.04', DURATION_SECONDS / 4),
    sit('Eli Elsewhere', '1.04'),
    sit('Fay Notes', '2.11'),
  ])
  const everybody = [ada, ben, cem, dora, eli, fay]
  const numbers = owner.getByRole('region', { name: 'Numbers' })
  await expect(numbers).toContainText('6in progress', { timeout: LIVE_MS })
  await Promise.all(everybody.map((one) => answer(one, 1, 'A')))
  await answer(fay, 2, 'B')
  await expect(row(owner, 'Fay Notes')).toContainText(`2 of ${QUESTIONS}`, { timeout: LIVE_MS })
  expect(await shownSeconds(dora.page)).toBeGreaterThan(DURATION_SECONDS * 1.25 - 60)

  await test.step('one crashes and returns, one is offline, one switches to another computer', async () => {
    await answer(ada, 2, 'C')
    await ada.context.close()
    await sitDownElsewhere(browser, product, day, ada)
    await expect(ada.page.getByText('2 answered')).toBeVisible()

    await ben.context.setOffline(true)
    await expect(ben.page.getByText('No connection. Your answers are kept')).toBeVisible()
    for (const [number, letter] of [
      [2, 'B'],
      [3, 'D'],
    ] as const) {
      await turnTo(ben.page, number)
      await ben.page.keyboard.press(letter.toLowerCase())
    }
    await ben.context.setOffline(false)
    await expect(ben.page.getByText('No connection. Your answers are kept')).toBeHidden()
    await expect(ben.page.locator('[data-save-state=saved]:visible')).toBeVisible({
      timeout: 20_000,
    })
    ben.chosen.set(2, 'B').set(3, 'D')

    const left = eli.page
    await sitDownElsewhere(browser, product, day, eli)
    await expect(eli.page.getByText('1 answered')).toBeVisible()
    await answer(eli, 2, 'B')
    await wakePage(left)
    await expect(
      left.getByRole('heading', { name: 'This test is open in another window' }),
    ).toBeVisible({ timeout: 20_000 })
    await left.context().close()
  })

  await test.step('three strikes, seen in the room by phone, and a report', async () => {
    await phone.goto(day.of('live'))
    await expect(phone.getByText('Your role is for room 2.11.')).toBeVisible()
    await expect(phone.getByRole('link', { name: 'Dora Longer' })).toHaveCount(0)
    for (const count of [1, 2, 3]) {
      await setVisible(cem.page, false)
      await setVisible(cem.page, true)
      if (count < 3) await expect(strikes(cem.page, count)).toBeVisible()
      cem.strikes += 1
    }
    await expect(cem.page.getByRole('heading', { name: 'Assessment Submitted' })).toBeVisible()
    cem.handedInMs.push(clock.now().getTime())
    const seen = phone.getByRole('button', { name: 'Seen: Cem Strikes, ended by the third strike' })
    await expect(seen).toBeVisible({ timeout: LIVE_MS })
    await seen.click()
    await expect(seen).toBeHidden()
    did('invigilator', /pressed Seen on .*third strike/)
    await expect(owner.getByText(/pressed Seen on .*third strike/)).toBeVisible({
      timeout: LIVE_MS,
    })

    await phone.getByRole('link', { name: 'Fay Notes', exact: true }).last().click()
    did('invigilator', /looked at the name of candidate-/)
    await phone.getByRole('button', { name: 'Report' }).click()
    await phone.getByLabel('What you saw').fill('Spoke to the neighbor.')
    await phone.getByRole('button', { name: 'Save the report' }).click()
    await expect(phone.getByText('“Spoke to the neighbor.”')).toBeVisible()
    did('invigilator', /reported an incident/)
  })

  await test.step('the room gets five more minutes, and all candidates a message', async () => {
    const inRoom = [ada, ben, fay]
    const before = await Promise.all(inRoom.map((one) => shownSeconds(one.page)))
    const beforeDora = await shownSeconds(dora.page)
    await owner.getByRole('button', { name: 'Give everybody time…' }).click()
    const giving = owner.getByRole('dialog', { name: /^Give time to/ })
    await giving.getByRole('button', { name: 'Room 2.11' }).click()
    await giving.getByRole('button', { name: 'fire alarm' }).click()
    await giving.getByRole('button', { name: 'Give 5 min to 3' }).click()
    await expect(owner.getByText('Gave 5 min to 3')).toBeVisible()
    await putToastAway(owner)
    did('owner', /gave time to room 2\.11/)
    for (const one of inRoom) one.givenSeconds += 300
    await Promise.all(
      inRoom.map(async (one, index) => {
        await wakePage(one.page)
        const strip = one.page.getByRole('region', { name: 'Message from the society' })
        await expect(strip).toContainText('You have 5 min more. Your time: 30 min + 5.')
        await strip.getByRole('button', { name: 'Got it' }).click()
        const now = await shownSeconds(one.page)
        expect(now - (before[index] ?? Number.NaN)).toBeGreaterThan(300 - 30)
        expect(now - (before[index] ?? Number.NaN)).toBeLessThanOrEqual(300)
      }),
    )
    expect(await shownSeconds(dora.page)).toBeLessThanOrEqual(beforeDora)

    await owner
      .getByRole('region', { name: 'For everyone' })
      .getByRole('button', { name: 'Message…' })
      .click()
    const writing = owner.getByRole('dialog', { name: 'Message to everybody' })
    await writing.getByLabel('Message', { exact: true }).fill('Question 2: read 2025 for 2024.')
    await writing.getByRole('button', { name: 'Send to everybody' }).click()
    await expect(owner.getByText('Wrote to everybody', { exact: true })).toBeVisible()
    await putToastAway(owner)
    did('owner', /wrote to everybody: “Question 2: read 2025 for 2024\.”/)
    await Promise.all(
      [ada, ben, dora, eli, fay].map(async ({ page }) => {
        await wakePage(page)
        const strip = page.getByRole('region', { name: 'Message from the society' })
        await expect(strip).toContainText('Question 2: read 2025 for 2024.')
        await strip.getByRole('button', { name: 'Got it' }).click()
      }),
    )
  })

  await test.step('one strike is canceled, and the candidate continues', async () => {
    await owner.getByLabel('Tick Cem Strikes').check()
    const bar = owner.getByRole('region', { name: 'With the ticked rows' })
    await bar.getByRole('button', { name: 'Take a strike back…' }).click()
    const taking = owner.getByRole('dialog', { name: 'Take back strikes of Cem Strikes' })
    await taking
      .getByRole('checkbox', { name: /Cem Strikes/ })
      .first()
      .check()
    await taking.getByRole('button', { name: 'fire alarm' }).click()
    await taking.getByRole('button', { name: 'Take 1 strike back' }).click()
    await expect(owner.getByText(/^Took back 1 strike/)).toBeVisible()
    await putToastAway(owner)
    did('owner', /took back 1 strike/)
    cem.takenBack += 1
    if (!(await bar.isVisible())) await owner.getByLabel('Tick Cem Strikes').check()
    await bar.getByRole('button', { name: 'Reopen…' }).click()
    const opening = owner.getByRole('dialog', { name: 'Open the test of Cem Strikes again' })
    await opening.getByRole('button', { name: 'fire alarm' }).click()
    await opening.getByRole('button', { name: 'Open 1 again for 10 min' }).click()
    await expect(owner.getByText('Opened 1 again')).toBeVisible()
    await putToastAway(owner)
    did('owner', /opened the test of .* again/)
    cem.reopenedMs = clock.now().getTime()
    await cem.context.close()
    await sitDownElsewhere(browser, product, day, cem)
    await expect(strikes(cem.page, 2)).toBeVisible()
    expect(await shownSeconds(cem.page)).toBeGreaterThan(10 * 60 - 45)
    expect(await shownSeconds(cem.page)).toBeLessThanOrEqual(10 * 60)
  })

  // All have different answers. The seventh question's stored key is C.
  await Promise.all([
    answerRest(ada, 'ACCDABAD').then(() => handIn(ada, product)),
    answerRest(ben, 'ABDDBBCD').then(() => handIn(ben, product)),
    answerRest(cem, 'ABCAABAD').then(() => handIn(cem, product)),
  ])
  await Promise.all([
    answerRest(dora, 'ABCDABCD').then(() => handIn(dora, product)),
    answerRest(eli, 'ABCDABAD').then(() => handIn(eli, product)),
    answerRest(fay, 'ABACDBAB').then(() => handIn(fay, product)),
  ])
  await expect(numbers).toContainText('6done', { timeout: LIVE_MS })

  await test.step('a candidate says that a key is wrong', async () => {
    const note = 'The key of question 7 is wrong: it has to be A.'
    const field = fay.page.getByLabel(/^If something happened during the test/)
    await field.fill(note)
    await fay.page.getByRole('button', { name: 'Send comment' }).click()
    await expect(fay.page.getByText('The society can read it now.')).toBeVisible()
  })

  // Scripts answer faster than people read, which would flag them for decisions.
  await product.db.$client.query(
    `update attempt_answers w set saved_at = a.started_at + interval '5 minutes'
     from attempts a where a.id = w.attempt_id and a.assessment = $1`,
    [day.code],
  )
  const before = clock.offsetMs
  await clock.move(16 * MINUTE)
  for (const one of [owner, reviewer]) await setDeviceAhead(one, clock.offsetMs - before)

  await test.step('incidents are decided without names', async () => {
    // Two strikes that count, and the report.
    await reviewer.goto(day.of('incidents'))
    await expect(
      reviewer.getByRole('heading', {
        name: 'Three incidents of two candidates are waiting for a verdict',
      }),
    ).toBeVisible()
    for (const { name, username } of everybody) {
      await expect(reviewer.getByText(name)).toHaveCount(0)
      await expect(reviewer.getByText(username)).toHaveCount(0)
    }
    const decision = reviewer.getByRole('form', { name: 'Decision' })
    const decide = async (what: RegExp, verdict: 'Cleared' | 'Upheld', count: number) => {
      const rows = reviewer.getByRole('listitem').filter({ hasText: what })
      await expect(rows).toHaveCount(count)
      for (let at = 0; at < count; at += 1) await rows.nth(at).getByRole('checkbox').check()
      await decision.getByRole('button', { name: verdict }).click()
      await decision.getByLabel(/^Reason/).fill('Seen on the day.')
      const presses = count === 1 ? 'Save 1 decision' : `Save ${count} decisions`
      await decision.getByRole('button', { name: presses }).click()
      await expect(rows).toHaveCount(0)
    }
    await decide(/“Spoke to the neighbor\.”/, 'Upheld', 1)
    did('reviewer', /decided on 1 incident of candidate \d+: upheld/)
    await decide(/Waiting for a verdict/, 'Cleared', 2)
    did('reviewer', /decided on 2 incidents of candidate \d+: cleared/)
    await owner.goto(day.of('incidents'))
    await expect(
      owner.getByRole('heading', { name: 'No incident is waiting for a verdict' }),
    ).toBeVisible()
  })

  const keysAfter = day.keys.with(RULED - 1, NEW_KEY)
  const scores = everybody.map((one) => ({
    one,
    before: scoreOf(one, day.keys),
    after: scoreOf(one, keysAfter),
  }))
  const up = scores.filter((one) => one.after > one.before).length
  const down = scores.filter((one) => one.after < one.before).length

  await test.step('the key is replaced, with the previewed effect', async () => {
    await owner.goto(day.of('analysis'))
    const figures = owner.getByText(/^n = 6, too few to say/)
    const uncover = owner.getByRole('button', { name: 'Uncover them' })
    await expect(figures.or(uncover)).toBeVisible()
    // Five minutes after the password was entered, pages with keys ask for it again.
    if (await uncover.isVisible()) {
      await uncover.click()
      await proveIfAsked(owner, signedIn.password)
    }
    await expect(figures).toBeVisible()
    await expect(owner.getByRole('heading', { level: 1 })).toContainText('6 candidates')
    await expect(owner.getByText(/KR-20/)).toHaveCount(0)
    const rightBefore = scores.filter(({ one }) => one.chosen.get(RULED) === day.keys[RULED - 1])
    await expect(row(owner, `^${RULED} Stem ${RULED}`)).toContainText(`${rightBefore.length} of 6`)
    await owner.getByRole('button', { name: new RegExp(`^Stem ${RULED}`) }).click()
    await owner.getByRole('link', { name: `Rule on question ${RULED}…` }).click()
    await owner.getByRole('button', { name: NEW_KEY, exact: true }).click()
    const replace = owner.getByRole('radio', {
      name: new RegExp(`^Replace the key: ${NEW_KEY} instead of C`),
    })
    await replace.check()
    await expect(owner.locator('label').filter({ has: replace })).toContainText(
      [up > 0 && `${up} up`, down > 0 && `${down} down`].filter(Boolean).join(', '),
    )
    await owner.getByLabel('Reason').fill('The options were rewritten, the key was not moved')
    await owner
      .getByRole('button', { name: `Replace the key: ${up + down} results change` })
      .click()
    await proveIfAsked(owner, signedIn.password)
    await expect(owner.getByText(`${up + down} results have changed.`)).toBeVisible()
    did('owner', new RegExp(`ruled on question ${RULED}: ${NEW_KEY} is the key instead`))
    await owner.goto(day.of(`analysis/${RULED}`))
    await owner.getByText(`${up + down} results changed when this ruling was made`).click()
    const changed = await owner.locator('details li').allTextContents()
    expect(changed.map((text) => text.replace(/^\d+: /, '')).sort()).toEqual(
      scores
        .filter((one) => one.after !== one.before)
        .map((one) => `${one.before} to ${one.after}`)
        .sort(),
    )
  })

  const csv = await test.step('the cut score, names, files and the release', async () => {
    await owner.goto(day.of('results'))
    await expect(owner.getByText(/n = \d+, too few to say how precise a score is\./)).toBeVisible()
    await owner.getByRole('button', { name: 'Set a cut score' }).click()
    await expect(owner.getByText(/^Saved by/)).toBeVisible()
    const sorted = scores.map((one) => one.after).sort((a, b) => a - b)
    const line = sorted[3] as number
    const above = sorted.filter((score) => score >= line).length
    await expect(owner.getByRole('row', { name: /^Cut score/ })).toHaveText(
      `Cut score ${line}: ${above} at or above`,
    )
    did('owner', new RegExp(`changed the cut score to ${line}(?!\\d)`))
    await owner.getByRole('button', { name: 'Lock the cut score…' }).click()
    await owner.getByRole('button', { name: `Lock it at ${line}` }).click()
    await expect(owner.getByText(/To change it, give a reason/)).toBeVisible()
    did('owner', /locked the cut score/)
    await owner.getByRole('switch', { name: 'Blind review' }).press('Space')
    await owner.getByRole('button', { name: 'Show 6 names' }).click()
    did('owner', /showed all names/)
    for (const { one, after } of scores) {
      const cells = row(owner, one.name).getByRole('cell')
      await expect(cells.nth(1)).toHaveText(String(after))
    }
    const text = await takeFile(
      owner,
      () => owner.getByRole('button', { name: 'Without names (CSV)' }).click(),
      signedIn.password,
    )
    did('owner', /exported the results without names/)
    await owner.getByRole('button', { name: 'Release results…' }).click()
    const dialog = owner.getByRole('dialog', { name: 'Release 6 results' })
    await expect(dialog.getByLabel('Reason to release them anyway')).toHaveCount(0)
    await dialog.getByLabel('Your message').fill('Thank you for coming.')
    await dialog.getByLabel(/^Show the cut score/).check()
    await dialog.getByRole('button', { name: 'Release 6 results' }).click()
    await proveIfAsked(owner, signedIn.password)
    await expect(owner.getByText(/^Released by/)).toBeVisible()
    did('owner', /released the results/)

    const mine = scores.find(({ one }) => one === fay)
    await fay.page.reload()
    const result = fay.page.getByRole('region', { name: 'Your result' })
    await expect(result).toContainText(`${mine?.after} of ${QUESTIONS}`)
    await expect(result).toContainText(
      `The society’s cut score was ${line} points. Your score is ${(mine?.after ?? 0) >= line ? 'at or above' : 'below'} it.`,
    )
    await expect(result).toContainText('Thank you for coming.')
    return text
  })

  await test.step('the tally: the file matches the ledger', () => {
    const rows = rowsOf(csv)
    const sorted = (tallies: unknown[][]) => tallies.map((one) => one.join(' ')).sort()
    expect(
      sorted(rows.map(({ correct, incorrect, cheated }) => [correct, incorrect, cheated])),
    ).toEqual(
      sorted(
        scores.map(({ one, after }) => [
          ...[String(after), String(QUESTIONS - after)],
          String(one.strikes > one.takenBack),
        ]),
      ),
    )
    const taken = rows.map(({ time }) => minutes(time ?? '')).sort((a, b) => a - b)
    const measured = everybody.map(secondsOf).sort((a, b) => a - b)
    for (const [index, time] of taken.entries()) {
      expect(Math.abs(time - (measured[index] ?? 0)), `${taken} ${measured}`).toBeLessThan(5)
    }
  })

  await test.step('the fairness report counts the decisions, without statistics of six', async () => {
    await owner.goto(day.of('fairness'))
    const report = owner.getByRole('region', { name: 'Preview' })
    await expect(report).toContainText(
      `6 candidates took a test of ${QUESTIONS} questions in 30 minutes`,
    )
    await expect(report).toContainText('With fewer than 15 candidates')
    await expect(report).toContainText(
      `Question ${RULED} had a wrong key, which was replaced before names were shown.`,
    )
    await expect(report).toContainText('Extra time was agreed before the test.')
    await expect(report).toContainText('Three candidates got more time during the test.')
    await expect(report).not.toContainText(/scores? changed/)
    await expect(report).toContainText('One strike was taken back.')
    await expect(report).toContainText('One test was reopened.')
    await expect(report).toContainText('2 don’t count and 1 counts.')
    await owner.getByRole('button', { name: 'Publish the report' }).click()
    await expect(
      owner.getByRole('heading', { name: 'The fairness report is public' }),
    ).toBeVisible()
    did('owner', /published the fairness report/)
    await owner.goto(
      (await owner.getByRole('link', { name: 'Open it' }).getAttribute('href')) ?? '',
    )
    await expect(owner.getByText('With fewer than 15 candidates')).toBeVisible()
  })

  await test.step('the log has each action in order, and no other', async () => {
    await owner.goto(day.of('log'))
    await expect(owner.getByRole('heading', { name: `${done.length} entries` })).toBeVisible()
    const entries = owner.getByRole('list', { name: 'Entries, newest first' }).locator('> li')
    const texts = (await entries.allTextContents()).reverse()
    expect(texts).toHaveLength(done.length)
    for (const [index, { by, what }] of done.entries()) {
      expect(texts[index]).toMatch(what)
      expect(texts[index]).toContain(by === 'owner' ? 'You ' : `${by}-`)
    }
  })
  await Promise.all([
    ...everybody.map(({ context }) => context.close()),
    reviewer.context().close(),
    phone.context().close(),
  ])
})
