import sql from 'sql-template-tag'
import {
  type Kept,
  type ListedAssessment,
  listReachedWith,
  readKept,
} from '../../access/server/assessments.ts'
import { IS_CANDIDATE } from '../../access/server/guard.ts'
import { stateOf } from '../../kit/assessment-state.ts'
import { type Client, type Organiser, read } from '../../kit/server/action.ts'
import { readReports } from '../../results/server/fairness.ts'
import { type Checklist, readChecklists } from './checklist.ts'
import type { Told } from './next.ts'
import {
  mayBeTold,
  readOwnRoles,
  type WaitingLine,
  type waitingCounts,
  waitingLines,
} from './waiting.ts'

/** A test with its checklist, and what its sentences need. */
export interface Surveyed {
  assessment: ListedAssessment
  checklist: Checklist | null
  told: Told
  /** once it is over */
  waiting: WaitingLine[]
  /** null for a draft and a sample */
  kept: Kept | null
  /** id of its fairness report */
  fairnessReport: string | null
}

/**
 * The tests of a society for which a member has a role, with their checklists, or with what waits where they are over
 * (product 7.8.1, 7.8.11).
 * @param of.code only this one
 */
export function surveyAssessments(
  { db, now }: Pick<Organiser, 'db' | 'now'>,
  of: { societyId: string; userId: string; code?: string },
  countWaiting: ReturnType<typeof waitingCounts>,
): Promise<Surveyed[]> {
  return read({ db }, async (client) => {
    const listed = await listReachedWith(client, now, of)
    const taken = await readTaken(client, listed, of.userId)
    const mine = listed.filter(({ code }) => !taken.has(code))
    const isOver = (one: ListedAssessment) => stateOf(one, now) === 'closed'
    const active = mine.filter((one) => !isOver(one))
    const checklists = await readChecklists(client, active, now, of.userId)
    const over = mine.filter(isOver).map(({ code }) => code)
    const roles = await readOwnRoles(client, over, { userId: of.userId, now })
    const told = over.filter((code) => mayBeTold(roles.get(code) ?? []))
    const waiting = await countWaiting(client, told, now)
    const codes = listed.map(({ code }) => code)
    const kept = await readKept(client, codes)
    const reports = await readReports(client, codes)
    const all = listed.map((assessment): Surveyed => {
      const { code } = assessment
      const checklist = checklists.get(code) ?? null
      const counts = waiting.get(code)
      return {
        assessment,
        checklist,
        told: {
          ...assessment,
          state: stateOf(assessment, now),
          name: assessment.session ?? assessment.society,
          checklist,
          isCandidate: taken.has(code),
        },
        waiting: counts ? waitingLines(counts, roles.get(code) ?? []) : [],
        kept: assessment.isDraft ? null : (kept.get(code) ?? null),
        fairnessReport: reports.get(code) ?? null,
      }
    })
    return bySeason(all)
  })
}

/** The tests of which a member is a candidate. */
async function readTaken(
  client: Client,
  listed: readonly ListedAssessment[],
  userId: string,
): Promise<Set<string>> {
  const { rows } = await client.query<{ code: string }>(
    sql`select a.code from assessments a join users u on u.id = ${userId}
      where a.code = any(${listed.map(({ code }) => code)}::text[]) and ${IS_CANDIDATE}`,
  )
  return new Set(rows.map(({ code }) => code))
}

/** The season with the newest day first, and in it the test that opens first. */
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
      dayOf(a) - dayOf(b) ||
      a.code.localeCompare(b.code),
  )
}
