import { storeMessages } from '../../../assessments/server/message-store.ts'
import {
  changeTimes,
  setPlannedTime,
  type TimeChange,
} from '../../../assessments/server/time-store.ts'
import type { AssessmentRow, Place } from '../../access/server/assessments.ts'
import { act, type Client, type Organiser, requireReason } from '../../kit/server/action.ts'
import type { AskedTime, TimeDone, TimeKind } from '../contract.ts'
import { isChange, type TimeAct, type TimeOutcome } from '../time-plan.ts'
import { NO_LIMITS, planAsked, type TimeLine } from './plan-asked.ts'
import { candidateWords, doneText } from './time-words.ts'

/** What the log calls each kind. */
const ACTIONS: Readonly<Record<TimeKind, string>> = {
  give: 'give-time',
  plan: 'plan-time',
  end_at: 'end-at',
  reopen: 'reopen',
  end_now: 'end-now',
}

/** What is kept with a request, for the same request again and for undoTime. */
export interface KeptTime {
  done: TimeDone
  messages: number[]
  /** each attempt's end and given time before, and its end since; milliseconds, seconds */
  moves: { id: string; was: number; becomes: number; givenBefore: number }[]
  /** each candidate's planned time before and since, seconds */
  plans: { id: string; before: number; after: number }[]
}

/**
 * Changes the time of one candidate, several, a room or all, before the start, during the test or after its end
 * (product 7.15.1). Planned time needs no reason, because it was promised before the day.
 * Errors: 400 reason_missing; those of planAsked.
 */
export async function changeTime(
  organiser: Organiser & Place,
  { reason = '', ...asked }: AskedTime & { reason?: string },
  limits = NO_LIMITS,
): Promise<TimeDone> {
  const kept = await act(organiser, ACTIONS[asked.kind], organiser.code, async (client) => {
    const why =
      asked.kind === 'plan' && reason.trim() === '' ? {} : { reason: requireReason(reason) }
    const { row, time, lines } = await planAsked(client, organiser, asked, limits, 'change')
    const changed = lines.filter(({ plan }) => isChange(plan))
    const messages = await applyTime(client, organiser, row, time, changed)
    const plans = changed.map(({ plan }) => plan)
    const isFinal = plans.some(({ outcome }) => outcome === 'reopens' || outcome === 'ends')
    const result: KeptTime = {
      done: {
        text: doneText(time, plans, row.timeZone),
        canBeUndone: changed.length > 0 && !isFinal,
      },
      messages,
      moves: changed.flatMap(moveOf),
      plans: changed.flatMap(({ sitting: { candidateId: id, plannedSeconds: before }, plan }) =>
        plan.plannedSeconds === before ? [] : [{ id, before, after: plan.plannedSeconds }],
      ),
    }
    return { result, detail: { ...detailOf(asked, time, changed), ...why } }
  })
  return kept.done
}

function moveOf({ sitting: { attempt }, plan }: TimeLine): KeptTime['moves'] {
  if (!attempt || plan.outcome !== 'moves' || plan.deadlineMs === null) return []
  return [
    {
      id: attempt.id,
      was: attempt.deadlineAt.getTime(),
      becomes: plan.deadlineMs,
      givenBefore: attempt.incidentSeconds,
    },
  ]
}

/**
 * Applies the change to locked candidates, in one statement for all, and tells those whose test is open now.
 * @returns the messages' ids
 */
async function applyTime(
  client: Client,
  { now, actor }: Organiser,
  { code, timeZone, durationSeconds }: AssessmentRow,
  time: TimeAct,
  changed: readonly TimeLine[],
): Promise<number[]> {
  if (time.kind === 'plan') {
    const ids = changed.map(({ sitting }) => sitting.candidateId)
    await setPlannedTime(client, ids, time.seconds, actor)
  }
  await changeTimes(client, changed.flatMap(changeOf), now)
  const messages = changed
    .filter(({ plan }) => plan.deadlineMs !== null)
    .map(({ sitting: { candidateId }, plan }) => ({
      room: null,
      candidateId,
      text: candidateWords(plan, timeZone, {
        durationSeconds,
        extraSeconds: plan.plannedSeconds,
        givenSeconds: plan.incidentSeconds,
      }),
    }))
  return messages.length === 0 ? [] : storeMessages(client, code, messages, { sentBy: actor, now })
}

function changeOf({ sitting: { attempt, plannedSeconds }, plan }: TimeLine): TimeChange[] {
  if (!attempt || plan.deadlineMs === null) return []
  const deadlineAt = new Date(plan.deadlineMs)
  const { submittedAt, submitReason } = attempt
  const change = { attemptId: attempt.id, deadlineAt, incidentSeconds: plan.incidentSeconds }
  const detail = { seconds: plan.addedSeconds, deadlineAt }
  if (plan.outcome === 'reopens') {
    const closed = { ...detail, submittedAt, submitReason }
    return [{ ...change, pausedMs: plan.pausedMs, kind: 'reopened', detail: closed }]
  }
  const moved = plan.plannedSeconds === plannedSeconds ? 'extended' : 'extra_time'
  return [{ ...change, pausedMs: null, kind: plan.outcome === 'ends' ? 'ended' : moved, detail }]
}

/** What the log keeps. */
function detailOf({ to }: AskedTime, time: TimeAct, changed: readonly TimeLine[]) {
  const names = (...outcomes: TimeOutcome[]) =>
    outcomes.flatMap((outcome) =>
      changed.filter(({ plan }) => plan.outcome === outcome).map(({ sitting }) => sitting.username),
    )
  const [only] = changed
  return {
    ...(to.candidates === null && (to.room === null ? { to: 'all' } : { room: to.room })),
    ...(to.candidates?.length === 1 && only && { username: only.sitting.username }),
    ...('seconds' in time && { seconds: time.seconds }),
    ...('atMs' in time && { deadlineAt: new Date(time.atMs) }),
    moved: names('moves', 'plans', 'ends'),
    reopened: names('reopens'),
  }
}
