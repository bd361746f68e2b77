import { sweepRehearsals } from '../../../assessments/server/rehearsal-store.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { startRepeating } from '../../../platform/server/repeating.ts'
import { sweepSimulations } from './simulation-store.ts'

const ROUND_MS = 60_000

/** Deletes rehearsals and simulations whose time is over, now and then each minute until stopped. */
export function startTrialSweep(dependencies: Pick<AppDependencies, 'db' | 'now' | 'log'>) {
  const { db, now, log } = dependencies
  return startRepeating(
    {
      everyMs: ROUND_MS,
      onError: (error) => log.warn({ error: String(error) }, 'the sweep of rehearsals failed'),
    },
    async () => {
      await sweepRehearsals(db, now())
      await sweepSimulations(dependencies)
    },
  )
}
