/** Extra time and extensions are a day at most (product 7.1.4). */
export const MAX_MINUTES = 1440

/** Typed minutes, such as 10 or 7.5, in whole seconds (product 7.1.4); null for anything but minutes up to a day. */
export function secondsOfMinutes(text: string): number | null {
  const minutes = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text.trim()) || minutes > MAX_MINUTES) return null
  return Math.round(minutes * 60)
}

/**
 * Reads planned extra time as a member wrote it: minutes (8, 7,5, '8 min'), or a share of the test's duration (25%,
 * '+25 %'), which becomes whole minutes, rounded up (product 7.10.16).
 * @returns null for neither, and for more than a day; `share` as it was written, where it was one
 */
export function readExtraTime(
  text: string,
  durationSeconds: number,
): { seconds: number; share: string | null } | null {
  // 7,5 as half of Europe writes it.
  const tidy = text
    .trim()
    .replace(',', '.')
    .replace(/^\+\s*/, '')
  const [, percent] = /^(\d+(?:\.\d+)?)\s*%$/.exec(tidy) ?? []
  if (percent === undefined) {
    const seconds = secondsOfMinutes(tidy.replace(/ ?min(utes)?\.?$/i, ''))
    return seconds === null ? null : { seconds, share: null }
  }
  // What floating point adds to a whole number of minutes is no minute more.
  const minutes = Math.ceil(Math.max(0, (durationSeconds * Number(percent)) / 100 / 60 - 1e-9))
  return minutes > MAX_MINUTES ? null : { seconds: minutes * 60, share: `${percent}%` }
}
