import { readKept } from '../../access/server/assessments.ts'
import type { Client } from '../../kit/server/action.ts'
import { readKeyChecks } from '../../questions/server/key-checks.ts'
import {
  CHECKLIST_ROWS,
  type ChecklistRow,
  type Row,
  type SELF_KEEPING_ROWS,
} from '../../setup/checklist.ts'
import {
  accommodationsRow,
  type CandidateFacts,
  candidatesRow,
  readCandidateFacts,
  readMailFacts,
  rehearsalRow,
} from './candidates.ts'
import { helpersRow, readHelperFacts } from './helpers.ts'
import { keyCheckRow } from './key-check.ts'
import { NO_QUESTIONS, questionsRow, readQuestionFacts } from './questions.ts'
import { readOwnRoles } from './waiting.ts'
import { type About, retentionRow, windowRow } from './window.ts'

export type Checklist = Record<ChecklistRow | (typeof SELF_KEEPING_ROWS)[number], Row> & {
  facts: CandidateFacts
}

/**
 * The checklists of some tests, by code, for the list and for the overview (product 7.8.7). As many queries for a
 * whole society as for one test.
 * @param userId the member who looks; null is the machine
 */
export async function readChecklists(
  client: Client,
  subjects: readonly (Omit<About, 'now'> & { code: string })[],
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
  const kept = await readKept(client, codes)
  return new Map(
    subjects.map((subject) => {
      const { code } = subject
      const about = { ...subject, now }
      const isOfIt = (one: { code: string }) => one.code === code
      const facts = candidates.get(code) as CandidateFacts
      return [
        code,
        {
          questions: questionsRow(questions.get(code) ?? NO_QUESTIONS, about),
          keys: keyCheckRow(keys.filter(isOfIt), about, roles?.get(code) ?? []),
          window: windowRow(about),
          candidates: candidatesRow(facts, mails.filter(isOfIt), about),
          helpers: helpersRow(helpers.filter(isOfIt), about),
          rehearsal: rehearsalRow(facts, about),
          accommodations: accommodationsRow(facts),
          retention: retentionRow(kept.get(code)?.until ?? null, about),
          facts,
        },
      ]
    }),
  )
}

/** The rows that count and are not done, in their order. */
export const missingOf = (checklist: Checklist): Row[] =>
  CHECKLIST_ROWS.map((row) => checklist[row]).filter(({ state }) => state !== 'ready')
