import { choose, openOtherBrowser, saveState, startTest, strikes } from '../assessment-rig.ts'
import { expect, expectSound, type Product, test } from '../rig.ts'
import { addMember, makeSociety } from './console-rig.ts'

test('A candidate ended by the third strike and the society see the same record, receipt and note', {
  tag: '@full',
}, async ({ page, product, signedIn, browser, expectConsoleErrors }) => {
  expectConsoleErrors((text) => text.includes('Failed to load resource'))
  const { $client } = product.db
  const sitting = await openOtherBrowser(browser, product)
  const seat = sitting.page
  const { code, candidate } = await startTest(seat, product)
  await $client.query('update candidates set extra_seconds = 600 where id = $1', [candidate.id])
  await choose(seat, 'C')
  await expect(saveState(seat, 'saved')).toBeVisible()
  for (const count of [1, 2, 3]) {
    await seat.keyboard.press('Control+p')
    if (count < 3) await expect(strikes(seat, count)).toBeVisible()
    // A second action within two seconds counts as the same one (product 6.8.7).
    await seat.waitForTimeout(2_100)
  }
  await expect(seat.getByRole('heading', { name: 'Assessment Submitted' })).toBeVisible()

  await seat.getByText('What was recorded', { exact: true }).press('Enter')
  await expect(seat.getByText('(strike 3, which ended the test, counts)')).toBeVisible()
  await expect(
    seat.getByText('The third violation ended the test, and it was submitted'),
  ).toBeVisible()
  const receipt = seat.getByRole('region', { name: 'Receipt of your answers' })
  const digits =
    (await receipt.getByText(/^[0-9A-F]{4} [0-9A-F]{4} [0-9A-F]{4}$/).textContent()) ?? ''
  await seat.getByLabel(/If something happened during the test/).fill('The key stuck.\nTwice.')
  await seat.getByRole('button', { name: 'Send comment' }).press('Enter')
  await expect(seat.getByText('The society can read it now.')).toBeVisible()
  await expectSound(seat)
  await sitting.context.close()

  const { rows } = await $client.query(
    `update assessments set opens_at = $2::timestamptz - interval '1 hour',
       closes_at = $2::timestamptz - interval '1 second'
     where code = $1 returning society_id as society`,
    [code, product.clock.now()],
  )
  await addMember(product, rows[0].society, signedIn.email)
  const home = `/organise/${rows[0].society}/assessments/${code}`
  await page.goto(`/organise/${rows[0].society}`)
  await expect(page.getByText('Three incidents need a decision.').first()).toBeVisible()
  await expectSound(page)
  await page.goto(home)
  await page.getByRole('link', { name: 'Decide 3 incidents' }).first().press('Enter')
  const wrote = page.getByRole('region', { name: 'What candidates wrote' })
  await wrote.getByRole('link', { name: /^Candidate 001/ }).press('Enter')
  await expect(page.getByText('The key stuck.')).toBeInViewport()
  await expect(page.getByText(digits, { exact: true })).toBeVisible()
  await expect(
    page.getByText('strike 3, which ended the test, counts', { exact: true }),
  ).toBeVisible()
  await expect(page.getByText(/of 20 min, 10 min planned, ended by strikes/)).toBeVisible()
  await expectSound(page)

  // The reason is a field that grows, and the log leads back to the decision.
  await page.getByRole('button', { name: 'Upheld', exact: true }).press('Enter')
  const reason = page.getByLabel(/^Reason/)
  const before = (await reason.boundingBox())?.height ?? 0
  await reason.fill('A line.\n'.repeat(6))
  expect((await reason.boundingBox())?.height ?? 0).toBeGreaterThan(before + 40)
  await page.getByRole('button', { name: 'Save 3 decisions' }).press('Enter')
  await expect(page.getByText('Upheld', { exact: true }).first()).toBeVisible()
  await page.goto(`${home}/log`)
  const line = page.getByRole('link', {
    name: /^Candidate 001, strike 1 at .*: Pressed Ctrl\+P, once$/,
  })
  // It doesn't disappear while being read.
  await expect(line).toBeVisible()
  await expectSound(page)
  await line.press('Enter')
  await expect(page.getByText('strike 1, counts')).toBeInViewport()
})

/** 120 entries by two people; every third one gave extra time. */
const fillLog = ({ db }: Product, society: string) =>
  db.$client.query(
    `insert into admin_actions (at, actor, action, society_id, detail)
     select now(), case when n % 2 = 0 then 'ben' else 'ana' end,
       case when n % 3 = 0 then 'extra-time' else 'settings' end, $1,
       case when n % 3 = 0 then
         '{"username": "cara", "secondsBefore": 0, "secondsAfter": 600, "reason": "by agreement"}'::jsonb
       else jsonb_build_object('fields', array['opens'], 'n', n) end
     from generate_series(1, 120) n order by n`,
    [society],
  )

test('An owner reads the log, filters it by keyboard, opens an entry and exports it', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  const { id } = await makeSociety(product, signedIn.email)
  await fillLog(product, id)
  // The address of one test's log leads to the log of that test.
  await page.goto(`/organise/${id}/assessments/PCF/log`)
  await expect(page).toHaveURL(`/organise/${id}/log?assessment=PCF`)
  await expect(page.getByRole('heading', { name: 'No entries' })).toBeVisible()
  await page.goto(`/organise/${id}/log`)
  const entries = page.getByRole('list', { name: 'Entries, newest first' }).getByRole('listitem')
  await expect(entries).toHaveCount(100)
  await page.getByRole('button', { name: 'Older entries' }).press('Enter')
  await expect(entries).toHaveCount(120)

  await page.getByLabel('What', { exact: true }).focus()
  await page.keyboard.type('Extra')
  await expect(entries).toHaveCount(40)
  await expect(page).toHaveURL(/action=extra-time/)
  await expect(entries.first()).toContainText('set the extra time of cara')
  await expect(entries.first()).toContainText('“by agreement”')
  await entries.first().getByText('Details').focus()
  await page.keyboard.press('Enter')
  await expect(entries.first().getByRole('definition').last()).toHaveText('0 →  became 600')
  await expectSound(page)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  expect((await download).suggestedFilename()).toBe('society-log.csv')
})
