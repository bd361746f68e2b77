import { expect, expectSound, type Product, test } from '../rig.ts'
import { makeSociety } from './console-rig.ts'

/** 120 entries of two people, every third of which gave extra time. */
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

test('The address of one test’s log leads to the log of that test', { tag: '@full' }, async ({
  page,
  product,
  signedIn,
}) => {
  const { id } = await makeSociety(product, signedIn.email)
  await page.goto(`/organise/${id}/assessments/PCF/log`)
  await expect(page).toHaveURL(`/organise/${id}/log?assessment=PCF`)
  await expect(page.getByRole('heading', { name: 'No entries' })).toBeVisible()
})
