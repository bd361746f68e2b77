/** Extra time and extensions are a day at most (product 7.1.4). */
export const MAX_MINUTES = 1440

/**
 * Minutes as somebody wrote them, such as 10 or 7.5, in whole seconds (product 7.1.4).
 * @returns null for anything but a number of minutes up to a day
 */
export function secondsOfMinutes(text: string): number | null {
  const minutes = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text.trim()) || minutes > MAX_MINUTES) return null
  return Math.round(minutes * 60)
}

/** Whether a time that an organiser gives is one: whole seconds, up to a day (product 7.1.4). */
export function isAllowance(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_MINUTES * 60
}

/** A length of time as people say it: '40 s', '7 min', '1 min 30 s'; 0 is '0 min'. */
export function describeDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const rest = Math.round(seconds % 60)
  if (rest === 0) return `${minutes} min`
  return minutes === 0 ? `${rest} s` : `${minutes} min ${rest} s`
}
