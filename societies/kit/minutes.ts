/** Extra time and extensions are limited to one day (product 7.1.4). */
export const MAX_MINUTES = 1440

/** Converts typed minutes, such as 7.5, to whole seconds (product 7.1.4). Null if invalid or over a day. */
export function secondsOfMinutes(text: string): number | null {
  const minutes = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text.trim()) || minutes > MAX_MINUTES) return null
  return Math.round(minutes * 60)
}

/**
 * Parses planned extra time: minutes (8, 7,5, '8 min') or a percentage of the test's duration (25%, '+25 %'), which is
 * rounded up to whole minutes (product 7.10.16).
 * @returns null if it's neither or over a day; `share` is the percentage as written, if it was one
 */
export function readExtraTime(
  text: string,
  durationSeconds: number,
): { seconds: number; share: string | null } | null {
  // Many European countries use a decimal comma, as in 7,5.
  const tidy = text
    .trim()
    .replace(',', '.')
    .replace(/^\+\s*/, '')
  const [, percent] = /^(\d+(?:\.\d+)?)\s*%$/.exec(tidy) ?? []
  if (percent === undefined) {
    const seconds = secondsOfMinutes(tidy.replace(/ ?min(utes)?\.?$/i, ''))
    return seconds === null ? null : { seconds, share: null }
  }
  // Subtract a tiny amount so that a floating-point error doesn't round up to another minute.
  const minutes = Math.ceil(Math.max(0, (durationSeconds * Number(percent)) / 100 / 60 - 1e-9))
  return minutes > MAX_MINUTES ? null : { seconds: minutes * 60, share: `${percent}%` }
}
