import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { ofAssessment, ofSociety, organiserMay } from '../contract.ts'
import { CARD_PARTS, cardContent, cardVersion } from './card.ts'

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

const season = z.string().check(z.minLength(1), z.maxLength(200))

export const previewCard = endpoint({
  method: 'GET',
  path: '/api/societies/:society/fairness-card',
  summary: 'What the fairness card of a season would say now, and which versions are public',
  access: organiserMay('release_results'),
  params: ofSociety,
  query: z.strictObject({ season }),
  response: z.strictObject({
    /** null where an obstacle stands against it */
    content: z.nullable(cardContent),
    obstacle: z.nullable(z.enum(['nobody_sat', 'still_open', 'deleted'])),
    /** goes with the publication, so that what is published is what was seen */
    basisHash: z.nullable(z.string()),
    /** before that its address answers 'not yet' */
    isReleased: z.boolean(),
    cardId: z.nullable(z.uuid()),
    /** the newest first */
    versions: z.array(cardVersion),
    differsIn: z.array(z.enum(CARD_PARTS)),
  }),
})

export const publishCard = endpoint({
  method: 'POST',
  path: '/api/societies/:society/fairness-card',
  summary: 'Make the next version public; none where nothing has changed',
  access: organiserMay('release_results'),
  params: ofSociety,
  body: z.strictObject({
    season,
    /** of the preview */
    basisHash: z.string().check(z.maxLength(64)),
  }),
  response: z.strictObject({ cardId: z.uuid(), version: z.int(), isNew: z.boolean() }),
})
