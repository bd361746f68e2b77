import * as z from 'zod/mini'
import { timeZoneSchema } from '../../platform/local-day.ts'
import { practiceRead } from '../contract.ts'
import { categorySchema, difficultySchema, questionSchema } from '../question.ts'
import { planSchema } from './plan.ts'

/** Days are the person's own; tomorrow can be asked for too, to be prepared for a day without a network. */
const dayQuery = {
  timeZone: timeZoneSchema,
  /** today where it is left out, or is neither today nor tomorrow */
  day: z.optional(z.iso.date()),
}

export const getToday = practiceRead({
  path: '/api/practice/today',
  summary: 'What there is to do today: what is due, what comes in the next days, the next test',
  query: z.strictObject(dayQuery),
  response: z.strictObject({
    due: z.strictObject({
      /** of today alone: what has piled up is spread over the next days (product 3.10.9) */
      count: z.int(),
      /** new questions that the next sitting has beside what is due; not in what an older version kept for offline */
      alsoNew: z.optional(z.int()),
      categories: z.array(z.strictObject({ category: categorySchema, count: z.int() })),
      nextSevenDays: z.array(z.int()),
    }),
    /** null without a plan, missing in old offline copies; a day off and an interview that is over hold nothing */
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
    /** null before the first test, and when every test was taken */
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
  /** days after which nine in ten still know it */
  stability: z.number(),
  /** 1 to 10 */
  difficulty: z.number(),
  lapses: z.int(),
  /** right answers in a row, each on a day of its own; a guess ends the row */
  rightInRow: z.int(),
  lastDay: z.iso.date(),
})

export const dueSchema = z.strictObject({
  day: z.iso.date(),
  dueCount: z.int(),
  /** of the plan's day; null without one, and on a day off */
  plan: z.optional(
    z.nullable(
      z.strictObject({
        of: z.int(),
        /** of these not answered yet, those below included */
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
      /** median time of everyone, milliseconds; null where too few were measured */
      usualMs: z.nullable(z.int()),
    }),
  ),
})

export const getDue = practiceRead({
  path: '/api/practice/due',
  summary: 'The ten of today: what is due, and new questions where there is room',
  query: z.strictObject(dayQuery),
  response: dueSchema,
})
