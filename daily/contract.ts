import * as z from 'zod/mini'
import { endpoint, type ResponseOf } from '../platform/endpoint.ts'
import { daysBetween, timeZoneSchema } from '../platform/local-day.ts'
import { optionLetterSchema } from '../platform/options.ts'

/** Maximum seconds counted from Reveal to Submit: a day (product 5.8). */
export const LONGEST_SECONDS = 86_400

const resultSchema = z.strictObject({
  selectedOption: optionLetterSchema,
  correctOption: optionLetterSchema,
  wasCorrect: z.boolean(),
  explanation: z.nullable(z.string()),
  /** the mistake that leads to a wrong choice, with its name and how it was made here; null if unknown */
  mistake: z.nullable(z.strictObject({ name: z.string(), sentence: z.string() })),
})
export type DailyResult = z.infer<typeof resultSchema>

export const getDaily = endpoint({
  method: 'GET',
  path: '/api/daily',
  summary: "The brainteaser of a local day, by default today's; null if there is none",
  access: 'user',
  knowsSession: true,
  query: z.strictObject({
    timeZone: timeZoneSchema,
    /** today or one of the seven days before */
    date: z.optional(z.iso.date()),
  }),
  response: z.nullable(
    z.strictObject({
      date: z.iso.date(),
      statement: z.string(),
      options: z.strictObject({ A: z.string(), B: z.string(), C: z.string(), D: z.string() }),
      /** key and explanation leave the server only after the answer */
      result: z.nullable(resultSchema),
    }),
  ),
})

export const getDailyWeek = endpoint({
  method: 'GET',
  path: '/api/daily/week',
  summary: 'Results of the past seven days’ brainteasers, oldest first',
  access: 'user',
  knowsSession: true,
  query: z.strictObject({ timeZone: timeZoneSchema }),
  response: z.array(
    /** null: not played */
    z.strictObject({ date: z.iso.date(), wasCorrect: z.nullable(z.boolean()) }),
  ),
})

export const answerDaily = endpoint({
  method: 'POST',
  path: '/api/daily/answer',
  summary: 'Answer a brainteaser: the first answer counts, a repeat gets the same result',
  access: 'user',
  knowsSession: true,
  body: z.strictObject({
    date: z.optional(z.iso.date()),
    selectedOption: optionLetterSchema,
    /** from Reveal to Submit */
    timeTakenSeconds: z.int().check(z.minimum(0), z.maximum(LONGEST_SECONDS)),
    timeZone: timeZoneSchema,
  }),
  response: resultSchema,
})

export type Daily = NonNullable<ResponseOf<typeof getDaily>>
export type AnsweredDaily = Daily & { result: DailyResult }

/** How many past days can also be played (product 5.15). */
export const ARCHIVE_DAYS = 7

/** Whether a brainteaser can be played: today's, or one of the archive (product 5.15). */
export function isPlayable(date: string, today: string): boolean {
  const age = daysBetween(date, today)
  return age >= 0 && age <= ARCHIVE_DAYS
}
