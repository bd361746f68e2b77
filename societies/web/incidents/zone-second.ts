const formats = new Map<string, Intl.DateTimeFormat>()

/** '09:08:41', in the society's zone: incidents are told by the second. */
export function zoneSecond(at: string | number, timeZone: string): string {
  const known = formats.get(timeZone)
  const format =
    known ?? new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium', hourCycle: 'h23' })
  if (!known) formats.set(timeZone, format)
  return format.format(new Date(at))
}
