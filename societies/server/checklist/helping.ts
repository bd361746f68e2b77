import type { AssessmentState } from '../../assessment-state.ts'
import { mayOf } from '../../role-words.ts'
import { zoneDay, zoneTime } from '../../zone-time.ts'
import { whenWords } from './moments.ts'

/** What an invigilator is told of an assessment: when and where they are needed, and whom to ask. */
export interface Helping {
  /** null: every room */
  room: string | null
  /** names of the owners */
  owners: string[]
  /** whom the society names to candidates; null: nobody */
  contact: string | null
}

interface Day {
  state: AssessmentState
  opensAt: Date | null
  closesAt: Date | null
  timeZone: string
  durationSeconds: number
  /** the most that a candidate has */
  extraSeconds: number
}

/**
 * When and where an invigilator is needed, as headline and sentence, on the clocks of the assessment's zone
 * (product 7.8.10).
 */
export function helpingWords(
  { room }: Helping,
  day: Day,
  now: Date,
): { headline: string; sentence: string } {
  const { state, opensAt, closesAt, timeZone } = day
  const where = `You ${mayOf('invigilator', room)}.`
  if (state === 'closed') {
    return { headline: 'It is over. Thank you.', sentence: 'Nobody can start any more.' }
  }
  if (opensAt === null || closesAt === null) {
    const isOpen = state === 'running'
    return {
      headline: isOpen ? 'You are needed while it is open.' : 'Its day is not set yet.',
      sentence: isOpen ? `${where} It has no last moment to start.` : `${where} You see it here.`,
    }
  }
  const end = new Date(closesAt.getTime() + (day.durationSeconds + day.extraSeconds) * 1000)
  const time = (at: Date) => zoneTime(at, timeZone)
  const isSameDay =
    zoneDay(end, timeZone, now.getTime()) === zoneDay(opensAt, timeZone, now.getTime())
  const until = isSameDay ? time(end) : `${zoneDay(end, timeZone, now.getTime())}, ${time(end)}`
  if (state === 'running') {
    return {
      headline: `You are needed now, until ${until}.`,
      sentence: `${where} The last can start at ${time(closesAt)}.`,
    }
  }
  const isNear = opensAt.getTime() - now.getTime() < 6 * 86_400_000
  const near = isNear ? whenWords(opensAt, timeZone, now) : ''
  return {
    headline: `You are needed on ${zoneDay(opensAt, timeZone, now.getTime())}, ${time(opensAt)} to ${until}.`,
    sentence: [
      near.startsWith('today') ? `That is ${near}.` : '',
      where,
      `Candidates can start from ${time(opensAt)} to ${time(closesAt)}; the last one is out by ${until}.`,
    ]
      .filter(Boolean)
      .join(' '),
  }
}
