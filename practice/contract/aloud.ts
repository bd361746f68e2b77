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
  summary: 'The questions to be answered aloud, with how one did last and when each comes back',
  response: z.array(
    z.strictObject({
      ...promptHeadSchema.shape,
      last: z.nullable(lastAnswerSchema),
      /** the person's own day; null before the first answer */
      next: z.nullable(z.iso.date()),
    }),
  ),
})
export type ListedPrompt = z.infer<typeof listSpokenPrompts.response>[number]

export const getSpokenPrompt = practiceRead({
  path: '/api/practice/aloud/:prompt',
  summary: 'One question to be answered aloud, with model answers, points and follow-up',
  params: slugParams,
  query: z.strictObject({ timeZone: timeZoneSchema }),
  response: z.strictObject({
    ...spokenPromptSchema.shape,
    last: z.nullable(lastAnswerSchema),
    /** in how many days it comes back, rated today: not yet, shaky, good, fluent */
    nextDays: z.tuple([z.int(), z.int(), z.int(), z.int()]),
  }),
})
export type PromptToAnswer = z.infer<typeof getSpokenPrompt.response>

/** An answer takes 90 seconds at most; a device that slept through its end may tell a little more. */
const LONGEST_ANSWER_MS = 100_000

export const saveSpokenAnswer = endpoint({
  method: 'POST',
  path: '/api/practice/aloud/:prompt/answers',
  summary: 'Save how a spoken answer went: 201, and 200 with the same body when it is sent again',
  access: 'user',
  params: slugParams,
  body: z.strictObject({
    id: z.uuid(),
    points: z.array(z.int().check(z.gte(1), z.lte(POINT_COUNT))).check(
      z.maxLength(POINT_COUNT),
      z.refine(
        (points) => points.every((point, at) => at === 0 || point > Number(points[at - 1])),
        {
          error: 'must ascend, each once',
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
