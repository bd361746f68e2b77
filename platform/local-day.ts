import * as z from 'zod/mini'

/** Keyed by lowercase name: callers vary the case, and a formatter for each spelling would fill the memory. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** Errors: RangeError for an unknown time zone. */
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

/** Whether this runtime knows an IANA time zone. Offsets aren't zones, because they ignore daylight saving time. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(text)) return false
  try {
    formatOf(text)
    return true
  } catch {
    return false
  }
}

/** The local day (yyyy-mm-dd) of an instant. Errors: RangeError for an unknown time zone. */
export function localDay(atMs: number, timeZone: string): string {
  // No locale gives yyyy-mm-dd in every browser, so this uses the parts.
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of formatOf(timeZone).formatToParts(atMs)) parts[type] = value
  return `${parts.year}-${parts.month}-${parts.day}`
}

/** Whole days between two local days; negative if `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)
}

export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

export const timeZoneSchema = z
  .string()
  .check(
    z.maxLength(100),
    z.refine(isTimeZone, { error: 'must be an IANA time zone, for example Europe/Lisbon' }),
  )
