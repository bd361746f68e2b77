import { ApiFailure } from '../../../platform/web/api-failure.ts'
import type { SubmitReason } from '../../deadline.ts'
import type { AnswerQueue } from './answer-queue.ts'
import type { AttemptApi, AttemptStatus } from './api.ts'
import type { Environment } from './environment.ts'
import type { EventQueue } from './event-queue.ts'
import type { Dwell } from './seen/dwell.ts'

/** How long a submit waits for page events to be sent first. */
const EVENTS_LIMIT_MS = 3_000

export interface Ending {
  reference: string
  submittedAt: string
  reason: SubmitReason
  /** The counted violations, if they ended the test. */
  strikes?: AttemptStatus['strikes']
  endedBySociety?: true
}

/** The server's response when the test seems to be over. */
export type EndStep =
  | { kind: 'more_time'; status: AttemptStatus; roundTripMs: number }
  | { kind: 'gone' }
  /** lateCount: how many answers reached the server only after the end. */
  | { kind: 'ended'; ending: Ending; lateCount: number }

export interface Parts {
  environment: Pick<Environment, 'now' | 'setTimer'>
  api: AttemptApi
  answers: AnswerQueue
  events: EventQueue
  dwell: Dwell
}

export async function askStatus({ environment, api }: Pick<Parts, 'environment' | 'api'>) {
  const askedAt = environment.now()
  const status = await api.status()
  return { status, roundTripMs: environment.now() - askedAt }
}

/** Sends page events before the submit, up to a time limit. */
export async function tellEvents({ environment, events }: Parts): Promise<void> {
  let cancel = () => {}
  const limit = new Promise<void>((resolve) => {
    cancel = environment.setTimer(resolve, EVENTS_LIMIT_MS)
  })
  await Promise.race([events.flush(), limit])
  cancel()
}

const submit = ({ api, answers, events, dwell }: Parts) =>
  dwell.tell((grown) => api.submit(answers.waiting, events.lastNumber, grown))

/** This close to the deadline, the server's clock decides what closed the test. */
const CLOSE_TO_END_MS = 3_000

/** Submits the test at the candidate's request. @returns how it ended */
export async function handIn(parts: Parts, clock: { remainingMs: () => number }): Promise<Ending> {
  const { api } = parts
  const { reference, submittedAt } = await submit(parts)
  const isByCandidate = clock.remainingMs() > CLOSE_TO_END_MS
  return isByCandidate
    ? { reference, submittedAt, reason: 'candidate' }
    : endingOf(await api.status(), reference)
}

/**
 * Takes one step towards the end: checks for more time, then submits the queue or sends it as late answers. Throws
 * temporary failures.
 *     deadline ─── status: in progress, no time ─── submit with the queue ─── status: how it ended
 *     later ────── status: submitted ────────────── the queue, as late answers
 */
export async function stepToEnd(parts: Parts): Promise<EndStep> {
  const { api, answers } = parts
  const asked = await askStatus(parts)
  let { status } = asked
  if (status.status === 'not_started') return { kind: 'gone' }
  if (status.status === 'in_progress') {
    if (status.remainingMs > 0) return { kind: 'more_time', ...asked }
    await tellEvents(parts)
    try {
      await submit(parts)
      answers.clear()
    } catch (error) {
      // Another call closed the attempt at this moment. The status shows how.
      const isClosed = error instanceof ApiFailure && error.status === 409
      if (!isClosed || error.code === 'taken_over') throw error
    }
    status = await api.status()
    if (status.status !== 'submitted') throw new Error('not closed yet')
  }
  const ending = endingOf(status)
  // A candidate who submitted in another window has answered there.
  if (ending.reason === 'candidate') return { kind: 'ended', ending, lateCount: 0 }
  // Uses the queue, which sends one request at a time, so that no late answer is stored twice.
  const isEmpty = await answers.flush()
  const { failure } = answers
  if (!isEmpty && (!(failure instanceof ApiFailure) || failure.isTemporary)) throw failure
  return { kind: 'ended', ending, lateCount: answers.waiting.length }
}

export function endingOf(status: AttemptStatus, reference = ''): Ending {
  return {
    reference: status.reference ?? reference,
    submittedAt: status.submittedAt ?? '',
    reason: status.reason ?? 'candidate',
    ...(status.strikes ? { strikes: status.strikes } : {}),
    ...(status.endedBySociety ? { endedBySociety: status.endedBySociety } : {}),
  }
}
