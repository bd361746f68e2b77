import * as z from 'zod/mini'
import { optionLetterSchema } from '../platform/options.ts'
import { CATEGORIES, DIFFICULTIES } from './categories.ts'

export const categorySchema = z.enum(CATEGORIES)
export const difficultySchema = z.enum(DIFFICULTIES)

export const optionsSchema = z.strictObject({
  A: z.string(),
  B: z.string(),
  C: z.string(),
  D: z.string(),
})
export const byDistractor = z.partial(optionsSchema)

/**
 * A practice question with key and explanation (product 3.1.1, 3.1.5). `why`: the mistake behind each distractor;
 * `slips`: its code where it is a known one (3.12.5); `source`: the standard or text of its rule; `rightPercent`: of the
 * people who have answered it, how many were right the first time.
 */
export const questionSchema = z.strictObject({
  id: z.int().check(z.positive()),
  category: categorySchema,
  difficulty: difficultySchema,
  question: z.string(),
  options: optionsSchema,
  correctOption: optionLetterSchema,
  explanation: z.nullable(z.string()),
  why: byDistractor,
  slips: z.optional(byDistractor),
  source: z.optional(z.string()),
  rightPercent: z.optional(z.int()),
})
export type Question = z.infer<typeof questionSchema>

/** One answered question as questions_data keeps it: a snapshot, so that a review never changes. */
export const reviewEntrySchema = z.strictObject({
  question: questionSchema,
  userAnswer: optionLetterSchema,
  isCorrect: z.boolean(),
})
export type ReviewEntry = z.infer<typeof reviewEntrySchema>

export const answerSchema = z.strictObject({
  questionId: z.int().check(z.positive()),
  selectedAnswer: optionLetterSchema,
})
export type Answer = z.infer<typeof answerSchema>
