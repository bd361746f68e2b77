import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { timeZoneSchema } from '../../platform/local-day.ts'
import { POINT_COUNT, promptHeadSchema, spokenPromptSchema } from '../aloud/spoken-prompt.ts'
import { practiceRead } from '../contract.ts'

export const ratingSchema = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)])
const slugParams = z.strictObject({ prompt: z.string().check(z.regex(/^[a-z0-9-]{1,80}$/)) })

const lastAnswerSchema = z.strictObject({
  rating: ratingSchema,
  pointsSaid: z.int(),
  tookMs: z.int(),
  day: z.iso.date(),
})
export type LastAnswer = z.infer<typeof lastAnswerSchema>

export const listSpokenPrompts = practiceRead({
  path: '/api/practice/aloud',
  summary: 'All spoken prompts, each with the last answer and the day when it comes back',
  response: z.array(
    z.strictObject({
      ...promptHeadSchema.shape,
      last: z.nullable(lastAnswerSchema),
      /** the person's local day; null before the first answer */
      next: z.nullable(z.iso.date()),
    }),
  ),
})
export type ListedPrompt = z.infer<typeof listSpokenPrompts.response>[number]

export const getSpokenPrompt = practiceRead({
  path: '/api/practice/aloud/:prompt',
  summary: 'One spoken prompt with its model answers, points and follow-up',
  params: slugParams,
  query: z.strictObject({ timeZone: timeZoneSchema }),
  response: z.strictObject({
    ...spokenPromptSchema.shape,
    last: z.nullable(lastAnswerSchema),
    /** the days until the prompt comes back if rated today not yet, shaky, good or fluent */
    nextDays: z.tuple([z.int(), z.int(), z.int(), z.int()]),
  }),
})
export type PromptToAnswer = z.infer<typeof getSpokenPrompt.response>

/** Answers are limited to 90 seconds, but a device that wakes from sleep may report a little more. */
const LONGEST_ANSWER_MS = 100_000

export const saveSpokenAnswer = endpoint({
  method: 'POST',
  path: '/api/practice/aloud/:prompt/answers',
  summary: 'Save a spoken answer. Returns 201, or 200 with the same body if it was already saved',
  access: 'user',
  params: slugParams,
  body: z.strictObject({
    id: z.uuid(),
    points: z.array(z.int().check(z.gte(1), z.lte(POINT_COUNT))).check(
      z.maxLength(POINT_COUNT),
      z.refine(
        (points) => points.every((point, at) => at === 0 || point > Number(points[at - 1])),
        {
          error: 'must ascend without duplicates',
        },
      ),
    ),
    rating: ratingSchema,
    tookMs: z.int().check(z.gte(0), z.lte(LONGEST_ANSWER_MS)),
    answeredAt: z.iso.datetime({ offset: true }),
    timeZone: timeZoneSchema,
  }),
  response: z.strictObject({
    next: z.iso.date(),
  }),
})
