import { randomUUID } from 'node:crypto'
import type { Role } from '../../../societies/kit/roles.ts'
import { makeSatTest } from '../../rig/analysis-rig.ts'
import { expect, expectSound, isFull, type Product, test } from '../rig.ts'
import { addMember, makeTest } from './console-rig.ts'

const START_MS = 26 * 3_600_000

/** A closed assessment with five people: three in room 2.11 left for an alarm, and one in 1.04 by themselves. */
async function closedTest(product: Product, email: string, role: Role = 'owner') {
  const { $client } = product.db
  const start = new Date(product.clock.now().getTime() - START_MS)
  const { code, of } = await makeTest(product, email, {
    ...{ role, durationSeconds: 1_800, opensAt: start, createdAt: start },
    closesAt: new Date(start.getTime() + 600_000),
  })
  await $client.query(`update assessment_items set correct_option = 'B' where assessment = $1`, [
    code,
  ])
  const people = ['2.11', '2.11', '2.11', '2.11', '1.04'].map((room, index) => ({
    ...{ id: randomUUID(), attempt: randomUUID(), room, index },
    username: index === 4 ? 'berta.sato' : `person.${index}`,
    name: index === 4 ? 'Berta Sato' : `Person ${index}`,
  }))
  await $client.query(
    `insert into candidates (id, assessment, username, name, room, password_hash, created_at)
     select id, $1, username, name, room, '\\x00', $3
     from jsonb_to_recordset($2) as p (id uuid, username text, name text, room text)`,
    [code, JSON.stringify(people), start],
  )
  await $client.query(
    `insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, submitted_at,
       submit_reason, window_id, is_demo)
     select attempt, $1, id, array(select i.id from assessment_items i where i.assessment = $1 order by position),
       $3::timestamptz, $3::timestamptz + interval '30 minutes', $3::timestamptz + interval '28 minutes',
       'candidate', 'w', false
     from jsonb_to_recordset($2) as p (id uuid, attempt uuid)`,
    [code, JSON.stringify(people), start],
  )
  await $client.query(
    `insert into attempt_windows (attempt_id, window_id, opened_at, last_event)
     select attempt, 'w', $2, case when index = 3 then 1 else 3 end
     from jsonb_to_recordset($1) as p (attempt uuid, index int)`,
    [JSON.stringify(people), start],
  )
  const { rows: items } = await $client.query<{ id: number }>(
    'select id from assessment_items where assessment = $1 order by position',
    [code],
  )
  const saved = (at: number, item: number, choice: string, revision: number) => {
    const detail = [[items[item]?.id, choice, revision, at]]
    return { kind: 'saved', at: at + 300, number: null, detail }
  }
  const events = people.flatMap(({ id, attempt, index }) => {
    const away = index === 4 ? 1_200_000 : 720_000 + index * 5_000
    const back = away + (index === 4 ? 41_000 : 200_000)
    return [
      { kind: 'started', at: 0, number: null, detail: null },
      { kind: 'ready', at: 100, number: 1, detail: null },
      saved(60_000, 0, 'B', 1),
      saved(90_000, 1, 'A', 1),
      ...(index === 3
        ? []
        : [
            { kind: 'page_hidden', at: away, number: 2, detail: null, counts: true },
            { kind: 'page_visible', at: back, number: 3, detail: { awayMs: back - away } },
          ]),
      ...(index === 4 ? [saved(back + 6_000, 1, 'C', 2)] : []),
      { kind: 'submitted', at: 1_680_000, number: null, detail: { reason: 'candidate' } },
    ].map((event) => ({ counts: false, ...event, candidate: id, attempt }))
  })
  await $client.query(
    `insert into attempt_events (candidate_id, attempt_id, kind, window_id, number, at_ms, detail,
       is_violation, received_at)
     select candidate, attempt, kind, 'w', number, at, nullif(detail, 'null'), counts,
       $2::timestamptz + at * interval '1 ms'
     from jsonb_to_recordset($1) as e (candidate uuid, attempt uuid, kind text, number int, at bigint,
       detail jsonb, counts boolean) order by at`,
    [JSON.stringify(events), start],
  )
  await $client.query(
    `insert into attempt_answers (attempt_id, item_id, choice, revision, saved_at)
     select attempt, $2, 'B', 1, $3::timestamptz from jsonb_to_recordset($1) as p (attempt uuid)`,
    [JSON.stringify(people), items[0]?.id, start],
  )
  return {
    code,
    page: of('incidents'),
    alone: people[4]?.id as string,
    alarmed: people[0]?.id as string,
  }
}

test('An owner decides an alarm in one step and a single absence separately, by keyboard, and then sees the points', async ({
  page,
  product,
  signedIn,
}) => {
  const place = await closedTest(product, signedIn.email)
  await page.goto(place.page)
  await expect(
    page.getByRole('heading', {
      name: 'Four incidents of four candidates are waiting for a verdict',
    }),
  ).toBeVisible()
  await expect(page.getByText('Sato')).toHaveCount(0)
  await expect(
    page.getByText('In the same minute 2 of the 3 others in room 2.11 were away.'),
  ).toHaveCount(3)
  await page.getByRole('checkbox').first().press(' ')
  const decision = page.getByRole('form', { name: 'Decision' })
  await decision
    .getByRole('button', { name: 'Select 2 more from the same room and minute' })
    .press('Enter')
  await expect(decision.getByRole('heading', { name: '3 incidents selected' })).toBeVisible()
  await expectSound(page)
  await decision.getByRole('button', { name: 'Cleared' }).press('Enter')
  await decision.getByLabel(/^Reason/).fill('Fire alarm, for the whole room')
  await page.keyboard.press('Control+Enter')
  await expect(
    page.getByRole('heading', { name: 'One incident of one candidate is waiting for a verdict' }),
  ).toBeVisible()

  await page.getByRole('link', { name: /Away for 41 s/ }).press('Enter')
  await expect(
    page.getByRole('heading', { name: /one incident is waiting for a verdict/ }),
  ).toBeVisible()
  await expect(page.getByText('Nobody else in room 1.04 was away.')).toHaveCount(0)
  await expect(
    page.getByText('6 s after the return, the answer to question 2 was changed from A to C.'),
  ).toBeVisible()
  // What happened, one line each.
  const lines = page.getByRole('region', { name: 'What happened' }).getByRole('listitem')
  await expect(lines).toHaveText([
    /Started\./,
    /Answered questions 1 and 2\. The last one at/,
    /Away for 41 s/,
    /Changed question 2 from A to C\./,
    /The candidate submitted the test\./,
  ])
  await expect(page.getByText('covered', { exact: true })).toHaveCount(3)
  await expectSound(page)
  await page.getByRole('button', { name: 'Show the name' }).press('Enter')
  await expect(page.getByRole('heading', { name: /^Berta Sato/ })).toBeVisible()
  await decision.getByRole('button', { name: 'Needs follow-up' }).press('Enter')
  await decision.getByLabel('Reason').fill('Ask what the 41 seconds were.')
  await decision.getByRole('button', { name: 'Save 1 decision' }).press('Enter')
  // Asking clears no candidate.
  await expect(page.getByRole('heading', { name: /1 needs follow-up/ })).toBeVisible()
  await expect(page.getByText('1 right, 2 not')).toHaveCount(0)
  await decision.getByRole('button', { name: 'Cleared', exact: true }).press('Enter')
  await decision
    .getByLabel('Reason')
    .fill('A calculator fell down, and the candidate asked for another.')
  await decision.getByRole('button', { name: 'Save 1 decision' }).press('Enter')
  await expect(
    page.getByRole('heading', { name: /no incident is waiting for a verdict/ }),
  ).toBeVisible()
  await expect(page.getByText('1 right, 2 not')).toBeVisible()
  if (isFull) await expectSound(page)
  await page.getByRole('button', { name: 'Take the verdict back' }).press('Enter')
  await expect(page.getByText('2 verdicts were taken back')).toBeVisible()
  // The alarm was cleared, and one press cancels its strikes, whose number is shown.
  await page.getByRole('link', { name: 'Incidents', exact: true }).first().press('Enter')
  await expect(page.getByText('3 strikes of cleared incidents still count')).toBeVisible()
  if (isFull) await expectSound(page)
  await page.getByRole('button', { name: 'Take 3 strikes back too' }).press('Enter')
  await expect(page.getByText('still count')).toHaveCount(0)
  const { rows } = await product.db.$client.query(
    'select action from admin_actions where assessment = $1 order by id',
    [place.code],
  )
  expect(rows.map(({ action }) => action)).toEqual([
    'decide-incident',
    'show-name',
    'decide-incident',
    'decide-incident',
    'withdraw-verdict',
    'take-strikes-back',
  ])
})

test('On a phone a button above the bar decides a selection', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  const place = await closedTest(product, signedIn.email)
  await page.setViewportSize({ width: 390, height: 600 })
  await page.goto(place.page)
  await page.getByRole('checkbox').first().check()
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.getByRole('button', { name: 'Decide 1 incident' }).click({ timeout: 5_000 })
  await expect(page.getByRole('form', { name: 'Decision' })).toBeInViewport()
})

test('A candidate is excluded from a decision, and a canceled strike counts again', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  const place = await closedTest(product, signedIn.email)
  await page.goto(place.page)
  await page.getByRole('button', { name: 'Select all 4' }).press('Enter')
  for (const index of [2, 3]) await page.getByRole('checkbox').nth(index).press(' ')
  const decision = page.getByRole('form', { name: 'Decision' })
  await expectSound(page, 'left-out')
  await decision.getByRole('button', { name: 'Cleared' }).press('Enter')
  await decision.getByLabel(/^Reason/).fill('Fire alarm, for the whole room')
  await decision.getByRole('button', { name: 'Save 2 decisions' }).press('Enter')
  await expect(
    page.getByRole('heading', {
      name: 'Two incidents of two candidates are waiting for a verdict',
    }),
  ).toBeVisible()

  // An accidental press is undone, and a later one is corrected where it was made.
  await page.getByRole('button', { name: 'Take 2 strikes back too' }).press('Enter')
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(page.getByText('2 strikes of cleared incidents still count')).toBeVisible()
  await page.getByRole('button', { name: 'Take 2 strikes back too' }).press('Enter')
  await expect(page.getByText('still count')).toHaveCount(0)
  const { rows } = await product.db.$client.query(
    `select candidate_id as id from attempt_events
     where voided_at is not null and candidate_id in (select id from candidates where assessment = $1)`,
    [place.code],
  )
  await page.goto(`${place.page}/of/${rows[0]?.id}`)
  await page.getByRole('button', { name: 'Count strike 1 again' }).press('Enter')
  await expect(page.getByRole('form', { name: 'Count strike 1 again' })).toBeFocused()
  await page.getByLabel('Why, in words').fill('Cleared by mistake')
  await expectSound(page, 'count-again')
  await page.getByRole('button', { name: 'Count strike 1 again' }).press('Enter')
  await expect(page.getByText(/Strike 1 still counts/)).toBeVisible()
  const { rows: acts } = await product.db.$client.query(
    `select detail from admin_actions where assessment = $1 and action = 'restore-strikes' order by id`,
    [place.code],
  )
  expect(acts.map(({ detail }) => [detail.strikes, detail.reason])).toEqual([
    [2, 'undone immediately'],
    [1, 'Cleared by mistake'],
  ])
})

test('An invigilator reports from a phone and sees neither answers nor scores', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  const place = await closedTest(product, signedIn.email, 'invigilator')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${place.page}/of/${place.alone}`)
  await expect(page.getByRole('heading', { name: /Candidate 00\d/ })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Answers' })).toHaveCount(0)
  await expect(page.getByText('Show the score')).toHaveCount(0)
  await page.getByRole('button', { name: 'Report' }).click()
  await page.getByLabel('What you saw').fill('Left the room without a word.')
  await page.getByRole('button', { name: 'Save the report' }).click()
  await expect(page.getByText('“Left the room without a word.”')).toBeVisible()
})

test('An owner compares two candidates with a reason, by keyboard', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  const { db, secretKey } = product
  const rig = { db, clock: { now: product.clock.now() }, dependencies: { secretKey } }
  const compare = async (people: number) => {
    const made = await makeSatTest(rig, 'A'.repeat(20), answersOf(people))
    await addMember(product, made.society, signedIn.email, 'owner')
    await page.goto(`/organise/${made.society}/assessments/${made.code}/sessions`)
    // The old address leads here.
    await page.getByRole('button', { name: 'Compare two candidates…' }).press('Enter')
    return { dialog: page.getByRole('dialog'), code: made.code }
  }
  const few = await compare(19)
  await expect(few.dialog).toContainText(
    'Comparing needs at least 20 finished candidates and 20 questions. Here 19 candidates have finished, and 20 questions count.',
  )
  await expect(few.dialog.getByLabel('Reason')).toHaveCount(0)

  const { dialog, code } = await compare(20)
  await dialog.getByLabel('Candidate', { exact: true }).selectOption({ label: 'c1' })
  await dialog.getByLabel('Other candidate').selectOption({ label: 'c2' })
  await dialog.getByLabel('Reason').focus()
  await page.keyboard.type('Seen talking at 17:15.')
  await page.keyboard.press('Control+Enter')
  await expect(
    dialog.getByRole('heading', {
      name: '20 of 20 answers are the same. 6 of these are wrong.',
    }),
  ).toBeVisible()
  await expect(dialog).toContainText('This proves nothing by itself. 20 candidates make 190 pairs')
  await expectSound(page)
  const { rows } = await db.$client.query(
    `select detail->'usernames' as names, detail->>'reason' as reason from admin_actions
     where assessment = $1 and action = 'compare-candidates'`,
    [code],
  )
  expect(rows).toEqual([{ names: ['c1', 'c2'], reason: 'Seen talking at 17:15.' }])
})

/** Twenty answers each. The first two candidates' are alike, with six wrong ones. */
const answersOf = (people: number): string[] =>
  Array.from({ length: people }, (_, at) =>
    at < 2
      ? `${'A'.repeat(14)}BCDBCD`
      : Array.from({ length: 20 }, (_, item) =>
          (at + item) % 4 === 0 ? 'BCD'[item % 3] : 'A',
        ).join(''),
  )
