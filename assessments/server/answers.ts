import type pg from 'pg'
import type { BodyOf } from '../../platform/endpoint.ts'
import { OPTION_LETTERS, type OptionLetter } from '../../platform/options.ts'
import { type Api, ApiError, type EnterTurn } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { inRounds } from '../../platform/server/rounds.ts'
import { saveAnswers, submitAttempt } from '../contract.ts'
import { type AttemptPhase, GRACE_MS } from '../deadline.ts'
import { referenceOf } from '../reference.ts'
import {
  countAnswers,
  keepLateAnswers,
  noteLastEvent,
  type SaveCall,
  type Saved,
  saveChoices,
  saveHeldChoices,
} from './answer-store.ts'
import {
  type Attempt,
  closeAtDeadline,
  closeAttempt,
  closedError,
  lockAttemptOf,
  readPhase,
  readWindowOffsetMs,
  type SubmitCall,
  submitAttempts,
  takenOver,
} from './attempt-store.ts'
import type { Seat } from './candidate-store.ts'
import type { createNews } from './message-store.ts'
import { isOwnedBy, readSeat, requireCandidate, type Seats } from './seat.ts'
import { ROUND_EVERY_MS } from './seat-calls.ts'

/** Milliseconds between two submit batches. The interval is short because the candidate is waiting. */
const SUBMIT_EVERY_MS = 20

/** Maximum answers and viewing times of a batched call. A page sends few, and each one slows the whole batch. */
const SENT_IN_ROUND = 100

type SentAnswer = BodyOf<typeof saveAnswers>['answers'][number]
type SentChoice = Omit<SentAnswer, 'choice'> & { choice: OptionLetter }
type Client = Pick<pg.Pool, 'query'>

/** Autosave and submit (product 6.6, 6.9). */
export function serveAnswers(
  api: Api,
  { db, log, now }: AppDependencies,
  enterTurn: EnterTurn,
  seats: Seats,
  { newsOf }: ReturnType<typeof createNews>,
): void {
  const saveInRound = inRounds(
    log,
    (calls: readonly SaveCall[]) => saveChoices(db.$client, calls, now()),
    { everyMs: ROUND_EVERY_MS },
  )
  const submitInRound = inRounds(
    log,
    (calls: readonly SubmitCall[]) => submitAttempts(db.$client, calls, now()),
    { everyMs: SUBMIT_EVERY_MS },
  )

  api.serveInTurn(saveAnswers, enterTurn, async ({ user, params, body, context }) => {
    const seat = readSeat(params.code, user, context)
    const told = { lastEvent: body.lastEvent ?? 0, dwell: body.dwell ?? [] }
    if (areChoices(body.answers) && isSmall(body)) {
      const choices = newestOf(body.answers)
      const saved = await saveInRound({ ...seat, choices, ...told })
      if (saved) return { saved, ...newsOf(params.code) }
    }
    const saved = await seats.transact(seat, (client) =>
      saveAlone(client, seat, body.answers, told, now()),
    )
    // Throws only after the commit, so that late answers stay stored.
    if (saved instanceof ApiError) throw saved
    return { saved, ...newsOf(params.code) }
  })

  api.serveInTurn(submitAttempt, enterTurn, async ({ user, params, body, context }) => {
    const told = { lastEvent: body.lastEvent ?? 0, dwell: body.dwell ?? [] }
    const call = { ...readSeat(params.code, user, context), ...told }
    const submitted =
      (body.answers.length === 0 && isSmall(body) ? await submitInRound(call) : null) ??
      (await seats.transact(call, (client) => submitAlone(client, call, body.answers, now())))
    return {
      status: 'submitted' as const,
      reference: referenceOf(submitted),
      submittedAt: submitted.submittedAt.toISOString(),
    }
  })
}

const isSmall = ({ answers, dwell = [] }: BodyOf<typeof saveAnswers>) =>
  answers.length + dwell.length <= SENT_IN_ROUND

/**
 * Saves one unbatched call, also in the grace period, and stores late answers. Returns errors that must not roll back.
 * Errors: 403 bad_candidate_token, 409 not_started, 400 unknown_item, 400 bad_choice.
 */
async function saveAlone(
  client: Client,
  seat: Seat,
  answers: readonly SentAnswer[],
  told: Pick<SaveCall, 'lastEvent' | 'dwell'>,
  now: Date,
): Promise<Saved | ApiError> {
  const candidate = await requireCandidate(client, seat, now)
  const attempt = await lockAttemptOf(client, candidate.id)
  const sent = requireChoices(attempt, answers)
  const phase = await readPhase(client, attempt, now)
  const { inTime, late } = await splitByDeadline(client, attempt, seat.windowId, sent, phase, now)
  // After a submit or a third strike the test is over, and no organizer can accept late answers.
  const isPastDeadline = attempt.submitReason === null || attempt.submitReason === 'deadline'
  if (late.length > 0 && isPastDeadline) await keepLateAnswers(client, attempt, seat, late, now)
  if (phase === 'overdue') await closeAtDeadline(client, attempt, now)
  if (phase === 'closed') return closedError(attempt)
  if (!isOwnedBy(attempt, seat)) return takenOver()
  if (phase === 'overdue' || (sent.length > 0 && inTime.length === 0)) {
    return closedError({ submitReason: 'deadline' })
  }
  return saveHeldChoices(client, attempt, { ...seat, choices: inTime, ...told }, now)
}

/**
 * Submits one unbatched call: with last choices, in the grace period, repeated or refused. Errors: 403
 * bad_candidate_token, 409 not_started, already_submitted, attempt_closed, taken_over, 400 unknown_item, 400
 * bad_choice, 422 incomplete.
 */
async function submitAlone(
  client: Client,
  seat: SubmitCall,
  answers: readonly SentAnswer[],
  now: Date,
): Promise<{ id: string; submittedAt: Date }> {
  const candidate = await requireCandidate(client, seat, now)
  const attempt = await lockAttemptOf(client, candidate.id)
  const { id, submittedAt } = attempt
  if (submittedAt && attempt.closedBySubmit) return { id, submittedAt }
  if (submittedAt) throw closedError(attempt)
  if (!isOwnedBy(attempt, seat)) throw takenOver()
  const phase = await readPhase(client, attempt, now)
  if (phase === 'overdue') throw closedError({ submitReason: 'deadline' })
  const sent = requireChoices(attempt, answers)
  const { inTime, late } = await splitByDeadline(client, attempt, seat.windowId, sent, phase, now)
  if (late.length > 0) await keepLateAnswers(client, attempt, seat, late, now)
  const isInGrace = phase === 'grace'
  if (inTime.length > 0) {
    // The submit event stores the viewing times.
    await saveHeldChoices(client, attempt, { ...seat, choices: inTime, dwell: [] }, now)
  } else {
    await noteLastEvent(client, attempt, seat)
  }
  if (!isInGrace) requireComplete(attempt, await countAnswers(client, id))
  const at = isInGrace ? attempt.deadlineAt : now
  const reason = isInGrace ? 'deadline' : 'candidate'
  await closeAttempt(client, id, { at, reason, bySubmit: true, dwell: seat.dwell }, now)
  return { id, submittedAt: at }
}

/** The sent choices, each question once. Errors: 400 unknown_item, 400 bad_choice. */
function requireChoices(attempt: Attempt, answers: readonly SentAnswer[]): SentChoice[] {
  if (answers.some(({ questionId }) => !attempt.paper.includes(questionId))) {
    throw new ApiError(400, 'unknown_item', 'This question does not belong to your test.')
  }
  if (!areChoices(answers)) {
    throw new ApiError(400, 'bad_choice', 'An answer must be A, B, C or D.')
  }
  return newestOf(answers)
}

function areChoices(answers: readonly SentAnswer[]): answers is SentChoice[] {
  return answers.every(({ choice }) => (OPTION_LETTERS as readonly string[]).includes(choice))
}

function newestOf(choices: readonly SentChoice[]): SentChoice[] {
  const newest = new Map<number, SentChoice>()
  for (const choice of choices) {
    const known = newest.get(choice.questionId)
    if (!known || known.revision < choice.revision) newest.set(choice.questionId, choice)
  }
  return [...newest.values()]
}

/** Splits choices by whether they were made before the deadline, by the page's clock (product 6.7.9). */
async function splitByDeadline(
  client: Client,
  attempt: Attempt,
  windowId: string,
  choices: SentChoice[],
  phase: AttemptPhase,
  now: Date,
): Promise<{ inTime: SentChoice[]; late: (SentChoice & { atMs: number | null })[] }> {
  if (phase === 'running' || choices.length === 0) return { inTime: choices, late: [] }
  const offsetMs = await readWindowOffsetMs(client, attempt, windowId)
  const limitMs = attempt.deadlineAt.getTime() - attempt.startedAt.getTime()
  const timed = choices.map((choice) => ({
    ...choice,
    atMs: choice.at === undefined ? null : offsetMs + choice.at,
  }))
  if (phase !== 'grace') return { inTime: [], late: timed }
  const isBelieved = now.getTime() < attempt.deadlineAt.getTime() + GRACE_MS
  const isInTime = ({ atMs }: { atMs: number | null }) =>
    atMs === null ? isBelieved : atMs < limitMs
  return {
    inTime: timed.filter(isInTime),
    late: timed.filter((choice) => !isInTime(choice)),
  }
}

/** Errors: 422 incomplete if any question has no answer (product 6.9.1). */
function requireComplete({ paper }: Attempt, answered: number): void {
  const open = paper.length - answered
  if (open === 0) return
  throw new ApiError(
    422,
    'incomplete',
    open === 1
      ? 'One question has no answer yet. Please answer it before you submit.'
      : `${open} questions have no answer yet. Please answer them before you submit.`,
  )
}
