import {
  lockCandidatesOf,
  lockSittings,
  readSittings,
  type Sitting,
  wasCut,
} from '../../../assessments/server/time-store.ts'
import { describeDuration } from '../../../platform/durations.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import { mapInSlices } from '../../../platform/server/shares/slices.ts'
import { type Place, requireAssessment } from '../../access/server/assessments.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { type Client, type Organizer, read } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { momentOf } from '../../kit/server/typed-time.ts'
import { type AskedTime, TIME_GROUPS, type TimePreview } from '../contract.ts'
import { planTime, type TimeAct, type TimeOutcome, timeGroupOf } from '../time-plan.ts'
import { describeGiven, summaryOf, type TimeLine } from './time-words.ts'

/**
 * Checks a change of time and plans it for each candidate (societies/acts/time-plan.ts). Errors: those of
 * requireAssessment; 400 nothing_to_add, nothing_from_now, bad_time, end_is_past, end_is_far; 403 most_given.
 * @param mostSeconds the maximum that the member can give one candidate in total (product 7.7.4)
 * @param lock 'change' locks the rows until the transaction ends; a preview locks none, so saves never wait for it
 */
export async function planAsked(
  client: Client,
  organizer: Organizer & Place,
  asked: AskedTime,
  mostSeconds: number | undefined,
  lock: 'none' | 'change',
) {
  const { now } = organizer
  const row = await requireAssessment(client, organizer, lock)
  const time = timeActOf(asked, row.timeZone, now)
  const whose = { code: row.code, ...asked.to }
  if (lock === 'change') {
    // Candidates are always locked first. This also blocks starts while their planned time changes.
    if (time.kind === 'plan') await lockCandidatesOf(client, whose)
    await lockSittings(client, whose)
  }
  const sittings = await readSittings(client, whose, now)
  if (mostSeconds !== undefined) {
    if (await wasCut(client, whose)) throw refuse(403, 'most_given', CUT)
    for (const one of sittings) requireWithin(one, asked.seconds ?? 0, mostSeconds)
  }
  const lines: TimeLine[] = await mapInSlices(sittings, (sitting) => ({
    sitting,
    plan: planTime(sitting, time, now.getTime()),
  }))
  return { row, time, lines }
}

function timeActOf(asked: AskedTime, timeZone: string, now: Date): TimeAct {
  const { kind, seconds = 0, reopens } = asked
  switch (kind) {
    case 'give':
      if (seconds === 0) throw refuse(400, 'nothing_to_add', 'Enter the minutes to add.')
      return { kind, seconds, reopens }
    case 'plan':
      return { kind, seconds }
    case 'reopen':
      if (seconds === 0) throw refuse(400, 'nothing_from_now', 'Enter the minutes from now.')
      return { kind, seconds }
    case 'end_at': {
      const atMs = momentOf(asked.at ?? '', timeZone).getTime()
      if (atMs <= now.getTime()) {
        throw refuse(400, 'end_is_past', 'That time has passed. To end the test now, use End now.')
      }
      if (atMs > now.getTime() + 24 * 3_600_000) {
        throw refuse(400, 'end_is_far', 'Choose an end within the next 24 hours.')
      }
      return { kind, atMs, reopens }
    }
    case 'end_now':
      return { kind }
  }
}

const CUT = 'An owner brought this candidate’s end forward. Only an owner can give time now.'

function requireWithin({ name, username, attempt }: Sitting, seconds: number, mostSeconds: number) {
  const given = attempt?.incidentSeconds ?? 0
  if (given + seconds <= mostSeconds) return
  const left = given < mostSeconds ? describeDuration(mostSeconds - given) : 'no'
  throw refuse(
    403,
    'most_given',
    `${name ?? username} already got ${describeDuration(given)}. You can give ${left} more (${describeDuration(mostSeconds)} in all). An owner can give more.`,
  )
}

type Preview = Sendable<TimePreview>

/** A preview lists changes of time from this many milliseconds back. */
const RECENT_MS = 15 * 60_000
const RECENT_LIMIT = 5
/** Pages poll every five seconds and a test can have 5,000 candidates, so a preview names only this many. */
const NAMED_LIMIT = 300

/**
 * Shows the effect of a change of time on each candidate, and recent changes so that two organizers don't give the same
 * minutes twice. It locks and writes nothing (product 7.15.2). Errors: those of planAsked.
 */
export function previewTime(
  organizer: MemberInTest,
  asked: AskedTime,
  mostSeconds?: number,
): Promise<Preview> {
  const { societyId, code, userId, now } = organizer
  return read(organizer, async (client) => {
    const { row, time, lines } = await planAsked(client, organizer, asked, mostSeconds, 'none')
    const count = (outcome: TimeOutcome) =>
      lines.filter(({ plan }) => plan.outcome === outcome).length
    const items = await client.query<{ count: number }>(
      'select count(*)::int as count from assessment_items where assessment = $1',
      [code],
    )
    type Recent = Omit<Preview['recent'][number], 'text'>
    const recent = await client.query<Recent & { action: string; detail: Record<string, unknown> }>(
      `select at, actor as by, coalesce(user_id = $3, false) as "isYou", action, detail
       from admin_actions
       where society_id = $1 and assessment = $2 and at > $4
         and action in ('give-time', 'plan-time', 'end-at', 'reopen', 'end-now', 'undo-time')
       order by id desc limit ${RECENT_LIMIT}`,
      [societyId, code, userId, new Date(now.getTime() - RECENT_MS)],
    )
    const itemCount = items.rows[0]?.count ?? 0
    const shown = lines.filter(
      ({ plan: { outcome } }) => outcome !== 'not_started' && outcome !== 'handed_in',
    )
    const groups = TIME_GROUPS.map((group) => ({
      group,
      members: shown.filter(({ plan }) => timeGroupOf(plan) === group),
    })).filter(({ members }) => members.length > 0)
    const named = new Set(groups.flatMap(({ members }) => members).slice(0, NAMED_LIMIT))
    return {
      people: shown
        .filter((line) => named.has(line))
        .map(
          ({ sitting: { candidateId: id, username, name, room, isRevoked, attempt }, plan }) => ({
            ...{ id, username, name, room, isRevoked },
            outcome: plan.outcome,
            was: attempt?.submittedAt === null ? attempt.deadlineAt : null,
            becomes: plan.deadlineMs === null ? null : new Date(plan.deadlineMs),
            plannedSeconds: plan.plannedSeconds,
            givenSeconds: plan.incidentSeconds,
            answered: attempt?.answered ?? 0,
          }),
        ),
      groups: groups.map(({ group, members }) => ({ group, count: members.length })),
      inside: shown.filter(({ sitting }) => sitting.attempt?.submittedAt === null).length,
      unanswered: shown.filter(
        ({ sitting: { attempt }, plan }) =>
          plan.outcome === 'ends' && (attempt?.answered ?? 0) < itemCount,
      ).length,
      notInside: count('not_started'),
      handedIn: count('handed_in'),
      itemCount,
      summary: summaryOf(time, lines, row.timeZone),
      recent: recent.rows.map(({ action, detail, ...line }) => ({
        ...line,
        text: describeGiven(action, detail),
      })),
    }
  })
}
