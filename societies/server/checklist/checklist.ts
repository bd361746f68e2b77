import {
  CHECKLIST_ROWS,
  type ChecklistRow,
  type Row,
  type SELF_KEEPING_ROWS,
} from '../../checklist.ts'
import type { Client } from '../action.ts'
import { readKeyChecks } from '../questions/key-checks.ts'
import { readKept } from '../seasons/retention.ts'
import {
  accommodationsRow,
  type CandidateFacts,
  candidatesRow,
  NO_CANDIDATES,
  NO_MAILS,
  readCandidateFacts,
  readMailFacts,
} from './candidates.ts'
import { helpersRow, readHelperFacts } from './helpers.ts'
import { keyCheckRow } from './key-check.ts'
import { NO_QUESTIONS, questionsRow, readQuestionFacts } from './questions.ts'
import { NOT_REHEARSED, readRehearsalFacts, rehearsalRow } from './rehearsal.ts'
import { retentionRow } from './retention.ts'
import { readOwnRoles } from './waiting.ts'
import { windowRow } from './window.ts'

export type Checklist = Record<ChecklistRow | (typeof SELF_KEEPING_ROWS)[number], Row> & {
  facts: CandidateFacts
}

/** What a checklist needs to know of its assessment. */
interface Subject {
  code: string
  isDraft: boolean
  opensAt: Date | null
  closesAt: Date | null
  timeZone: string
  durationSeconds: number
}

/**
 * The checklists of some assessments, by code: the one place where they are computed, for the list and for the
 * overview (product 7.8.7). As many queries for a whole society as for one assessment.
 * @param userId the member who looks; null is the machine
 */
export async function readChecklists(
  client: Client,
  subjects: readonly Subject[],
  now: Date,
  userId: string | null = null,
): Promise<Map<string, Checklist>> {
  const codes = subjects.map(({ code }) => code)
  if (codes.length === 0) return new Map()
  const questions = await readQuestionFacts(client, codes)
  const keys = await readKeyChecks(client, codes)
  const roles = userId ? await readOwnRoles(client, codes, { userId, now }) : null
  const candidates = await readCandidateFacts(client, codes)
  const mails = await readMailFacts(client, codes)
  const helpers = await readHelperFacts(client, codes, now)
  const rehearsals = await readRehearsalFacts(client, codes)
  const kept = await readKept(client, codes)
  return new Map(
    subjects.map(({ code, ...subject }) => {
      const about = { ...subject, now }
      const facts = candidates.get(code) ?? NO_CANDIDATES
      return [
        code,
        {
          questions: questionsRow(questions.get(code) ?? NO_QUESTIONS, about),
          keys: keyCheckRow(
            keys.filter((one) => one.code === code),
            about,
            roles?.get(code) ?? [],
          ),
          window: windowRow(about),
          candidates: candidatesRow(facts, mails.get(code) ?? NO_MAILS, about),
          helpers: helpersRow(helpers.get(code) ?? {}, about),
          rehearsal: rehearsalRow(rehearsals.get(code) ?? NOT_REHEARSED, facts.count, about),
          accommodations: accommodationsRow(facts),
          retention: retentionRow(kept.get(code)?.until ?? null, about),
          facts,
        },
      ]
    }),
  )
}

/** The rows that count and are not done, in their order. */
export function missingOf(checklist: Checklist): Row[] {
  return CHECKLIST_ROWS.map((row) => checklist[row]).filter(({ missing }) => missing !== null)
}
