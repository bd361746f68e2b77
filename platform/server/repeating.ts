import { setTimeout as wait } from 'node:timers/promises'

/**
 * Repeats something until stopped, with a pause of everyMs after each round, however long that takes. A failed round
 * goes to onError and the next one comes as usual. The process may end during a pause.
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
