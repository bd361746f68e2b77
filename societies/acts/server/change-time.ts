import sql from 'sql-template-tag'
import { storeMessages, withdrawMessages } from '../../../assessments/server/message-store.ts'
import {
  changeTimes,
  lockCandidatesOf,
  lockSittings,
  readSittings,
  setPlannedTime,
  type TimeChange,
} from '../../../assessments/server/time-store.ts'
import { type Place, requireAssessment } from '../../access/server/assessments.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { act, type Organizer, requireReason } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type { AskedTime, TimeDone, TimeKind } from '../contract.ts'
import { isChange, type TimeOutcome } from '../time-plan.ts'
import { planAsked } from './plan-time.ts'
import { candidateWords, doneText, type TimeLine } from './time-words.ts'

const ACTIONS: Readonly<Record<TimeKind, string>> = {
  give: 'give-time',
  plan: 'plan-time',
  end_at: 'end-at',
  reopen: 'reopen',
  end_now: 'end-now',
}

/** Stored with a request so that a retry gets the same response and undoTime can revert it. */
interface KeptTime {
  done: TimeDone
  messages: number[]
  /** Each attempt's end before and after, in milliseconds, and given time before, in seconds. */
  moves: { id: string; was: number; becomes: number; givenBefore: number }[]
  /** Each candidate's planned time before and after, in seconds. */
  plans: { id: string; before: number; after: number }[]
}

/**
 * Changes the time of one candidate, several, a room or all, before, during or after the test (product 7.15.1), and
 * notifies candidates who are taking the test. Planned time needs no reason because it was agreed before the day.
 * Errors: 400 reason_missing; those of planAsked.
 */
export async function changeTime(
  organizer: Organizer & Place,
  { reason = '', ...asked }: AskedTime & { reason?: string },
  mostSeconds?: number,
): Promise<TimeDone> {
  const { code, now, actor } = organizer
  const { to } = asked
  const kept = await act<KeptTime>(organizer, ACTIONS[asked.kind], code, async (client) => {
    const needsNone = asked.kind === 'plan' && reason.trim() === ''
    const why = needsNone ? {} : { reason: requireReason(reason) }
    const { row, time, lines } = await planAsked(client, organizer, asked, mostSeconds, 'change')
    const { timeZone, durationSeconds } = row
    const changed = lines.filter(({ plan }) => isChange(plan))
    const [only] = changed
    const plans = changed.map(({ plan }) => plan)
    if (time.kind === 'plan') {
      const ids = changed.map(({ sitting }) => sitting.candidateId)
      await setPlannedTime(client, ids, time.seconds, actor)
    }
    const changes = changed.flatMap(changeOf)
    await changeTimes(client, changes, now)
    const messages = changed
      .filter(({ plan }) => plan.deadlineMs !== null)
      .map(({ sitting: { candidateId }, plan }) => {
        return { room: null, candidateId, text: candidateWords(plan, timeZone, durationSeconds) }
      })
    const isFinal = plans.some(({ outcome }) => outcome === 'reopens' || outcome === 'ends')
    const names = (...outcomes: TimeOutcome[]) =>
      outcomes.flatMap((outcome) =>
        changed
          .filter(({ plan }) => plan.outcome === outcome)
          .map(({ sitting }) => sitting.username),
      )
    return {
      result: {
        done: {
          text: doneText(time, plans, timeZone),
          canBeUndone: changed.length > 0 && !isFinal,
        },
        messages: await storeMessages(client, code, messages, { sentBy: actor, now }),
        moves: changed.flatMap(moveOf),
        plans: changed.flatMap(({ sitting: { candidateId: id, plannedSeconds: before }, plan }) =>
          plan.plannedSeconds === before ? [] : [{ id, before, after: plan.plannedSeconds }],
        ),
      },
      characters: JSON.stringify([changes.map(({ detail }) => detail), messages]).length,
      detail:
        changed.length > 0
          ? {
              ...(to.candidates === null && (to.room === null ? { to: 'all' } : { room: to.room })),
              ...(to.candidates?.length === 1 && only && { username: only.sitting.username }),
              ...('seconds' in time && { seconds: time.seconds }),
              ...('atMs' in time && { deadlineAt: new Date(time.atMs) }),
              moved: names('moves', 'plans', 'ends'),
              reopened: names('reopens'),
              ...why,
            }
          : null,
    }
  })
  return kept.done
}

function moveOf({ sitting: { attempt }, plan }: TimeLine): KeptTime['moves'] {
  if (!attempt || plan.outcome !== 'moves' || plan.deadlineMs === null) return []
  const { id, deadlineAt, incidentSeconds: givenBefore } = attempt
  return [{ id, was: deadlineAt.getTime(), becomes: plan.deadlineMs, givenBefore }]
}

function changeOf({ sitting: { attempt, plannedSeconds }, plan }: TimeLine): TimeChange[] {
  if (!attempt || plan.deadlineMs === null) return []
  const { outcome, incidentSeconds, pausedMs } = plan
  const deadlineAt = new Date(plan.deadlineMs)
  const { id: attemptId, submittedAt, submitReason } = attempt
  const moved = plan.plannedSeconds === plannedSeconds ? 'extended' : 'extra_time'
  return [
    {
      ...{ attemptId, deadlineAt, incidentSeconds, pausedMs },
      kind: outcome === 'reopens' ? 'reopened' : outcome === 'ends' ? 'ended' : moved,
      detail: {
        ...{ seconds: plan.addedSeconds, deadlineAt },
        ...(outcome === 'reopens' && { submittedAt, submitReason }),
      },
    },
  ]
}

/** The page offers undo for ten seconds; the rest allows for a slow network. */
const UNDO_MS = 20_000

const tooLate = () =>
  refuse(
    409,
    'undo_too_late',
    'This can’t be undone anymore. Too much time has passed, or someone changed the time since.',
  )

/**
 * Undoes the member's own recent change of time if each affected candidate is still taking the test with the end it
 * set, and the previous end is in the future (product 7.15.5). Errors: 409 undo_too_late.
 */
export function undoTime(organizer: MemberInTest, changed: string): Promise<{ undone: number }> {
  // The undo request must not use the change's request id, because `act` would return the stored response for that id.
  const undoing = { ...organizer, requestId: undefined }
  return act(undoing, 'undo-time', organizer.code, async (client) => {
    const { now, userId } = organizer
    const { code } = await requireAssessment(client, organizer, 'change')
    // Clearing canBeUndone in the same statement makes a second undo fail.
    const found = await client.query<{ action: string; kept: KeptTime }>(
      sql`update organiser_calls set answer = jsonb_set(answer, '{answer,done,canBeUndone}', 'false')
       where id = ${changed} and assessment = ${code} and answer ->> 'by' = ${userId}
       and created_at >= ${new Date(now.getTime() - UNDO_MS)}
         and (answer #>> '{answer,done,canBeUndone}')::boolean
       returning action, answer -> 'answer' as kept`,
    )
    if (!found.rows[0]) throw tooLate()
    const { action, kept } = found.rows[0]
    const { moves, plans, messages } = kept
    const { rows } = await client.query<{ id: string }>(
      'select candidate_id as id from attempts where id = any ($1::uuid[])',
      [moves.map(({ id }) => id)],
    )
    const candidates = [...new Set([...rows, ...plans].map(({ id }) => id))]
    const whose = { code, room: null, candidates }
    if (plans.length > 0) await lockCandidatesOf(client, whose)
    await lockSittings(client, whose)
    const sittings = await readSittings(client, whose, now)
    const attempts = new Map(sittings.map(({ attempt }) => [attempt?.id, attempt]))
    const changes = moves.map(({ id, was, becomes, givenBefore }): TimeChange => {
      const attempt = attempts.get(id)
      const isAsLeft = attempt?.submittedAt === null && attempt.deadlineAt.getTime() === becomes
      if (!isAsLeft || was <= now.getTime()) throw tooLate()
      const deadlineAt = new Date(was)
      return {
        attemptId: id,
        deadlineAt,
        incidentSeconds: givenBefore,
        pausedMs: null,
        kind: plans.length > 0 ? 'extra_time' : 'extended',
        detail: { seconds: Math.round((was - becomes) / 1000), deadlineAt, undone: true },
      }
    })
    for (const { id, before, after } of plans) {
      const sitting = sittings.find(({ candidateId }) => candidateId === id)
      const hasStarted = sitting?.attempt && !moves.some((one) => one.id === sitting.attempt?.id)
      if (sitting?.plannedSeconds !== after || hasStarted) throw tooLate()
      await setPlannedTime(client, [id], before, organizer.actor)
    }
    await changeTimes(client, changes, now)
    await withdrawMessages(client, code, messages, now)
    const undone = Math.max(moves.length, plans.length)
    return { result: { undone }, detail: { action, undone } }
  })
}
