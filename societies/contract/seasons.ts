import * as z from 'zod/mini'
import { inTest, organiserMay } from '../contract.ts'

export const setKeepUntil = inTest(
  'PUT /keep-until',
  organiserMay('edit_society'),
  'Until when answers and names are kept; fourteen days from now at the earliest',
  {
    /** null: as long as the society says */
    body: z.strictObject({ keepUntil: z.nullable(z.iso.datetime()) }),
    response: z.strictObject({ keepUntil: z.nullable(z.iso.datetime()) }),
  },
)
