import { countOf } from './words.ts'

/** Rounds a time or length in milliseconds down to a whole minute. */
export const wholeMinute = (ms: number): number => ms - (ms % 60_000)

/** '6:12' */
export function clockTime(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** The time left on a test's clock: '09:39'. Extra time can exceed 59 minutes (product 6.7.7). */
export function formatMinutes(ms: number): string {
  return clockTime(Math.max(0, Math.floor(ms / 1000))).padStart(5, '0')
}

/** A planned duration: '40 s', '7 min', '1 min 30 s', '120 min'; 0 is '0 min'. */
export function describeDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const rest = Math.round(seconds % 60)
  if (rest === 0) return `${minutes} min`
  return minutes === 0 ? `${rest} s` : `${minutes} min ${rest} s`
}

/** An elapsed duration: '48 s', '4 min 10 s', '1 h 5 min'. */
export function wholeLength(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return describeDuration(seconds)
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`
}

/** Like wholeLength, with tenths below ten seconds: '0.4 s'. */
export function lengthText(ms: number): string {
  return ms < 10_000 ? `${Math.max(0, Math.round(ms / 100)) / 10} s` : wholeLength(ms)
}

/** Spelled out for candidates and screen readers: '30 minutes', '7 minutes 30 seconds'. */
export function durationText(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60]
  if (minutes === 0) return countOf(rest, 'second')
  return rest === 0
    ? countOf(minutes, 'minute')
    : `${countOf(minutes, 'minute')} ${countOf(rest, 'second')}`
}

/** The two largest units of a remaining time: '1 d 21 h', '3 h 5 min', '7:46' below ten minutes. */
export function spanUntil(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return clockTime(seconds)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 24
    ? `${hours} h ${minutes % 60} min`
    : `${Math.floor(hours / 24)} d ${hours % 24} h`
}
