import { storeMessages } from '../../../assessments/server/message-store.ts'
import {
  changeTimes,
  lockCandidatesOf,
  lockSittings,
  readSittings,
  type Sitting,
  setPlannedTime,
  type TimeChange,
  type Whose,
} from '../../../assessments/server/time-store.ts'
import {
  isChange,
  type PlannedTime,
  planTime,
  type Seated,
  type TimeAct,
} from '../../day/time-plan.ts'
import type { Client, Organiser } from '../action.ts'
import type { AssessmentRow } from '../assessments.ts'
import { candidateWords } from './time-words.ts'

/** Somebody, and what becomes of their time. */
export interface TimeLine {
  sitting: Sitting
  plan: PlannedTime
}

/** What of a candidate's row and attempt decides about time. */
function seatedOf({ plannedSeconds, attempt }: Sitting): Seated {
  if (!attempt) return { plannedSeconds, attempt: null }
  const { startedAt, deadlineAt, submittedAt, submitReason, incidentSeconds } = attempt
  const { strikes, wasEnded } = attempt
  return {
    plannedSeconds,
    attempt: {
      startedMs: startedAt.getTime(),
      deadlineMs: deadlineAt.getTime(),
      submittedMs: submittedAt?.getTime() ?? null,
      ...{ submitReason, incidentSeconds, strikes, wasEnded },
    },
  }
}

/**
 * Holds those who are meant until the transaction ends, and plans for each (societies/day/time-plan.ts). A preview
 * plans by the same rule and holds nobody: no save waits for somebody who only looks.
 */
export async function holdAndPlan(
  client: Client,
  whose: Whose,
  act: TimeAct,
  now: Date,
): Promise<TimeLine[]> {
  // The candidate first, as everywhere: whose planned time changes does not start in this moment.
  if (act.kind === 'plan') await lockCandidatesOf(client, whose)
  await lockSittings(client, whose)
  return plan(await readSittings(client, whose), act, now)
}

/** What an act would do to each. */
export const plan = (sittings: readonly Sitting[], act: TimeAct, now: Date): TimeLine[] =>
  sittings.map((sitting) => ({ sitting, plan: planTime(seatedOf(sitting), act, now.getTime()) }))

/**
 * Does what was planned for candidates who are held, in one statement for all, and tells those who are inside.
 * @returns the messages' ids
 */
export async function applyTime(
  client: Client,
  { now, actor }: Organiser,
  assessment: AssessmentRow,
  act: TimeAct,
  lines: readonly TimeLine[],
): Promise<number[]> {
  const changed = lines.filter(({ plan }) => isChange(plan))
  if (act.kind === 'plan') {
    const ids = changed.map(({ sitting }) => sitting.candidateId)
    await setPlannedTime(client, ids, act.seconds, actor)
  }
  await changeTimes(client, changed.flatMap(changeOf), now)
  const told = changed.filter(({ plan }) => plan.deadlineMs !== null)
  if (told.length === 0) return []
  return storeMessages(
    client,
    assessment.code,
    told.map(({ sitting, plan }) => ({
      room: null,
      candidateId: sitting.candidateId,
      text: candidateWords(plan, assessment.timeZone, {
        durationSeconds: assessment.durationSeconds,
        extraSeconds: plan.plannedSeconds,
        givenSeconds: plan.incidentSeconds,
      }),
    })),
    { sentBy: actor, now },
  )
}

function changeOf({ sitting, plan }: TimeLine): TimeChange[] {
  const { attempt } = sitting
  if (!attempt || plan.deadlineMs === null) return []
  const deadlineAt = new Date(plan.deadlineMs)
  const { submittedAt, submitReason } = attempt
  const common = { attemptId: attempt.id, deadlineAt, incidentSeconds: plan.incidentSeconds }
  const seconds = plan.addedSeconds
  if (plan.outcome === 'reopens') {
    const detail = { seconds, deadlineAt, submittedAt, submitReason }
    return [{ ...common, pausedMs: plan.pausedMs, kind: 'reopened', detail }]
  }
  const kind =
    plan.outcome === 'ends'
      ? ('ended' as const)
      : plan.plannedSeconds !== sitting.plannedSeconds
        ? ('extra_time' as const)
        : ('extended' as const)
  return [{ ...common, pausedMs: null, kind, detail: { seconds, deadlineAt } }]
}
