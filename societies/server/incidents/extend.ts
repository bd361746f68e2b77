import { act, type Organiser, requireReason } from '../action.ts'
import { applyTime, holdAndPlan, type TimeLine } from '../acts/apply-time.ts'
import { requireAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { requireAllowance } from './allowance.ts'

export interface Extension {
  moved: { username: string; deadlineAt: Date }[]
  reopened: { username: string; deadlineAt: Date }[]
  /** whose time ran out so long ago that the extension is over too: left as they are */
  tooLate: { username: string; deadlineAt: Date }[]
  timeZone: string
}

/**
 * Gives everybody more time: moves the deadlines of all who are inside, and reopens those whose time ran
 * out, as in an outage, until the new deadline. Who has submitted, or not started, is not touched
 * (product 7.4.2).
 * Errors: OrganiserRefusal.
 * @param seconds to add; each repetition adds them again
 * @param options.since reopens only those whose time ran out at this instant or later
 */
export function extendAssessment(
  organiser: Organiser,
  code: string,
  seconds: number,
  { reason, since }: { reason: string; since?: Date },
): Promise<Extension> {
  return act(organiser, 'extend', code, async (client) => {
    const why = requireReason(reason)
    requireAllowance(seconds)
    if (seconds === 0) throw new OrganiserRefusal('nothing_to_add', {})
    const assessment = await requireAssessment(client, code, 'change')
    const time = {
      kind: 'give' as const,
      seconds,
      reopens: 'deadline' as const,
      ...(since ? { sinceMs: since.getTime() } : {}),
    }
    const whose = { code, room: null, candidates: null, withDemo: true }
    const lines = await holdAndPlan(client, whose, time, organiser.now)
    await applyTime(client, organiser, assessment, time, lines)
    const of = (outcome: string, endOf: (line: TimeLine) => number) =>
      lines
        .filter(({ plan }) => plan.outcome === outcome)
        .map((line) => ({
          username: line.sitting.username,
          deadlineAt: new Date(endOf(line)),
        }))
    const newEnd = ({ plan }: TimeLine) => plan.deadlineMs ?? 0
    // It would have ended then, had it been opened again.
    const endThatIsOver = ({ sitting }: TimeLine) =>
      (sitting.attempt?.deadlineAt.getTime() ?? 0) + seconds * 1000
    const done: Extension = {
      moved: of('moves', newEnd),
      reopened: of('reopens', newEnd),
      tooLate: of('too_late', endThatIsOver),
      timeZone: assessment.timeZone,
    }
    const names = (list: { username: string }[]) => list.map(({ username }) => username)
    return {
      result: done,
      detail: {
        seconds,
        reason: why,
        since: since ?? null,
        moved: names(done.moved),
        reopened: names(done.reopened),
      },
    }
  })
}
