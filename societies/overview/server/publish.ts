import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import {
  type AssessmentRow,
  countAttempts,
  requireAssessment,
} from '../../access/server/assessments.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { requireFreeTestName } from '../../access/server/societies.ts'
import { describePublicationError, type PublicationError } from '../../kit/assessment-state.ts'
import { act, type Client, read } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { describeForms } from '../../questions/two-forms.ts'
import type { getPublication } from '../../setup/contract-overview.ts'
import { hasAttempts, readLastChange } from '../../setup/server/settings.ts'
import { type CandidateFacts, readCandidateFacts } from './candidate-rows.ts'
import { type QuestionFacts, readQuestionFacts } from './rows.ts'

const DONE = { done: true } as const

type Publication = Sendable<ResponseOf<typeof getPublication>>

/** Shows what publishing a draft does and what prevents it (product 7.8.4). */
export const readPublication = (organizer: MemberInTest): Promise<Publication> =>
  read(organizer, async (client) =>
    factsOf(client, await requireAssessment(client, organizer), organizer.now),
  )

async function factsOf(client: Client, row: AssessmentRow, now: Date): Promise<Publication> {
  const { code, version, opensAt, closesAt } = row
  const questions = (await readQuestionFacts(client, [code])).get(code) as QuestionFacts
  const candidates = (await readCandidateFacts(client, [code])).get(code) as CandidateFacts
  const errors: PublicationError[] = [...questions.errors]
  if (questions.count === 0) errors.push({ kind: 'no_questions' })
  if (closesAt !== null && closesAt <= now) errors.push({ kind: 'window_past' })
  return {
    version,
    errors,
    forms: describeForms(questions.forms),
    questionCount: questions.forms?.A ?? questions.count,
    candidateCount: candidates.count,
    withPasswordCount: candidates.withPassword,
    otherStartCount: candidates.otherStartCount,
    opensAt,
    closesAt,
  }
}

/**
 * Publishes a draft so that candidates can start (product 7.8.4). Errors: 409 stale, already_published,
 * not_publishable, society_exists.
 */
export const publishAssessment = (organizer: MemberInTest, version: number): Promise<typeof DONE> =>
  act(organizer, 'publish', organizer.code, async (client) => {
    const row = await requireVersion(client, organizer, version)
    if (!row.isDraft) throw refuse(409, 'already_published', 'It is already published.')
    const { errors, questionCount, candidateCount } = await factsOf(client, row, organizer.now)
    if (errors.length > 0) {
      const reasons = errors.map(describePublicationError).join(' ')
      throw refuse(409, 'not_publishable', `It can't be published yet. ${reasons}`)
    }
    await requireFreeTestName(client, row.society, organizer.societyId)
    await setDraft(client, row.code, false)
    return { result: DONE, detail: { questionCount, candidateCount } }
  })

/** Turns a test back into a draft before the first start. Errors: 409 stale, already_draft, has_attempts. */
export const takeBackAssessment = (
  organizer: MemberInTest,
  version: number,
): Promise<typeof DONE> =>
  act(organizer, 'take-back', organizer.code, async (client) => {
    const row = await requireVersion(client, organizer, version)
    if (row.isDraft) throw refuse(409, 'already_draft', 'It is already a draft.')
    const attempts = await countAttempts(client, row.code)
    if (attempts > 0) throw hasAttempts(attempts)
    await setDraft(client, row.code, true)
    return { result: DONE, detail: {} }
  })

/**
 * Locks the assessment. Candidates who start meanwhile wait and then see the new state
 * (assessments/server/attempt-store.ts). Errors: 409 stale if the settings have changed since they were read.
 */
async function requireVersion(client: Client, organizer: MemberInTest, version: number) {
  const row = await requireAssessment(client, organizer, 'replace')
  if (row.version === version) return row
  const { by, at } = await readLastChange(client, row.code)
  const sentence = `${by ?? 'Another member'} changed this test since you opened it. Check the changes and try again.`
  throw refuse(409, 'stale', sentence, { by, at })
}

const setDraft = (client: Client, code: string, isDraft: boolean) =>
  client.query('update assessments set is_draft = $2, version = version + 1 where code = $1', [
    code,
    isDraft,
  ])
