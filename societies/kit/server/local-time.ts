import { Temporal } from 'temporal-polyfill'
import { AdminError } from '../../../platform/server/admin-error.ts'

/**
 * Converts local time in a zone to an instant.
 * @param text 2026-03-02 09:00, optionally with seconds
 * Errors: AdminError for any other format, and for times that a clock change skips or repeats.
 */
export function parseLocalTime(text: string, timeZone: string): Date {
  const wall = parseWallTime(text.trim())
  if (!wall) throw new AdminError(`'${text}' isn't a date and time such as 2026-03-02 09:00.`)
  try {
    const at = wall.toZonedDateTime(timeZone, { disambiguation: 'reject' })
    return new Date(at.epochMilliseconds)
  } catch {
    // The local time is skipped or repeated. If it's skipped, converting the earlier instant back gives another time.
    const before = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
    throw new AdminError(
      before.toPlainDateTime().equals(wall)
        ? `${text} happens twice in ${timeZone}: the clocks go back then. Choose another time.`
        : `${text} does not exist in ${timeZone}: the clocks go forward then. Choose another time.`,
    )
  }
}

/** Parses this one format, although Temporal accepts many. Returns null for any other text. */
function parseWallTime(text: string): Temporal.PlainDateTime | null {
  if (!/^[1-9]\d{3}-\d\d-\d\d[ T]\d\d:\d\d(:[0-5]\d)?$/.test(text)) return null
  try {
    return Temporal.PlainDateTime.from(text, { overflow: 'reject' })
  } catch {
    return null // 30 February, or 25 o'clock
  }
}

/** Formats an instant as local time in a zone, 2026-03-02 09:00, with seconds on request. */
export function formatLocalTime(
  at: Date,
  timeZone: string,
  precision: 'minutes' | 'seconds' = 'minutes',
): string {
  const shown = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
  const smallestUnit = precision === 'minutes' ? 'minute' : 'second'
  return shown.toPlainDateTime().toString({ smallestUnit }).replace('T', ' ')
}
