import * as z from 'zod/mini'
import { caseSchema, caseSlugSchema } from '../cases/case.ts'
import { practiceRead } from '../contract.ts'

const caseStateSchema = z.strictObject({
  score: z.int(),
  total: z.int(),
  completedAt: z.iso.datetime(),
})

export const listCases = practiceRead({
  path: '/api/practice/cases',
  summary:
    'The cases in their order, each with the best score of the person, null before the first',
  response: z.array(
    z.strictObject({
      slug: caseSlugSchema,
      title: caseSchema.shape.title,
      category: caseSchema.shape.category,
      difficulty: caseSchema.shape.difficulty,
      story: caseSchema.shape.story,
      questions: z.int(),
      best: z.nullable(caseStateSchema),
    }),
  ),
})
export type CaseListed = z.infer<(typeof listCases)['response']>[number]

export const getCase = practiceRead({
  path: '/api/practice/cases/:slug',
  summary: 'One case with its exhibit and its questions, keys included',
  params: z.strictObject({ slug: caseSlugSchema }),
  response: caseSchema,
})
