import * as z from 'zod/mini'
import { timeZoneSchema } from '../../platform/local-day.ts'
import { practiceRead } from '../contract.ts'
import { categorySchema, difficultySchema, questionSchema } from '../question.ts'
import { planSchema } from './plan.ts'

/** Days are in the person's time zone. Clients also request tomorrow, to prepare for a day offline. */
const dayQuery = {
  timeZone: timeZoneSchema,
  /** any day except today and tomorrow is read as today */
  day: z.optional(z.iso.date()),
}

export const getToday = practiceRead({
  path: '/api/practice/today',
  summary: "Today's practice: due questions, the counts of the next days, and the next test",
  query: z.strictObject(dayQuery),
  response: z.strictObject({
    due: z.strictObject({
      /** only today's share: a backlog is spread over the next days (product 3.10.9) */
      count: z.int(),
      /** new questions in the next sitting; missing in offline copies from older versions */
      alsoNew: z.optional(z.int()),
      categories: z.array(z.strictObject({ category: categorySchema, count: z.int() })),
      nextSevenDays: z.array(z.int()),
    }),
    /** null without a plan, and missing in old offline copies; empty on a day off and after the interview */
    plan: z.optional(
      z.nullable(
        z.strictObject({
          plan: planSchema,
          of: z.int(),
          tens: z.array(z.strictObject({ due: z.int(), fresh: z.int() })),
          done: z.strictObject({ aloud: z.int(), drill: z.int(), superday: z.int() }),
        }),
      ),
    ),
    spokenDue: z.int(),
    /** null before the first test and after every test was taken */
    next: z.nullable(
      z.strictObject({
        category: categorySchema,
        difficulty: difficultySchema,
        testNumber: z.int(),
      }),
    ),
  }),
})

export const cardSchema = z.strictObject({
  due: z.iso.date(),
  /** days until the chance to remember falls to 90% */
  stability: z.number(),
  /** from 1 to 10 */
  difficulty: z.number(),
  lapses: z.int(),
  /** right answers in a row on different days; a guess resets it */
  rightInRow: z.int(),
  lastDay: z.iso.date(),
})

export const dueSchema = z.strictObject({
  day: z.iso.date(),
  dueCount: z.int(),
  /** the planned day's questions; null without a plan and on a day off */
  plan: z.optional(
    z.nullable(
      z.strictObject({
        of: z.int(),
        /** planned questions not answered yet, including `items` */
        left: z.int(),
        interviewOn: z.nullable(z.iso.date()),
      }),
    ),
  ),
  items: z.array(
    z.strictObject({
      question: questionSchema,
      topic: z.nullable(z.string()),
      family: z.string(),
      card: z.nullable(cardSchema),
      /** the median of all users in milliseconds, or null if too few were measured */
      usualMs: z.nullable(z.int()),
    }),
  ),
})

export const getDue = practiceRead({
  path: '/api/practice/due',
  summary: "Today's ten questions: due ones, and new ones if there is room",
  query: z.strictObject(dayQuery),
  response: dueSchema,
})
