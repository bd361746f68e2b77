/** @module-tag full */
import { expect, it } from 'vitest'
import { applyMigrations, listMigrations } from '../../../platform/database/migrate.ts'
import { migrateDatabase } from '../../../platform/database/migrate-database.ts'
import { makeDatabase, withClient } from '../../../tests/rig/backup-rig.ts'

/** Creates a database with all migrations before the given one. */
async function makeBefore(migration: string): Promise<string> {
  const url = await makeDatabase({ migrated: false })
  const known = listMigrations()
  const end = known.findIndex(({ name }) => name.endsWith(migration))
  await withClient(url, (client) => applyMigrations(client, known.slice(0, end)))
  return url
}

const CLUB = '00000000-0000-4000-8000-000000000001'

it('a role for a list of tests becomes one role per test, and no role lasts longer than before', async () => {
  const url = await makeBefore('_console_halved')
  await withClient(url, async (client) => {
    await client.query(`
      insert into societies (id, name, via, created_at)
      values ('${CLUB}', 'Club', 'command', now())`)
    await client.query(`
      insert into assessments (code, society_id, society, duration_seconds, shuffle, navigator, rules, time_zone,
        is_sample, created_at, closes_at, deleted_at)
      select code, '${CLUB}', 'Club', 3600, false, false, '{}', 'UTC', false, now(),
        now() + closes::interval, deleted::timestamptz
      from (values ('A', '1 day', null), ('B', '2 days', null), ('C', null, null), ('D', '1 day', '2026-01-01'))
        as given (code, closes, deleted)`)
    await client.query(`
      insert into users (id, email, password_hash, is_anonymous, created_at, updated_at)
      select ('00000000-0000-4000-8000-0000000000' || n)::uuid, 'u' || n || '@example.com', 'x', false, now(), now()
      from generate_series(10, 30) n`)
    const roles: [number, string, string[] | null, string | null, string | null][] = [
      [10, 'owner', null, null, null],
      [11, 'author', ['A', 'B'], null, null],
      [12, 'reviewer', null, '-1 hour', null],
      [13, 'reviewer', null, '1 hour', null],
      [14, 'invigilator', ['A', 'B'], '1 day 2 hours', null],
      [15, 'invigilator', ['A'], '1 day 1 hour', null],
      [16, 'invigilator', null, '30 days', null],
      [17, 'author', [], null, null],
      [18, 'author', ['A', 'C'], null, '-1 day'],
      [19, 'invigilator', ['C'], '30 days', null],
    ]
    for (const [n, role, codes, until, ended] of roles) {
      const { rows } = await client.query(
        `insert into memberships (id, society_id, user_id, role, all_assessments, until, room, created_at, ended_at)
         values (gen_random_uuid(), '${CLUB}',
           ('00000000-0000-4000-8000-0000000000' || $1::int)::uuid, $2::text, $3, now() + $4::interval,
           case when $2::text = 'invigilator' then '2.11' end, now(), now() + $5::interval) returning id`,
        [n, role, codes === null, until, ended],
      )
      for (const code of codes ?? []) {
        await client.query('insert into membership_assessments values ($1, $2)', [rows[0].id, code])
      }
    }
    const invitations: [string, string[] | null, string | null, string | null][] = [
      ['all', null, null, null],
      ['one', ['A'], null, null],
      ['two', ['A', 'B'], null, null],
      ['ends', ['A'], '1 day', null],
      ['used', ['A', 'B'], '1 day', 'now'],
    ]
    for (const [name, codes, until, accepted] of invitations) {
      const { rows } = await client.query(
        `insert into society_invitations (id, society_id, email, roles, all_assessments, until, via, invited_by_name,
           created_at, expires_at, expires_in_days, accepted_at)
         values (gen_random_uuid(), '${CLUB}', $1, '{reviewer}', $2, now() + $3::interval,
           'command', 'ana', now(), now() + interval '7 days', 7, $4::timestamptz) returning id`,
        [`${name}@example.com`, codes === null, until, accepted],
      )
      for (const code of codes ?? []) {
        await client.query('insert into invitation_assessments values ($1, $2)', [rows[0].id, code])
      }
    }
    await client.query(`
      insert into assessment_deletions (id, assessment, requested_at, requested_by_name, is_alone)
      values (gen_random_uuid(), 'A', now() - interval '30 days', 'ana', true)`)
  })

  await migrateDatabase(url)

  await withClient(url, async (client) => {
    const { rows } = await client.query(`
      select u.email, m.role, m.assessment, m.room, m.ended_at is not null as ended
      from memberships m join users u on u.id = m.user_id order by u.email, m.assessment`)
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['u10@example.com', 'owner', null, null, false],
      ['u11@example.com', 'author', 'A', null, false],
      ['u11@example.com', 'author', 'B', null, false],
      ['u13@example.com', 'reviewer', null, null, true],
      ['u14@example.com', 'invigilator', 'A', '2.11', false],
      ['u14@example.com', 'invigilator', 'B', '2.11', true],
      ['u15@example.com', 'invigilator', 'A', '2.11', true],
      ['u16@example.com', 'invigilator', null, '2.11', true],
      ['u18@example.com', 'author', 'A', null, true],
      ['u18@example.com', 'author', 'C', null, true],
      ['u19@example.com', 'invigilator', 'C', '2.11', true],
    ])
    const invited = await client.query(
      'select email, assessment, revoked_at is not null as revoked from society_invitations order by email',
    )
    expect(invited.rows.map((row) => Object.values(row))).toEqual([
      ['all@example.com', null, false],
      ['ends@example.com', 'A', true],
      ['one@example.com', 'A', false],
      ['two@example.com', 'A', true],
      ['used@example.com', 'A', false],
    ])
    const log = await client.query('select action, detail from admin_actions order by id')
    expect(log.rows.map(({ action, detail }) => [action, detail.member ?? detail.email])).toEqual([
      ['end-role', 'u13@example.com'],
      ['end-role', 'u14@example.com'],
      ['end-role', 'u15@example.com'],
      ['end-role', 'u16@example.com'],
      ['end-role', 'u19@example.com'],
      ['revoke-invitation', 'ends@example.com'],
      ['revoke-invitation', 'two@example.com'],
    ])
    const deletions = await client.query(
      'select assessment, withdrawn_at is not null as withdrawn, done_at is not null as done from assessment_deletions order by 1',
    )
    expect(deletions.rows).toEqual([
      { assessment: 'A', withdrawn: true, done: false },
      { assessment: 'D', withdrawn: false, done: true },
    ])
  })
})
