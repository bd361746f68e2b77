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
  await page.getByRole('button', { name: 'CSV' }).click()
  expect((await download).suggestedFilename()).toBe('society-log.csv')
})

test('The log names the first entry that was changed in the database', { tag: '@full' }, async ({
  page,
  product,
  signedIn,
}) => {
  const { id } = await makeSociety(product, signedIn.email)
  await page.goto(`/organise/${id}/log`)
  await expect(
    page.getByRole('heading', { name: 'Nothing was changed since it was made.' }),
  ).toBeVisible()
  await fillLog(product, id)
  await page.reload()
  await expect(page.getByRole('heading', { name: '120 entries, none missing' })).toBeVisible()

  const client = await product.db.$client.connect()
  await client.query('begin')
  await client.query('alter table admin_actions disable trigger admin_actions_kept')
  await client.query(
    `update admin_actions set actor = 'eve' where society_id = $1 and number = 7`,
    [id],
  )
  await client.query('alter table admin_actions enable trigger admin_actions_kept')
  await client.query('commit')
  client.release()
  await page.reload()
  await expect(page.getByRole('heading', { name: /entry 7 is not what was written/ })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('up to entry 6')
})
