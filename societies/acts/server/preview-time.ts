import type { Sendable } from '../../../platform/server/api.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { type Client, read } from '../../kit/server/action.ts'
import type { AskedTime, TimePreview } from '../contract.ts'
import type { TimeOutcome } from '../time-plan.ts'
import { NO_LIMITS, planAsked } from './plan-asked.ts'
import { describeGiven, summaryOf } from './time-words.ts'

type Preview = Sendable<TimePreview>

/**
 * Shows what a change of time would do to each candidate. It locks and writes nothing (product 7.15.2).
 * Errors: those of planAsked.
 */
export function previewTime(
  organiser: MemberInTest,
  asked: AskedTime,
  limits = NO_LIMITS,
): Promise<Preview> {
  return read(organiser, async (client) => {
    const { row, time, lines } = await planAsked(client, organiser, asked, limits, 'none')
    const count = (outcome: TimeOutcome) =>
      lines.filter(({ plan }) => plan.outcome === outcome).length
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int as count from assessment_items where assessment = $1',
      [row.code],
    )
    return {
      people: lines
        .filter(({ plan: { outcome } }) => outcome !== 'not_started' && outcome !== 'handed_in')
        .map(({ sitting, sitting: { attempt }, plan }) => ({
          id: sitting.candidateId,
          username: sitting.username,
          name: sitting.name,
          room: sitting.room,
          outcome: plan.outcome,
          was: attempt?.submittedAt === null ? attempt.deadlineAt : null,
          becomes: plan.deadlineMs === null ? null : new Date(plan.deadlineMs),
          plannedSeconds: plan.plannedSeconds,
          givenSeconds: plan.incidentSeconds,
          answered: attempt?.answered ?? 0,
          isRevoked: sitting.isRevoked,
        })),
      notInside: count('not_started'),
      handedIn: count('handed_in'),
      itemCount: rows[0]?.count ?? 0,
      summary: summaryOf(time, lines, row.timeZone),
      recent: await readRecent(client, organiser),
    }
  })
}

/** How far back changes of time are named, milliseconds, and how many. */
const RECENT_MS = 15 * 60_000
const RECENT_LIMIT = 5

/** Recent changes of time, newest first, so that two organizers don't give the same minutes twice. */
async function readRecent(
  client: Client,
  { societyId, code, userId, now }: MemberInTest,
): Promise<Preview['recent']> {
  type Line = Omit<Preview['recent'][number], 'text'>
  const { rows } = await client.query<Line & { action: string; detail: Record<string, unknown> }>(
    `select at, actor as by, coalesce(user_id = $3, false) as "isYou", action, detail
     from admin_actions
     where society_id = $1 and assessment = $2 and at > $4
       and action in ('give-time', 'plan-time', 'end-at', 'reopen', 'end-now', 'undo-time')
     order by id desc limit ${RECENT_LIMIT}`,
    [societyId, code, userId, new Date(now.getTime() - RECENT_MS)],
  )
  return rows.map(({ action, detail, ...line }) => ({
    ...line,
    text: describeGiven(action, detail),
  }))
}
