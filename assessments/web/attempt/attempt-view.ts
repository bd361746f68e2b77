import type { OptionLetter } from '../../../platform/options.ts'
import { ApiFailure } from '../../../platform/web/api-failure.ts'
import type { AnswerQueue, SaveState } from './answer-queue.ts'
import type { AttemptApi, AttemptStatus, StartedAttempt } from './api.ts'
import type { Ending } from './ending.ts'
import type { Environment } from './environment.ts'
import type { PageEvent } from './event-queue.ts'
import type { Arrival } from './seen/arrival.ts'

export type Question = StartedAttempt['questions'][number]

export interface RunningView {
  phase: 'running'
  title: string
  questions: readonly Question[]
  choices: ReadonlyMap<number, OptionLetter>
  saveState: SaveState
  violations: number
  maxViolations: number
  /** The last counted event that this page has seen. */
  lastStrike: PageEvent | null
  isSubmitting: boolean
  /** The server is being asked how the test ended, and no answer can be chosen. */
  isEnding: boolean
  /** The society's messages, newest first. */
  messages: NonNullable<AttemptStatus['messages']>
  /** Ids of dismissed messages. */
  readIds: ReadonlySet<number>
  /** The candidate's help requests on the server, oldest first. */
  help: NonNullable<AttemptStatus['help']>
  /** Whether another help request is waiting on this device. */
  isHelpWaiting: boolean
  /** Added to the duration, in seconds. Zero until the server has reported it. */
  ownTime: { extraSeconds: number; givenSeconds: number }
}

export interface SubmittedView extends Ending {
  phase: 'submitted'
  title: string
  /** How many answers reached the server only after the end. */
  lateCount: number
}

export type AttemptView =
  | { phase: 'opening' }
  /** opensInMs is by the server's clock, at its response. isOwn: the candidate has a separate start window. */
  | { phase: 'waiting'; opensAt: string; opensInMs: number; isOwn: boolean }
  | { phase: 'closed'; message: string }
  | { phase: 'failed'; failure: 'access' | 'password' | 'no_questions' | 'load'; message: string }
  | { phase: 'taken_over'; message: string }
  | RunningView
  | SubmittedView

export interface AttemptHooks {
  onStrike: (event: PageEvent, violations: number, maxViolations: number) => void
  /** `by` is this page's reason, or null if it only learned of the submit. */
  onSubmitted: (view: SubmittedView, by: 'candidate' | 'time' | 'violations' | null) => void
  onSubmitFailed: () => void
  onIncomplete: (message: string) => void
}

export interface AttemptOptions {
  code: string
  username: string
  /** The title until the server has sent one. */
  title: string
  environment: Environment
  newWindowId: () => string
  apiOf: (windowId: string) => AttemptApi
  arrival: Arrival
  hooks: AttemptHooks
}

export function runningViewOf(
  started: StartedAttempt,
  answers: Pick<AnswerQueue, 'choices' | 'saveState'>,
  readIds: ReadonlySet<number>,
): RunningView {
  return {
    phase: 'running',
    title: started.title,
    questions: started.questions,
    choices: new Map(answers.choices),
    saveState: answers.saveState,
    violations: started.violations,
    maxViolations: started.maxViolations,
    lastStrike: null,
    isSubmitting: false,
    isEnding: false,
    messages: [],
    readIds,
    help: [],
    isHelpWaiting: false,
    ownTime: { extraSeconds: 0, givenSeconds: 0 },
  }
}

export function changeOf(status: AttemptStatus): Partial<RunningView> {
  const { violations, messages = [], help = [], extraSeconds, givenSeconds = 0 } = status
  return { violations, messages, help, ownTime: { extraSeconds, givenSeconds } }
}

/** The view when a token is rejected. Null if the attempt no longer exists. */
export function accessView(refusal: ApiFailure | null): AttemptView {
  const isReplaced = refusal?.details.reason === 'password_changed'
  const message = refusal?.message ?? ''
  return { phase: 'failed', failure: isReplaced ? 'password' : 'access', message }
}

/** The view for a rejected start. @param wallNowMs used if the server's time is unknown */
export function failureView(error: unknown, wallNowMs: number): AttemptView {
  const failure = error instanceof ApiFailure ? error : null
  const message = failure?.message ?? ''
  switch (failure?.code) {
    case 'not_open': {
      const opensAt = String(failure.details.opensAt)
      const now = failure.serverTimeMs ?? wallNowMs
      const opensInMs = Math.max(0, Date.parse(opensAt) - now)
      return { phase: 'waiting', opensAt, opensInMs, isOwn: failure.details.isOwn === true }
    }
    case 'closed':
    case 'not_published':
      return { phase: 'closed', message }
    case 'no_questions':
      return { phase: 'failed', failure: 'no_questions', message }
    case 'bad_candidate_token':
      return accessView(failure)
    default:
      return { phase: 'failed', failure: 'load', message }
  }
}
