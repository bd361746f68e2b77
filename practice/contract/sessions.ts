import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { timeZoneSchema } from '../../platform/local-day.ts'
import { optionLetterSchema } from '../../platform/options.ts'
import { answerTimes, streakSchema } from '../contract.ts'

/** In what questions are answered besides tests of ten (product 3.9.3). */
const SESSION_KINDS = ['mistakes', 'due', 'built', 'slip', 'case', 'superday'] as const

/** The most that one session holds (product 3.9.5). */
const SESSION_ANSWERS_AT_MOST = 100

/** One answered question of a session, at its place from 0. */
const sessionAnswerSchema = z.strictObject({
  place: z.int().check(z.nonnegative(), z.lt(SESSION_ANSWERS_AT_MOST)),
  /** a question's id as text, or a case's 'case/SLUG/N' */
  item: z.string().check(z.minLength(1), z.maxLength(120)),
  choice: optionLetterSchema,
  ...answerTimes,
  /** the device's clock; clamped as a test's time of finishing is */
  answeredAt: z.iso.datetime({ offset: true }),
})

const aboutValue = z.union([
  z.string().check(z.maxLength(120)),
  z.int(),
  z.boolean(),
  z.array(z.string().check(z.maxLength(120))).check(z.maxLength(40)),
])

export const saveSession = endpoint({
  method: 'PUT',
  path: '/api/practice/sessions/:id',
  summary:
    'Store the answers of a session as far as it is, and once it is finished the session itself; sent again, nothing is stored twice',
  access: 'user',
  knowsSession: true,
  params: z.strictObject({ id: z.uuid() }),
  body: z.strictObject({
    kind: z.enum(SESSION_KINDS),
    /** what it is of: a case's slug, a slip's code, the choice of a built test */
    about: z
      .record(z.string().check(z.maxLength(40)), aboutValue)
      .check(z.refine((about) => Object.keys(about).length <= 10, { error: 'at most ten' })),
    /** all of them so far */
    answers: z
      .array(sessionAnswerSchema)
      .check(z.minLength(1), z.maxLength(SESSION_ANSWERS_AT_MOST)),
    isFinished: z.boolean(),
    /** of the last answer while it isn't finished */
    completedAt: z.iso.datetime({ offset: true }),
    timeZone: timeZoneSchema,
  }),
  response: z.strictObject({
    /** right ones among the first answers to each item */
    score: z.int(),
    /** how many different items were answered */
    total: z.int(),
    /** null while it isn't finished */
    streak: z.nullable(streakSchema),
  }),
})
