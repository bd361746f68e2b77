import { ApiFailure } from '../../../platform/web/api-failure.ts'
import type { KeyValueStore } from '../../../platform/web/storage.ts'
import {
  forgetWaitingAnswer,
  readWaitingAnswers,
  type SentAnswer,
  type WaitingAnswer,
} from './answer-queue.ts'
import type { AttemptApi } from './api.ts'
import { nextBatch, readWaitingEvents } from './event-queue.ts'
import { eventsPrefix } from './keys.ts'

interface LeftoversSent {
  lateCount: number
  /** Windows that another window has replaced. Their choices may be older than the server's. */
  overtaken: Set<string>
}

/** Before a take-over, sends data that an earlier window of this device could not send, under that window's id. */
export async function sendLeftovers(
  store: KeyValueStore,
  prefix: string,
  apiOf: (windowId: string) => Pick<AttemptApi, 'save' | 'report'>,
): Promise<LeftoversSent> {
  const sent: LeftoversSent = { lateCount: 0, overtaken: new Set() }
  const waiting = readWaitingAnswers(store, prefix)
  for (const windowId of new Set(waiting.map((answer) => answer.windowId))) {
    const answers = waiting.filter((answer) => answer.windowId === windowId)
    const outcome = await outcomeOf(() => apiOf(windowId).save(answers.map(toSent), 0))
    if (outcome === 'overtaken') sent.overtaken.add(windowId)
    if (outcome === 'closed') sent.lateCount += answers.length
    if (outcome === 'sent' || outcome === 'closed') {
      for (const answer of answers) forgetWaitingAnswer(store, prefix, answer)
    }
  }
  for (const key of store.keys(eventsPrefix(prefix))) {
    const api = apiOf(key.slice(eventsPrefix(prefix).length))
    let outcome: Outcome = 'sent'
    for (let left = readWaitingEvents(store, key); left.length > 0 && outcome === 'sent'; ) {
      const batch = nextBatch(left)
      outcome = await outcomeOf(() => api.report(batch))
      left = left.slice(batch.length)
      if (outcome === 'sent') store.set(key, JSON.stringify(left))
    }
    // Data that can't be sent any more shows on the server as a gap in the numbers.
    if (outcome !== 'later') store.remove(key)
  }
  return sent
}

/** The stored choices for a new window, from a replaced window only if the server has no newer choice. */
export function pickLeftovers(
  store: KeyValueStore,
  prefix: string,
  reference: string,
  saved: readonly { questionId: number; revision: number }[],
  overtaken: ReadonlySet<string>,
): WaitingAnswer[] {
  const revisions = new Map(saved.map(({ questionId, revision }) => [questionId, revision]))
  return readWaitingAnswers(store, prefix).filter((answer) => {
    const known = revisions.get(answer.questionId) ?? 0
    const isNewest = overtaken.has(answer.windowId)
      ? known <= answer.baseRevision
      : known < answer.revision
    if (answer.reference === reference && isNewest) return true
    forgetWaitingAnswer(store, prefix, answer)
    return false
  })
}

function toSent({ questionId, choice, revision, at }: WaitingAnswer): SentAnswer {
  return { questionId, choice, revision, at }
}

type Outcome = 'sent' | 'closed' | 'overtaken' | 'refused' | 'later'

async function outcomeOf(send: () => Promise<unknown>): Promise<Outcome> {
  try {
    await send()
    return 'sent'
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.isTemporary) return 'later'
    if (error.code === 'attempt_closed') return 'closed'
    if (error.code === 'taken_over') return 'overtaken'
    // The token belongs to another candidate. The right one may come later.
    return error.status === 403 ? 'later' : 'refused'
  }
}
