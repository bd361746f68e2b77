import { randomUUID } from 'node:crypto'
import { grantRole } from '../../../societies/server/team/members.ts'
import { makeSociety } from '../../../societies/server/team/societies.ts'
import { expect, expectSound, test } from '../rig.ts'

test('an owner reads who did what, filters it by keyboard and sees a change that somebody made in the database', async ({
  page,
  product,
  signedIn,
}) => {
  const { $client } = product.db
  const { rows } = await $client.query<{ id: string }>('select id from users where email = $1', [
    signedIn.email,
  ])
  const now = new Date(product.clock.now())
  const society = await makeSociety($client, `Club ${randomUUID()}`, 'console', now)
  const owner = { societyId: society, userId: rows[0]?.id ?? '', role: 'owner', now } as const
  await grantRole($client, owner, { assessments: null, until: null })
  await page.goto(`/organise/${society}/log`)
  await expect(
    page.getByRole('heading', { name: 'Nothing was changed since it was made.' }),
  ).toBeVisible()

  for (let n = 1; n <= 120; n++) {
    await $client.query(
      `insert into admin_actions (at, actor, action, society_id, detail) values (now(), $1, $2, $3, $4)`,
      [
        n % 2 ? 'ana' : 'ben',
        n % 3 ? 'settings' : 'extra-time',
        society,
        n % 3
          ? { fields: ['opens'], n }
          : { username: 'cara', secondsBefore: 0, secondsAfter: 600, reason: 'by agreement' },
      ],
    )
  }
  await page.reload()
  await expect(page.getByRole('heading', { name: '120 entries, none missing' })).toBeVisible()
  const entries = page.getByRole('list', { name: 'Entries, newest first' }).getByRole('listitem')
  await expect(entries).toHaveCount(100)
  await page.getByRole('button', { name: 'Older entries' }).focus()
  await page.keyboard.press('Enter')
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

  const client = await $client.connect()
  await client.query('begin')
  await client.query('alter table admin_actions disable trigger admin_actions_kept')
  await client.query(
    `update admin_actions set actor = 'eve' where society_id = $1 and number = 7`,
    [society],
  )
  await client.query('alter table admin_actions enable trigger admin_actions_kept')
  await client.query('commit')
  client.release()
  await page.reload()
  await expect(page.getByRole('heading', { name: /entry 7 is not what was written/ })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('up to entry 6')
})
