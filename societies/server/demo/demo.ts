import { randomUUID } from 'node:crypto'
import { hashCandidatePassword, makePassword } from '../../../assessments/server/password-store.ts'
import type { Database } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { AdminError, FileProblems } from '../../../platform/server/admin-error.ts'
import { countAttempts, getAssessment, requireAssessment } from '../../access/server/assessments.ts'
import { grantRole } from '../../access/server/members.ts'
import { findOrMakeSociety } from '../../access/server/societies.ts'
import { act, type Client, note, type Organiser } from '../../kit/server/action.ts'
import { deleteAtOnce, emptyDeleted } from '../../log/server/season.ts'
import {
  type AssessmentFile,
  hashFiles,
  parseAssessmentFile,
  readSampleFiles,
  SAMPLES_DIR,
  SAMPLES_LOCK,
  type SampleFile,
} from '../../questions/server/authoring/assessment-file.ts'
import {
  removeDemoAttempts,
  storeAssessment,
} from '../../questions/server/authoring/load-assessment.ts'
import { DEMO_AFTERNOON, DEMO_SEASON } from './demo-season.ts'

const DEMO_USERNAME = 'demo'
const DEMO_SOCIETY = 'Demo Society'

/**
 * Brings the sample assessments of content/ up to date (demo mode only); unchanged files cost one read.
 * An assessment of a society's own under the same code is left alone, and so is a sample that somebody
 * of a roster has sat.
 * Errors: FileProblems when a file is wrong; then nothing is changed.
 * @returns the codes that were loaded, and those that were left as they are although their file changed
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
    // Nodes that start together load one after the other; the second finds nothing to do.
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
 * Refuses a database for production that holds what demo mode put there: questions whose keys everybody
 * can read, or candidates whose passwords were printed.
 * Errors: AdminError with the codes of both.
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

/** Deletes the samples with all that is in them, and the demo candidates of all tests. */
export async function deleteDemoData(
  organiser: Organiser,
): Promise<{ samples: string[]; candidates: number }> {
  const { db } = organiser
  const candidates = await inTransaction(db, async (client) => {
    const count = await removeDemoCandidates(client)
    const detail = { candidates: count }
    await note(client, organiser, { action: 'delete-demo', societyId: null, code: null, detail })
    return count
  })
  const { rows } = await db.$client.query<{ code: string }>(
    'select code from assessments where is_sample and trial is null order by code',
  )
  for (const { code } of rows) {
    await act(organiser, 'delete', code, async (client) =>
      deleteAtOnce(client, organiser, await requireAssessment(client, code, 'replace')),
    )
  }
  await emptyDeleted(db)
  return { samples: rows.map(({ code }) => code), candidates }
}

export interface DemoCandidate {
  code: string
  username: string
  password: string
}

/**
 * One fresh demo candidate for each assessment but the demo season, which is over (demo mode only): what the
 * ones before did is forgotten, and their passwords are void.
 */
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
        `insert into candidates (id, assessment, username, password_hash, is_demo, created_at)
         values ($1, $2, $3, $4, true, $5)`,
        [randomUUID(), code, demo.username, hashCandidatePassword(secretKey, demo.password), now],
      )
      demos.push(demo)
    }
    return demos
  })
}

/**
 * Makes an account the owner of a society that has all samples (demo mode only), in the caller's transaction.
 * What candidates read as their society stays.
 */
export async function ownDemoSociety(client: Client, userId: string, now: Date): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [SAMPLES_LOCK])
  const societyId = await findOrMakeSociety(client, DEMO_SOCIETY, now)
  await client.query(
    'update assessments set society_id = $1 where is_sample and society_id <> $1',
    [societyId],
  )
  await grantRole(client, { societyId, userId, role: 'owner', now }, { assessment: null })
}

/** Removes demo candidates with all that they did. @returns how many */
async function removeDemoCandidates(client: Client): Promise<number> {
  await client.query('delete from attempts where is_demo')
  const { rowCount } = await client.query('delete from candidates where is_demo')
  return rowCount ?? 0
}

/** 'demo', or the next that no candidate of the roster has. */
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
