import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sql from 'sql-template-tag'
import { hashCandidatePassword, makePassword } from '../../assessments/server/password-store.ts'
import type { Database } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AdminError, FileProblems } from '../../platform/server/admin-error.ts'
import { CONTENT_DIR } from '../../platform/server/project-folder.ts'
import { countAttempts, getAssessment, requireAssessment } from '../access/server/assessments.ts'
import { grantRole } from '../access/server/members.ts'
import { findOrMakeSociety } from '../access/server/societies.ts'
import { act, type Client, note, type Organizer } from '../kit/server/action.ts'
import { deleteAtOnce, emptyDeleted } from '../log/server/season.ts'
import {
  type AssessmentFile,
  hashFiles,
  parseAssessmentFile,
  readSampleFiles,
  SAMPLES_DIR,
  SAMPLES_LOCK,
  type SampleFile,
} from '../questions/server/authoring/assessment-file.ts'
import {
  removeDemoAttempts,
  storeAssessment,
} from '../questions/server/authoring/load-assessment.ts'

const DEMO_USERNAME = 'demo'
const DEMO_SOCIETY = 'Demo Society'
/** The code is the same every year. */
export const DEMO_SEASON = 'DEMO_SPRING'
/** The second session shares the first questions. */
export const DEMO_AFTERNOON = 'DEMO_SPRING_PM'
/** The season copies the first sample. The other one gets a list of candidates who haven't started. */
const COPIED = 'PCF'
const AWAITED = 'ESFS_MORNING'
const HOUR_MS = 3_600_000

/**
 * Updates the sample assessments of content/ (demo mode only); unchanged files cost one read. It skips a society's
 * own assessment with the same code, and samples that a listed candidate has taken. Errors: FileProblems for an
 * invalid file; then nothing changes.
 * @returns the loaded codes, and the codes whose file changed but which were skipped
 */
export async function loadSamples(
  db: Database,
  now: Date,
  dir = SAMPLES_DIR,
): Promise<{ loaded: string[]; kept: string[] }> {
  const { rows } = await db.$client.query<{ code: string; hash: string | null; isSample: boolean }>(
    'select code, content_hash as hash, is_sample as "isSample" from assessments',
  )
  const stored = new Map(rows.map((row) => [row.code, row]))
  const changed = (await readSampleFiles(dir))
    .filter(({ code, text }) => {
      const known = stored.get(code)
      return !known || (known.isSample && known.hash !== hashFiles(text))
    })
    .map(parseSample)
  const done = { loaded: [] as string[], kept: [] as string[] }
  if (changed.length === 0) return done
  await inTransaction(db, async (client) => {
    // Nodes that start together load one after the other, and the second one has nothing to do.
    await client.query('select pg_advisory_xact_lock($1)', [SAMPLES_LOCK])
    for (const file of changed) {
      const known = await getAssessment(client, file.code, 'replace')
      if (known?.contentHash === file.hash) continue
      if ((known && !known.isSample) || (await countAttempts(client, file.code)) > 0) {
        done.kept.push(file.code)
        continue
      }
      await removeDemoAttempts(client, file.code)
      const societyId = await findOrMakeSociety(client, DEMO_SOCIETY, now)
      await storeAssessment(client, file, societyId, { now, isDraft: false })
      done.loaded.push(file.code)
    }
  })
  return done
}

function parseSample({ code, name, text }: SampleFile): AssessmentFile {
  try {
    const file = parseAssessmentFile(text)
    const problems = [
      ...(file.code === code ? [] : [`code: must be ${code}, as the file is named`]),
      ...(file.sample ? [] : ['sample: must be true: everybody can read this file']),
    ]
    if (problems.length > 0) throw new FileProblems(problems)
    return file
  } catch (error) {
    if (!(error instanceof FileProblems)) throw error
    throw new FileProblems(error.problems.map((problem) => `${name}: ${problem}`))
  }
}

/**
 * Rejects a production database with data from demo mode: questions with public keys, or candidates whose passwords
 * were printed. Errors: AdminError with the codes of both.
 */
export async function requireNoDemoData(db: Database): Promise<void> {
  const { rows } = await db.$client.query<{ code: string; isSample: boolean; hasDemo: boolean }>(`
    select code,
      is_sample or exists (
        select from assessment_items i where i.assessment = code and i.is_sample) as "isSample",
      exists (select from candidates c where c.assessment = code and c.is_demo)
        or exists (select from attempts a where a.assessment = code and a.is_demo) as "hasDemo"
    from assessments where trial is null order by code`)
  const samples = rows.filter(({ isSample }) => isSample).map(({ code }) => code)
  const demos = rows.filter(({ isSample, hasDemo }) => hasDemo && !isSample).map(({ code }) => code)
  if (samples.length + demos.length === 0) return
  const sentences = [
    samples.length > 0 &&
      `The database holds sample questions, whose keys everyone can read: ${samples.join(', ')}.`,
    demos.length > 0 &&
      `The database holds demo candidates, whose passwords were printed, in ${demos.join(', ')}.`,
    'Delete both with npm run admin -- assessments delete-demo, or use another database. If a test of your own has sample questions, delete it in the browser.',
  ]
  throw new AdminError(sentences.filter(Boolean).join('\n'))
}

/** Deletes the samples with all their data, and the demo candidates of all tests. */
export async function deleteDemoData(
  organizer: Organizer,
): Promise<{ samples: string[]; candidates: number }> {
  const { db } = organizer
  const candidates = await inTransaction(db, async (client) => {
    const count = await removeDemoCandidates(client)
    const detail = { candidates: count }
    await note(client, organizer, { action: 'delete-demo', societyId: null, code: null, detail })
    return count
  })
  const { rows } = await db.$client.query<{ code: string }>(
    'select code from assessments where is_sample and trial is null order by code',
  )
  for (const { code } of rows) {
    await act(organizer, 'delete', code, async (client) =>
      deleteAtOnce(client, organizer, await requireAssessment(client, code, 'replace')),
    )
  }
  await emptyDeleted(db)
  return { samples: rows.map(({ code }) => code), candidates }
}

interface DemoCandidate {
  code: string
  username: string
  password: string
}

/** Makes a new demo candidate for each assessment except the demo season (demo mode only). */
export function resetDemoCandidates(
  db: Database,
  { secretKey, now }: { secretKey: Buffer; now: Date },
): Promise<DemoCandidate[]> {
  return inTransaction(db, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [SAMPLES_LOCK])
    await removeDemoCandidates(client)
    const { rows } = await client.query<{ code: string }>(
      'select code from assessments where code <> all ($1) and trial is null and deleted_at is null order by code',
      [[DEMO_SEASON, DEMO_AFTERNOON]],
    )
    const demos: DemoCandidate[] = []
    for (const { code } of rows) {
      const demo = { code, username: await freeUsername(client, code), password: makePassword() }
      await client.query(
        sql`insert into candidates (id, assessment, username, password_hash, is_demo, created_at)
         values (${randomUUID()}, ${code}, ${demo.username}, ${hashCandidatePassword(secretKey, demo.password)},
         true, ${now})`,
      )
      demos.push(demo)
    }
    return demos
  })
}

/** Makes an account the owner of a society that has all samples (demo mode only). */
export async function ownDemoSociety(client: Client, userId: string, now: Date): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [SAMPLES_LOCK])
  const societyId = await findOrMakeSociety(client, DEMO_SOCIETY, now)
  await client.query(
    'update assessments set society_id = $1 where is_sample and society_id <> $1',
    [societyId],
  )
  await grantRole(client, { societyId, userId, role: 'owner', now }, { assessment: null })
}

/**
 * Deletes demo candidates with all their data.
 * @returns the number of them
 */
async function removeDemoCandidates(client: Client): Promise<number> {
  await client.query('delete from attempts where is_demo')
  const { rowCount } = await client.query('delete from candidates where is_demo')
  return rowCount ?? 0
}

/** Finds a free username: 'demo', or the next one that the candidate list doesn't have. */
async function freeUsername(client: Client, code: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select lower(username) as name from candidates where assessment = $1 and lower(username) like $2`,
    [code, `${DEMO_USERNAME}%`],
  )
  const taken = new Set(rows.map(({ name }) => name))
  let username = DEMO_USERNAME
  for (let count = 2; taken.has(username); count += 1) username = `${DEMO_USERNAME}-${count}`
  return username
}

/** SQL that adds the people in people.json with the fields that the script needs. An existing list stays. */
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
 * Loads data for the organizers' side (demo mode only): the finished season of content/demo-season with a sample's
 * items, and a list of fictional candidates for another sample. Nodes that start together load it only once. If it
 * exists already, this costs one read. Candidates and attempts aren't marked as demo, because results leave those
 * out. Instead the assessment is a sample, so production rejects it (requireNoDemoData). The listed candidates have
 * no password and no attempt, so they never block a new version of their sample.
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

/**
 * Finds 10:00 on the latest 18 March that is at least two weeks ago. Lisbon uses UTC until the last Sunday of March.
 */
function springBefore(now: Date): Date {
  const inYear = (year: number) => new Date(Date.UTC(year, 2, 18, 10))
  const year = now.getUTCFullYear()
  const isOver = now.getTime() - inYear(year).getTime() > 14 * 24 * HOUR_MS
  return inYear(isOver ? year : year - 1)
}
