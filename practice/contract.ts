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

/** How long a question was in view, milliseconds, a day at most; and whether the person said 'I guessed'. */
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

/** A read of the signed-in person's practice; a node may know the session from a moment ago (product 2.1.11). */
export const practiceRead = <const E extends Omit<Endpoint, 'method' | 'access' | 'knowsSession'>>(
  read: E,
) => endpoint({ ...read, method: 'GET', access: 'user', knowsSession: true })

/** A cell named by free text: an unknown one is answered with an empty list, not with an error. */
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
  summary: 'The questions of a cell, or of one of its tests, in id order, keys included',
  query: z.strictObject({
    ...cellQuery,
    testNumber: z.optional(z.string().check(z.maxLength(20))),
    /** how many attempts were made at this test: it asks variants of what is computed (product 3.12.2) */
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
  summary: `The saved results of a cell, newest first, ${LISTED_RESULTS} at most`,
  query: z.strictObject({
    ...cellQuery,
    before: z.optional(z.uuid()),
  }),
  response: z.array(resultSummarySchema),
})

export const getResult = practiceRead({
  path: '/api/results/:id',
  summary: 'One saved result with its review; an old-format one has an empty review',
  params: z.strictObject({ id: z.uuid() }),
  response: z.strictObject({
    ...resultSummarySchema.shape,
    category: categorySchema,
    difficulty: difficultySchema,
    review: z.array(reviewEntrySchema),
    /** of each entry, how long it was in view, milliseconds; null where nobody measured */
    times: z.array(z.nullable(z.int())),
  }),
})

export const saveResult = endpoint({
  method: 'POST',
  path: '/api/results',
  summary: 'Save a finished test: 201, and 200 with the same body when it is sent again',
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
    /** the device's clock; clamped between seven days ago and now */
    completedAt: z.iso.datetime({ offset: true }),
    timeZone: timeZoneSchema,
  }),
  response: z.strictObject({ score: z.int(), totalQuestions: z.int(), streak: streakSchema }),
})

export const getMistakes = practiceRead({
  path: '/api/mistakes',
  summary: 'The questions of a cell missed most often, at most ten',
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
  summary: 'The day streak, as of today in a time zone, with the latest 84 days practised',
  query: z.strictObject({ timeZone: timeZoneSchema }),
  response: z.strictObject({ ...streakSchema.shape, recentDays: z.array(z.iso.date()) }),
})

export const completePractice = endpoint({
  method: 'POST',
  path: '/api/streak',
  summary: 'Count a finished error-practice test for the streak, once per id',
  access: 'user',
  knowsSession: true,
  body: z.strictObject({ id: z.uuid(), timeZone: timeZoneSchema }),
  response: streakSchema,
})

const difficultyProgressSchema = z.strictObject({
  questionsAnswered: z.int(),
  totalQuestions: z.int(),
  /** whole number 0 to 100, as all but the averages */
  percentage: z.int(),
  correctAnswers: z.int(),
  /** over all attempts, one decimal; null before the first */
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
  summary: 'What each question of a cell is about, in id order, without the questions',
  query: z.strictObject(cellQuery),
  /** a topic is lower case with hyphens; imported questions have none */
  response: z.array(z.strictObject({ id: z.int(), topic: z.nullable(z.string()) })),
})

export const getWeakTopics = practiceRead({
  path: '/api/practice/weak-topics',
  summary: 'The topics that a person answers worst, weakest first, each with a test that has it',
  response: z.array(
    z.strictObject({
      category: categorySchema,
      difficulty: difficultySchema,
      topic: z.string(),
      right: z.int(),
      answered: z.int(),
      /** the test of the cell with the most of the topic's questions that are not right yet */
      testNumber: z.int(),
    }),
  ),
})
export type WeakTopic = ResponseOf<typeof getWeakTopics>[number]
