import sql from 'sql-template-tag'
import { AdminError, FileProblems } from '../../../../platform/server/admin-error.ts'
import {
  type AssessmentRow,
  countAttempts,
  getAssessment,
  requireWindow,
} from '../../../access/server/assessments.ts'
import { getSociety, societyForNew } from '../../../access/server/societies.ts'
import { act, type Client, type Organizer } from '../../../kit/server/action.ts'
import { refuse } from '../../../kit/server/refuse.ts'
import type { QuestionContent } from '../../question-content.ts'
import type { Form } from '../../two-forms.ts'
import { normaliseStem } from '../../written-question.ts'
import { type AssessmentFile, parseAssessmentFile, readSampleFiles } from './assessment-file.ts'

export interface Loaded extends AssessmentRow {
  itemCount: number
  candidateCount: number
  /** the previous window, if the file changed it */
  windowBefore: { opensAt: Date | null; closesAt: Date | null } | null
  isNew: boolean
  /** the same file was already loaded, so nothing changed */
  isUnchanged: boolean
  demoAttemptsRemoved: number
}

/**
 * Loads a society's own assessment, or replaces its questions while no candidate has started. Candidates stay.
 * Errors: ApiError 409 has_attempts, already_published, assessment_deleted; FileProblems with a sentence per problem.
 * @param files the items are in the YAML or in a CSV file. `society` owns the test, if that isn't the society whose name
 *   candidates read. `isDraft` leaves a new assessment unpublished; an existing one keeps its state.
 */
export async function loadAssessment(
  organizer: Organizer,
  files: { yaml: string; itemsCsv?: string | null; society?: string; isDraft?: boolean },
): Promise<Loaded> {
  const file = parseAssessmentFile(files.yaml, files.itemsCsv ?? null)
  await refuseSamples(file)
  return act(organizer, 'load', file.code, async (client) => {
    const { code, items, hash } = file
    const earlier = await getAssessment(client, code, 'replace')
    if (earlier) await requireSameSociety(client, earlier, file, files.society)
    if (files.isDraft && earlier && !earlier.isDraft) {
      throw refuse(409, 'already_published', `${code} is already published.`)
    }
    await requireNoAttempts(client, code)
    const isUnchanged = earlier?.contentHash === hash
    const demoAttemptsRemoved = isUnchanged ? 0 : await removeDemoAttempts(client, code)
    if (!isUnchanged) {
      const { opensAt = earlier?.opensAt, closesAt = earlier?.closesAt } = file
      requireWindow(opensAt, closesAt)
      const { now } = organizer
      const societyId =
        earlier?.societyId ??
        (await societyForNew(client, { named: files.society, read: file.society, now }))
      const isDraft = earlier?.isDraft ?? files.isDraft ?? false
      await storeAssessment(client, file, societyId, { now, isDraft })
    }
    const stored = await getAssessment(client, code)
    if (!stored) throw new Error('The assessment that was just stored is gone.')
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int as count from candidates where assessment = $1 and not is_demo',
      [code],
    )
    const windowOf = (row: AssessmentRow) => `${Number(row.opensAt)} ${Number(row.closesAt)}`
    const isMoved = earlier && windowOf(earlier) !== windowOf(stored)
    return {
      result: {
        ...stored,
        itemCount: items.length,
        candidateCount: rows[0]?.count ?? 0,
        windowBefore: isMoved ? earlier : null,
        isNew: !earlier,
        isUnchanged,
        demoAttemptsRemoved,
      },
      detail: { items: items.length, hash, isUnchanged, demoAttemptsRemoved },
    }
  })
}

/** Throws 409 has_attempts once a candidate has started. */
export async function requireNoAttempts(client: Client, code: string): Promise<void> {
  const attempts = await countAttempts(client, code)
  if (attempts === 0) return
  const started = attempts === 1 ? 'One candidate has' : `${attempts} candidates have`
  throw refuse(
    409,
    'has_attempts',
    `${started} already started, so the questions can’t be changed. Correct a wrong key under Analysis.`,
  )
}

/** Errors: ApiError 409 assessment_deleted; AdminError if the test belongs to a society other than the named one. */
async function requireSameSociety(
  client: Client,
  earlier: AssessmentRow,
  file: AssessmentFile,
  named: string | undefined,
): Promise<void> {
  const { code, deletedAt, societyId } = earlier
  if (deletedAt) {
    throw refuse(409, 'assessment_deleted', `${code} was deleted. Choose another code.`)
  }
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
  if (named === undefined && isSame(file.society, earlier.society)) return
  const meant = (named ?? file.society).trim()
  if ((await getSociety(client, meant))?.id === societyId) return
  throw new AdminError(
    `${code} doesn't belong to ${meant}, and its questions would be replaced. Choose another code, or name the society that owns it with --society.`,
  )
}

let sampleStems: Promise<Set<string>> | null = null

/** Reads the stems of Superday's samples once (normaliseStem). Their keys are public. */
export function readSampleStems(): Promise<Set<string>> {
  sampleStems ??= readSampleFiles().then((files) => {
    const items = files.flatMap(({ text }) => parseAssessmentFile(text).items)
    return new Set(items.map(({ question }) => normaliseStem(question)))
  })
  // After a failure, the next call tries again.
  sampleStems.catch(() => {
    sampleStems = null
  })
  return sampleStems
}

/** Throws FileProblems for sample items, because their keys are public. */
export async function refuseSamples(file: AssessmentFile): Promise<void> {
  if (file.sample) {
    throw new FileProblems([
      'sample: true marks questions with public keys, which `npm start` loads. Write your own questions, and set sample: false',
    ])
  }
  const samples = await readSampleStems()
  const known = file.items.filter(({ question }) => samples.has(normaliseStem(question)))
  const problems = known.map(
    ({ position }) => `item ${position}: is one of Superday's samples, whose keys are public`,
  )
  if (problems.length > 0) throw new FileProblems(problems)
}

/** Demo attempts are only for trying out, so they never block new questions. */
export async function removeDemoAttempts(client: Client, code: string): Promise<number> {
  const { rowCount } = await client.query(
    'delete from attempts where assessment = $1 and is_demo',
    [code],
  )
  return rowCount ?? 0
}

/** Writes an assessment and replaces its items. The caller holds its lock, and there are no attempts. */
export async function storeAssessment(
  client: Client,
  file: AssessmentFile,
  societyId: string,
  { now, isDraft }: { now: Date; isDraft: boolean },
): Promise<void> {
  const { code, opensAt = null, closesAt = null, rules } = file
  await client.query(sql`
    insert into assessments (code, society, session, duration_seconds, shuffle, navigator, rules, opens_at,
      closes_at, time_zone, is_sample, content_hash, created_at, society_id, is_draft)
    values (${code}, ${file.society}, ${file.session}, ${file.durationSeconds}, ${file.shuffle},
      ${file.navigator}, ${JSON.stringify(rules)}, ${opensAt}, ${closesAt}, ${file.timeZone}, ${file.sample},
      ${file.hash}, ${now}, ${societyId}, ${isDraft})
    on conflict (code) do update set
      society = excluded.society, session = excluded.session,
      duration_seconds = excluded.duration_seconds, shuffle = excluded.shuffle,
      navigator = excluded.navigator, rules = excluded.rules,
      opens_at = case when ${file.opensAt !== undefined} then excluded.opens_at else assessments.opens_at end,
      closes_at = case when ${file.closesAt !== undefined} then excluded.closes_at else assessments.closes_at end,
      keep_warned_at = null, time_zone = excluded.time_zone, is_sample = excluded.is_sample,
      content_hash = excluded.content_hash, version = assessments.version + 1`)
  await client.query('delete from assessment_items where assessment = $1', [file.code])
  await insertItems(client, file.code, file.items, file.sample)
}

type NewItem = Pick<QuestionContent, 'question' | 'options' | 'answer'> &
  Partial<QuestionContent> & {
    position: number
    form?: Form | null
    /** left out: a new question */
    questionId?: string
    version?: number
  }

/**
 * Inserts items. The caller holds the assessment's lock and has checked that there are no attempts.
 * @returns the ids
 */
export function insertItems(
  client: Client,
  code: string,
  items: readonly NewItem[],
  isSample: boolean,
) {
  return client.query<{ id: number }>(
    sql`insert into assessment_items (assessment, is_sample, position, question_id, version, question, answer_a,
       answer_b, answer_c, answer_d, correct_option, topic, explanation, compute, exhibit, form)
     select ${code}, ${isSample}, position, coalesce("questionId", gen_random_uuid()), coalesce(version, 1), question,
       options ->> 'A', options ->> 'B', options ->> 'C', options ->> 'D', answer, nullif(topic, ''),
       nullif(explanation, ''), nullif(compute, ''), exhibit, form
     from jsonb_to_recordset(${JSON.stringify(items)}) as item (position int, "questionId" uuid, version int,
     question text,
       options jsonb, answer text, topic text, explanation text, compute text, exhibit jsonb, form text)
     returning id`,
  )
}
