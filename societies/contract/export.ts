import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { fresh, ofAssessment, organiserMay } from '../contract.ts'
import { WRITTEN_FORMATS } from '../questions/question-files.ts'

export const exportAssessment = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/questions/export',
  summary: 'The questions with their keys as a file; CSV unless another format is asked for',
  access: fresh(organiserMay('read_keys')),
  params: ofAssessment,
  query: z.strictObject({ format: z.optional(z.enum(WRITTEN_FORMATS)) }),
  response: z.strictObject({ fileName: z.string(), content: z.string(), count: z.number() }),
})
