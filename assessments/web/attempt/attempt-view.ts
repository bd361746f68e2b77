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
  /** what counted last, as far as this page has seen it */
  lastStrike: PageEvent | null
  isSubmitting: boolean
  /** the server is asked how the test ended: nothing can be chosen any more */
  isEnding: boolean
  /** of the society, the newest first */
  messages: NonNullable<AttemptStatus['messages']>
  /** those that were put away */
  readIds: ReadonlySet<number>
  /** the candidate's requests for help, the oldest first, as the server has them */
  help: NonNullable<AttemptStatus['help']>
  /** one more waits on this device */
  isHelpWaiting: boolean
  /** beside the duration, seconds; nothing until the server has said it */
  ownTime: { extraSeconds: number; givenSeconds: number }
}

export interface SubmittedView extends Ending {
  phase: 'submitted'
  title: string
  /** how many answers reached the server only after the end */
  lateCount: number
}

export type AttemptView =
  | { phase: 'opening' }
  /** opensInMs by the server's clock, at the moment of its answer; isOwn: not the test's own opening */
  | { phase: 'waiting'; opensAt: string; opensInMs: number; isOwn: boolean }
  | { phase: 'closed'; message: string }
  | { phase: 'failed'; failure: 'access' | 'password' | 'no_questions' | 'load'; message: string }
  | { phase: 'taken_over'; message: string }
  | RunningView
  | SubmittedView

export interface AttemptHooks {
  onStrike: (event: PageEvent, violations: number, maxViolations: number) => void
  /** `by` is what this page did; null when it only learned of it */
  onSubmitted: (view: SubmittedView, by: 'candidate' | 'time' | 'violations' | null) => void
  onSubmitFailed: () => void
  onIncomplete: (message: string) => void
}

export interface AttemptOptions {
  code: string
  username: string
  /** what stands over the test until the server has said it */
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

/** What a page shows whose token is refused; null where there is no attempt any more. */
export function accessView(refusal: ApiFailure | null): AttemptView {
  const isReplaced = refusal?.details.reason === 'password_changed'
  const message = refusal?.message ?? ''
  return { phase: 'failed', failure: isReplaced ? 'password' : 'access', message }
}

/** What a refused start shows. @param wallNowMs counts where the server's own time is not known */
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
