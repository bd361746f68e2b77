import * as z from 'zod/mini'
import { timeZoneSchema } from '../../platform/local-day.ts'
import { DIFFICULTIES } from '../categories.ts'
import { practiceRead } from '../contract.ts'
import { categorySchema, questionSchema } from '../question.ts'

const BUILT_AT_MOST = 40

export const TOPICS_AT_MOST = 40

const listOf = (most: number) =>
  z.string().check(
    z.maxLength(4_000),
    z.refine((text) => text.split(',').length <= most, { error: `at most ${most}` }),
  )

export const buildTest = practiceRead({
  path: '/api/practice/build',
  summary: 'The questions of a custom test, chosen by topics, levels, mistake pattern or ids',
  query: z.strictObject({
    /** a comma-separated list of 'CATEGORY/TOPIC', with the category as a slug; any topic if missing */
    topics: z.optional(listOf(TOPICS_AT_MOST)),
    levels: z.optional(
      listOf(DIFFICULTIES.length).check(
        z.refine(
          (text) =>
            text.split(',').every((one) => (DIFFICULTIES as readonly string[]).includes(one)),
          { error: 'no such level' },
        ),
      ),
    ),
    slip: z.optional(z.string().check(z.maxLength(60))),
    n: z.optional(z.string().check(z.regex(/^([1-9]|[123]\d|40)$/))),
    ids: z.optional(listOf(BUILT_AT_MOST).check(z.regex(/^\d{1,9}(,\d{1,9})*$/))),
    timeZone: timeZoneSchema,
  }),
  response: z.strictObject({
    questions: z.array(questionSchema),
    found: z.int(),
  }),
})

export const getMastery = practiceRead({
  path: '/api/practice/mastery',
  summary: 'How many questions of each topic are solid, shaky and new to the person today',
  query: z.strictObject({ timeZone: timeZoneSchema }),
  response: z.array(
    z.strictObject({
      category: categorySchema,
      topic: z.string(),
      solid: z.int(),
      shaky: z.int(),
      new: z.int(),
    }),
  ),
})
