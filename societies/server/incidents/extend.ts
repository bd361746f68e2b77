import {
  lockAttempts,
  moveDeadline,
  reopenUntil,
} from '../../../assessments/server/attempt-store.ts'
import { act, type Organiser, requireReason } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { addSeconds, requireAllowance } from './allowance.ts'

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
  const { now } = organiser
  return act(organiser, 'extend', code, async (client) => {
    const why = requireReason(reason)
    requireAllowance(seconds)
    if (seconds === 0) throw new OrganiserRefusal('nothing_to_add', {})
    const { timeZone } = await requireAssessment(client, code, 'change')
    const done: Extension = { moved: [], reopened: [], tooLate: [], timeZone }
    for (const attempt of await lockAttempts(client, code)) {
      const deadlineAt = addSeconds(attempt.deadlineAt, seconds)
      const { username } = attempt
      if (attempt.submittedAt === null && (attempt.deadlineAt > now || deadlineAt > now)) {
        await moveDeadline(client, attempt, deadlineAt, { kind: 'extended', seconds }, now)
        done.moved.push({ username, deadlineAt })
        continue
      }
      if (attempt.submittedAt !== null && attempt.submitReason !== 'deadline') continue
      if (since && attempt.deadlineAt < since) continue
      if (deadlineAt <= now) {
        done.tooLate.push({ username, deadlineAt })
        continue
      }
      await reopenUntil(client, attempt, deadlineAt, now)
      done.reopened.push({ username, deadlineAt })
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
