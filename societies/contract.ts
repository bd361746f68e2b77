import * as z from 'zod/mini'
import { endpoint, type OrganiserAccess } from '../platform/endpoint.ts'
import type { Act, Limit } from './roles.ts'

/** An organiser's call that needs an act of the permission table (product 7.7.4). */
const organiserMay = <const A extends Act>(organiser: A, within: readonly Limit[] = []) =>
  ({ organiser, within }) satisfies OrganiserAccess

const ofSociety = z.strictObject({ society: z.uuid() })
const ofAssessment = z.strictObject({
  society: z.uuid(),
  code: z.string().check(z.regex(/^[A-Z0-9_]{1,40}$/)),
})

const assessment = z.strictObject({
  code: z.string(),
  /** the name that candidates read */
  society: z.string(),
  session: z.nullable(z.string()),
  durationSeconds: z.number(),
  opensAt: z.nullable(z.iso.datetime()),
  closesAt: z.nullable(z.iso.datetime()),
  timeZone: z.string(),
  itemCount: z.number(),
  candidateCount: z.number(),
  runningCount: z.number(),
  submittedCount: z.number(),
})

export const listSocietyAssessments = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments',
  summary: "The society's assessments for which the member has a role",
  access: organiserMay('see_assessments'),
  params: ofSociety,
  response: z.array(assessment),
})

export const getSocietyAssessment = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code',
  summary: 'One assessment of the society',
  access: organiserMay('see_assessments'),
  params: ofAssessment,
  response: assessment,
})
