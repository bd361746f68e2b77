import { AdminError } from '../../platform/server/admin-error.ts'
import { act, type Organiser, requireAssessment } from './action.ts'
import { requireWindow } from './authoring/load-assessment.ts'
import { parseLocalTime, requireNamedZone } from './local-time.ts'

export interface WindowChange {
  code: string
  timeZone: string
  opensAt: Date | null
  closesAt: Date | null
  /** how many have started already: they keep their whole time */
  startedCount: number
}

/**
 * Sets first and last moment to start.
 * Errors: AdminError.
 * @param change times as the clocks of the zone show them, 'none' for no limit, undefined to keep
 */
export function setWindow(
  organiser: Organiser,
  code: string,
  change: { opens?: string; closes?: string; zone?: string },
): Promise<WindowChange> {
  return act(organiser, 'window', code, async (client) => {
    const before = await requireAssessment(client, code, 'change')
    const { opens, closes, zone } = change
    if (opens === undefined && closes === undefined && zone === undefined) {
      throw new AdminError('Nothing to set: give --opens, --closes, or both.')
    }
    const timeZone = zone === undefined ? before.timeZone : requireNamedZone(zone)
    // Whether 09:00 stays 09:00 or stays the same instant is not ours to guess.
    if (
      timeZone !== before.timeZone &&
      ((opens === undefined && before.opensAt) || (closes === undefined && before.closesAt))
    ) {
      throw new AdminError('With another --zone, please give --opens and --closes too.')
    }
    const timeOf = (text: string | undefined, stored: Date | null) => {
      if (text === undefined) return stored
      return text === 'none' ? null : parseLocalTime(text, timeZone)
    }
    const opensAt = timeOf(opens, before.opensAt)
    const closesAt = timeOf(closes, before.closesAt)
    requireWindow(opensAt, closesAt)
    await client.query(
      'update assessments set opens_at = $2, closes_at = $3, time_zone = $4 where code = $1',
      [code, opensAt, closesAt, timeZone],
    )
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int as count from attempts where assessment = $1 and not is_demo',
      [code],
    )
    return {
      result: { code, timeZone, opensAt, closesAt, startedCount: rows[0]?.count ?? 0 },
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
