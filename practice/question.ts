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
 * A practice question with its key and explanation (product 3.1.1, 3.1.5). `why` explains the mistake behind each
 * distractor, and `slips` has its mistake pattern, if any (3.12.5). `source` is the standard or text of the rule.
 * `rightPercent` is the share of people whose first answer was right.
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

/** An answered question as stored in questions_data. It's a snapshot, so later edits don't change the review. */
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
