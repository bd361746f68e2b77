import { expect, it } from 'vitest'
import { applyMigrations, listMigrations } from '../../../platform/database/migrate.ts'
import { migrateDatabase } from '../../../platform/database/migrate-database.ts'
import { makeDatabase, withClient } from '../../../tests/rig/backup-rig.ts'

it('older assessments belong to the society named to their candidates, in any case', async () => {
  const url = await makeDatabase({ migrated: false })
  const known = listMigrations()
  const before = known.slice(
    0,
    known.findIndex(({ name }) => name.endsWith('_societies')),
  )
  await withClient(url, async (client) => {
    await applyMigrations(client, before)
    await client.query(`
      insert into assessments (code, society, duration_seconds, shuffle, navigator, rules, time_zone,
        is_sample, created_at)
      select code, society, 60, false, false, '{}', 'UTC', false, at::timestamptz
      from (values ('MORNING', 'Finance Club', '2026-01-02'), ('AFTERNOON', 'Finance club', '2026-01-03'),
        ('OTHER', 'Other', '2026-01-01')) as given (code, society, at)`)
    await client.query(`
      insert into admin_actions (at, actor, action, assessment, detail)
      values (now(), 'ana', 'load', 'OTHER', '{}'), (now(), 'ana', 'delete', 'GONE', '{}')`)
  })

  await migrateDatabase(url)

  await withClient(url, async (client) => {
    const { rows } = await client.query(`
      select code, a.society, lower(s.name) as owner, s.via from assessments a
      join societies s on s.id = a.society_id order by code`)
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['AFTERNOON', 'Finance club', 'finance club', 'command'],
      ['MORNING', 'Finance Club', 'finance club', 'command'],
      ['OTHER', 'Other', 'other', 'command'],
    ])
    const log = await client.query(`
      select assessment, s.name from admin_actions l left join societies s on s.id = l.society_id
      order by l.id`)
    expect(log.rows.map((row) => Object.values(row))).toEqual([
      ['OTHER', 'Other'],
      ['GONE', null],
    ])
    expect((await client.query('select from societies')).rowCount).toBe(2)
  })
})
