import { groupBy } from '../../../assessments/attempt-log.ts'
import {
  type Kept,
  type ListedAssessment,
  listReachedWith,
  readKept,
} from '../../access/server/assessments.ts'
import type { Member } from '../../access/server/serve-members.ts'
import { type AssessmentState, stateOf } from '../../kit/assessment-state.ts'
import type { Role } from '../../kit/roles.ts'
import { type Client, read } from '../../kit/server/action.ts'
import { readCorrections } from '../../questions/server/corrections.ts'
import { readKeyChecks } from '../../questions/server/key-checks.ts'
import { readReports } from '../../results/server/fairness.ts'
import {
  CHECKLIST_ROWS,
  type Listed,
  type Row,
  type SELF_KEEPING_ROWS,
} from '../../setup/contract-overview.ts'
import * as people from './candidate-rows.ts'
import * as rows from './rows.ts'
import { maySettle, type Waiting, type waitingCounts, waitingLines } from './waiting.ts'

export type Checklist = Record<(typeof CHECKLIST_ROWS | typeof SELF_KEEPING_ROWS)[number], Row> & {
  facts: people.CandidateFacts
}

/**
 * Reads the checklists of some tests by code, for the list and for the overview (product 7.8.7). A whole society
 * takes as many queries as one test.
 * @param kept until when their answers and names are kept
 */
export async function readChecklists(
  client: Client,
  subjects: readonly (Omit<rows.About, 'now'> & { code: string })[],
  now: Date,
  roles: ReadonlyMap<string, Role[] | null> = new Map(),
  kept: ReadonlyMap<string, Kept> = new Map(),
): Promise<Map<string, Checklist>> {
  const codes = subjects.map(({ code }) => code)
  if (codes.length === 0) return new Map()
  const questions = await rows.readQuestionFacts(client, codes)
  const keys = groupBy(await readKeyChecks(client, codes), ({ code }) => code)
  const open = (await readCorrections(client, codes)).filter(({ isOpen }) => isOpen)
  const corrected = groupBy(open, ({ code }) => code)
  const candidates = await people.readCandidateFacts(client, codes)
  const mails = await people.readMailFacts(client, codes)
  const helpers = await rows.readHelperFacts(client, codes, now)
  return new Map(
    subjects.map((subject) => {
      const { code } = subject
      const about = { ...subject, now }
      const isOfIt = (one: { code: string }) => one.code === code
      const facts = candidates.get(code) as people.CandidateFacts
      return [
        code,
        {
          questions: rows.questionsRow(questions.get(code) as rows.QuestionFacts, about),
          keys: rows.keyCheckRow(
            keys.get(code) ?? [],
            about,
            roles.get(code) ?? [],
            corrected.get(code) ?? [],
          ),
          window: rows.windowRow(about),
          candidates: people.candidatesRow(facts, mails.filter(isOfIt), about),
          helpers: rows.helpersRow(helpers.filter(isOfIt), about),
          rehearsal: people.rehearsalRow(facts, about),
          accommodations: people.accommodationsRow(facts),
          retention: rows.retentionRow(kept.get(code), about),
          facts,
        },
      ]
    }),
  )
}

export const missingOf = (checklist: Checklist): Row[] =>
  CHECKLIST_ROWS.map((row) => checklist[row]).filter(({ state }) => state !== 'ready')

/** A test with its checklist and the facts for its sentences. */
export interface Surveyed extends ListedAssessment {
  state: AssessmentState
  /** 'Morning' */
  name: string
  isCandidate: boolean
  /** null if the test is over, or the member is a candidate in it */
  checklist: Checklist | null
  /** set once the test is over */
  waiting: Listed['waiting']
  /** the same as numbers; null before the end, or for members without such tasks */
  counts: Waiting | null
  /** null for a draft and a sample */
  kept: Kept | null
  fairnessReport: string | null
}

/** Reads a society's tests with their checklists, or with open tasks if they are over (product 7.8.1, 7.8.11). */
export function surveyAssessments(
  organizer: Member & { code?: string },
  countWaiting: ReturnType<typeof waitingCounts>,
): Promise<Surveyed[]> {
  const { now, roles: held, sits } = organizer
  return read(organizer, async (client) => {
    const listed = await listReachedWith(client, now, organizer)
    const codes = listed.map(({ code }) => code)
    const rolesIn = (code: string) =>
      held.filter((one) => [null, code].includes(one.assessment)).map(({ role }) => role)
    /** null: the member is a candidate and has no role in the test */
    const roles = new Map(codes.map((code) => [code, sits.includes(code) ? null : rolesIn(code)]))
    const kept = await readKept(client, codes)
    const reports = await readReports(client, codes)
    const isOver = (one: ListedAssessment) => stateOf(one, now) === 'closed'
    const open = listed.filter((one) => roles.get(one.code) && !isOver(one))
    const checklists = await readChecklists(client, open, now, roles, kept)
    const over = listed.filter((one) => isOver(one) && maySettle(roles.get(one.code) ?? []))
    const overCodes = over.map(({ code }) => code)
    const waiting = await countWaiting(client, overCodes, now)
    const all = listed.map((one): Surveyed => {
      const { code } = one
      const counts = waiting.get(code)
      return {
        ...one,
        state: stateOf(one, now),
        name: one.session ?? one.society,
        isCandidate: !roles.get(code),
        checklist: checklists.get(code) ?? null,
        waiting: counts ? waitingLines(counts, roles.get(code) ?? []) : [],
        counts: counts ?? null,
        kept: one.isDraft ? null : (kept.get(code) ?? null),
        fairnessReport: reports.get(code) ?? null,
      }
    })
    return bySeason(all)
  })
}

/** Sorts by season, the one with the newest day first, then by start time. */
function bySeason(all: readonly Surveyed[]): Surveyed[] {
  const dayOf = ({ opensAt, createdAt }: Surveyed) => (opensAt ?? createdAt).getTime()
  const newest = new Map<string | null, number>()
  for (const one of all) {
    newest.set(one.season, Math.max(newest.get(one.season) ?? 0, dayOf(one)))
  }
  const seasonDay = ({ season }: Surveyed) => newest.get(season) ?? 0
  return [...all].sort(
    (a, b) =>
      seasonDay(b) - seasonDay(a) ||
      (a.season ?? '').localeCompare(b.season ?? '') ||
      dayOf(a) - dayOf(b) ||
      a.code.localeCompare(b.code),
  )
}
