import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { ofAssessment, organiserMay } from '../contract.ts'

export const setKeepUntil = endpoint({
  method: 'PUT',
  path: '/api/societies/:society/assessments/:code/keep-until',
  summary: 'Until when answers and names are kept; fourteen days from now at the earliest',
  access: organiserMay('edit_society'),
  params: ofAssessment,
  body: z.strictObject({
    /** null: as long as the society says */
    keepUntil: z.nullable(z.iso.datetime()),
  }),
  response: z.strictObject({ keepUntil: z.nullable(z.iso.datetime()) }),
})
