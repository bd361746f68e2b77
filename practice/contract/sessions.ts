import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { timeZoneSchema } from '../../platform/local-day.ts'
import { optionLetterSchema } from '../../platform/options.ts'
import { answerTimes, practiceRead, streakSchema } from '../contract.ts'

const SESSION_ANSWERS_AT_MOST = 100

const sessionAnswerSchema = z.strictObject({
  place: z.int().check(z.nonnegative(), z.lt(SESSION_ANSWERS_AT_MOST)),
  /** a question's id as text, or 'case/SLUG/N' */
  item: z.string().check(z.minLength(1), z.maxLength(120)),
  choice: optionLetterSchema,
  ...answerTimes,
  answeredAt: z.iso.datetime({ offset: true }),
})

const short = z.string().check(z.maxLength(80))

/** Describes the session. Every session stores it, so it's limited to about 3 KB. */
const about = z.partial(
  z.strictObject({
    case: short,
    slip: short,
    topics: z.array(short).check(z.maxLength(40)),
    levels: z.array(short).check(z.maxLength(3)),
    size: z.int(),
    clock: short,
    category: short,
    difficulty: short,
  }),
)

export const saveSession = endpoint({
  method: 'PUT',
  path: '/api/practice/sessions/:id',
  summary:
    'Store the answers of a session so far. When it is finished, store the session too. A retry stores nothing twice',
  access: 'user',
  knowsSession: true,
  params: z.strictObject({ id: z.uuid() }),
  body: z.strictObject({
    kind: z.enum(['mistakes', 'due', 'built', 'slip', 'case', 'superday']),
    about,
    answers: z
      .array(sessionAnswerSchema)
      .check(z.minLength(1), z.maxLength(SESSION_ANSWERS_AT_MOST)),
    isFinished: z.boolean(),
    completedAt: z.iso.datetime({ offset: true }),
    timeZone: timeZoneSchema,
  }),
  response: z.strictObject({
    /** the number of items whose first answer was right */
    score: z.int(),
    total: z.int(),
    /** null until the session is finished */
    streak: z.nullable(streakSchema),
  }),
})

const ITEMS_AT_MOST = 40

export const getReturns = practiceRead({
  path: '/api/practice/returns',
  summary: 'The local day when each question comes back. Questions without a card are left out',
  query: z.strictObject({
    items: z.string().check(z.regex(new RegExp(`^\\d{1,9}(,\\d{1,9}){0,${ITEMS_AT_MOST - 1}}$`))),
  }),
  response: z.array(z.strictObject({ item: z.string(), due: z.iso.date() })),
})

const slipMadeSchema = z.strictObject({
  code: z.string(),
  name: z.string(),
  line: z.string(),
  /** answers in the last 90 days to questions that offered this mistake, and how many made it */
  possible: z.int(),
  made: z.int(),
  /** whether each of the last six such answers made the mistake, oldest first */
  lastSix: z.array(z.boolean()),
  thisMonth: z.int(),
  /** true if two of the last six or more made it and it isn't cleared since (product 3.14.21) */
  isHabit: z.boolean(),
})
export type SlipMade = z.infer<typeof slipMadeSchema>

export const getSlips = practiceRead({
  path: '/api/practice/slips',
  summary:
    'The mistake patterns of the last 90 days, habits first, each with how often it was possible',
  query: z.strictObject({
    timeZone: timeZoneSchema,
    /** a test's or session's id: the response is the state before it, so its own answers don't count */
    before: z.optional(z.uuid()),
  }),
  response: z.array(slipMadeSchema),
})
