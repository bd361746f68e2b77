import { act, type Organiser } from './action.ts'
import { countAttempts, requireAssessment } from './assessments.ts'
import { isNamedZone } from './local-time.ts'
import { OrganiserRefusal } from './refusal.ts'

/** What is to be set: null for no limit, undefined to keep what stands. */
export interface WindowChange {
  opensAt?: Date | null
  closesAt?: Date | null
  /** by name, such as Europe/Lisbon */
  timeZone?: string
}

export interface Window {
  code: string
  timeZone: string
  opensAt: Date | null
  closesAt: Date | null
  /** how many have started already: they keep their whole time */
  startedCount: number
}

/**
 * Sets first and last moment to start (product 7.2.3).
 * Errors: OrganiserRefusal.
 */
export function setWindow(
  organiser: Organiser,
  code: string,
  change: WindowChange,
): Promise<Window> {
  return act(organiser, 'window', code, async (client) => {
    const before = await requireAssessment(client, code, 'change')
    if (Object.values(change).every((given) => given === undefined)) {
      throw new OrganiserRefusal('window_unchanged', {})
    }
    const { opensAt = before.opensAt, closesAt = before.closesAt } = change
    const { timeZone = before.timeZone } = change
    if (!isNamedZone(timeZone)) throw new OrganiserRefusal('zone_unknown', { timeZone })
    // Whether 09:00 stays 09:00 or stays the same instant is not ours to guess.
    if (
      timeZone !== before.timeZone &&
      ((change.opensAt === undefined && before.opensAt) ||
        (change.closesAt === undefined && before.closesAt))
    ) {
      throw new OrganiserRefusal('zone_without_times', {})
    }
    requireWindow(opensAt, closesAt)
    await client.query(
      `update assessments set opens_at = $2, closes_at = $3, time_zone = $4, version = version + 1
       where code = $1`,
      [code, opensAt, closesAt, timeZone],
    )
    return {
      result: {
        code,
        timeZone,
        opensAt,
        closesAt,
        startedCount: await countAttempts(client, code),
      },
      detail: {
        opensAt,
        closesAt,
        timeZone,
        before: {
          opensAt: before.opensAt,
          closesAt: before.closesAt,
          timeZone: before.timeZone,
        },
      },
    }
  })
}

/** Errors: OrganiserRefusal when a window would close before it opens. */
export function requireWindow(
  opensAt: Date | null | undefined,
  closesAt: Date | null | undefined,
): void {
  if (!opensAt || !closesAt || opensAt < closesAt) return
  throw new OrganiserRefusal('closes_before_opens', {})
}
