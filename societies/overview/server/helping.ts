import type { AssessmentState } from '../../kit/assessment-state.ts'
import { mayOf } from '../../kit/role-words.ts'
import { zoneDay, zoneTime } from '../../kit/zone-time.ts'
import { whenWords } from './window.ts'

/** What an invigilator reads on a test's overview besides when they are needed. */
export interface Helping {
  /** null: every room */
  room: string | null
  /** names of the owners */
  owners: string[]
  /** who the society tells candidates to ask */
  contact: string | null
}

/**
 * When and where an invigilator is needed, as headline and sentence, by the clocks of the test's zone
 * (product 7.8.10).
 * @param day.extraSeconds the most that a candidate has
 */
export function helpingWords(
  { room }: Pick<Helping, 'room'>,
  day: {
    state: AssessmentState
    opensAt: Date | null
    closesAt: Date | null
    timeZone: string
    durationSeconds: number
    extraSeconds: number
  },
  now: Date,
): { headline: string; sentence: string } {
  const { state, opensAt, closesAt, timeZone } = day
  const where = `You ${mayOf('invigilator', room)}.`
  if (state === 'closed') {
    return { headline: 'It is over. Thank you.', sentence: 'No one can start anymore.' }
  }
  if (opensAt === null || closesAt === null) {
    return state === 'running'
      ? {
          headline: 'You are needed while it is open.',
          sentence: `${where} It has no last moment to start.`,
        }
      : { headline: 'Its day is not set yet.', sentence: `${where} The day will appear here.` }
  }
  const timeOf = (at: Date) => zoneTime(at, timeZone)
  const dayOf = (at: Date) => zoneDay(at, timeZone, now.getTime())
  const end = new Date(closesAt.getTime() + (day.durationSeconds + day.extraSeconds) * 1_000)
  const until = dayOf(end) === dayOf(opensAt) ? timeOf(end) : `${dayOf(end)}, ${timeOf(end)}`
  if (state === 'running') {
    return {
      headline: `You are needed now, until ${until}.`,
      sentence: `${where} The last can start at ${timeOf(closesAt)}.`,
    }
  }
  const when = whenWords(opensAt, timeZone, now)
  const today = when.startsWith('today') ? `That is ${when}. ` : ''
  return {
    headline: `You are needed on ${dayOf(opensAt)}, ${timeOf(opensAt)} to ${until}.`,
    sentence: `${today}${where} Candidates can start from ${timeOf(opensAt)} to ${timeOf(closesAt)}. The last one finishes by ${until}.`,
  }
}
