import { asc, inArray, sql } from 'drizzle-orm'
import type { OptionLetter } from '../../platform/options.ts'
import { createAddressOf } from '../../platform/server/address.ts'
import { type Api, ApiError } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { inRounds } from '../../platform/server/rounds.ts'
import {
  CANDIDATE_TOKEN_HEADER,
  getAttempt,
  listAssessments,
  startAttempt,
  verifyCandidate,
  WINDOW_HEADER,
} from '../contract.ts'
import { listedSince } from '../listing.ts'
import { orderPaper } from '../paper.ts'
import { labelOf, referenceOf } from '../reference.ts'
import { remainingMs } from '../time-left.ts'
import { MAX_VIOLATIONS } from '../violations.ts'
import { serveAnswers } from './answers.ts'
import {
  type Attempt,
  closeAtDeadline,
  countStrikes,
  getAttemptOf,
  inTransaction,
  lockAttemptOf,
  readPhase,
} from './attempt-store.ts'
import type { AssessmentTools } from './candidate-call.ts'
import {
  type Candidate,
  createCredentials,
  hashToken,
  issueCandidateToken,
  requireCandidate,
} from './credentials.ts'
import { serveEvents } from './events.ts'
import { createRoom, type Origin } from './room.ts'
import { assessmentItems } from './tables.ts'

/** Society assessments (product 6). */
export function serveAssessments(api: Api, dependencies: AppDependencies): void {
  const { db, log, now, random } = dependencies
  const credentials = createCredentials(dependencies)
  const room = createRoom(dependencies)
  // Who comes in at the same moment shares one read; nothing is remembered.
  const readPaper = inRounds(log, (codes: readonly string[]) => readPapers(dependencies, codes))
  const addressOf = createAddressOf(dependencies)
  const tools: AssessmentTools = {
    dependencies,
    room,
    seatOf: (code, user, context) => {
      const token = context.req.header(CANDIDATE_TOKEN_HEADER)
      return {
        code,
        tokenHash: token === undefined ? null : hashToken(token),
        userId: user.id,
        windowId: tools.windowOf(context),
      }
    },
    candidateOf: (code, user, context) =>
      requireCandidate(db, code, context.req.header(CANDIDATE_TOKEN_HEADER), user),
    windowOf: (context) => context.req.header(WINDOW_HEADER) ?? '',
    originOf: (user, context) => ({
      userId: user.id,
      address: addressOf(context),
      agent: context.req.header('User-Agent')?.slice(0, 300) ?? null,
    }),
  }

  api.serve(listAssessments, async () => {
    const rows = await readAssessments(
      dependencies,
      sql`
      where closes_at is null or closes_at > ${listedSince(now())} order by society, code`,
    )
    return rows.map((row) => ({
      code: row.code,
      society: row.society,
      label: labelOf(row),
      session: row.session,
      durationSeconds: row.durationSeconds,
      questionCount: row.questionCount,
      navigator: row.navigator,
      rules: row.rules,
      opensAt: row.opensAt?.toISOString() ?? null,
      closesAt: row.closesAt?.toISOString() ?? null,
      timeZone: row.timeZone,
    }))
  })

  api.serve(verifyCandidate, async ({ user, params, body, context }) => {
    const origin = tools.originOf(user, context)
    const candidate = await credentials.check(params.code, body.username, body.password, origin)
    const candidateToken = await issueCandidateToken(db, candidate, user, now())
    const attempt = await finaliseIfOverdue(
      dependencies,
      await getAttemptOf(db.$client, candidate.id),
    )
    await recordEvent(dependencies, candidate.id, attempt?.id ?? null, 'verified', origin)
    return { candidateToken, status: statusOf(attempt) }
  })

  api.serve(startAttempt, async ({ user, params, body, context }) => {
    const windowId = body.windowId ?? ''
    const origin = tools.originOf(user, context)
    const found =
      (await readPaper(params.code)) ?? (await readPapers(dependencies, [params.code]))[0]
    if (found && found.questions.length > 0) {
      const paper = orderPaper(
        found.questions.map(({ id }) => id),
        found.assessment.shuffle,
        random,
      )
      const seat = { ...tools.seatOf(params.code, user, context), windowId }
      const started = await room.start({ ...seat, paper, origin })
      if (started) return describeAttempt(found, { ...started, paper }, now())
    }
    const candidate = await tools.candidateOf(params.code, user, context)
    if (!found) throw new ApiError(404, 'not_found', 'There is no such assessment.')
    const earlier = await getAttemptOf(db.$client, candidate.id)
    if (!earlier) await createAttempt(dependencies, found, candidate, windowId, origin)
    const attempt = await openIn(dependencies, candidate, windowId, origin)
    const strikes = await countStrikes(db.$client, attempt.id)
    const answers = attempt.submittedAt ? [] : await readAnswers(dependencies, attempt)
    return describeAttempt(found, attempt, now(), { strikes, answers })
  })

  api.serve(getAttempt, async ({ user, params, context }) => {
    const candidate = await tools.candidateOf(params.code, user, context)
    const attempt = await finaliseIfOverdue(
      dependencies,
      await getAttemptOf(db.$client, candidate.id),
    )
    const isOpen = attempt?.submittedAt === null
    return {
      status: statusOf(attempt),
      remainingMs: isOpen ? remainingMs(attempt.deadlineAt.getTime(), now().getTime()) : 0,
      violations: attempt ? await countStrikes(db.$client, attempt.id) : 0,
      ...(attempt?.submittedAt && attempt.submitReason
        ? {
            reference: referenceOf(attempt),
            submittedAt: attempt.submittedAt.toISOString(),
            reason: attempt.submitReason,
          }
        : {}),
    }
  })

  serveAnswers(api, tools)
  serveEvents(api, tools)
}

function statusOf(attempt: Attempt | null) {
  if (!attempt) return 'not_started' as const
  return attempt.submittedAt ? ('submitted' as const) : ('in_progress' as const)
}

interface Assessment {
  code: string
  society: string
  session: string | null
  durationSeconds: number
  shuffle: boolean
  navigator: boolean
  rules: { timing: string[]; allowed: string[]; forbidden: string[]; contact: string | null }
  opensAt: Date | null
  closesAt: Date | null
  timeZone: string
  questionCount: number
}

async function readAssessments(
  { db }: Pick<AppDependencies, 'db'>,
  condition: ReturnType<typeof sql>,
): Promise<Assessment[]> {
  const { rows } = await db.execute<Record<string, unknown>>(sql`
    select code, society, session, duration_seconds as "durationSeconds", shuffle, navigator, rules,
      opens_at as "opensAt", closes_at as "closesAt", time_zone as "timeZone",
      (select count(*)::int from assessment_items i where i.assessment = assessments.code)
        as "questionCount"
    from assessments ${condition}`)
  return rows.map((row) => ({
    ...(row as unknown as Assessment),
    opensAt: row.opensAt ? new Date(row.opensAt as string) : null,
    closesAt: row.closesAt ? new Date(row.closesAt as string) : null,
  }))
}

interface Question {
  id: number
  question: string
  options: Record<OptionLetter, string>
}

/** An assessment with its questions in the order of the society's file. */
interface Paper {
  assessment: Assessment
  questions: Question[]
}

/** The papers of some assessments, null for an unknown one. The key is not read, so it can't leave. */
async function readPapers(
  dependencies: AppDependencies,
  codes: readonly string[],
): Promise<(Paper | null)[]> {
  const wanted = [...new Set(codes)]
  const [found, items] = await Promise.all([
    readAssessments(dependencies, sql`where code in ${wanted}`),
    dependencies.db
      .select({
        assessment: assessmentItems.assessment,
        id: assessmentItems.id,
        question: assessmentItems.question,
        a: assessmentItems.answerA,
        b: assessmentItems.answerB,
        c: assessmentItems.answerC,
        d: assessmentItems.answerD,
      })
      .from(assessmentItems)
      .where(inArray(assessmentItems.assessment, wanted))
      .orderBy(asc(assessmentItems.position)),
  ])
  const papers = new Map<string, Paper>(
    found.map((assessment) => [assessment.code, { assessment, questions: [] }]),
  )
  for (const { assessment, id, question, a, b, c, d } of items) {
    papers.get(assessment)?.questions.push({ id, question, options: { A: a, B: b, C: c, D: d } })
  }
  return codes.map((code) => papers.get(code) ?? null)
}

/** What a start answers; a closed attempt shows nothing of its paper. */
function describeAttempt(
  { assessment, questions }: Paper,
  attempt: Pick<Attempt, 'id' | 'paper' | 'deadlineAt'> & { submittedAt?: Date | null },
  now: Date,
  { strikes, answers }: { strikes: number; answers: SavedAnswer[] } = { strikes: 0, answers: [] },
) {
  const isOpen = !attempt.submittedAt
  const byId = new Map(questions.map((question) => [question.id, question]))
  return {
    reference: referenceOf(attempt),
    title: labelOf(assessment),
    questions: isOpen ? attempt.paper.flatMap((id) => byId.get(id) ?? []) : [],
    answers,
    remainingMs: isOpen ? remainingMs(attempt.deadlineAt.getTime(), now.getTime()) : 0,
    violations: strikes,
    maxViolations: MAX_VIOLATIONS,
    status: isOpen ? ('in_progress' as const) : ('submitted' as const),
  }
}

/**
 * Makes the candidate's one attempt, unless another request was faster.
 * Errors: 403 not_open (with opensAt) before the window, 403 closed after it.
 */
async function createAttempt(
  { db, now, random }: AppDependencies,
  { assessment, questions }: Paper,
  candidate: Candidate,
  windowId: string,
  origin: Origin,
): Promise<void> {
  const at = now()
  if (assessment.opensAt && at < assessment.opensAt) {
    throw new ApiError(403, 'not_open', 'This test has not opened yet.', {
      more: { opensAt: assessment.opensAt.toISOString() },
    })
  }
  if (assessment.closesAt && at > assessment.closesAt) {
    throw new ApiError(403, 'closed', 'This test has closed; it can no longer be started.')
  }
  if (questions.length === 0) {
    throw new ApiError(
      409,
      'no_questions',
      'No questions are available for this assessment. Please contact the administrator.',
    )
  }
  // The row is read again under a lock: an organiser may be giving extra time in this very moment.
  await db.$client.query(
    `insert into attempts (id, assessment, candidate_id, user_id, paper, started_at, deadline_at,
       window_id, is_demo)
     select gen_random_uuid(), $1, c.id, $3, $4, $5::timestamptz,
       $5::timestamptz + make_interval(secs => $6 + c.extra_seconds), $7, c.is_demo
     from candidates c where c.id = $2 and c.revoked_at is null for share
     on conflict (assessment, candidate_id) do nothing`,
    [
      assessment.code,
      candidate.id,
      origin.userId,
      orderPaper(
        questions.map(({ id }) => id),
        assessment.shuffle,
        random,
      ),
      at,
      assessment.durationSeconds,
      windowId,
    ],
  )
}

/**
 * Opens the attempt in a window: the newest window owns it. A start by another window is kept as a
 * take-over, with user, address and agent.
 */
function openIn(
  dependencies: AppDependencies,
  candidate: Candidate,
  windowId: string,
  origin: Origin,
): Promise<Attempt> {
  const { db, now } = dependencies
  return inTransaction(db, async (client) => {
    const attempt = await lockAttemptOf(client, candidate.id)
    const phase = await readPhase(client, attempt, now())
    if (phase === 'closed') return attempt
    if (phase === 'overdue') return closeAtDeadline(client, attempt, now())
    const at = now()
    const { rowCount: isNewWindow } = await client.query(
      `insert into attempt_windows (attempt_id, window_id, opened_at, user_id, address, agent)
       values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
      [attempt.id, windowId, at, origin.userId, origin.address, origin.agent],
    )
    if (!isNewWindow && attempt.windowId === windowId) return attempt
    const kind = attempt.windowId === windowId ? 'started' : 'taken_over'
    await client.query('update attempts set window_id = $2, user_id = $3 where id = $1', [
      attempt.id,
      windowId,
      origin.userId,
    ])
    await client.query(
      `insert into attempt_events (candidate_id, attempt_id, kind, window_id, at_ms, user_id,
         address, agent, received_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        candidate.id,
        attempt.id,
        kind,
        windowId,
        at.getTime() - attempt.startedAt.getTime(),
        origin.userId,
        origin.address,
        origin.agent,
        at,
      ],
    )
    return { ...attempt, windowId }
  })
}

/** Who looks at an attempt whose grace is over closes it, if the sweep wasn't there yet. */
async function finaliseIfOverdue(
  dependencies: AppDependencies,
  attempt: Attempt | null,
): Promise<Attempt | null> {
  const { $client } = dependencies.db
  const now = dependencies.now()
  if (!attempt || (await readPhase($client, attempt, now)) !== 'overdue') return attempt
  return closeAtDeadline($client, attempt, now)
}

async function recordEvent(
  { db, now }: AppDependencies,
  candidateId: string,
  attemptId: string | null,
  kind: string,
  origin: Origin,
): Promise<void> {
  await db.$client.query(
    `insert into attempt_events (candidate_id, attempt_id, kind, user_id, address, agent, received_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [candidateId, attemptId, kind, origin.userId, origin.address, origin.agent, now()],
  )
}

interface SavedAnswer {
  questionId: number
  choice: OptionLetter
  revision: number
}

async function readAnswers({ db }: AppDependencies, attempt: Attempt) {
  const { rows } = await db.$client.query<SavedAnswer>({
    name: 'answers-of-attempt',
    text: `select item_id as "questionId", choice, revision from attempt_answers
      where attempt_id = $1 order by item_id`,
    values: [attempt.id],
  })
  return rows
}
