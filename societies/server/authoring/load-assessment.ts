import { AdminError, FileProblems } from '../../../platform/server/admin-error.ts'
import type { Form } from '../../questions/two-forms.ts'
import { normaliseStem } from '../../questions/written-question.ts'
import { act, type Client, type Organiser } from '../action.ts'
import { type AssessmentRow, countAttempts, getAssessment, requireWindow } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { getSociety, societyForNew } from '../team/societies.ts'
import { type AssessmentFile, type AssessmentItem, parseAssessmentFile } from './assessment-file.ts'
import { readSampleFiles } from './samples.ts'

export interface Loaded {
  code: string
  society: string
  session: string | null
  durationSeconds: number
  itemCount: number
  candidateCount: number
  timeZone: string
  opensAt: Date | null
  closesAt: Date | null
  /** the window that stood before, when the file changed it */
  windowBefore: { opensAt: Date | null; closesAt: Date | null } | null
  isNew: boolean
  /** nobody but its society learns of it until it is published */
  isDraft: boolean
  /** the same file was loaded before: nothing was changed */
  isUnchanged: boolean
  demoAttemptsRemoved: number
}

/**
 * Loads a society's own assessment, or loads it again while nobody has sat it; its roster stays.
 * Errors: OrganiserRefusal when somebody has sat it; FileProblems with a sentence for everything that is
 * wrong with the file: they are what its author gets back, wherever it was handed in.
 * @param files YAML, and the items as CSV when they are not in it; `society`: whose a new one shall be, where
 *   it is not the society of the name that candidates read, or whose the one is that is replaced; `isDraft`: a
 *   new one is not published at once. One that exists stays a draft or published, as it is.
 */
export async function loadAssessment(
  organiser: Organiser,
  files: { yaml: string; itemsCsv?: string | null; society?: string; isDraft?: boolean },
): Promise<Loaded> {
  const file = parseAssessmentFile(files.yaml, files.itemsCsv ?? null)
  await refuseSamples(file)
  return act(organiser, 'load', file.code, async (client) => {
    const earlier = await getAssessment(client, file.code, 'replace')
    if (earlier) await requireSameSociety(client, earlier, file, files.society)
    if (files.isDraft && earlier && !earlier.isDraft) {
      throw new OrganiserRefusal('already_published', { assessment: file.code })
    }
    const attempts = await countAttempts(client, file.code)
    if (attempts > 0)
      throw new OrganiserRefusal('has_attempts', { assessment: file.code, attempts })
    const isUnchanged = earlier?.contentHash === file.hash
    const demoAttemptsRemoved = isUnchanged ? 0 : await removeDemoAttempts(client, file.code)
    if (!isUnchanged) {
      requireWindow(
        file.opensAt === undefined ? earlier?.opensAt : file.opensAt,
        file.closesAt === undefined ? earlier?.closesAt : file.closesAt,
      )
      const { now } = organiser
      const societyId =
        earlier?.societyId ??
        (await societyForNew(client, { named: files.society, read: file.society, now }))
      const isDraft = earlier ? earlier.isDraft : (files.isDraft ?? false)
      await storeAssessment(client, file, societyId, { now, isDraft })
    }
    const stored = await getAssessment(client, file.code)
    if (!stored) throw new Error('The assessment that was just stored is gone.')
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int as count from candidates where assessment = $1 and not is_demo',
      [file.code],
    )
    const isWindowSame =
      earlier?.opensAt?.getTime() === stored.opensAt?.getTime() &&
      earlier?.closesAt?.getTime() === stored.closesAt?.getTime()
    return {
      result: {
        code: stored.code,
        society: stored.society,
        session: stored.session,
        durationSeconds: stored.durationSeconds,
        itemCount: file.items.length,
        candidateCount: rows[0]?.count ?? 0,
        timeZone: stored.timeZone,
        opensAt: stored.opensAt,
        closesAt: stored.closesAt,
        windowBefore: earlier && !isWindowSame ? earlier : null,
        isNew: !earlier,
        isDraft: stored.isDraft,
        isUnchanged,
        demoAttemptsRemoved,
      },
      detail: { items: file.items.length, hash: file.hash, isUnchanged, demoAttemptsRemoved },
    }
  })
}

/**
 * Errors: OrganiserRefusal where the assessment of the code was deleted. AdminError where it belongs to another
 * society than the one that is named or, where none is, than the one of the file's name.
 */
async function requireSameSociety(
  client: Client,
  earlier: AssessmentRow,
  file: AssessmentFile,
  named: string | undefined,
): Promise<void> {
  const { code, deletedAt, societyId } = earlier
  if (deletedAt)
    throw new OrganiserRefusal('assessment_deleted', { assessment: code, at: deletedAt })
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
  if (named === undefined && isSame(file.society, earlier.society)) return
  const meant = (named ?? file.society).trim()
  if ((await getSociety(client, meant))?.id === societyId) return
  throw new AdminError(
    `${code} belongs to another society than ${meant}, and its questions would be replaced. Choose another code, or name the society that owns it with --society.`,
  )
}

/** The stems of Superday's samples (normaliseStem), whose keys everybody can read. */
export async function readSampleStems(): Promise<Set<string>> {
  return new Set(
    (await readSampleFiles()).flatMap(({ text }) =>
      parseAssessmentFile(text).items.map(({ question }) => normaliseStem(question)),
    ),
  )
}

/** Errors: FileProblems: keys of sample items can be read by everybody. */
export async function refuseSamples(file: AssessmentFile): Promise<void> {
  if (file.sample) {
    throw new FileProblems([
      'sample: true marks questions whose keys everybody can read; `npm start` loads those by itself. Write your own questions, and sample: false',
    ])
  }
  const samples = await readSampleStems()
  const problems = file.items
    .filter(({ question }) => samples.has(normaliseStem(question)))
    .map(
      ({ position }) =>
        `item ${position}: is one of Superday's samples, whose key everybody can read`,
    )
  if (problems.length > 0) throw new FileProblems(problems)
}

/** Demo attempts are for trying out: they never stand in the way of new questions. */
export async function removeDemoAttempts(client: Client, code: string): Promise<number> {
  const { rowCount } = await client.query(
    'delete from attempts where assessment = $1 and is_demo',
    [code],
  )
  return rowCount ?? 0
}

/**
 * Writes an assessment and replaces its items; one that exists stays with its society, and a draft or
 * published. Nobody may have attempted it: the caller holds its lock and has looked.
 */
export async function storeAssessment(
  client: Client,
  file: AssessmentFile,
  societyId: string,
  { now, isDraft }: { now: Date; isDraft: boolean },
): Promise<void> {
  await client.query(
    `insert into assessments (code, society, session, duration_seconds, shuffle, navigator, rules,
       opens_at, closes_at, time_zone, is_sample, content_hash, created_at, society_id,
       is_draft)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $16, $17)
     on conflict (code) do update set
       society = excluded.society, session = excluded.session,
       duration_seconds = excluded.duration_seconds, shuffle = excluded.shuffle,
       navigator = excluded.navigator, rules = excluded.rules,
       opens_at = case when $14 then excluded.opens_at else assessments.opens_at end,
       closes_at = case when $15 then excluded.closes_at else assessments.closes_at end,
       time_zone = excluded.time_zone, is_sample = excluded.is_sample,
       content_hash = excluded.content_hash, version = assessments.version + 1`,
    [
      file.code,
      file.society,
      file.session,
      file.durationSeconds,
      file.shuffle,
      file.navigator,
      JSON.stringify(file.rules),
      file.opensAt ?? null,
      file.closesAt ?? null,
      file.timeZone,
      file.sample,
      file.hash,
      now,
      file.opensAt !== undefined,
      file.closesAt !== undefined,
      societyId,
      isDraft,
    ],
  )
  await client.query('delete from assessment_items where assessment = $1', [file.code])
  await insertItems(client, file.code, file.items, file.sample)
}

/** @returns the ids. Nobody may have attempted the assessment: the caller holds its lock and has looked. */
export function insertItems(
  client: Client,
  code: string,
  items: readonly (Omit<AssessmentItem, 'form'> & {
    form?: Form | null
    topic?: string
    explanation?: string
  })[],
  isSample: boolean,
) {
  return client.query<{ id: number }>(
    `insert into assessment_items (assessment, position, question, answer_a, answer_b, answer_c,
       answer_d, correct_option, topic, explanation, form, is_sample)
     select $1, position, question, a, b, c, d, key, nullif(topic, ''), nullif(explanation, ''), form, $2
     from unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
       $10::text[], $11::text[], $12::text[])
       as item (position, question, a, b, c, d, key, topic, explanation, form)
     returning id`,
    [
      code,
      isSample,
      items.map(({ position }) => position),
      items.map(({ question }) => question),
      items.map(({ options }) => options.A),
      items.map(({ options }) => options.B),
      items.map(({ options }) => options.C),
      items.map(({ options }) => options.D),
      items.map(({ answer }) => answer),
      items.map(({ topic }) => topic ?? ''),
      items.map(({ explanation }) => explanation ?? ''),
      items.map(({ form }) => form ?? null),
    ],
  )
}
