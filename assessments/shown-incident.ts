import * as z from 'zod/mini'
import { INCIDENT_KINDS } from './incidents.ts'

/** What everybody who reads an incident is told of it: the candidate and the society (product 7.16.1). */
export const incidentFields = {
  kind: z.enum(INCIDENT_KINDS),
  /** since the start; of a report also before it */
  atMs: z.number(),
  lengthMs: z.nullable(z.number()),
  act: z.nullable(
    z.strictObject({ kind: z.string(), key: z.nullable(z.string()), times: z.int() }),
  ),
  questions: z.array(z.int()),
  takeOver: z.nullable(
    z.strictObject({
      isOtherAccount: z.boolean(),
      isOtherAddress: z.boolean(),
      isOtherBrowser: z.boolean(),
    }),
  ),
  waited: z.nullable(z.strictObject({ answers: z.int(), heardMs: z.number() })),
  missing: z.nullable(z.int()),
}

export const incidentStrike = {
  number: z.int(),
  standing: z.enum(['stands', 'taken_back', 'exempt']),
  /** the test was handed in by it, though it may go on since */
  endedTest: z.boolean(),
}
