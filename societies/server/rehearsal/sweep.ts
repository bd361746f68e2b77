import { setTimeout as wait } from 'node:timers/promises'
import { sweepRehearsals } from '../../../assessments/server/rehearsal-store.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { sweepSimulations } from './simulation-store.ts'

const ROUND_MS = 60_000

/** Deletes rehearsals and simulations whose time is over, now and then each minute until stopped. */
export function startTrialSweep(dependencies: Pick<AppDependencies, 'db' | 'now' | 'log'>) {
  const { db, now, log } = dependencies
  const stopping = new AbortController()
  const rounds = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await sweepRehearsals(db, now())
        await sweepSimulations(dependencies)
      } catch (error) {
        log.warn({ error: String(error) }, 'the sweep of rehearsals failed')
      }
      await wait(ROUND_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
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
