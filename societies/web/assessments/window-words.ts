import { describeDuration } from '../../../platform/durations.ts'
import { countOf } from '../../../platform/words.ts'
import type { AssessmentSettings } from '../../contract/lifecycle.ts'
import { isZone, zoneDay, zoneMoment, zoneName, zoneTime } from '../../zone-time.ts'
import { inOwnZone, momentOf } from './own-zone.ts'

type TypedWindow = Pick<AssessmentSettings, 'opens' | 'closes' | 'timeZone' | 'durationSeconds'>

const YEAR_MS = 365 * 86_400_000
const NEVER_CUTS = 'The window is for starting alone: it never cuts anybody’s time.'

/**
 * What a datetime field holds: null where it is empty, and '' where somebody has typed half of it, which the
 * browser gives as empty too.
 */
export function localTimeOf(input: HTMLInputElement): string | null {
  if (input.validity.badInput) return ''
  return input.value === '' ? null : input.value.replace('T', ' ')
}

/** Whether a time is typed to its half: no moment, and no 'without a limit' either. */
export function isHalfTyped(local: string | null): boolean {
  return local !== null && momentOf(local, 'UTC') === null
}

/** What the typed times mean, in both zones and for who starts last (product 7.8.6). */
export function windowMeaning(window: TypedWindow, nowMs: number): string[] {
  const { opens, closes, timeZone, durationSeconds } = window
  if (!isZone(timeZone)) {
    return ['Choose the time zone first: what the times mean depends on it.', NEVER_CUTS]
  }
  if (isHalfTyped(opens) || isHalfTyped(closes)) {
    return ['What the window means stands here once date and time are whole.', NEVER_CUTS]
  }
  const opensMs = momentOf(opens, timeZone)
  const closesMs = momentOf(closes, timeZone)
  if (opensMs === null && closesMs === null) {
    return [
      'Without times it can be started at any moment, and never closes by itself.',
      NEVER_CUTS,
    ]
  }
  const moment = (atMs: number) => zoneMoment(atMs, timeZone, nowMs)
  const day = (atMs: number) => zoneDay(atMs, timeZone, nowMs)
  const own = inOwnZone(opensMs, closesMs, timeZone, nowMs)
  const zone = zoneName(timeZone)
  if (closesMs === null) {
    const there = own ? `, which is ${own}, where you are` : ''
    return [
      `It can be started from ${moment(opensMs as number)} in ${zone}${there}, and never closes by itself.`,
      NEVER_CUTS,
    ]
  }
  const there = own ? ` is ${own}, where you are` : ''
  const isOneDay = opensMs !== null && day(opensMs) === day(closesMs)
  return [
    opensMs === null
      ? `It can be started at any moment until ${moment(closesMs)} in ${zone}${own ? `, which${there}` : ''}.`
      : `${moment(opensMs)} to ${isOneDay ? zoneTime(closesMs, timeZone) : moment(closesMs)} in ${zone}${there}.`,
    `Who starts at ${zoneTime(closesMs, timeZone)} writes until ${zoneTime(closesMs + durationSeconds * 1000, timeZone)}: everybody keeps all ${describeDuration(durationSeconds)}.`,
    NEVER_CUTS,
  ]
}

/** A window that is likelier a slip than meant, in words. */
export interface DoubtfulWindow {
  /** the field that it is about */
  field: 'opens' | 'closes'
  /** beside that field, while it is a draft */
  sentence: string
  /** asked before it is saved, once it is published */
  title: string
  meaning: string
  button: string
}

/**
 * A window whose last moment to start lies in the past, or that opens more than a year ahead; null for any
 * other (product 7.8.6).
 * @param listed how many candidates are on the list
 */
export function doubtfulWindow(
  window: TypedWindow,
  listed: number,
  nowMs: number,
): DoubtfulWindow | null {
  const { opens, closes, timeZone } = window
  const opensMs = momentOf(opens, timeZone)
  const closesMs = momentOf(closes, timeZone)
  const list =
    listed === 0 ? 'Nobody is on the list.' : `${countOf(listed, 'is', 'are')} on the list.`
  if (closesMs !== null && closesMs <= nowMs) {
    const past = `The last moment to start, ${zoneMoment(closesMs, timeZone, nowMs)}, is past.`
    return {
      field: 'closes',
      sentence: 'This is past: nobody could start.',
      title: 'Close it now?',
      meaning: `${past} From this moment nobody can start. ${list}`,
      button: 'Close it now',
    }
  }
  if (opensMs !== null && opensMs - nowMs > YEAR_MS) {
    // Not by the clocks of whoever types, on which New Year may be another day.
    const year = (opens as string).slice(0, 4)
    return {
      field: 'opens',
      sentence: `More than a year ahead, in ${year}: nobody could start before.`,
      title: `Open it in ${year}?`,
      meaning: `It opens ${zoneMoment(opensMs, timeZone, nowMs)}, more than a year ahead. Until then nobody can start. ${list}`,
      button: `Save ${year} all the same`,
    }
  }
  return null
}
