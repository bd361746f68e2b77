import { createHash } from 'node:crypto'
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
import { isChange, planTime, seatedAsOf, type TimeAct } from '../../day/time-plan.ts'
import { act, type Client, type Organiser, read, requireReason } from '../action.ts'
import { type AssessmentRow, type Place, requireAssessment } from '../assessments.ts'
import { parseLocalTime } from '../local-time.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { applyTime, holdAndPlan, plan, seatedOf, type TimeLine } from './apply-time.ts'
import { once, readCall } from './once.ts'
import { requireInRoom } from './own-room.ts'
import { readRecent } from './recent.ts'
import { summaryOf } from './time-words.ts'

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
    return describe(client, organiser, row, { asked, time, sittings })
  })
}

export interface TimeDone {
  moved: number
  reopened: number
  planned: number
  ended: number
  left: number
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
 * Does what a preview said, once for its key. Where it would do something else now, nothing is done
 * (product 7.15.3).
 * Errors: OrganiserRefusal, `preview_changed` with what it would do now; AdminError as previewTime.
 */
export async function changeTime(
  organiser: Organiser,
  place: Place,
  given: AskedTime & { key: string; version: string; asOf: string; reason: string },
  limits: TimeLimits,
): Promise<TimeDone> {
  const { key, version, asOf, reason, ...asked } = given
  const action = ACTIONS[asked.kind]
  const kept = await act(organiser, action, place.code, async (client) => {
    const why = requireReason(reason)
    const row = await requireAssessment(client, place, 'change')
    const { code } = row
    return once<KeptTime>(client, organiser, { key, code, action, body: given }, async () => {
      const { now } = organiser
      const time = timeActOf(asked, row, now)
      await requireInRoom(client, code, asked.to, limits.room)
      const lines = await holdAndPlan(client, whoseOf(code, asked), time, now)
      const sittings = lines.map(({ sitting }) => sitting)
      requireWithin(sittings, asked, limits)
      const asOfDate = new Date(asOf)
      if (versionOf(asked, row, time, sittings, asOfDate, now) !== version) {
        const preview = await describe(client, organiser, row, { asked, time, sittings })
        throw new OrganiserRefusal('preview_changed', { preview })
      }
      const still = lines.filter(
        // Planned time is everybody's, whether they have started since or not.
        ({ sitting }) =>
          time.kind === 'plan' || !seatedAsOf(seatedOf(sitting), asOfDate.getTime()).hasMoved,
      )
      const messages = await applyTime(client, organiser, row, time, still)
      const changed = still.filter(({ plan }) => isChange(plan))
      const count = (outcome: string) =>
        changed.filter(({ plan }) => plan.outcome === outcome).length
      const done: TimeDone = {
        moved: count('moves'),
        reopened: count('reopens'),
        planned: count('plans'),
        ended: count('ends'),
        left: lines.length - still.length,
        canBeUndone: false,
      }
      done.canBeUndone =
        done.reopened === 0 && done.ended === 0 && changed.length > 0 && time.kind !== 'reopen'
      const detail = { ...noted(asked, time, changed), reason: why }
      return { result: { done, messages, ...keptOf(changed) }, detail }
    })
  })
  return kept.done
}

/**
 * Takes back one's own act of a moment ago, where everybody whom it touched is still inside with the end that it
 * set, and the end before has not come (product 7.15.5).
 * Errors: OrganiserRefusal time_undo_too_late.
 */
export function undoTime(organiser: Organiser, place: Place, key: string): Promise<number> {
  return act(organiser, 'undo-time', place.code, async (client) => {
    const { now, userId } = organiser
    const { code } = await requireAssessment(client, place, 'change')
    const call = await readCall<KeptTime>(client, { key, code, userId })
    const tooLate = () => new OrganiserRefusal('time_undo_too_late', {})
    if (!call?.answer.done?.canBeUndone || now.getTime() - call.at.getTime() > UNDO_MS) {
      throw tooLate()
    }
    const { moves, plans, messages } = call.answer
    const whose: Whose = {
      ...{ code, room: null, withDemo: true },
      candidates: await candidatesOf(client, moves, plans),
    }
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
    // Pressed twice, it is taken back once.
    await client.query(
      `update organiser_calls set answer = jsonb_set(answer, '{answer,done,canBeUndone}', 'false')
       where id = $1`,
      [key],
    )
    const undone = Math.max(moves.length, plans.length)
    return { result: undone, detail: { of: key, action: call.action, undone } }
  })
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

const whoseOf = (code: string, { to }: AskedTime): Whose => ({
  ...{ code, room: to.room, candidates: to.candidates, withDemo: false },
})

/** Errors: OrganiserRefusal nothing_to_add, nothing_from_now, end_is_past; AdminError for a time that is none. */
function timeActOf(asked: AskedTime, row: AssessmentRow, now: Date): TimeAct {
  const { kind, seconds = 0 } = asked
  const reopens = asked.reopens ? ('all' as const) : ('none' as const)
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

/**
 * Names what an act would do, to each person: the same for as long as it would do the same. Who has started or
 * handed in since `asOf` is taken for what they were then.
 */
function versionOf(
  asked: AskedTime,
  { roomsUntil }: AssessmentRow,
  time: TimeAct,
  sittings: readonly Sitting[],
  asOf: Date,
  now: Date,
): string {
  const nowMs = now.getTime()
  const said = sittings.flatMap((sitting) => {
    const { seated } = seatedAsOf(seatedOf(sitting), asOf.getTime())
    const told = planTime(seated, time, nowMs)
    if (!isChange(told) && told.outcome !== 'strikes_stand') return []
    const { candidateId, plannedSeconds } = sitting
    if (time.kind === 'plan') return [[candidateId, plannedSeconds, told.plannedSeconds]]
    const { attempt } = seated
    // Until the old end and what is given, or one moment for all: the same however late it is pressed.
    const isFixed =
      told.outcome === 'moves' || time.kind === 'end_at' || attempt?.submitReason === 'deadline'
    const end = told.deadlineMs ?? nowMs
    const until = time.kind !== 'reopen' && isFixed ? end : Math.max(0, end - nowMs)
    return [[candidateId, told.outcome, attempt?.deadlineMs ?? null, until]]
  })
  const { to, ...what } = asked
  const about = [to.candidates, to.room, what.kind, what.seconds, what.at, what.reopens]
  const rooms = roomsUntil?.getTime() ?? null
  return createHash('sha256')
    .update(JSON.stringify([about, rooms, said]))
    .digest('hex')
}

async function describe(
  client: Client,
  organiser: Organiser,
  row: AssessmentRow,
  { asked, time, sittings }: { asked: AskedTime; time: TimeAct; sittings: readonly Sitting[] },
): Promise<TimePreview> {
  const { now } = organiser
  const { roomsUntil, timeZone } = row
  const roomsUntilMs = roomsUntil?.getTime() ?? null
  const lines = plan(sittings, time, now).map(({ sitting, plan: told }) => {
    const { attempt } = sitting
    const passesRooms =
      roomsUntilMs !== null &&
      isChange(told) &&
      told.deadlineMs !== null &&
      told.deadlineMs > roomsUntilMs
    const wasMs = attempt && attempt.submittedAt === null ? attempt.deadlineAt.getTime() : null
    return { sitting, plan: told, name: sitting.name ?? sitting.username, wasMs, passesRooms }
  })
  const shown = lines.filter(
    ({ plan: { outcome } }) => outcome !== 'not_started' && outcome !== 'handed_in',
  )
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from assessment_items where assessment = $1',
    [row.code],
  )
  return {
    version: versionOf(asked, row, time, sittings, now, now),
    asOf: now.toISOString(),
    people: shown.map(({ sitting, plan: told, wasMs, passesRooms }) => ({
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
      passesRooms,
      isRevoked: sitting.isRevoked,
    })),
    notInside: lines.filter(({ plan: { outcome } }) => outcome === 'not_started').length,
    handedIn: lines.filter(({ plan: { outcome } }) => outcome === 'handed_in').length,
    itemCount: rows[0]?.count ?? 0,
    summary: summaryOf(time, lines, { timeZone, roomsUntilMs }),
    roomsUntil: roomsUntil?.toISOString() ?? null,
    recent: await readRecent(client, row, organiser),
  }
}
