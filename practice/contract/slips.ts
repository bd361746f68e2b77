import * as z from 'zod/mini'
import { timeZoneSchema } from '../../platform/local-day.ts'
import { practiceRead } from '../contract.ts'

/** A slip as one person makes it: how often it was possible, and how often it was made (product 3.14.20). */
const slipMadeSchema = z.strictObject({
  code: z.string(),
  /** 'Confused profit with cash' */
  name: z.string(),
  /** what happens, in one sentence */
  line: z.string(),
  /** answered questions of the last 90 days that offered it, and those of them in which it was made */
  possible: z.int(),
  made: z.int(),
  /** whether it was made in each of the last six of them, the oldest first */
  lastSix: z.array(z.boolean()),
  /** how often it was made in this month of the person's own calendar */
  thisMonth: z.int(),
  /** it says something: made in two of the last six or more, and not cleared since (product 3.14.21) */
  isHabit: z.boolean(),
})
export type SlipMade = z.infer<typeof slipMadeSchema>

export const getSlips = practiceRead({
  path: '/api/practice/slips',
  summary:
    'The slips that a person made in the last 90 days, habits first, each as often as it was possible',
  query: z.strictObject({
    timeZone: timeZoneSchema,
    /** a test or a session: everything as it was before it, so that its own answers are not counted */
    before: z.optional(z.uuid()),
  }),
  response: z.array(slipMadeSchema),
})
