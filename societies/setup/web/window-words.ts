import { describeDuration } from '../../../platform/durations.ts'
import { countOf } from '../../../platform/words.ts'
import { inOwnZone, momentOf } from '../../kit/web/own-zone.ts'
import { isZone, zoneDay, zoneMoment, zoneName, zoneTime } from '../../kit/zone-time.ts'
import type { AssessmentSettings } from '../contract.ts'

type TypedWindow = Pick<AssessmentSettings, 'opens' | 'closes' | 'timeZone' | 'durationSeconds'>

const YEAR_MS = 365 * 86_400_000

/** Returns a datetime field's value: null if empty, '' if half typed, which browsers also report as empty. */
export function localTimeOf(input: HTMLInputElement): string | null {
  if (input.validity.badInput) return ''
  return input.value === '' ? null : input.value.replace('T', ' ')
}

/** Whether a time is half typed: neither valid nor empty. */
export function isHalfTyped(local: string | null): boolean {
  return local !== null && momentOf(local, 'UTC') === null
}

/** Explains the typed times in both zones and for the last candidates to start (product 7.8.6). */
export function windowMeaning(window: TypedWindow, nowMs: number): string[] {
  const { opens, closes, timeZone, durationSeconds } = window
  if (!isZone(timeZone)) return ['Choose the time zone first. The times depend on it.']
  if (isHalfTyped(opens) || isHalfTyped(closes))
    return ['Enter both date and time to see a summary of the window.']
  const opensMs = momentOf(opens, timeZone)
  const closesMs = momentOf(closes, timeZone)
  const moment = (atMs: number) => zoneMoment(atMs, timeZone, nowMs)
  const own = inOwnZone(opensMs, closesMs, timeZone, nowMs)
  const zone = `${zoneName(timeZone)}${own ? `, which is ${own}, where you are` : ''}`
  if (closesMs === null) {
    return [
      opensMs === null
        ? 'Without times, candidates can start at any time, and the test never closes automatically.'
        : `It can be started from ${moment(opensMs)} in ${zone}, and never closes automatically.`,
    ]
  }
  const isOneDay =
    opensMs !== null && zoneDay(opensMs, timeZone, nowMs) === zoneDay(closesMs, timeZone, nowMs)
  const lastEnd = zoneTime(closesMs + durationSeconds * 1000, timeZone)
  return [
    opensMs === null
      ? `It can be started at any moment until ${moment(closesMs)} in ${zone}.`
      : `${moment(opensMs)} to ${isOneDay ? zoneTime(closesMs, timeZone) : moment(closesMs)} in ${zone}.`,
    `Candidates who start at ${zoneTime(closesMs, timeZone)} have until ${lastEnd}, because everyone gets the full ${describeDuration(durationSeconds)}.`,
  ]
}

/**
 * Describes a window that is probably a mistake: its last start is in the past, or it opens more than a year ahead.
 * Returns null for any other window (product 7.8.6).
 * @param listed how many candidates are on the list
 * @returns the field; a sentence next to it while the test is a draft; and the question before saving once it's
 *   published
 */
export function doubtfulWindow(window: TypedWindow, listed: number, nowMs: number) {
  const { opens, closes, timeZone } = window
  const opensMs = momentOf(opens, timeZone)
  const closesMs = momentOf(closes, timeZone)
  const list = `${listed === 0 ? 'No candidates are' : countOf(listed, 'is', 'are')} on the list.`
  if (closesMs !== null && closesMs <= nowMs) {
    const moment = zoneMoment(closesMs, timeZone, nowMs)
    return {
      field: 'closes' as const,
      sentence: 'This is in the past, so no candidate could start.',
      title: 'Close it now?',
      meaning: `The start deadline, ${moment}, is in the past. From then on, no one can start. ${list}`,
      button: 'Close it now',
    }
  }
  if (opensMs !== null && opensMs - nowMs > YEAR_MS) {
    // The year is taken as typed, because in the browser's time zone it may differ around New Year.
    const year = (opens as string).slice(0, 4)
    return {
      field: 'opens' as const,
      sentence: `This is more than a year ahead, in ${year}. No candidate can start before.`,
      title: `Open it in ${year}?`,
      meaning: `It opens ${zoneMoment(opensMs, timeZone, nowMs)}, more than a year ahead. Until then, no candidate can start. ${list}`,
      button: `Save ${year} anyway`,
    }
  }
  return null
}
