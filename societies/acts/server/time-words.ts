import { describeOwnTime, type OwnTime } from '../../../assessments/deadline.ts'
import { describeDuration } from '../../../platform/durations.ts'
import { formatLocalTime } from '../../kit/server/local-time.ts'
import { zoneName } from '../../kit/zone-time.ts'
import type { PlannedTime, TimeAct, TimeOutcome } from '../time-plan.ts'
import type { TimeLine } from './plan-asked.ts'

/** '09:57' */
const clock = (ms: number, timeZone: string) => formatLocalTime(new Date(ms), timeZone).slice(11)

/** What a candidate reads when an organizer has changed their time (product 6.14.4). */
export function candidateWords(plan: PlannedTime, timeZone: string, own: OwnTime): string {
  const yours = `Your time: ${describeOwnTime(own)}.`
  const until = `${clock(plan.deadlineMs ?? 0, timeZone)} (${zoneName(timeZone)})`
  if (plan.outcome === 'ends') {
    return 'The society has ended the test. Your answers were handed in.'
  }
  if (plan.outcome === 'reopens') {
    return `The society has opened the test again for you, until ${until}. ${yours}`
  }
  if (plan.addedSeconds >= 0)
    return `You have ${describeDuration(plan.addedSeconds)} more. ${yours}`
  return `Your test ends at ${until}, ${describeDuration(-plan.addedSeconds)} earlier than before. ${yours}`
}

/** What a change would do, in a few sentences (product 7.15.2). */
export function summaryOf(time: TimeAct, lines: readonly TimeLine[], timeZone: string): string {
  const of = (outcome: TimeOutcome) => lines.filter(({ plan }) => plan.outcome === outcome)
  const moves = of('moves')
  const reopens = of('reopens')
  const until = `until ${lastEnd(reopens, timeZone)}`
  const changes = [
    ...describeMoves(time, moves, timeZone),
    ...tell(
      moves.filter(({ plan }) => time.kind === 'end_at' && plan.addedSeconds < 0),
      'loses time',
      'lose time',
    ),
    ...tell(of('ends'), 'ends now, with the answers so far', 'end now, with the answers so far'),
    ...tell(reopens, `opens again, ${until}`, `open again, ${until}`),
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
      'stays closed: three strikes stand, take one back first',
      'stay closed: three strikes stand, take one back from each first',
    ),
    ...tell(
      of('too_late'),
      'ended too long ago for this to help: reopen the test instead',
      'ended too long ago for this to help: reopen their tests instead',
    ),
    ...tell(
      of('would_end'),
      'would end at once, so the time stays',
      'would end at once, so their time stays',
    ),
  ].join(' ')
}

/** 'Mei Kettler ends now.' for one candidate, '3 end now.' for three, nothing for none. */
function tell(lines: readonly TimeLine[], one: string, many: string): string[] {
  const [only] = lines
  if (!only) return []
  return [lines.length === 1 ? `${nameOf(only)} ${one}.` : `${lines.length} ${many}.`]
}

const nameOf = ({ sitting: { name, username } }: TimeLine) => name ?? username

const lastEnd = (lines: readonly TimeLine[], timeZone: string) =>
  clock(Math.max(0, ...lines.map(({ plan }) => plan.deadlineMs ?? 0)), timeZone)

function describeMoves(time: TimeAct, moves: readonly TimeLine[], timeZone: string): string[] {
  const [one] = moves
  if (!one) return []
  const zone = zoneName(timeZone)
  const last = lastEnd(moves, timeZone)
  if (moves.length === 1) {
    const was = clock(one.sitting.attempt?.deadlineAt.getTime() ?? 0, timeZone)
    return [`${nameOf(one)} now ends ${was} → ${last} (${zone}).`]
  }
  if (time.kind === 'end_at') return [`${moves.length} end at ${last} (${zone}).`]
  const by = one.plan.addedSeconds
  const shift = moves.every(({ plan }) => plan.addedSeconds === by)
    ? `${describeDuration(Math.abs(by))} ${by < 0 ? 'earlier' : 'later'}`
    : 'at different times'
  return [`${moves.length} end ${shift}, the last at ${last} (${zone}).`]
}

/** What was done: 'Gave 10 min to 43, opened 1 again'. @param plans those that changed something */
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
      ? `${moved} end at ${clock(time.atMs, timeZone)}`
      : `Gave ${describeDuration(time.seconds)} to ${moved}`
  return reopened === 0 ? done : `${done}, opened ${reopened} again`
}

/** An earlier change of time, after its actor's name: 'gave 10 min to 43'. */
export function describeGiven(action: string, detail: Record<string, unknown>): string {
  const sizeOf = (list: unknown) => (Array.isArray(list) ? list.length : 0)
  const count = sizeOf(detail.moved) + sizeOf(detail.reopened)
  const group =
    detail.to === 'all' ? 'all' : typeof detail.room === 'string' ? `room ${detail.room}` : null
  const whom = group === null ? String(detail.username ?? count) : `${group} (${count})`
  const minutes = describeDuration(Number(detail.seconds ?? 0))
  switch (action) {
    case 'give-time':
      return `gave ${minutes} to ${whom}`
    case 'plan-time':
      return `planned ${minutes} of extra time for ${whom}`
    case 'end-at':
      return `set the end for ${whom}`
    case 'reopen':
      return `opened the test again for ${whom}`
    case 'end-now':
      return `ended the test for ${whom}`
    default:
      return 'took back time that was given'
  }
}
