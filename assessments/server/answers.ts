import type pg from 'pg'
import type { BodyOf } from '../../platform/endpoint.ts'
import { OPTION_LETTERS, type OptionLetter } from '../../platform/options.ts'
import { type Api, ApiError } from '../../platform/server/api.ts'
import { saveAnswers, submitAttempt } from '../contract.ts'
import { referenceOf } from '../reference.ts'
import {
  type Attempt,
  closeAtDeadline,
  closeAttempt,
  closedError,
  getAttemptOf,
  inTransaction,
  lockAttemptOf,
  notStarted,
  readPhase,
  takenOver,
} from './attempt-store.ts'
import type { AssessmentTools } from './candidate-call.ts'

type SentAnswer = BodyOf<typeof saveAnswers>['answers'][number]
type Choice = Omit<SentAnswer, 'choice'> & { choice: OptionLetter }

/** How many late answers are kept of one attempt: nobody fills the table from a closed test. */
const LATE_ANSWERS_LIMIT = 200

/** Autosave and submit (product 6.6, 6.9). */
export function serveAnswers(
  api: Api,
  { dependencies, room, seatOf, candidateOf, windowOf }: AssessmentTools,
): void {
  const { db, now } = dependencies

  api.serve(saveAnswers, async ({ user, params, body, context }) => {
    if (areChoices(body.answers)) {
      const saved = await room.save({
        ...seatOf(params.code, user, context),
        choices: newestOf(body.answers),
        lastEvent: body.lastEvent ?? 0,
      })
      if (saved) return { saved }
    }
    const candidate = await candidateOf(params.code, user, context)
    const windowId = windowOf(context)
    const attempt = await getAttemptOf(db.$client, candidate.id)
    if (!attempt) throw notStarted()
    const choices = requireChoices(attempt, body.answers)
    const phase = await readPhase(db.$client, attempt, now())
    const { inTime, late } = await splitByDeadline(db.$client, attempt, windowId, choices, phase)
    // After a submit or a third strike nothing is late: it is over, and accept-late must not find it.
    const isPastDeadline = attempt.submitReason === null || attempt.submitReason === 'deadline'
    if (late.length > 0 && isPastDeadline) {
      await keepLate(db.$client, attempt, windowId, user.id, late, now())
    }
    if (phase === 'overdue') {
      await closeAtDeadline(db.$client, attempt, now())
    }
    if (attempt.windowId !== windowId && phase !== 'closed') throw takenOver()
    if (phase === 'closed') throw closedError(attempt)
    if (phase === 'overdue' || (choices.length > 0 && inTime.length === 0)) {
      throw closedError({ ...attempt, submitReason: 'deadline' })
    }
    const saved = await storeChoices(db.$client, attempt, windowId, inTime, {
      now: now(),
      userId: user.id,
      lastEvent: body.lastEvent ?? 0,
    })
    if (saved) return { saved }
    // Closed or taken over between reading and writing: nothing was stored.
    const changed = await getAttemptOf(db.$client, candidate.id)
    if (changed?.submittedAt) throw closedError(changed)
    throw takenOver()
  })

  api.serve(submitAttempt, async ({ user, params, body, context }) => {
    if (body.answers.length === 0) {
      const closed = await room.submit(seatOf(params.code, user, context))
      if (closed) return submittedAs(closed)
    }
    const candidate = await candidateOf(params.code, user, context)
    const windowId = windowOf(context)
    const submitted = await inTransaction(db, async (client) => {
      const attempt = await lockAttemptOf(client, candidate.id)
      if (attempt.submittedAt && attempt.closedBySubmit) return attempt
      if (attempt.submittedAt) throw closedError(attempt)
      if (attempt.windowId !== windowId) throw takenOver()
      const phase = await readPhase(client, attempt, now())
      if (phase === 'overdue') throw closedError({ ...attempt, submitReason: 'deadline' })
      const choices = requireChoices(attempt, body.answers)
      const { inTime } = await splitByDeadline(client, attempt, windowId, choices, phase)
      const at = now()
      await storeChoices(client, attempt, windowId, inTime, {
        now: at,
        userId: user.id,
        lastEvent: 0,
      })
      if (phase === 'running') await requireComplete(client, attempt)
      const closing =
        phase === 'running'
          ? ({ at, reason: 'candidate' } as const)
          : ({ at: attempt.deadlineAt, reason: 'deadline' } as const)
      await closeAttempt(client, attempt.id, { ...closing, bySubmit: true, now: at })
      return { ...attempt, submittedAt: closing.at, submitReason: closing.reason }
    })
    return submittedAs({ id: submitted.id, submittedAt: submitted.submittedAt ?? now() })
  })
}

function submittedAs(attempt: { id: string; submittedAt: Date }) {
  return {
    status: 'submitted' as const,
    reference: referenceOf(attempt),
    submittedAt: attempt.submittedAt.toISOString(),
  }
}

/**
 * The sent choices, each question once (the newest revision).
 * Errors: 400 unknown_item, 400 bad_choice.
 */
function requireChoices(attempt: Attempt, answers: readonly SentAnswer[]): Choice[] {
  if (answers.some(({ questionId }) => !attempt.paper.includes(questionId))) {
    throw new ApiError(400, 'unknown_item', 'This question does not belong to your test.')
  }
  if (!areChoices(answers)) {
    throw new ApiError(400, 'bad_choice', 'An answer is one of A, B, C and D.')
  }
  return newestOf(answers)
}

function areChoices(answers: readonly SentAnswer[]): answers is Choice[] {
  return answers.every(({ choice }) => (OPTION_LETTERS as readonly string[]).includes(choice))
}

/** Each question once, with its newest revision. */
function newestOf(choices: readonly Choice[]): Choice[] {
  const newest = new Map<number, Choice>()
  for (const choice of choices) {
    const known = newest.get(choice.questionId)
    if (!known || known.revision < choice.revision) newest.set(choice.questionId, choice)
  }
  return [...newest.values()]
}

/**
 * Which choices were made before the deadline. While the clock runs, all. In the grace, those that the
 * page's own clock puts before the deadline; a page that sends no time has decided by itself.
 */
async function splitByDeadline(
  client: Pick<pg.Pool, 'query'>,
  attempt: Attempt,
  windowId: string,
  choices: Choice[],
  phase: string,
): Promise<{ inTime: Choice[]; late: (Choice & { atMs: number | null })[] }> {
  if (phase === 'running') return { inTime: choices, late: [] }
  const offsetMs = await readWindowOffsetMs(client, attempt, windowId)
  const limitMs = attempt.deadlineAt.getTime() - attempt.startedAt.getTime()
  const timed = choices.map((choice) => ({
    ...choice,
    atMs: choice.at === undefined ? null : offsetMs + choice.at,
  }))
  if (phase !== 'grace') return { inTime: [], late: timed }
  const isInTime = ({ atMs }: { atMs: number | null }) => atMs === null || atMs < limitMs
  return {
    inTime: timed.filter(isInTime),
    late: timed.filter((choice) => !isInTime(choice)),
  }
}

/** Milliseconds from the attempt's start to the moment at which a window opened it. */
export async function readWindowOffsetMs(
  client: Pick<pg.Pool, 'query'>,
  attempt: Attempt,
  windowId: string,
): Promise<number> {
  const { rows } = await client.query<{ openedAt: Date }>({
    name: 'window-opened-at',
    text: 'select opened_at as "openedAt" from attempt_windows where attempt_id = $1 and window_id = $2',
    values: [attempt.id, windowId],
  })
  return rows[0] ? rows[0].openedAt.getTime() - attempt.startedAt.getTime() : 0
}

/**
 * Stores choices while the attempt is open and owned by the window, in one statement: a submit that
 * comes in between waits for it, or it stores nothing. A revision that is not newer changes nothing.
 * @returns the revision stored now for each question sent; null when nothing could be stored
 */
async function storeChoices(
  client: Pick<pg.Pool, 'query'>,
  attempt: Attempt,
  windowId: string,
  choices: readonly Choice[],
  { now, userId, lastEvent }: { now: Date; userId: string; lastEvent: number },
): Promise<{ questionId: number; revision: number }[] | null> {
  const { rows } = await client.query<{ questionId: number | null; revision: number | null }>({
    name: 'store-choices',
    text: `
      with open as (
        select id, candidate_id from attempts
        where id = $1 and window_id = $2 and submitted_at is null for no key update
      ), sent as (
        select unnest($3::int[]) as item_id, unnest($4::text[]) as choice, unnest($5::int[]) as revision
      ), saved as (
        insert into attempt_answers as stored (attempt_id, item_id, choice, revision, saved_at)
        select open.id, item_id, choice, revision, $6 from open, sent
        on conflict (attempt_id, item_id) do update set
          choice = case when excluded.revision > stored.revision then excluded.choice else stored.choice end,
          saved_at = case when excluded.revision > stored.revision then excluded.saved_at else stored.saved_at end,
          revision = greatest(excluded.revision, stored.revision)
        returning item_id, revision
      ), reported as (
        update attempt_windows set last_event = $7
        from open where attempt_id = open.id and window_id = $2 and last_event < $7
      ), event as (
        insert into attempt_events (candidate_id, attempt_id, kind, window_id, at_ms, detail, user_id, received_at)
        select candidate_id, id, 'saved', $2, $8,
          (select jsonb_agg(jsonb_build_array(item_id, choice, revision)) from sent), $9, $6
        from open where exists (select from sent)
      )
      select saved.item_id as "questionId", saved.revision from open left join saved on true`,
    values: [
      attempt.id,
      windowId,
      choices.map(({ questionId }) => questionId),
      choices.map(({ choice }) => choice),
      choices.map(({ revision }) => revision),
      now,
      lastEvent,
      now.getTime() - attempt.startedAt.getTime(),
      userId,
    ],
  })
  if (rows.length === 0) return null
  return rows.flatMap(({ questionId, revision }) =>
    questionId === null || revision === null ? [] : [{ questionId, revision }],
  )
}

/** Errors: 422 incomplete while a question of the paper has no answer. */
async function requireComplete(client: Pick<pg.Pool, 'query'>, attempt: Attempt): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from attempt_answers where attempt_id = $1',
    [attempt.id],
  )
  const open = attempt.paper.length - (rows[0]?.count ?? 0)
  if (open === 0) return
  throw new ApiError(
    422,
    'incomplete',
    open === 1
      ? 'One question has no answer yet. Please answer it before you submit.'
      : `${open} questions have no answer yet. Please answer them before you submit.`,
  )
}

/** Keeps answers that came too late as events, for `assessments late` and `accept-late`. */
async function keepLate(
  client: Pick<pg.Pool, 'query'>,
  attempt: Attempt,
  windowId: string,
  userId: string,
  late: readonly (Choice & { atMs: number | null })[],
  now: Date,
): Promise<void> {
  await client.query(
    `insert into attempt_events (candidate_id, attempt_id, kind, window_id, at_ms, detail, user_id, received_at)
     select a.candidate_id, a.id, 'late_answer', $2, late.at_ms,
       jsonb_build_object('questionId', late.item_id, 'choice', late.choice, 'revision', late.revision),
       $7, $8
     from attempts a, unnest($3::int[], $4::text[], $5::int[], $6::bigint[])
       as late (item_id, choice, revision, at_ms)
     where a.id = $1
       and (select count(*) from attempt_events e where e.attempt_id = $1 and e.kind = 'late_answer') < $9
       and not exists (
         select from attempt_events e where e.attempt_id = $1 and e.kind = 'late_answer'
           and e.detail = jsonb_build_object('questionId', late.item_id, 'choice', late.choice, 'revision', late.revision))`,
    [
      attempt.id,
      windowId,
      late.map(({ questionId }) => questionId),
      late.map(({ choice }) => choice),
      late.map(({ revision }) => revision),
      late.map(({ atMs }) => (atMs === null ? null : Math.round(atMs))),
      userId,
      now,
      LATE_ANSWERS_LIMIT,
    ],
  )
}
