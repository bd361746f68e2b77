import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { timeZoneSchema } from '../../platform/local-day.ts'
import { optionLetterSchema } from '../../platform/options.ts'
import { answerTimes, practiceRead, streakSchema } from '../contract.ts'

const SESSION_ANSWERS_AT_MOST = 100

const sessionAnswerSchema = z.strictObject({
  place: z.int().check(z.nonnegative(), z.lt(SESSION_ANSWERS_AT_MOST)),
  /** a question's id as text, or a case's 'case/SLUG/N' */
  item: z.string().check(z.minLength(1), z.maxLength(120)),
  choice: optionLetterSchema,
  ...answerTimes,
  answeredAt: z.iso.datetime({ offset: true }),
})

const short = z.string().check(z.maxLength(80))

/** What a session is of. Exact and small, since each is stored: some 3 KB at most. */
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
    'Store the answers of a session as far as it is, and once it is finished the session itself; sent again, nothing is stored twice',
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
    /** right ones among the first answers to each item */
    score: z.int(),
    total: z.int(),
    /** null while it isn't finished */
    streak: z.nullable(streakSchema),
  }),
})

const ITEMS_AT_MOST = 40

export const getReturns = practiceRead({
  path: '/api/practice/returns',
  summary: 'On which local day each of some questions comes back; what has no card is left out',
  query: z.strictObject({
    items: z.string().check(z.regex(new RegExp(`^\\d{1,9}(,\\d{1,9}){0,${ITEMS_AT_MOST - 1}}$`))),
  }),
  response: z.array(z.strictObject({ item: z.string(), due: z.iso.date() })),
})

const slipMadeSchema = z.strictObject({
  code: z.string(),
  name: z.string(),
  line: z.string(),
  /** answered questions of the last 90 days that offered it, and those of them in which it was made */
  possible: z.int(),
  made: z.int(),
  /** whether it was made in each of the last six of them, the oldest first */
  lastSix: z.array(z.boolean()),
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
