import * as z from 'zod/mini'
import { optionLetterSchema } from '../../platform/options.ts'
import { practiceRead } from '../contract.ts'
import { byDistractor, categorySchema, difficultySchema, optionsSchema } from '../question.ts'

export const QUESTIONS_PER_CASE = 5
export const isFindTheError = (questions: number): boolean => questions === 1

export const caseSlugSchema = z.string().check(z.regex(/^[a-z0-9-]{1,60}$/))

export const columnSchema = z.strictObject({
  id: z.string(),
  label: z.string(),
  format: z.optional(z.string()),
})

export const rowSchema = z.strictObject({
  id: z.string(),
  label: z.string(),
  short: z.optional(z.string()),
  /** one per column: a number, text, or null for the value to find */
  values: z.array(z.nullable(z.union([z.number(), z.string()]))),
  format: z.optional(z.string()),
  line: z.optional(z.enum(['subtotal', 'total'])),
  gap: z.optional(z.boolean()),
})

export const tableSchema = z.strictObject({
  kind: z.literal('table'),
  id: z.string(),
  title: z.string(),
  tab: z.string(),
  unit: z.string(),
  format: z.string(),
  columns: z.array(columnSchema),
  /** whether a column shows the change from the second to the first column */
  change: z.boolean(),
  rows: z.array(rowSchema),
})

export const chartSchema = z.strictObject({
  kind: z.literal('chart'),
  id: z.string(),
  title: z.string(),
  tab: z.string(),
  unit: z.string(),
  labels: z.array(z.string()),
  series: z.array(
    z.strictObject({ id: z.string(), name: z.string(), values: z.array(z.number()) }),
  ),
})

export const noteSchema = z.strictObject({
  kind: z.literal('note'),
  id: z.string(),
  title: z.string(),
  tab: z.string(),
  text: z.string(),
})

const exhibitSchema = z.discriminatedUnion('kind', [tableSchema, chartSchema, noteSchema])
export type Exhibit = z.infer<typeof exhibitSchema>
export type Table = z.infer<typeof tableSchema>
export type Chart = z.infer<typeof chartSchema>

const caseQuestionSchema = z.strictObject({
  ask: z.string(),
  finds: z.string(),
  from: z.array(z.int()),
  /** how later questions refer to its figure, such as 'EBITDA would have been'; null if nothing builds on it */
  carry: z.nullable(z.string()),
  options: optionsSchema,
  answer: optionLetterSchema,
  explanation: z.string(),
  why: byDistractor,
  slipNames: byDistractor,
})

export const caseSchema = z.strictObject({
  slug: caseSlugSchema,
  title: z.string(),
  category: categorySchema,
  difficulty: difficultySchema,
  story: z.string(),
  exhibits: z.array(exhibitSchema),
  questions: z.array(caseQuestionSchema),
})
export type Case = z.infer<typeof caseSchema>

export function caseItem(slug: string, number: number): string {
  return `case/${slug}/${number}`
}

export const listCases = practiceRead({
  path: '/api/practice/cases',
  summary: "The cases in order, each with the person's best score, or null before the first",
  response: z.array(
    z.strictObject({
      slug: caseSlugSchema,
      title: caseSchema.shape.title,
      category: caseSchema.shape.category,
      difficulty: caseSchema.shape.difficulty,
      story: caseSchema.shape.story,
      questions: z.int(),
      best: z.nullable(
        z.strictObject({ score: z.int(), total: z.int(), completedAt: z.iso.datetime() }),
      ),
    }),
  ),
})
export type CaseListed = z.infer<(typeof listCases)['response']>[number]

export const getCase = practiceRead({
  path: '/api/practice/cases/:slug',
  summary: 'One case with its exhibits and questions, including keys',
  params: z.strictObject({ slug: caseSlugSchema }),
  response: caseSchema,
})
