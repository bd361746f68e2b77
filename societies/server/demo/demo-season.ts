import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Database } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { CONTENT_DIR } from '../../../platform/server/project-folder.ts'
import { SAMPLES_LOCK } from '../../questions/server/authoring/assessment-file.ts'

/** Of the finished season, whichever year it is of. */
export const DEMO_SEASON = 'DEMO_SPRING'
/** Its second session, which shares its first questions. */
export const DEMO_AFTERNOON = 'DEMO_SPRING_PM'
/** The sample that it copies, and the one with a list of candidates who have not come yet. */
const COPIED = 'PCF'
const AWAITED = 'ESFS_MORNING'
const HOUR_MS = 3_600_000

/** The lines of people.json with what the script needs of each person; a list that exists stays. */
const PEOPLE = `
  create temp table demo_person on commit drop as
  select p.*, replace(lower(p.name), ' ', '.') as username, '192.0.2.' || 10 + n % 3 as address,
    gen_random_uuid() as id, gen_random_uuid() as attempt, gen_random_uuid()::text as first_window,
    case when away.at is not null then gen_random_uuid()::text end as second_window,
    away.at * 1000 as opened_ms, o.opens, o.opens + p.starts * interval '1 second' as started, $3::timestamptz as now
  from rows from (jsonb_to_recordset($1) as (code text, name text, room text, starts int, ends int, "by" text,
    extra int, answers text, events jsonb, verdicts jsonb, comment text))
    with ordinality p (code, name, room, starts, ends, "by", extra, answers, events, verdicts, comment, n)
  left join jsonb_each_text($2) as opening (code, at) on opening.code = p.code
  cross join lateral (select opening.at::timestamptz as opens) o
  left join lateral (select at from jsonb_to_recordset(p.events) e (kind text, at int)
    where kind = 'taken_over') away on true
  where opening.code is not null or exists (select from assessments a where a.code = p.code and a.is_sample
    and not exists (select from candidates c where c.assessment = a.code and not c.is_demo))`

/**
 * Shows the organisers' side with data (demo mode only): the finished season of content/demo-season over a sample's
 * items, and a list of invented candidates for another sample. Loaded once, whoever starts at the same time;
 * unloaded, it costs one read.
 *
 * Neither candidates nor attempts are marked as demo ones, which results and counts leave out; that it is
 * invented stands on the assessment, which is a sample, so that production refuses it (requireNoDemoData).
 * The listed ones have no password and no attempt, and so never keep their sample from being replaced.
 * @returns whether it was loaded now
 */
export async function loadDemoSeason(db: Database, now: Date): Promise<boolean> {
  const isThere = async (client: Pick<Database['$client'], 'query'>) => {
    const { rowCount } = await client.query('select from assessments where code = any ($1)', [
      [DEMO_SEASON, DEMO_AFTERNOON],
    ])
    return rowCount !== 0
  }
  if (await isThere(db.$client)) return false
  const read = (file: string) => readFile(path.join(CONTENT_DIR, 'demo-season', file), 'utf8')
  const [people, script] = await Promise.all([read('people.json'), read('season.sql')])
  return inTransaction(db, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [SAMPLES_LOCK])
    const { rowCount } = await client.query(
      'select from assessments where code = any ($1) and is_sample',
      [[COPIED, AWAITED]],
    )
    if (rowCount !== 2 || (await isThere(client))) return false
    const morning = springBefore(now)
    const afternoon = new Date(morning.getTime() + 4 * HOUR_MS)
    const opens = { [DEMO_SEASON]: morning, [DEMO_AFTERNOON]: afternoon }
    await client.query(PEOPLE, [people, JSON.stringify(opens), now])
    await client.query(script)
    return true
  })
}

/** Ten o'clock on the latest 18 March that is over for two weeks: Lisbon keeps UTC until its last Sunday. */
function springBefore(now: Date): Date {
  const inYear = (year: number) => new Date(Date.UTC(year, 2, 18, 10))
  const year = now.getUTCFullYear()
  const isOver = now.getTime() - inYear(year).getTime() > 14 * 24 * HOUR_MS
  return inYear(isOver ? year : year - 1)
}
