import { describeOwnTime } from '../../../assessments/deadline.ts'
import type { Sitting } from '../../../assessments/server/time-store.ts'
import { describeDuration } from '../../../platform/durations.ts'
import { zoneName, zoneTime } from '../../kit/zone-time.ts'
import type { PlannedTime, TimeAct, TimeOutcome } from '../time-plan.ts'

export interface TimeLine {
  sitting: Sitting
  plan: PlannedTime
}

/** Builds the message a candidate reads after an organizer changes their time (product 6.14.4). */
export function candidateWords(
  { outcome, deadlineMs, addedSeconds, plannedSeconds, incidentSeconds }: PlannedTime,
  timeZone: string,
  durationSeconds: number,
): string {
  if (outcome === 'ends') {
    return 'The society has ended the test. Your answers were submitted.'
  }
  const own = { durationSeconds, extraSeconds: plannedSeconds, givenSeconds: incidentSeconds }
  const yours = `Your time: ${describeOwnTime(own)}.`
  const until = `${zoneTime(deadlineMs ?? 0, timeZone)} (${zoneName(timeZone)})`
  if (outcome === 'reopens') {
    return `The society has opened the test again for you, until ${until}. ${yours}`
  }
  if (addedSeconds >= 0) return `You have ${describeDuration(addedSeconds)} more. ${yours}`
  return `Your test ends at ${until}, ${describeDuration(-addedSeconds)} earlier than before. ${yours}`
}

const nameOf = ({ sitting: { name, username } }: TimeLine) => name ?? username
const lastEnd = (lines: readonly TimeLine[], timeZone: string) =>
  zoneTime(Math.max(0, ...lines.map(({ plan }) => plan.deadlineMs ?? 0)), timeZone)

/** Summarizes the effect of a change in a few sentences (product 7.15.2). */
export function summaryOf(time: TimeAct, lines: readonly TimeLine[], timeZone: string): string {
  const of = (outcome: TimeOutcome) => lines.filter(({ plan }) => plan.outcome === outcome)
  /** Returns 'Mei Kettler ends now.' for one candidate, '3 end now.' for three, and an empty list for none. */
  const tell = ([only, ...others]: readonly TimeLine[], one: string, many: string) => {
    if (!only) return []
    return [others.length === 0 ? `${nameOf(only)} ${one}.` : `${others.length + 1} ${many}.`]
  }
  const moves = of('moves')
  const losing = moves.filter(({ plan }) => time.kind === 'end_at' && plan.addedSeconds < 0)
  const until = `until ${lastEnd(of('reopens'), timeZone)}`
  const changes = [
    ...describeMoves(time, moves, timeZone),
    ...tell(losing, 'loses time', 'lose time'),
    ...tell(of('ends'), 'ends now, with the answers so far', 'end now, with the answers so far'),
    ...tell(of('reopens'), `opens again, ${until}`, `open again, ${until}`),
    ...tell(
      of('plans'),
      'hasn’t started and gets the planned time',
      'haven’t started and get the planned time',
    ),
  ]
  return [
    ...(changes.length === 0 ? ['No candidate’s time changes.'] : changes),
    ...tell(
      of('strikes_stand'),
      'stays closed because three strikes count. Take one back first',
      'stay closed because three strikes count. Take one back from each first',
    ),
    ...tell(
      of('too_late'),
      'ended too long ago for this to help: reopen the test instead',
      'ended too long ago for this to help: reopen their tests instead',
    ),
    ...tell(
      of('would_end'),
      'would end immediately, so the time doesn’t change',
      'would end immediately, so their time doesn’t change',
    ),
  ].join(' ')
}

function describeMoves(time: TimeAct, moves: readonly TimeLine[], timeZone: string): string[] {
  const [one] = moves
  if (!one) return []
  const last = `${lastEnd(moves, timeZone)} (${zoneName(timeZone)})`
  if (moves.length === 1) {
    const was = zoneTime(one.sitting.attempt?.deadlineAt ?? 0, timeZone)
    return [`${nameOf(one)} now ends ${was} → ${last}.`]
  }
  if (time.kind === 'end_at') return [`${moves.length} end at ${last}.`]
  const by = one.plan.addedSeconds
  const shift = moves.every(({ plan }) => plan.addedSeconds === by)
    ? `${describeDuration(Math.abs(by))} ${by < 0 ? 'earlier' : 'later'}`
    : 'at different times'
  return [`${moves.length} end ${shift}, the last at ${last}.`]
}

/** Describes a completed change: 'Gave 10 min to 43, opened 1 again'. @param plans only those that changed something */
export function doneText(time: TimeAct, plans: readonly PlannedTime[], timeZone: string): string {
  const count = plans.length
  if (count === 0) return 'No candidate’s time has changed'
  if (time.kind === 'plan') return `Planned ${describeDuration(time.seconds)} for ${count}`
  if (time.kind === 'end_now') return `Ended ${count}`
  const reopened = plans.filter(({ outcome }) => outcome === 'reopens').length
  const moved = count - reopened
  if (moved === 0) return `Opened ${reopened} again`
  const done =
    time.kind === 'end_at'
      ? `${moved} end at ${zoneTime(time.atMs, timeZone)}`
      : `Gave ${describeDuration(time.seconds)} to ${moved}`
  return reopened === 0 ? done : `${done}, opened ${reopened} again`
}

/** Describes an earlier change of time, to follow its author's name: 'gave 10 min to 43'. */
export function describeGiven(action: string, detail: Record<string, unknown>): string {
  const count = [detail.moved, detail.reopened].flat().filter(Boolean).length
  const group =
    detail.to === 'all' ? 'all' : typeof detail.room === 'string' ? `room ${detail.room}` : null
  const whom = group === null ? String(detail.username ?? count) : `${group} (${count})`
  const minutes = describeDuration(Number(detail.seconds ?? 0))
  const words: Readonly<Record<string, string>> = {
    'give-time': `gave ${minutes} to ${whom}`,
    'plan-time': `planned ${minutes} of extra time for ${whom}`,
    'end-at': `set the end for ${whom}`,
    reopen: `opened the test again for ${whom}`,
    'end-now': `ended the test for ${whom}`,
  }
  return words[action] ?? 'took back time that was given'
}
