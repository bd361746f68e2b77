/** How long a candidate has, with what was promised before the day apart from what was given on it. Seconds. */
export interface OwnTime {
  durationSeconds: number
  /** planned, in all */
  extraSeconds: number
  /** because something happened; less than nothing where the end was brought forward */
  givenSeconds: number
}

/** '30 min', '30 min + 10', and with both '30 min + 8 + 10': planned first, given after it (product 6.14.4). */
export function describeOwnTime({ durationSeconds, extraSeconds, givenSeconds }: OwnTime): string {
  const more = [extraSeconds, givenSeconds]
    .filter((seconds) => seconds !== 0)
    .map((seconds) => (seconds < 0 ? ` − ${minutesOf(-seconds)}` : ` + ${minutesOf(seconds)}`))
  return `${minutesOf(durationSeconds)} min${more.join('')}`
}

/** '30', '7.5' */
const minutesOf = (seconds: number) => String(Math.round(seconds / 6) / 10)
