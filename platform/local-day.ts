import * as z from 'zod/mini'

/** By the zone's name in lower case: callers spell zones in any way, and a format for each would fill the memory. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** Throws RangeError for an unknown time zone. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const name = timeZone.toLowerCase()
  const known = formats.get(name)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const canonicalName = made.resolvedOptions().timeZone.toLowerCase()
  const format = formats.get(canonicalName) ?? made
  formats.set(canonicalName, format)
  formats.set(name, format)
  return format
}

/** Whether this runtime knows an IANA time zone; offsets are none, because they know no daylight saving time. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(text)) return false
  try {
    formatOf(text)
    return true
  } catch {
    return false
  }
}

/** The local day (yyyy-mm-dd) of an instant. Throws RangeError for an unknown time zone. */
export function localDay(atMs: number, timeZone: string): string {
  // By its parts: no locale writes yyyy-mm-dd in every browser.
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of formatOf(timeZone).formatToParts(atMs)) parts[type] = value
  return `${parts.year}-${parts.month}-${parts.day}`
}

/** Whole days from one local day to another; negative when `to` is the earlier one. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)
}

/** The local day so many days after another. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

export const timeZoneSchema = z
  .string()
  .check(
    z.maxLength(100),
    z.refine(isTimeZone, { error: 'must be an IANA time zone, for example Europe/Lisbon' }),
  )
