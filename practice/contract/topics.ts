import * as z from 'zod/mini'
import type { ResponseOf } from '../../platform/endpoint.ts'
import { cellQuery, practiceRead } from '../contract.ts'
import { categorySchema, difficultySchema } from '../question.ts'

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
      /** questions of the topic whose latest answer was right, and all that were answered */
      right: z.int(),
      answered: z.int(),
      /** the test of the cell with the most of the topic's questions that are not right yet */
      testNumber: z.int(),
    }),
  ),
})
export type WeakTopic = ResponseOf<typeof getWeakTopics>[number]
