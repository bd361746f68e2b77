import { setTimeout as wait } from 'node:timers/promises'

/**
 * Repeats `act` until stopped, with a pause of everyMs after each run. A failed run goes to onError and doesn't stop
 * the repetition. The process may exit during a pause.
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
    /** Waits for the current run. */
    async stop(): Promise<void> {
      stopping.abort()
      await rounds
    },
  }
}
