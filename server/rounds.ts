import { setImmediate as nextTurn } from 'node:timers/promises'
import DataLoader from 'dataloader'
import { isDatabaseUnavailable } from '../db/database.ts'
import { ApiError } from './http.ts'
import { describeError, type Logger } from './log.ts'

/** Calls in one round at most. */
const ROUND_LIMIT = 200
/** Callers that wait for their round; the next is told to come back: early is kinder than late. */
const WAITING_LIMIT = 2_000

/**
 * Runs calls of many people as one statement. What comes in while a round is under way waits for the
 * next, so the fuller the house the larger the rounds: a commit costs the same for one call as for fifty.
 * @param run answers each call in its order; null for one that has to be looked at by itself
 * @returns a function that takes a call into the next round. Null: by itself, please.
 * Errors: 503 when too many wait, whatever isDatabaseUnavailable tells of for all calls of a round.
 */
export function inRounds<In, Out>(
  log: Logger,
  run: (calls: readonly In[]) => Promise<(Out | null)[]>,
): (call: In) => Promise<Out | null> {
  let waiting = 0
  let answered: Promise<unknown> = Promise.resolve()
  let round: Promise<unknown> = answered
  const loader = new DataLoader<In, Out | null>(
    (calls) => {
      const answers = run(calls).catch((error) => {
        if (isDatabaseUnavailable(error)) throw error
        // Nobody's call may fail for another's: each is tried again by itself.
        log.error({ error: describeError(error), calls: calls.length }, 'a round failed')
        return calls.map(() => null)
      })
      answered = answers.catch(() => {})
      return answers
    },
    {
      cache: false,
      maxBatchSize: ROUND_LIMIT,
      batchScheduleFn: (start) => {
        round = round.then(async () => {
          // A turn of the event loop later: what arrived together goes together.
          await nextTurn()
          start()
          await answered
        })
      },
    },
  )
  return async (call) => {
    if (waiting >= WAITING_LIMIT) {
      throw new ApiError(503, 'unavailable', 'Superday is busy. Please try again in a moment.', {
        retryAfterSeconds: 1,
      })
    }
    waiting += 1
    try {
      return await loader.load(call)
    } finally {
      waiting -= 1
    }
  }
}
