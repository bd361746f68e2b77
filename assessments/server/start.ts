import type pg from 'pg'
import { isCheckViolation } from '../../platform/database/database.ts'
import { type Api, ApiError, type Call, type EnterTurn } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { inRounds } from '../../platform/server/rounds.ts'
import { startAttempt } from '../contract.ts'
import { remainingMs } from '../deadline.ts'
import { orderPaper } from '../paper.ts'
import { labelOf, referenceOf } from '../reference.ts'
import { MAX_VIOLATIONS } from '../violations.ts'
import { type Choice, readAnswers } from './answer-store.ts'
import {
  type Attempt,
  closeAtDeadline,
  getAttemptOf,
  lockAttemptOf,
  openInWindow,
  readPhase,
  type StartCall,
  startAttempts,
} from './attempt-store.ts'
import type { Candidate } from './candidate-store.ts'
import { countStrikes } from './event-store.ts'
import { type Paper, readPapers } from './paper/papers.ts'
import { createOriginOf, readSeat, requireCandidate, type Seats } from './seat.ts'
import { ROUND_EVERY_MS } from './seat-calls.ts'
import { notPublished } from './way-in/credentials.ts'

/** Maximum tries of a start, in case an author keeps saving questions. */
const STARTS_AT_MOST = 5

/** POST …/attempt: starts, resumes or takes over an attempt (product 6.4). */
export function serveStart(
  api: Api,
  dependencies: AppDependencies,
  enterTurn: EnterTurn,
  seats: Seats,
): void {
  const { db, log, now, random } = dependencies
  const originOf = createOriginOf(dependencies)
  // Simultaneous starts share one read, and nothing is cached.
  const readPaper = inRounds(log, (codes: readonly string[]) => readPapers(db.$client, codes), {
    everyMs: ROUND_EVERY_MS,
  })
  const startInRound = inRounds(
    log,
    (calls: readonly StartCall[]) => startAttempts(db.$client, calls, now()),
    { everyMs: ROUND_EVERY_MS },
  )

  const start = async ({ user, params, body, context }: Call<typeof startAttempt>) => {
    const seat = { ...readSeat(params.code, user, context), windowId: body.windowId ?? '' }
    const found =
      (await readPaper(params.code)) ?? (await readPapers(db.$client, [params.code]))[0] ?? null
    const ids = [...(found?.questions.keys() ?? [])]
    const order = orderPaper(ids, found?.assessment.shuffle ?? false, random)
    const forms = order.map((id) => found?.forms.get(id) ?? null)
    const hasForms = forms.some((form) => form !== null)
    const call = {
      ...{ ...seat, paper: order, forms: hasForms ? forms : null },
      ...{ seed: hasForms ? Math.floor(random() * 2 ** 31) : 0, origin: originOf(user, context) },
    }
    if (found && order.length > 0) {
      const started = await startInRound(call)
      if (started) {
        const paper = order.filter((_, n) => forms[n] === null || forms[n] === started.form)
        return describeAttempt(found, { ...started, paper }, now())
      }
    }
    return seats.transact(call, (client) => startAlone(client, found, call, now()))
  }
  // An author can change the questions between the read of the paper and the start.
  const startAgain = (call: Call<typeof startAttempt>, tries: number): ReturnType<typeof start> =>
    start(call).catch((error) => {
      if (tries === 1 || !isCheckViolation(error)) throw error
      return startAgain(call, tries - 1)
    })
  api.serveInTurn(startAttempt, enterTurn, (call) => startAgain(call, STARTS_AT_MOST))
}

/** Errors: 403 bad_candidate_token, 403 not_published for a draft, and those of requireOpen and whenFree. */
async function startAlone(
  client: Pick<pg.Pool, 'query'>,
  found: Paper | null,
  call: StartCall,
  now: Date,
) {
  const candidate = await requireCandidate(client, call, now)
  // A token exists, so the society must have returned the test to a draft (product 7.8.5).
  if (!found) throw notPublished()
  if (!(await getAttemptOf(client, candidate.id))) {
    // Waits if an organizer holds the candidate's row.
    requireOpen(found, await requireCandidate(client, call, now, 'share'), now)
    await startAttempts(client, [call], now)
  }
  let attempt = await lockAttemptOf(client, candidate.id)
  const phase = await readPhase(client, attempt, now)
  if (phase === 'overdue') {
    attempt = await closeAtDeadline(client, attempt, now)
  } else if (phase !== 'closed') {
    attempt = await openInWindow(client, attempt, call.windowId, call.origin, now)
  }
  const strikes = await countStrikes(client, attempt.id)
  const answers = attempt.submittedAt ? [] : await readAnswers(client, attempt.id)
  return describeAttempt(found, attempt, now, { strikes, answers })
}

/** Errors: 403 not_open (with opensAt), 403 closed, 409 no_questions (product 6.4.6, 6.4.7). */
function requireOpen(
  { assessment, questions }: Paper,
  { startsFrom, startsUntil }: Candidate,
  now: Date,
): void {
  const opensAt = startsFrom ?? assessment.opensAt
  const closesAt = startsUntil ?? assessment.closesAt
  if (opensAt && now < opensAt) {
    throw new ApiError(403, 'not_open', 'This test has not opened yet.', {
      more: { opensAt: opensAt.toISOString(), isOwn: startsFrom !== null },
    })
  }
  if (assessment.isReleased) {
    const message = 'The results of this test are released; it can no longer be started.'
    throw new ApiError(403, 'closed', message)
  }
  if (closesAt && now > closesAt) {
    throw new ApiError(403, 'closed', 'This test has closed. It can no longer be started.')
  }
  if (questions.size === 0) {
    throw new ApiError(
      409,
      'no_questions',
      'No questions are available for this assessment. Please contact the administrator.',
    )
  }
}

/** The response to a start (product 6.4.8). A closed attempt reveals nothing about its paper. */
function describeAttempt(
  { assessment, questions }: Paper,
  attempt: Pick<Attempt, 'id' | 'paper' | 'deadlineAt'> & { submittedAt?: Date | null },
  now: Date,
  { strikes, answers }: { strikes: number; answers: Choice[] } = { strikes: 0, answers: [] },
) {
  const isOpen = !attempt.submittedAt
  return {
    reference: referenceOf(attempt),
    title: labelOf(assessment),
    questions: isOpen ? attempt.paper.flatMap((id) => questions.get(id) ?? []) : [],
    answers,
    remainingMs: isOpen ? remainingMs(attempt.deadlineAt.getTime(), now.getTime()) : 0,
    violations: strikes,
    maxViolations: MAX_VIOLATIONS,
    status: isOpen ? ('in_progress' as const) : ('submitted' as const),
  }
}
