import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { AWAY_GRACE_MS, GRACE_MS } from '../deadline.ts'
import { closeAttempt } from './attempt-store.ts'
import { beat } from './pulse.ts'

/** Every node sweeps this often. */
const SWEEP_MS = 1_000
/** How many attempts one round closes; the rest waits for the next. */
const ROUND_LIMIT = 500

/**
 * Closes every attempt whose grace is over, at its deadline, each once whoever else sweeps.
 * @returns how many this call closed
 */
export async function sweepOnce(
  dependencies: Pick<AppDependencies, 'db' | 'now'>,
): Promise<number> {
  const upSince = await beat(dependencies)
  const { db, now } = dependencies
  const at = now()
  // The same rule as graceEndMs of assessments/deadline.ts, so that the index on deadline_at serves.
  const { rows } = await db.$client.query<{ id: string; deadlineAt: Date }>({
    name: 'find-overdue',
    text: `
      select id, deadline_at as "deadlineAt" from attempts
      where submitted_at is null and deadline_at <= $1::timestamptz
        and ($2::timestamptz <= deadline_at or $2::timestamptz <= $3::timestamptz)
      order by deadline_at limit ${ROUND_LIMIT}`,
    values: [new Date(at.getTime() - GRACE_MS), upSince, new Date(at.getTime() - AWAY_GRACE_MS)],
  })
  let closed = 0
  for (const { id, deadlineAt } of rows) {
    const closing = {
      at: deadlineAt,
      reason: 'deadline',
      bySubmit: false,
      onlyAtDeadline: deadlineAt,
    } as const
    if (await closeAttempt(db.$client, id, closing, at)) closed += 1
  }
  return closed
}

/** Beats and sweeps each second until stopped. */
export function startSweep(dependencies: Pick<AppDependencies, 'db' | 'now' | 'log'>) {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let round: Promise<unknown> = Promise.resolve()
  const next = () => {
    if (isStopped) return
    timer = setTimeout(() => {
      round = sweepOnce(dependencies)
        .then((closed) => {
          if (closed > 0) dependencies.log.info({ closed }, 'attempts closed at their deadline')
        })
        .catch((error) => dependencies.log.warn({ error: String(error) }, 'sweep failed'))
        .finally(next)
    }, SWEEP_MS)
    timer.unref()
  }
  next()
  return {
    /** Waits for the round under way. */
    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      await round
    },
  }
}
