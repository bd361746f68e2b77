import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { PARAGRAPHS } from '../../platform/paragraphs.ts'
import { ofAssessment, organiserMay } from '../contract.ts'

// Compare two candidates: one pair that somebody has a reason to ask about (product 7.16.15).

/** Characters of a reason. */
export const COMPARE_REASON_LENGTH = 500

const ACCESS = organiserMay('decide_incident', ['not_own_report'])
const path = '/api/societies/:society/assessments/:code/incidents/compare'

export const getComparable = endpoint({
  method: 'GET',
  path,
  summary: 'Whether the answers of two candidates can be compared; no figures',
  access: ACCESS,
  params: ofAssessment,
  /** why not, for the page; null: they can */
  response: z.strictObject({ refusal: z.nullable(z.string()) }),
})

const picked = z.strictObject({
  id: z.uuid(),
  /** as the log will call the candidate, so that it never says which name has which number */
  by: z.enum(['name', 'number']),
})
const alike = { same: z.number(), sameWrong: z.number() }

export const compareCandidates = endpoint({
  method: 'POST',
  path,
  summary: 'Compare the answers of two candidates; the reason is kept in the log',
  access: ACCESS,
  params: ofAssessment,
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
