import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { isDatabaseUnavailable, isLockConflict } from '../database/database.ts'
import { ApiError } from './api.ts'
import { describeError, type Logger } from './log.ts'

const ROUND_LIMIT = 200
/** Callers that may wait for a batch. The next is refused immediately, which is better than late. */
const WAITING_LIMIT = 2_000

/**
 * Batches calls of many people into one statement; calls that arrive meanwhile wait for the next batch. `run` returns
 * results in order, with null for calls to run individually. `slowMs`: a longer batch no longer delays the next.
 * `everyMs`: minimum time between batches. Errors: 503 when too many wait or the database is unavailable.
 */
export function inRounds<In, Out>(
  log: Logger,
  run: (calls: readonly In[]) => Promise<(Out | null)[]>,
  {
    slowMs,
    everyMs = 0,
    waitingLimit = WAITING_LIMIT,
  }: { slowMs?: number; everyMs?: number; waitingLimit?: number } = {},
): (call: In) => Promise<Out | null> {
  const queue: {
    call: In
    resolve: (answer: Out | null) => void
    reject: (error: unknown) => void
  }[] = []
  let isUnderWay = false
  let lastBeganAt = Number.NEGATIVE_INFINITY

  async function runRounds(): Promise<void> {
    isUnderWay = true
    while (queue.length > 0) {
      const restMs = lastBeganAt + everyMs - performance.now()
      // Waiting at least one tick groups calls that arrive together.
      await (restMs > 0 ? wait(restMs) : nextTurn())
      lastBeganAt = performance.now()
      const answered = answer(queue.splice(0, ROUND_LIMIT))
      await (slowMs === undefined
        ? answered
        : Promise.race([answered, wait(slowMs, undefined, { ref: false })]))
    }
    isUnderWay = false
  }

  async function answer(round: typeof queue): Promise<void> {
    try {
      const answers = await run(round.map(({ call }) => call))
      for (const [index, { resolve }] of round.entries()) resolve(answers[index] ?? null)
    } catch (error) {
      if (isDatabaseUnavailable(error) && !isLockConflict(error)) {
        // Queued calls would only get the same error later.
        for (const { reject } of [...round, ...queue.splice(0)]) reject(error)
      } else {
        // One call's error must not fail the others, so each is retried by itself. If another transaction held a row
        // too long, the other calls shouldn't wait for it again.
        log.error({ error: describeError(error), calls: round.length }, 'a batch failed')
        for (const { resolve } of round) resolve(null)
      }
    }
  }

  return async (call) => {
    if (queue.length >= waitingLimit) {
      throw new ApiError(503, 'unavailable', 'Superday is busy. Please try again in a moment.', {
        retryAfterSeconds: 1,
      })
    }
    const answer = new Promise<Out | null>((resolve, reject) => {
      queue.push({ call, resolve, reject })
    })
    if (!isUnderWay) void runRounds()
    return answer
  }
}
