import sql from 'sql-template-tag'
import type { BodyOf, ResponseOf } from '../../../platform/endpoint.ts'
import { FileProblems } from '../../../platform/server/admin-error.ts'
import { requireAssessment } from '../../access/server/assessments.ts'
import { inForce } from '../../access/server/guard.ts'
import type { Member } from '../../access/server/serve-members.ts'
import { act, type Client } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type { AssessmentFile } from '../../questions/server/authoring/assessment-file.ts'
import { refuseSamples, storeAssessment } from '../../questions/server/authoring/load-assessment.ts'
import { takeCorrectionsOver } from '../../questions/server/corrections.ts'
import { readFileApart } from '../../questions/server/exchange/read-apart.ts'
import * as contract from '../contract.ts'

type Named = BodyOf<typeof contract.copyAssessment>
/** The assigned code, and the requested one, which another society may have (freeCode). */
type Made = ResponseOf<typeof contract.copyAssessment>
type Maker = Pick<Member, 'db' | 'now' | 'actor' | 'userId' | 'societyId'>

/** The default duration of a new assessment, in seconds. */
const USUAL_SECONDS = 30 * 60
const LONGEST_CODE = 40

/** Creates a draft without questions (product 7.8.2). Errors: 403 role_is_scoped; 409 code_taken. */
export function createEmpty(
  organizer: Maker,
  { code: wanted, society, session, season }: BodyOf<typeof contract.createAssessment>,
): Promise<Made> {
  const { societyId, now } = organizer
  return creating(organizer, 'create', wanted, async (client, code) => {
    await client.query(
      sql`insert into assessments (code, society_id, society, session, season, duration_seconds, shuffle,
          navigator, rules, time_zone, is_sample, is_draft, created_at)
        select ${code}, s.id, ${society}, ${session}, ${season}, ${USUAL_SECONDS}, true, true,
          jsonb_build_object('timing', '[]'::jsonb, 'allowed', '[]'::jsonb, 'forbidden', '[]'::jsonb,
            'contact', s.contact), s.time_zone, false, true, ${now}
        from societies s where s.id = ${societyId}`,
    )
    return {}
  })
}

/** Creates a draft from a YAML file (product 7.2.1). Errors: 400 file_problems; 403 role_is_scoped; 409 code_taken. */
export async function createFromFile(
  organizer: Maker,
  { yaml, code: wanted, season }: BodyOf<typeof contract.createAssessmentFromFile>,
): Promise<Made> {
  const file = await readFile(yaml, organizer.societyId)
  return creating(organizer, 'create', wanted ?? file.code, async (client, code) => {
    const { now, societyId } = organizer
    await storeAssessment(client, { ...file, code }, societyId, { now, isDraft: true })
    await client.query('update assessments set season = $2 where code = $1', [code, season])
    return { questions: file.items.length, hash: file.hash }
  })
}

async function readFile(yaml: string, share: string): Promise<AssessmentFile> {
  try {
    const file = await readFileApart('test', Buffer.from(yaml), { society: share })
    const { society, session, rules } = file
    // Names and rules must meet the same limits as in the settings, because everyone who looks for a test reads them.
    const { change } = contract.changeSettings.body.shape
    const { error } = change.safeParse({ society, session, ...rules })
    if (error) {
      throw new FileProblems(error.issues.map((one) => `${one.path.join('.')}: ${one.message}`))
    }
    await refuseSamples(file)
    return file
  } catch (error) {
    if (!(error instanceof FileProblems)) throw error
    const sentence = 'This file has errors, so no test was created.'
    throw refuse(400, 'file_problems', sentence, { problems: error.problems })
  }
}

/**
 * Creates a draft with the questions, rules and settings of another assessment of the society, without its candidates
 * and its window. Each question keeps its id (question_id), so its results add up, and has the key that a ruling gave
 * it. Errors: 403 role_is_scoped; 404 no_such_assessment; 409 assessment_deleted, code_taken.
 */
export function copyAssessment(organizer: Maker & { code: string }, named: Named): Promise<Made> {
  return creating(organizer, 'copy', named.code, async (client, code) => {
    // The lock ensures that the copy has all or none of a concurrent change to the questions.
    const from = (await requireAssessment(client, organizer, 'change')).code
    // The copy isn't marked as a sample. Its sample questions keep their own mark (requireNoDemoData).
    await client.query(
      sql`insert into assessments (code, society_id, society, session, season, duration_seconds, shuffle,
          navigator, rules, time_zone, is_sample, is_draft, created_at)
        select ${code}, society_id, society, ${named.session}, ${named.season}, duration_seconds, shuffle,
          navigator, rules, time_zone, false, true, ${organizer.now}
        from assessments where code = ${from}`,
    )
    const { rowCount } = await client.query(
      sql`insert into assessment_items (assessment, position, question, answer_a, answer_b, answer_c, answer_d,
         correct_option, question_id, version, topic, explanation, compute, exhibit, form, is_sample)
       select ${code}, position, question, answer_a, answer_b, answer_c, answer_d, correct_option, question_id,
         version, topic, explanation, compute, exhibit, form, is_sample
       from assessment_items where assessment = ${from}`,
    )
    const corrected = await takeCorrectionsOver(client, code)
    return { from, questions: rowCount ?? 0, ...(corrected > 0 && { corrected }) }
  })
}

/**
 * Creates an assessment and logs it under its assigned code.
 * Errors: 403 role_is_scoped; 409 code_taken, also if another member took the code at the same moment.
 * @param make stores it, and returns the details for the log
 */
async function creating(
  organizer: Maker,
  action: 'create' | 'copy',
  wanted: string,
  make: (client: Client, code: string) => Promise<Record<string, unknown>>,
): Promise<Made> {
  if (!(await mayCreate(organizer))) {
    const sentence =
      'Your role covers only one test, so it would not include a new one. Ask an owner to create it.'
    throw refuse(403, 'role_is_scoped', sentence)
  }
  let code = wanted
  const work = async (client: Client) => {
    code = await freeCode(client, organizer.societyId, wanted)
    return { detail: await make(client, code), result: { code, wanted } }
  }
  try {
    return await act(organizer, action, () => code, work)
  } catch (error) {
    const { code: sqlState, constraint } = error as { code?: unknown; constraint?: unknown }
    if (sqlState === '23505' && constraint === 'assessments_pkey') throw codeTaken(code)
    throw error
  }
}

/**
 * Returns a code for a new assessment. Codes are unique across societies, so a number is appended if another society
 * has the requested one (product 7.8.2). Errors: 409 code_taken if this society has it.
 */
async function freeCode(client: Client, societyId: string, wanted: string): Promise<string> {
  const { rows } = await client.query<{ code: string; isOwn: boolean }>(
    `select code, society_id = $1 as "isOwn" from assessments where code = $2 or code like $3`,
    [societyId, wanted, `${wanted.slice(0, LONGEST_CODE - 4).replaceAll('_', '\\_')}\\_%`],
  )
  const taken = new Map(rows.map(({ code, isOwn }) => [code, isOwn]))
  if (taken.get(wanted)) throw codeTaken(wanted)
  let code = wanted
  for (let number = 2; taken.has(code); number += 1) {
    const suffix = `_${number}`
    code = wanted.slice(0, LONGEST_CODE - suffix.length) + suffix
  }
  return code
}

const codeTaken = (code: string) =>
  refuse(
    409,
    'code_taken',
    `Your society has a test with the code ${code}, or had one that was deleted. Choose another code.`,
  )

/** Whether a member can create assessments. Members whose roles are for single tests can't (product 7.8.2). */
export async function mayCreate({ db, now, societyId, userId }: Maker): Promise<boolean> {
  const { rowCount } = await db.$client.query(
    sql`select from memberships m where m.society_id = ${societyId} and m.user_id = ${userId}
      and m.assessment is null and m.role in ('owner', 'author') and ${inForce(now)} limit 1`,
  )
  return rowCount === 1
}
