import type pg from 'pg'
import { stateOf } from '../../assessment-state.ts'
import { type Organiser, read } from '../action.ts'
import { type ListedAssessment, listReachedWith } from '../assessments.ts'
import { endOf } from '../lifecycle/deletion.ts'
import { IS_CANDIDATE } from '../team/guard.ts'
import { type Checklist, readChecklists } from './checklist.ts'
import type { Told } from './next.ts'
import {
  mayBeTold,
  readOwnRoles,
  type WaitingLine,
  type waitingCounts,
  waitingLines,
} from './waiting.ts'

/** An assessment with its checklist, and what its sentences need. */
export interface Surveyed {
  assessment: ListedAssessment
  checklist: Checklist | null
  told: Told
  /** once it is over */
  waiting: WaitingLine[]
}

interface Beside {
  code: string
  isCandidate: boolean
  requestedByName: string | null
  requestedAt: Date | null
  isAlone: boolean | null
  doneAt: Date | null
  candidateCount: number | null
  satCount: number | null
}

/**
 * The assessments of a society for which a member has a role, with their checklists; the newest season first,
 * and in it what opens first (product 7.8.1); of what is over, what waits (product 7.8.11).
 * @param code only this one
 */
export function surveyAssessments(
  { db, now }: Pick<Organiser, 'db' | 'now'>,
  of: { societyId: string; userId: string; code?: string },
  countWaiting: ReturnType<typeof waitingCounts>,
): Promise<Surveyed[]> {
  return read({ db }, async (client) => {
    const listed = await listReachedWith(client, now, of)
    const beside = await readBeside(client, listed, of.userId)
    const active = listed.filter((one) => {
      const state = stateOfListed(one, now)
      return ['draft', 'preparing', 'running'].includes(state) && !beside.get(one.code)?.isCandidate
    })
    const checklists = await readChecklists(client, active, now, of.userId)
    const over = listed
      .filter((one) => stateOfListed(one, now) === 'closed' && !beside.get(one.code)?.isCandidate)
      .map(({ code }) => code)
    const roles = await readOwnRoles(client, over, { userId: of.userId, now })
    const waiting = await countWaiting(
      client,
      over.filter((code) => mayBeTold(roles.get(code) ?? [])),
      now,
    )
    const all = listed.map((assessment) => {
      const { code } = assessment
      const counts = waiting.get(code)
      return {
        ...survey(assessment, beside.get(code), checklists.get(code), now),
        waiting: counts ? waitingLines(counts, roles.get(code) ?? []) : [],
      }
    })
    return bySeason(all)
  })
}

function stateOfListed(one: ListedAssessment, now: Date) {
  return stateOf(
    {
      isDraft: one.isDraft,
      isDeleted: one.deletedAt !== null,
      opensAtMs: one.opensAt?.getTime() ?? null,
      closesAtMs: one.closesAt?.getTime() ?? null,
      runningCount: one.runningCount,
    },
    now.getTime(),
  )
}

function survey(
  assessment: ListedAssessment,
  beside: Beside | undefined,
  checklist: Checklist | undefined,
  now: Date,
): Omit<Surveyed, 'waiting'> {
  const request =
    beside?.requestedAt && !beside.doneAt
      ? { requestedAt: beside.requestedAt, isAlone: beside.isAlone === true }
      : null
  const stands = request !== null && endOf(request) > now
  const { session, society, opensAt, closesAt, deletedAt, timeZone } = assessment
  return {
    assessment,
    checklist: checklist ?? null,
    told: {
      state: stateOfListed(assessment, now),
      name: session ?? society,
      ...{ opensAt, closesAt, deletedAt, timeZone },
      candidateCount: beside?.candidateCount ?? assessment.candidateCount,
      runningCount: assessment.runningCount,
      submittedCount: beside?.satCount ?? assessment.submittedCount,
      checklist: checklist ?? null,
      isCandidate: beside?.isCandidate ?? false,
      deletionBy: stands ? (beside?.requestedByName ?? null) : null,
    },
  }
}

async function readBeside(
  client: Pick<pg.PoolClient, 'query'>,
  listed: readonly ListedAssessment[],
  userId: string,
): Promise<Map<string, Beside>> {
  const { rows } = await client.query<Beside>(
    `select a.code, exists (select from users u where u.id = $2 and ${IS_CANDIDATE}) as "isCandidate",
       d.requested_by_name as "requestedByName", d.requested_at as "requestedAt",
       d.is_alone as "isAlone", d.done_at as "doneAt", d.candidate_count as "candidateCount",
       d.sat_count as "satCount"
     from assessments a left join assessment_deletions d
       on d.assessment = a.code and d.withdrawn_at is null
     where a.code = any($1::text[])`,
    [listed.map(({ code }) => code), userId],
  )
  return new Map(rows.map((row) => [row.code, row]))
}

/** The season with the newest day first; in it what opens first, deleted ones last. */
function bySeason(all: readonly Surveyed[]): Surveyed[] {
  const dayOf = ({ opensAt, createdAt }: ListedAssessment) => (opensAt ?? createdAt).getTime()
  const newest = new Map<string | null, number>()
  for (const { assessment } of all) {
    const { season } = assessment
    newest.set(season, Math.max(newest.get(season) ?? 0, dayOf(assessment)))
  }
  const seasonDay = ({ season }: ListedAssessment) => newest.get(season) ?? 0
  return [...all].sort(
    ({ assessment: a }, { assessment: b }) =>
      seasonDay(b) - seasonDay(a) ||
      (a.season ?? '').localeCompare(b.season ?? '') ||
      Number(a.deletedAt !== null) - Number(b.deletedAt !== null) ||
      dayOf(a) - dayOf(b) ||
      a.code.localeCompare(b.code),
  )
}
