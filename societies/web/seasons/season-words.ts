import { countOf } from '../../number-words.ts'
import { zoneDay } from '../../zone-time.ts'
import type { KeptAssessment, SeasonsFound } from './queries.ts'

const kept = ({ seasons }: SeasonsFound) =>
  seasons
    .flatMap(({ assessments }) => assessments)
    .filter(({ deletedAt, satCount }) => deletedAt === null && satCount > 0)

/** The page's finding: whose answers are deleted next, and when. */
export function headlineOf(found: SeasonsFound, nowMs: number): string {
  const next = kept(found)
    .flatMap((one) => (one.keepUntil === null ? [] : [{ ...one, keepUntil: one.keepUntil }]))
    .sort((a, b) => a.keepUntil.localeCompare(b.keepUntil))[0]
  if (!next) return 'Nothing deletes itself yet'
  return `${next.name}: the answers and names of ${countOf(next.satCount, 'candidate')} are deleted on ${zoneDay(next.keepUntil, next.timeZone, nowMs)}`
}

/** What becomes of an assessment's answers and names. */
export function keptWords(one: KeptAssessment, nowMs: number): string {
  const day = (iso: string) => zoneDay(iso, one.timeZone, nowMs)
  if (one.deletedAt !== null) {
    const left = one.keepsStatistics ? 'numbers without names stay, and the log' : 'the log stays'
    return `Answers and names were deleted on ${day(one.deletedAt)}; ${left}.`
  }
  if (one.isDraft) return 'A draft: nobody has sat it.'
  if (one.isSample) return 'A sample: it stays, and its people are made up.'
  if (one.keepUntil === null)
    return 'No last moment to start, so no day: kept until an owner deletes it.'
  if (one.warnedAt !== null) {
    return `Answers and names are deleted on ${day(one.keepUntil)}. Owners were told on ${day(one.warnedAt)}.`
  }
  return `Answers and names are deleted on ${day(one.keepUntil)}.`
}

/** 'Morning, 124 sat' */
export const satWords = ({ satCount }: KeptAssessment): string =>
  satCount === 0 ? 'nobody sat it' : countOf(satCount, 'candidate')
