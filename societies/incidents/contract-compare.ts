import * as z from 'zod/mini'
import { PARAGRAPHS } from '../../platform/paragraphs.ts'
import { inTest, organiserMay } from '../kit/contract.ts'

// Compare two candidates, with a reason (product 7.16.15).

export const COMPARE_REASON_LENGTH = 500

const ACCESS = organiserMay('decide_incident', ['not_own_report'])

export const getComparable = inTest('GET /incidents/compare', ACCESS, 'Whether it is possible', {
  /** why not; null: they can */
  response: z.strictObject({ refusal: z.nullable(z.string()) }),
})

const picked = z.strictObject({
  id: z.uuid(),
  /** as the log will call the candidate, so that it never says which name has which number */
  by: z.enum(['name', 'number']),
})
const alike = { same: z.number(), sameWrong: z.number() }

export const compareCandidates = inTest('POST /incidents/compare', ACCESS, 'Compare answers', {
  body: z.strictObject({
    first: picked,
    second: picked,
    reason: z
      .string()
      .check(z.trim(), z.minLength(1), z.maxLength(COMPARE_REASON_LENGTH), z.regex(PARAGRAPHS)),
  }),
  response: z.strictObject({
    /** candidates among whom the two were compared */
    people: z.int(),
    /** questions that both answered */
    answered: z.int(),
    /** answered alike, and of those the same wrong option */
    ...alike,
    /** the same on average of two with such scores who know nothing of each other */
    usual: z.strictObject(alike),
  }),
})
