import { Temporal } from 'temporal-polyfill'
import { AdminError } from '../../../platform/server/admin-error.ts'

/**
 * The instant at which the clocks of a zone show a date and time.
 * @param text 2026-03-02 09:00, seconds if need be
 * Errors: AdminError for another form, and for the hour that a change of the clocks skips or repeats.
 */
export function parseLocalTime(text: string, timeZone: string): Date {
  const wall = parseWallTime(text.trim())
  if (!wall) throw new AdminError(`'${text}' is no date and time such as 2026-03-02 09:00.`)
  try {
    const at = wall.toZonedDateTime(timeZone, { disambiguation: 'reject' })
    return new Date(at.epochMilliseconds)
  } catch {
    // No instant shows it, or two do. Of none, the one before the change shows another time.
    const before = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
    throw new AdminError(
      before.toPlainDateTime().equals(wall)
        ? `${text} happens twice in ${timeZone}: the clocks are put back over it. Please choose another time.`
        : `${text} does not exist in ${timeZone}: the clocks are put forward over it. Please choose another time.`,
    )
  }
}

/** What the clocks show, in one form only of the many that Temporal reads; null for any other text. */
function parseWallTime(text: string): Temporal.PlainDateTime | null {
  if (!/^[1-9]\d{3}-\d\d-\d\d[ T]\d\d:\d\d(:[0-5]\d)?$/.test(text)) return null
  try {
    return Temporal.PlainDateTime.from(text, { overflow: 'reject' })
  } catch {
    return null // 30 February, or 25 o'clock
  }
}

/** 2026-03-02 09:00, on the clocks of a zone; with seconds where asked for. */
export function formatLocalTime(
  at: Date,
  timeZone: string,
  precision: 'minutes' | 'seconds' = 'minutes',
): string {
  const shown = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
  const smallestUnit = precision === 'minutes' ? 'minute' : 'second'
  return shown.toPlainDateTime().toString({ smallestUnit }).replace('T', ' ')
}
