import * as z from 'zod/mini'

export const dayFormats = new Map<string, Intl.DateTimeFormat>()
/**
 * Whether a text names an IANA time zone that this runtime knows. Offsets such as '+02:00' are no
 * zones: they know no daylight saving time.
 */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(text)) return false
  try {
    dayFormat(text)
    return true
  } catch {
    return false
  }
}
export function dayFormat(timeZone: string): Intl.DateTimeFormat {
  let format = dayFormats.get(timeZone)
  if (!format) {
    // en-CA writes dates as yyyy-mm-dd.
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    dayFormats.set(timeZone, format)
  }
  return format
}
/** The local day (yyyy-mm-dd) of an instant. Throws RangeError for an unknown time zone. */
export function localDay(atMs: number, timeZone: string): string {
  return dayFormat(timeZone).format(atMs)
}
/** Whole days from one local day to another; negative when `to` is the earlier one. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86400000)
}
export const timeZoneSchema = z
  .string()
  .check(
    z.maxLength(100),
    z.refine(isTimeZone, { error: 'must be an IANA time zone, for example Europe/Lisbon' }),
  )
