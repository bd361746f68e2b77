import * as z from 'zod/mini'
import { type Endpoint, endpoint, type ResponseOf } from '../platform/endpoint.ts'
import { timeZoneSchema } from '../platform/local-day.ts'
import { optionLetterSchema } from '../platform/options.ts'
import {
  answerSchema,
  categorySchema,
  difficultySchema,
  questionSchema,
  reviewEntrySchema,
} from './question.ts'

export const REPORT_REASONS = ['wrong_answer', 'unclear', 'typo', 'other'] as const
export type ReportReason = (typeof REPORT_REASONS)[number]

export const REPORT_DETAILS_LIMIT = 2000

/** `tookMs` is the time in view, at most a day. `isGuess` means that the person pressed 'I guessed'. */
export const answerTimes = {
  tookMs: z.optional(z.int().check(z.nonnegative(), z.maximum(86_400_000))),
  isGuess: z.optional(z.boolean()),
}

export const streakSchema = z.strictObject({
  currentStreak: z.int(),
  streakHighscore: z.int(),
  /** null before the first completion */
  lastCompletedDate: z.nullable(z.iso.date()),
})

/** Defines a GET for the signed-in user. The server may use a cached session (product 2.1.11). */
export const practiceRead = <const E extends Omit<Endpoint, 'method' | 'access' | 'knowsSession'>>(
  read: E,
) => endpoint({ ...read, method: 'GET', access: 'user', knowsSession: true })

/** Both are free text. An unknown cell returns an empty list, not an error. */
const cellQuery = {
  category: z.string().check(z.maxLength(200)),
  difficulty: z.string().check(z.maxLength(200)),
}
const wholeNumberText = z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number))

export const getQuestionCounts = practiceRead({
  path: '/api/questions/counts',
  summary: 'How many questions each cell of the bank holds',
  response: z.array(
    z.strictObject({ category: categorySchema, difficulty: difficultySchema, count: z.int() }),
  ),
})

export const getQuestions = practiceRead({
  path: '/api/questions',
  summary: 'The questions of a cell or of one of its tests, in id order, with keys',
  query: z.strictObject({
    ...cellQuery,
    testNumber: z.optional(z.string().check(z.maxLength(20))),
    /** the number of earlier attempts at this test, which selects variants of computed questions (product 3.12.2) */
    variant: z.optional(wholeNumberText),
  }),
  response: z.array(questionSchema),
})

export const reportQuestion = endpoint({
  method: 'POST',
  path: '/api/questions/:id/reports',
  summary: 'Report a problem with a question to the editors',
  access: 'user',
  params: z.strictObject({ id: wholeNumberText }),
  body: z.strictObject({
    id: z.uuid(),
    reason: z.enum(REPORT_REASONS),
    details: z.string().check(z.trim(), z.maxLength(REPORT_DETAILS_LIMIT)),
  }),
  response: z.strictObject({ received: z.literal(true) }),
})

const resultSummarySchema = z.strictObject({
  id: z.uuid(),
  testNumber: z.int(),
  score: z.int(),
  totalQuestions: z.int(),
  completedAt: z.iso.datetime(),
})
export type ResultSummary = z.infer<typeof resultSummarySchema>

export const LISTED_RESULTS = 500

export const listResults = practiceRead({
  path: '/api/results',
  summary: `The saved results of a cell, newest first, at most ${LISTED_RESULTS}`,
  query: z.strictObject({
    ...cellQuery,
    before: z.optional(z.uuid()),
  }),
  response: z.array(resultSummarySchema),
})

export const getResult = practiceRead({
  path: '/api/results/:id',
  summary: 'One saved result with its review, which is empty in the old format',
  params: z.strictObject({ id: z.uuid() }),
  response: z.strictObject({
    ...resultSummarySchema.shape,
    category: categorySchema,
    difficulty: difficultySchema,
    review: z.array(reviewEntrySchema),
    /** each entry's time in view in milliseconds, or null if it wasn't measured */
    times: z.array(z.nullable(z.int())),
  }),
})

export const saveResult = endpoint({
  method: 'POST',
  path: '/api/results',
  summary: 'Save a finished test. Returns 201, or 200 with the same body if it was already saved',
  access: 'user',
  knowsSession: true,
  body: z.strictObject({
    id: z.uuid(),
    category: categorySchema,
    difficulty: difficultySchema,
    testNumber: z.int().check(z.positive(), z.maximum(100_000)),
    answers: z
      .array(z.strictObject({ ...answerSchema.shape, ...answerTimes }))
      .check(z.maxLength(100)),
    /** the device's clock, clamped to the last seven days */
    completedAt: z.iso.datetime({ offset: true }),
    timeZone: timeZoneSchema,
  }),
  response: z.strictObject({ score: z.int(), totalQuestions: z.int(), streak: streakSchema }),
})

export const getMistakes = practiceRead({
  path: '/api/mistakes',
  summary: 'The most missed questions of a cell, at most ten',
  query: z.strictObject(cellQuery),
  response: z.strictObject({
    attempts: z.int(),
    cleared: z.int(),
    mistakes: z.array(
      z.strictObject({
        ...questionSchema.shape,
        timesWrong: z.int().check(z.positive()),
        userAnswer: optionLetterSchema,
      }),
    ),
  }),
})

export const getStreak = practiceRead({
  path: '/api/streak',
  summary: 'The day streak as of today in a time zone, with the days practiced among the latest 84',
  query: z.strictObject({ timeZone: timeZoneSchema }),
  response: z.strictObject({ ...streakSchema.shape, recentDays: z.array(z.iso.date()) }),
})

export const completePractice = endpoint({
  method: 'POST',
  path: '/api/streak',
  summary: 'Count a finished error-practice test toward the streak, once per id',
  access: 'user',
  knowsSession: true,
  body: z.strictObject({ id: z.uuid(), timeZone: timeZoneSchema }),
  response: streakSchema,
})

const difficultyProgressSchema = z.strictObject({
  questionsAnswered: z.int(),
  totalQuestions: z.int(),
  /** a whole number from 0 to 100 */
  percentage: z.int(),
  correctAnswers: z.int(),
  /** over all attempts, to one decimal; null before the first attempt */
  averageScore: z.nullable(z.number()),
})

export const LISTED_ATTEMPTS = 1_000

export const getProgress = practiceRead({
  path: '/api/progress',
  summary: `Progress over all categories, with the newest ${LISTED_ATTEMPTS} attempts, newest first`,
  response: z.strictObject({
    overallPercentage: z.int(),
    categoriesStarted: z.int(),
    totalCategories: z.int(),
    averageScore: z.number(),
    attemptCount: z.int(),
    categories: z.record(
      z.string(),
      z.strictObject({
        overallPercentage: z.int(),
        averageScore: z.nullable(z.number()),
        difficulties: z.record(z.string(), difficultyProgressSchema),
      }),
    ),
    attempts: z.array(
      z.strictObject({
        id: z.uuid(),
        completedAt: z.iso.datetime(),
        category: z.string(),
        difficulty: z.string(),
        testNumber: z.int(),
        percentage: z.int(),
      }),
    ),
  }),
})

export const getQuestionTopics = practiceRead({
  path: '/api/questions/topics',
  summary: 'The topic of each question in a cell, in id order',
  query: z.strictObject(cellQuery),
  /** Topics are in lower case with hyphens. Imported questions have none. */
  response: z.array(z.strictObject({ id: z.int(), topic: z.nullable(z.string()) })),
})

export const getWeakTopics = practiceRead({
  path: '/api/practice/weak-topics',
  summary: 'The weakest topics, weakest first, each with a test that covers it',
  response: z.array(
    z.strictObject({
      category: categorySchema,
      difficulty: difficultySchema,
      topic: z.string(),
      right: z.int(),
      answered: z.int(),
      /** the test with the most questions on this topic that the person hasn't gotten right yet */
      testNumber: z.int(),
    }),
  ),
})
export type WeakTopic = ResponseOf<typeof getWeakTopics>[number]
