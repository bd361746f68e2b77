import type { PublicationError } from '../../publication.ts'
import { describeForms, isUneven } from '../../questions/two-forms.ts'
import { act, type Client, type Organiser, read } from '../action.ts'
import { type AssessmentRow, countAttempts, type Place, requireAssessment } from '../assessments.ts'
import { NO_QUESTIONS, readQuestionFacts } from '../checklist/questions.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { requireVersion } from './version.ts'

/** What publishing a draft does, and what stands against it. */
export interface Publication {
  version: number
  isDraft: boolean
  errors: PublicationError[]
  /** 'Two forms of 24 questions, 10 in common, dealt at random'; null: one form */
  forms: string | null
  /** that a candidate answers */
  questionCount: number
  /** on the list, and of those how many have a password that opens something */
  candidateCount: number
  withPasswordCount: number
  /** who has started; nobody takes it back then */
  startedCount: number
  opensAt: Date | null
  closesAt: Date | null
}

/** The facts that the dialog tells before somebody publishes (product 7.8.4). Errors: OrganiserRefusal. */
export function readPublication(organiser: Organiser, place: Place): Promise<Publication> {
  return read(organiser, async (client) =>
    factsOf(client, await requireAssessment(client, place), organiser.now),
  )
}

async function factsOf(client: Client, row: AssessmentRow, now: Date): Promise<Publication> {
  const { code, version, isDraft, opensAt, closesAt } = row
  const questions = (await readQuestionFacts(client, [code])).get(code) ?? NO_QUESTIONS
  const { rows } = await client.query<{ candidateCount: number; withPasswordCount: number }>(
    `select count(*)::int as "candidateCount", count(password_made_at)::int as "withPasswordCount"
     from candidates where assessment = $1 and not is_demo and revoked_at is null`,
    [code],
  )
  const errors: PublicationError[] = []
  if (questions.count === 0) errors.push({ kind: 'no_questions' })
  if (questions.wrong.length > 0) {
    errors.push({ kind: 'wrong_questions', positions: questions.wrong })
  }
  const { forms } = questions
  if (isUneven(forms)) errors.push({ kind: 'uneven_forms', A: forms.A, B: forms.B })
  if (closesAt !== null && closesAt <= now) errors.push({ kind: 'window_past' })
  return {
    ...{ version, isDraft, opensAt, closesAt, errors },
    questionCount: forms?.A ?? questions.count,
    forms: describeForms(forms),
    ...(rows[0] as { candidateCount: number; withPasswordCount: number }),
    startedCount: await countAttempts(client, code),
  }
}

/**
 * Makes a draft one that candidates see and can start in its window (product 7.8.4).
 * Errors: OrganiserRefusal not_publishable with the reasons, already_published, stale.
 * @param version that was read
 */
export function publishAssessment(
  organiser: Organiser,
  place: Place,
  version: number,
): Promise<void> {
  return act(organiser, 'publish', place.code, async (client) => {
    const row = await requireAssessment(client, place, 'replace')
    await requireVersion(client, row, version)
    const facts = await factsOf(client, row, organiser.now)
    if (!row.isDraft) throw new OrganiserRefusal('already_published', { assessment: row.code })
    if (facts.errors.length > 0) {
      throw new OrganiserRefusal('not_publishable', {
        assessment: row.code,
        reasons: facts.errors,
      })
    }
    await setDraft(client, row.code, false)
    const { questionCount, candidateCount } = facts
    return { result: undefined, detail: { questionCount, candidateCount } }
  })
}

/**
 * Makes it a draft again, as long as nobody has started. Who has signed in already waits.
 * Errors: OrganiserRefusal has_attempts, already_draft, stale.
 */
export function takeBackAssessment(
  organiser: Organiser,
  place: Place,
  version: number,
): Promise<void> {
  return act(organiser, 'take-back', place.code, async (client) => {
    // Candidates who start in this moment wait, and then find a draft (assessments/server/attempt-store.ts).
    const row = await requireAssessment(client, place, 'replace')
    await requireVersion(client, row, version)
    if (row.isDraft) throw new OrganiserRefusal('already_draft', { assessment: row.code })
    const attempts = await countAttempts(client, row.code)
    if (attempts > 0) {
      throw new OrganiserRefusal('has_attempts', { assessment: row.code, attempts })
    }
    await setDraft(client, row.code, true)
    return { result: undefined, detail: {} }
  })
}

function setDraft(client: Client, code: string, isDraft: boolean) {
  return client.query(
    'update assessments set is_draft = $2, version = version + 1 where code = $1',
    [code, isDraft],
  )
}
