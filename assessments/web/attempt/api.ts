import type { CallInput, Endpoint, ResponseOf } from '../../../platform/endpoint.ts'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { authClient } from '../../../platform/web/session.tsx'
import {
  CANDIDATE_TOKEN_HEADER,
  getAttempt,
  reportEvents,
  saveAnswers,
  startAttempt,
  submitAttempt,
  WINDOW_HEADER,
} from '../../contract.ts'
import type { SavedRevision, SentAnswer } from './answer-queue.ts'
import type { PageEvent } from './event-queue.ts'
import type { Looked } from './seen/dwell.ts'

/** A connection that hangs must not block the requests queued behind it. */
const ANSWER_LIMIT_MS = 10_000

export type StartedAttempt = ResponseOf<typeof startAttempt>
export type AttemptStatus = ResponseOf<typeof getAttempt>
type SubmittedAttempt = ResponseOf<typeof submitAttempt>

/** The calls on one attempt, from one window. All throw ApiFailure. */
export interface AttemptApi {
  start(): Promise<StartedAttempt>
  status(): Promise<AttemptStatus>
  save(answers: SentAnswer[], lastEvent: number, dwell?: Looked[]): Promise<SavedRevision[]>
  report(events: PageEvent[]): Promise<ResponseOf<typeof reportEvents>>
  submit(answers: SentAnswer[], lastEvent: number, dwell?: Looked[]): Promise<SubmittedAttempt>
}

/** `onSignedOut`: the user has to sign in again. `onNews`: gets the number of the society's newest message. */
export function createAttemptApi(options: {
  code: string
  candidateToken: string
  windowId: string
  onSignedOut?: () => void
  onNews?: (news: number) => void
}): AttemptApi {
  const params = { code: options.code }
  const headers = {
    [CANDIDATE_TOKEN_HEADER]: options.candidateToken,
    [WINDOW_HEADER]: options.windowId,
  }
  const send = async <E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
  ): Promise<ResponseOf<E>> => {
    // keepalive lets these small requests finish when the page closes, so that closing a laptop loses no answers.
    const once = () =>
      withLimit((signal) => call(endpoint, input, { headers, keepalive: true, signal }))
    try {
      return await once()
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      if (error.status !== 401 && error.code !== 'bad_candidate_token') throw error
      const auth = await authClient().catch(() => {
        throw error
      })
      if (error.status === 401) {
        // A device with a slow clock never notices that its token expired, so this refreshes it.
        const { data } = await auth.refreshSession()
        if (data.session) return await once()
      } else {
        // The candidate's token ends with the session. This finds out which of the two is invalid.
        await auth.getUser()
      }
      const stored = await auth.getSession()
      if (stored.data.session || stored.error) throw error
      options.onSignedOut?.()
      throw new ApiFailure(401, { code: 'signed_out', message: 'Please sign in again.' })
    }
  }

  const hear = (news: number | undefined) => {
    if (news !== undefined) options.onNews?.(news)
  }

  return {
    start: () => send(startAttempt, { params, body: { windowId: options.windowId } }),
    status: () => send(getAttempt, { params }),
    save: async (answers, lastEvent, dwell) => {
      const { saved, news } = await send(saveAnswers, {
        params,
        body: { answers, lastEvent, ...(dwell?.length ? { dwell } : {}) },
      })
      hear(news)
      return saved
    },
    report: async (events) => {
      const answer = await send(reportEvents, { params, body: { events } })
      hear(answer.news)
      return answer
    },
    submit: (answers, lastEvent, dwell) =>
      send(submitAttempt, {
        params,
        body: { answers, lastEvent, ...(dwell?.length ? { dwell } : {}) },
      }),
  }
}

/** Treats a call that takes too long as one that failed to connect. */
async function withLimit<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort()
      reject(new ApiFailure(0, { code: 'offline', message: 'No connection. Please try again.' }))
    }, ANSWER_LIMIT_MS)
  })
  const running = run(controller.signal)
  // Ignores its rejection after the time limit.
  running.catch(() => {})
  try {
    return await Promise.race([running, limit])
  } finally {
    clearTimeout(timer)
  }
}
