import sql from 'sql-template-tag'
import { act, type Client, type Organiser } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { parseAssessmentFile } from '../authoring/assessment-file.ts'
import { refuseSamples, storeAssessment } from '../authoring/load-assessment.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { inForce } from '../team/guard.ts'
import { freeCode } from './codes.ts'

/** What whoever makes an assessment says of it. */
export interface Named {
  /** as it is wanted; another society may have it (freeCode) */
  code: string
  /** 'Morning'; null when there is one session */
  session: string | null
  /** 'Autumn 2026' */
  season: string | null
}

/** Seconds that a new assessment takes; its society sets its own. */
const USUAL_SECONDS = 30 * 60

/**
 * A draft without questions (product 7.8.2).
 * Errors: OrganiserRefusal code_taken.
 * @param society the name that candidates read
 * @returns its code
 */
export function createEmpty(
  organiser: Organiser,
  societyId: string,
  { society, ...named }: Named & { society: string },
): Promise<string> {
  return creating(organiser, 'create', async (client) => {
    const code = await freeCode(client, societyId, named.code)
    await client.query(
      `insert into assessments (code, society_id, society, session, season, duration_seconds, shuffle,
         navigator, rules, time_zone, is_sample, is_draft, created_at)
       select $1, s.id, $3, $4, $5, $6, true, true,
         jsonb_build_object('timing', '[]'::jsonb, 'allowed', '[]'::jsonb, 'forbidden', '[]'::jsonb,
           'contact', s.contact), s.time_zone, false, true, $7
       from societies s where s.id = $2`,
      [code, societyId, society, named.session, named.season, USUAL_SECONDS, organiser.now],
    )
    return { code, detail: {} }
  })
}

/**
 * A draft from an assessment's YAML file (product 7.2.1), never in the place of another.
 * Errors: FileProblems with everything that is wrong with the file; OrganiserRefusal code_taken.
 * @param code instead of the file's
 * @returns its code
 */
export async function createFromFile(
  organiser: Organiser,
  societyId: string,
  { yaml, code: wanted, season }: { yaml: string; code: string | null; season: string | null },
): Promise<{ code: string; wanted: string }> {
  const file = parseAssessmentFile(yaml)
  await refuseSamples(file)
  const named = wanted ?? file.code
  const code = await creating(organiser, 'create', async (client) => {
    const free = await freeCode(client, societyId, named)
    await storeAssessment(client, { ...file, code: free }, societyId, {
      now: organiser.now,
      isDraft: true,
    })
    await client.query('update assessments set season = $2 where code = $1', [free, season])
    return { code: free, detail: { questions: file.items.length, hash: file.hash } }
  })
  return { code, wanted: named }
}

/**
 * A draft with the questions, rules and settings of another assessment of the society; no candidates, and no
 * window, which was last season's. Each question stays the one it is (question_id), so that its results add up.
 * Errors: OrganiserRefusal code_taken, no_such_assessment, assessment_deleted.
 * @returns its code
 */
export function copyAssessment(
  organiser: Organiser,
  from: { code: string; societyId: string },
  named: Named,
): Promise<string> {
  return creating(organiser, 'copy', async (client) => {
    // Held, so that whoever changes its questions is in the copy or not at all.
    await requireAssessment(client, from, 'change')
    const code = await freeCode(client, from.societyId, named.code)
    const questions = await storeCopy(client, from.code, { ...named, code }, organiser.now)
    return { code, detail: { from: from.code, questions } }
  })
}

/** What is a sample stays one by its questions (requireNoDemoData). @returns how many questions */
async function storeCopy(client: Client, from: string, named: Named, now: Date): Promise<number> {
  await client.query(
    `insert into assessments (code, society_id, society, session, season, duration_seconds, shuffle,
       navigator, rules, time_zone, is_sample, is_draft, created_at)
     select $2, society_id, society, $3, $4, duration_seconds, shuffle, navigator, rules, time_zone,
       false, true, $5
     from assessments where code = $1`,
    [from, named.code, named.session, named.season, now],
  )
  const { rowCount } = await client.query(
    `insert into assessment_items (assessment, position, question, answer_a, answer_b, answer_c, answer_d,
       correct_option, question_id, version, topic, explanation, compute, exhibit, form, is_sample)
     select $2, position, question, answer_a, answer_b, answer_c, answer_d, correct_option, question_id,
       version, topic, explanation, compute, exhibit, form, is_sample
     from assessment_items where assessment = $1`,
    [from, named.code],
  )
  return rowCount ?? 0
}

/**
 * Makes an assessment and notes it under the code that it got.
 * Errors: OrganiserRefusal code_taken also where somebody else took the code in this very moment.
 */
async function creating(
  organiser: Organiser,
  action: 'create' | 'copy',
  make: (client: Client) => Promise<{ code: string; detail: Record<string, unknown> }>,
): Promise<string> {
  let made = ''
  try {
    return await act(
      organiser,
      action,
      () => made,
      async (client) => {
        const { code, detail } = await make(client)
        made = code
        return { result: code, detail }
      },
    )
  } catch (error) {
    const { code, constraint } = error as { code?: unknown; constraint?: unknown }
    if (code === '23505' && constraint === 'assessments_pkey') {
      throw new OrganiserRefusal('code_taken', { assessment: made })
    }
    throw error
  }
}

/**
 * Whether a member may make assessments: a role for one test reaches no new one (product 7.8.2).
 */
export async function mayCreate(
  { db, now }: Pick<Organiser, 'db' | 'now'>,
  societyId: string,
  userId: string,
): Promise<boolean> {
  const { rowCount } = await db.$client.query(
    sql`select from memberships m where m.society_id = ${societyId} and m.user_id = ${userId}
      and m.assessment is null and m.role in ('owner', 'author') and ${inForce(now)} limit 1`,
  )
  return rowCount === 1
}
