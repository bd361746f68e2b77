import { withdrawMessages } from '../../../assessments/server/message-store.ts'
import {
  changeTimes,
  lockSittings,
  readSittings,
  type Sitting,
  setPlannedTime,
  type TimeChange,
  type Whose,
} from '../../../assessments/server/time-store.ts'
import {
  type AskedTime,
  INVIGILATOR_SECONDS,
  type TimeKind,
  type TimePreview,
} from '../../contract/acts.ts'
import { isChange, type TimeAct } from '../../day/time-plan.ts'
import { act, type Client, type Organiser, read, requireReason } from '../action.ts'
import { type AssessmentRow, type Place, requireAssessment } from '../assessments.ts'
import { parseLocalTime } from '../local-time.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { applyTime, holdAndPlan, plan, type TimeLine } from './apply-time.ts'
import { requireInRoom } from './own-room.ts'
import { readRecent } from './recent.ts'
import { doneText, summaryOf } from './time-words.ts'

/** What the log calls each kind. */
const ACTIONS: Readonly<Record<TimeKind, string>> = {
  give: 'give-time',
  plan: 'plan-time',
  end_at: 'end-at',
  reopen: 'reopen',
  end_now: 'end-now',
}

/** How far the caller may go (product 7.7.4). */
export interface TimeLimits {
  /** minutes to one candidate alone, so many seconds in all; null: anything */
  mostSeconds: number | null
  /** candidates of this room alone; null: every room */
  room: string | null
}
export const NO_LIMITS: TimeLimits = { mostSeconds: null, room: null }

/** The limits of who may give a candidate minutes and nothing more. */
export const invigilatorLimits = (room: string | null): TimeLimits => ({
  mostSeconds: INVIGILATOR_SECONDS,
  room,
})

/**
 * What an act would do to each, from one look at what is stored: nobody is held and nothing is written, and the
 * act plans by the same rule (product 7.15.2).
 * Errors: OrganiserRefusal; AdminError for a time that the zone's clocks skip or repeat.
 */
export function previewTime(
  organiser: Organiser,
  place: Place,
  asked: AskedTime,
  limits: TimeLimits,
): Promise<TimePreview> {
  return read(organiser, async (client) => {
    const row = await requireAssessment(client, place)
    const time = timeActOf(asked, row, organiser.now)
    await requireInRoom(client, row.code, asked.to, limits.room)
    const sittings = await readSittings(client, whoseOf(row.code, asked))
    requireWithin(sittings, asked, limits)
    return describe(client, organiser, row, time, sittings)
  })
}

/** Answered to the page. */
export interface TimeDone {
  /** in a sentence, also of the same request that comes again */
  text: string
  canBeUndone: boolean
}

/** What is kept so that it can be taken back. */
interface KeptTime {
  done: TimeDone
  messages: number[]
  /** of each attempt: the end and what was given before, and the end since; milliseconds, seconds */
  moves: { id: string; was: number; becomes: number; givenBefore: number }[]
  /** of each candidate whose planned time changed */
  plans: { id: string; before: number; after: number }[]
}

/**
 * Changes candidates' time: of one, several, a room or all, before the start, while it runs or after the end
 * (product 7.15.1). Planned time needs no reason: it was promised before the day.
 * Errors: OrganiserRefusal; AdminError as previewTime.
 */
export async function changeTime(
  organiser: Organiser,
  place: Place,
  { reason = '', ...asked }: AskedTime & { reason?: string | undefined },
  limits: TimeLimits,
): Promise<TimeDone> {
  const kept = await act(organiser, ACTIONS[asked.kind], place.code, async (client) => {
    const why = asked.kind === 'plan' && reason.trim() === '' ? null : requireReason(reason)
    const row = await requireAssessment(client, place, 'change')
    const time = timeActOf(asked, row, organiser.now)
    await requireInRoom(client, row.code, asked.to, limits.room)
    const lines = await holdAndPlan(client, whoseOf(row.code, asked), time, organiser.now)
    requireWithin(
      lines.map(({ sitting }) => sitting),
      asked,
      limits,
    )
    const messages = await applyTime(client, organiser, row, time, lines)
    const changed = lines.filter(({ plan }) => isChange(plan))
    const plans = changed.map((line) => line.plan)
    const isFinal = plans.some(({ outcome }) => outcome === 'reopens' || outcome === 'ends')
    const done: TimeDone = {
      text: doneText(time, plans, row.timeZone),
      canBeUndone: changed.length > 0 && !isFinal,
    }
    return {
      result: { done, messages, ...keptOf(changed) } satisfies KeptTime,
      detail: { ...noted(asked, time, changed), ...(why === null ? {} : { reason: why }) },
    }
  })
  return kept.done
}

/**
 * Takes back one's own act of a moment ago, where everybody whom it touched is still inside with the end that it
 * set, and the end before has not come (product 7.15.5).
 * Errors: OrganiserRefusal time_undo_too_late.
 * @param requestId of the act
 */
export function undoTime(organiser: Organiser, place: Place, requestId: string): Promise<number> {
  return act(organiser, 'undo-time', place.code, async (client) => {
    const { now } = organiser
    const { code } = await requireAssessment(client, place, 'change')
    const { action, kept } = await readKept(client, organiser, code, requestId)
    const { moves, plans, messages } = kept
    const whose: Whose = { code, room: null, candidates: await candidatesOf(client, moves, plans) }
    await lockSittings(client, whose)
    const byAttempt = new Map<string, Sitting>()
    const sittings = await readSittings(client, whose)
    for (const one of sittings) if (one.attempt) byAttempt.set(one.attempt.id, one)
    const changes = moves.map(({ id, was, becomes, givenBefore }): TimeChange => {
      const attempt = byAttempt.get(id)?.attempt
      const isAsLeft = attempt?.submittedAt === null && attempt.deadlineAt.getTime() === becomes
      if (!isAsLeft || was <= now.getTime()) throw tooLate()
      const seconds = Math.round((was - becomes) / 1000)
      const deadlineAt = new Date(was)
      return {
        ...{ attemptId: id, deadlineAt, incidentSeconds: givenBefore, pausedMs: null },
        kind: plans.length > 0 ? 'extra_time' : 'extended',
        detail: { seconds, deadlineAt, undone: true },
      }
    })
    for (const { id, before, after } of plans) {
      const sitting = sittings.find(({ candidateId }) => candidateId === id)
      const hasStarted = sitting?.attempt && !moves.some((one) => one.id === sitting.attempt?.id)
      if (sitting?.plannedSeconds !== after || hasStarted) throw tooLate()
      await setPlannedTime(client, [id], before, organiser.actor)
    }
    await changeTimes(client, changes, now)
    await withdrawMessages(client, code, messages, now)
    const undone = Math.max(moves.length, plans.length)
    return { result: undone, detail: { action, undone } }
  })
}

const tooLate = () => new OrganiserRefusal('time_undo_too_late', {})

/**
 * What a request of this member has changed, once: pressed twice, it is taken back once.
 * Errors: OrganiserRefusal time_undo_too_late.
 */
async function readKept(
  client: Client,
  { now, userId }: Organiser,
  code: string,
  requestId: string,
): Promise<{ action: string; kept: KeptTime }> {
  const { rows } = await client.query<{ action: string; kept: KeptTime }>(
    `update organiser_calls set answer = jsonb_set(answer, '{answer,done,canBeUndone}', 'false')
     where id = $1 and assessment = $2 and answer ->> 'by' = $3 and created_at >= $4
       and (answer #>> '{answer,done,canBeUndone}')::boolean
     returning action, answer -> 'answer' as kept`,
    [requestId, code, userId ?? null, new Date(now.getTime() - UNDO_MS)],
  )
  if (!rows[0]) throw tooLate()
  return rows[0]
}

/** The page offers it for ten seconds; a slow network may need some more. */
const UNDO_MS = 20_000

async function candidatesOf(
  client: Client,
  moves: KeptTime['moves'],
  plans: KeptTime['plans'],
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'select candidate_id as id from attempts where id = any ($1::uuid[])',
    [moves.map(({ id }) => id)],
  )
  return [...new Set([...rows.map(({ id }) => id), ...plans.map(({ id }) => id)])]
}

function keptOf(changed: readonly TimeLine[]): Pick<KeptTime, 'moves' | 'plans'> {
  return {
    moves: changed.flatMap(({ sitting: { attempt }, plan }) =>
      attempt && plan.outcome === 'moves' && plan.deadlineMs !== null
        ? [
            {
              id: attempt.id,
              was: attempt.deadlineAt.getTime(),
              becomes: plan.deadlineMs,
              givenBefore: attempt.incidentSeconds,
            },
          ]
        : [],
    ),
    plans: changed.flatMap(({ sitting: { candidateId, plannedSeconds }, plan }) =>
      plan.plannedSeconds === plannedSeconds
        ? []
        : [{ id: candidateId, before: plannedSeconds, after: plan.plannedSeconds }],
    ),
  }
}

/** As it stands in the log: who, and what. */
function noted(asked: AskedTime, time: TimeAct, changed: readonly TimeLine[]) {
  const names = (outcome: string) =>
    changed.filter(({ plan }) => plan.outcome === outcome).map(({ sitting }) => sitting.username)
  const { to } = asked
  const whom = to.candidates === null ? (to.room === null ? { to: 'all' } : { room: to.room }) : {}
  const [only] = changed
  return {
    ...whom,
    ...(to.candidates?.length === 1 && only ? { username: only.sitting.username } : {}),
    ...('seconds' in time ? { seconds: time.seconds } : {}),
    ...('atMs' in time ? { deadlineAt: new Date(time.atMs) } : {}),
    moved: [...names('moves'), ...names('plans'), ...names('ends')],
    reopened: names('reopens'),
  }
}

const whoseOf = (code: string, { to }: AskedTime): Whose => ({ code, ...to })

/** Errors: OrganiserRefusal nothing_to_add, nothing_from_now, end_is_past; AdminError for a time that is none. */
function timeActOf(asked: AskedTime, row: AssessmentRow, now: Date): TimeAct {
  const { kind, seconds = 0, reopens } = asked
  switch (kind) {
    case 'give':
      if (seconds === 0) throw new OrganiserRefusal('nothing_to_add', {})
      return { kind, seconds, reopens }
    case 'plan':
      return { kind, seconds }
    case 'reopen':
      if (seconds === 0) throw new OrganiserRefusal('nothing_from_now', {})
      return { kind, seconds }
    case 'end_at': {
      const atMs = parseLocalTime(asked.at ?? '', row.timeZone).getTime()
      if (atMs <= now.getTime()) throw new OrganiserRefusal('end_is_past', {})
      if (atMs > now.getTime() + 24 * 3_600_000) throw new OrganiserRefusal('end_is_far', {})
      return { kind, atMs, reopens }
    }
    case 'end_now':
      return { kind }
  }
}

/** Errors: OrganiserRefusal most_given where somebody would have more than the caller may give in all. */
function requireWithin(
  sittings: readonly Sitting[],
  { seconds = 0 }: AskedTime,
  { mostSeconds }: TimeLimits,
): void {
  if (mostSeconds === null) return
  for (const { attempt, name, username } of sittings) {
    const given = attempt?.incidentSeconds ?? 0
    if (given + seconds > mostSeconds) {
      const left = Math.max(0, mostSeconds - given)
      throw new OrganiserRefusal('most_given', { name: name ?? username, given, left })
    }
  }
}

async function describe(
  client: Client,
  organiser: Organiser,
  row: AssessmentRow,
  time: TimeAct,
  sittings: readonly Sitting[],
): Promise<TimePreview> {
  const lines = plan(sittings, time, organiser.now).map(({ sitting, plan: told }) => {
    const { attempt } = sitting
    const wasMs = attempt && attempt.submittedAt === null ? attempt.deadlineAt.getTime() : null
    return { sitting, plan: told, name: sitting.name ?? sitting.username, wasMs }
  })
  const shown = lines.filter(
    ({ plan: { outcome } }) => outcome !== 'not_started' && outcome !== 'handed_in',
  )
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from assessment_items where assessment = $1',
    [row.code],
  )
  return {
    people: shown.map(({ sitting, plan: told, wasMs }) => ({
      id: sitting.candidateId,
      username: sitting.username,
      name: sitting.name,
      room: sitting.room,
      outcome: told.outcome,
      was: wasMs === null ? null : new Date(wasMs).toISOString(),
      becomes: told.deadlineMs === null ? null : new Date(told.deadlineMs).toISOString(),
      plannedSeconds: told.plannedSeconds,
      givenSeconds: told.incidentSeconds,
      answered: sitting.attempt?.answered ?? 0,
      isRevoked: sitting.isRevoked,
    })),
    notInside: lines.filter(({ plan: { outcome } }) => outcome === 'not_started').length,
    handedIn: lines.filter(({ plan: { outcome } }) => outcome === 'handed_in').length,
    itemCount: rows[0]?.count ?? 0,
    summary: summaryOf(time, lines, row.timeZone),
    recent: await readRecent(client, row, organiser),
  }
}
