import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'

const difficultyProgressSchema = z.strictObject({
  questionsAnswered: z.int(),
  totalQuestions: z.int(),
  percentage: z.int(),
  correctAnswers: z.int(),
})

export const getProgress = endpoint({
  method: 'GET',
  path: '/api/progress',
  summary: 'Progress over all categories, with every attempt, newest first',
  access: 'user',
  response: z.strictObject({
    overallPercentage: z.int(),
    categoriesStarted: z.int(),
    totalCategories: z.int(),
    averageScore: z.number(),
    categories: z.record(
      z.string(),
      z.strictObject({
        overallPercentage: z.int(),
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
