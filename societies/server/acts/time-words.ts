import { describeOwnTime, type OwnTime } from '../../../assessments/own-time.ts'
import type { PlannedTime, TimeAct } from '../../day/time-plan.ts'
import { describeDuration } from '../../minutes.ts'
import { zoneName } from '../../zone-time.ts'
import { formatLocalTime } from '../local-time.ts'

/** '09:57' */
const clock = (ms: number, timeZone: string) => formatLocalTime(new Date(ms), timeZone).slice(11)

/** What a candidate reads when somebody has changed their time (product 6.14.4). */
export function candidateWords(plan: PlannedTime, timeZone: string, own: OwnTime): string {
  const yours = `Your time: ${describeOwnTime(own)}.`
  const until = plan.deadlineMs === null ? '' : clock(plan.deadlineMs, timeZone)
  switch (plan.outcome) {
    case 'ends':
      return 'The society has ended the test. What you have answered is handed in.'
    case 'reopens':
      return `The society has opened the test again for you, until ${until} (${zoneName(timeZone)}). ${yours}`
    default:
      return plan.addedSeconds >= 0
        ? `You have ${describeDuration(plan.addedSeconds)} more. ${yours}`
        : `Your test ends at ${until} (${zoneName(timeZone)}), ${describeDuration(-plan.addedSeconds)} earlier than before. ${yours}`
  }
}

/** One person's line, as the sentence needs it. */
export interface SummedLine {
  name: string
  plan: PlannedTime
  wasMs: number | null
}

/** What an act does, in a sentence or three (product 7.15.2). */
export function summaryOf(act: TimeAct, lines: readonly SummedLine[], timeZone: string): string {
  const of = (outcome: PlannedTime['outcome']) =>
    lines.filter(({ plan }) => plan.outcome === outcome)
  const [moves, reopens, plans, ends] = [of('moves'), of('reopens'), of('plans'), of('ends')]
  const at = (ms: number) => clock(ms, timeZone)
  const latest = (some: readonly SummedLine[]) =>
    Math.max(...some.map(({ plan }) => plan.deadlineMs ?? 0))
  const said: string[] = []
  const [one] = moves
  if (one && moves.length === 1 && one.wasMs !== null && one.plan.deadlineMs !== null) {
    said.push(
      `${one.name} now ends ${at(one.wasMs)} → ${at(one.plan.deadlineMs)} (${zoneName(timeZone)}).`,
    )
  } else if (moves.length > 1) {
    const added = new Set(moves.map(({ plan }) => plan.addedSeconds))
    const [by = 0] = added
    const shift =
      added.size > 1
        ? 'another moment'
        : `${describeDuration(Math.abs(by))} ${by < 0 ? 'earlier' : 'later'}`
    said.push(
      act.kind === 'end_at'
        ? `${moves.length} end at ${at(act.atMs)} (${zoneName(timeZone)}).`
        : `${moves.length} end ${added.size > 1 ? `at ${shift}` : shift}, the last at ${at(latest(moves))} (${zoneName(timeZone)}).`,
    )
  }
  const earlier = moves.filter(({ plan }) => plan.addedSeconds < 0)
  if (act.kind === 'end_at' && earlier.length > 0) {
    said.push(`${peopleOf(earlier)} ${earlier.length === 1 ? 'loses' : 'lose'} time.`)
  }
  if (ends.length > 0) {
    said.push(`${peopleOf(ends)} ${ends.length === 1 ? 'ends' : 'end'} now, with what is answered.`)
  }
  if (reopens.length > 0) {
    said.push(
      `${peopleOf(reopens)} ${reopens.length === 1 ? 'opens' : 'open'} again, until ${at(latest(reopens))}.`,
    )
  }
  if (plans.length > 0) {
    said.push(
      `${peopleOf(plans)} ${plans.length === 1 ? 'has' : 'have'} not started and ${plans.length === 1 ? 'gets' : 'get'} the planned time.`,
    )
  }
  const standing = of('strikes_stand')
  if (standing.length > 0) {
    said.push(
      `${peopleOf(standing)} ${standing.length === 1 ? 'stays' : 'stay'} closed: three strikes stand, take one back first.`,
    )
  }
  const late = of('too_late')
  if (late.length > 0) {
    said.push(
      `${peopleOf(late)} ended so long ago that this would be over too; open ${late.length === 1 ? 'the test' : 'them'} again by itself.`,
    )
  }
  const kept = of('would_end')
  if (kept.length > 0) {
    said.push(
      `${peopleOf(kept)} would end at once and ${kept.length === 1 ? 'keeps' : 'keep'} the time.`,
    )
  }
  const changes = moves.length + reopens.length + plans.length + ends.length
  return changes === 0 ? ['Nobody’s time changes.', ...said].join(' ') : said.join(' ')
}

/** What was done, for whoever did it: 'Gave 10 min to 43, opened 1 again'. */
export function doneText(act: TimeAct, plans: readonly PlannedTime[], timeZone: string): string {
  const count = (outcome: PlannedTime['outcome']) =>
    plans.filter((plan) => plan.outcome === outcome).length
  const [moved, reopened] = [count('moves'), count('reopens')]
  if (plans.length === 0) return 'Nobody’s time has changed'
  const opened = reopened === 0 ? [] : [`${moved > 0 ? 'o' : 'O'}pened ${reopened} again`]
  switch (act.kind) {
    case 'give': {
      const gave = moved === 0 ? [] : [`Gave ${describeDuration(act.seconds)} to ${moved}`]
      return [...gave, ...opened].join(', ')
    }
    case 'plan':
      return `Planned ${describeDuration(act.seconds)} for ${plans.length}`
    case 'end_at': {
      const end = moved === 0 ? [] : [`${moved} end at ${clock(act.atMs, timeZone)}`]
      return [...end, ...opened].join(', ')
    }
    case 'reopen':
      return opened.join('')
    case 'end_now':
      return `Ended ${count('ends')}`
  }
}

/** 'Mei Kettler' of one, '3' of three. */
function peopleOf(lines: readonly SummedLine[]): string {
  return lines.length === 1 ? (lines[0]?.name ?? '') : String(lines.length)
}

/** What somebody did about time, for who is about to do it too: 'gave 10 min to 43'. */
export function describeGiven(
  action: string,
  detail: Record<string, unknown>,
): { text: string } | null {
  const names = (field: string) => (Array.isArray(detail[field]) ? detail[field].length : 0)
  const seconds = Number(detail.seconds ?? 0)
  const minutes = describeDuration(Math.abs(seconds))
  const to =
    detail.to === 'all'
      ? 'all'
      : typeof detail.room === 'string'
        ? `room ${detail.room}`
        : String(detail.username ?? `${names('moved') + names('reopened')}`)
  const count = names('moved') + names('reopened')
  const whom = detail.to === 'all' || typeof detail.room === 'string' ? `${to} (${count})` : to
  switch (action) {
    case 'give-time':
      return { text: `gave ${minutes} to ${whom === '0' ? 'all' : whom}` }
    case 'undo-time':
      return { text: 'took time back that was given' }
    case 'plan-time':
      return { text: `planned ${minutes} of extra time for ${whom}` }
    case 'end-at':
      return { text: `set the end for ${whom}` }
    case 'reopen':
      return { text: `opened the test again for ${whom}` }
    case 'end-now':
      return { text: `ended the test for ${whom}` }
    default:
      return null
  }
}
