import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { fresh, ofAssessment, organiserMay } from '../contract.ts'
import {
  NOT_WRITTEN,
  type NotWrittenReason,
  WRITTEN_FORMATS,
} from '../questions/written-formats.ts'

export const exportAssessment = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/questions/export',
  summary: 'The questions with their keys as a file of another system; csv where nothing is said',
  access: fresh(organiserMay('read_keys')),
  params: ofAssessment,
  query: z.strictObject({ format: z.optional(z.enum(WRITTEN_FORMATS)) }),
  response: z.strictObject({
    fileName: z.string(),
    mediaType: z.string(),
    /** in base64, since QTI is a zip */
    content: z.string(),
    count: z.number(),
    /** what the format has no way to write; position from 1 */
    leftOut: z.array(
      z.strictObject({
        position: z.number(),
        reason: z.enum(Object.keys(NOT_WRITTEN) as NotWrittenReason[]),
      }),
    ),
  }),
})
