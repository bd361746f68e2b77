import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { ofAssessment, ofSociety, organiserMay } from '../contract.ts'

export const readSeasons = endpoint({
  method: 'GET',
  path: '/api/societies/:society/seasons',
  summary: 'The seasons with their assessments, and until when answers and names are kept',
  access: organiserMay('see_assessments'),
  params: ofSociety,
  response: z.strictObject({
    retentionMonths: z.int(),
    /** the newest first; those of which the member reaches an assessment */
    seasons: z.array(
      z.strictObject({
        season: z.nullable(z.string()),
        assessments: z.array(
          z.strictObject({
            code: z.string(),
            /** 'Morning' */
            name: z.string(),
            timeZone: z.string(),
            isDraft: z.boolean(),
            isSample: z.boolean(),
            closesAt: z.nullable(z.iso.datetime()),
            /** whose attempts are closed; of a deleted one as many as there were */
            satCount: z.int(),
            /** null: no day, since it never closes */
            keepUntil: z.nullable(z.iso.datetime()),
            /** a day of its own, not the society's months after the close */
            hasOwnDay: z.boolean(),
            warnedAt: z.nullable(z.iso.datetime()),
            deletedAt: z.nullable(z.iso.datetime()),
            /** numbers without names stay */
            keepsStatistics: z.boolean(),
            /** of its fairness report; null where none is published */
            fairnessReport: z.nullable(z.uuid()),
          }),
        ),
      }),
    ),
  }),
})

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
