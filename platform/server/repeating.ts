import { setTimeout as wait } from 'node:timers/promises'

/**
 * Does something again and again until stopped: one round at a time, however long it takes, and a pause after it.
 * The process may end during a pause.
 * @param everyMs of the pause, milliseconds
 * @param waitsFirst whether a pause comes before the first round
 * @param onError a round that fails ends there; the next one comes as if nothing had been
 * @param round may ask whether it is to end early
 */
export function startRepeating(
  {
    everyMs,
    waitsFirst = false,
    onError,
  }: { everyMs: number; waitsFirst?: boolean; onError: (error: unknown) => void },
  round: (isStopped: () => boolean) => Promise<unknown>,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const pause = () => wait(everyMs, undefined, { signal, ref: false }).catch(() => {})
  const rounds = (async () => {
    if (waitsFirst) await pause()
    while (!signal.aborted) {
      await round(() => signal.aborted).catch(onError)
      await pause()
    }
  })()
  return {
    /** Waits for the round under way. */
    async stop(): Promise<void> {
      stopping.abort()
      await rounds
    },
  }
}
