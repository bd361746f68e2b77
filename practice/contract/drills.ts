import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { timeZoneSchema } from '../../platform/local-day.ts'
import { practiceRead, streakSchema } from '../contract.ts'
import { LONGEST_ANSWER } from '../drill/fraction.ts'
import { HIGHEST_SEED } from '../drill/sum.ts'

const seedSchema = z.int().check(z.nonnegative(), z.maximum(HIGHEST_SEED))
const millisecondsSchema = z.int().check(z.nonnegative(), z.maximum(3_600_000))

export const drillAnswerSchema = z.strictObject({
  answer: z.string().check(z.minLength(1), z.maxLength(LONGEST_ANSWER)),
  tookMs: millisecondsSchema,
  /** where the question was first asked, if it returned after a wrong answer */
  from: z.optional(
    z.strictObject({ seed: seedSchema, place: z.int().check(z.nonnegative(), z.maximum(999)) }),
  ),
})
export type DrillAnswer = z.infer<typeof drillAnswerSchema>

const marksSchema = {
  correct: z.int(),
  wrong: z.int(),
  skipped: z.int(),
  score: z.int(),
}

export const saveDrill = endpoint({
  method: 'POST',
  path: '/api/practice/drills',
  summary: 'Save a finished drill. Returns 201, or 200 if it was already saved',
  access: 'user',
  knowsSession: true,
  body: z.strictObject({
    id: z.uuid(),
    preset: z.string().check(z.maxLength(60)),
    version: z.int().check(z.positive(), z.maximum(10_000)),
    seed: seedSchema,
    penalty: z.int().check(z.nonnegative(), z.maximum(2)),
    /** the device's clock, clamped so that the drill ends within the last seven days */
    startedAt: z.iso.datetime({ offset: true }),
    tookMs: millisecondsSchema,
    answers: z.array(drillAnswerSchema).check(z.minLength(1), z.maxLength(1_000)),
    timeZone: timeZoneSchema,
  }),
  response: z.strictObject({ ...marksSchema, streak: streakSchema }),
})

const drillSummarySchema = z.strictObject({
  id: z.uuid(),
  preset: z.string(),
  startedAt: z.iso.datetime(),
  tookMs: z.int(),
  ...marksSchema,
})
export type DrillSummary = z.infer<typeof drillSummarySchema>

export const LISTED_DRILLS = 500

export const listDrills = practiceRead({
  path: '/api/practice/drills',
  summary: `The drills of a person, newest first, at most ${LISTED_DRILLS}`,
  response: z.array(drillSummarySchema),
})

export const getDrill = practiceRead({
  path: '/api/practice/drills/:id',
  summary: 'One drill with its answers. The client remakes its questions from version and seed',
  params: z.strictObject({ id: z.uuid() }),
  response: z.strictObject({
    ...drillSummarySchema.shape,
    version: z.int(),
    seed: z.int(),
    answers: z.array(drillAnswerSchema),
  }),
})
export type Drill = z.infer<typeof getDrill.response>
