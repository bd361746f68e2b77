import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { closeOverdue } from './attempt-store.ts'
import { beatNow, eachSecond, watchForStandstill } from './pulse.ts'

/** How many attempts one statement closes. Saves of other candidates can run between statements. */
const BATCH_LIMIT = 500

/** Closes every attempt whose grace period is over, at its deadline. @returns how many this call closed */
export async function sweepOnce({ db, now }: Pick<AppDependencies, 'db' | 'now'>): Promise<number> {
  // An outage must be recorded before any attempt is closed, even if no heartbeat was sent since.
  await beatNow(db.$client, now)
  let closed = 0
  for (;;) {
    const count = await closeOverdue(db.$client, now(), BATCH_LIMIT)
    closed += count
    if (count < BATCH_LIMIT) return closed
  }
}

export function startSweep(dependencies: Pick<AppDependencies, 'db' | 'now' | 'log'>) {
  const { log } = dependencies
  const watch = watchForStandstill(dependencies)
  const sweep = eachSecond(log, 'sweep', async () => {
    const closed = await sweepOnce(dependencies)
    if (closed > 0) log.info({ closed }, 'attempts closed at their deadline')
  })
  return {
    async stop() {
      await Promise.all([watch.stop(), sweep.stop()])
    },
  }
}
