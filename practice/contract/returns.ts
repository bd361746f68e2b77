import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'

/** Items that one call asks for at most: a test of ten, with room. */
const ITEMS_AT_MOST = 40

export const getReturns = endpoint({
  method: 'GET',
  path: '/api/practice/returns',
  summary: 'On which local day each of some questions comes back; what has no card is left out',
  access: 'user',
  knowsSession: true,
  query: z.strictObject({
    /** ids of questions, with commas between */
    items: z.string().check(z.regex(new RegExp(`^\\d{1,9}(,\\d{1,9}){0,${ITEMS_AT_MOST - 1}}$`))),
  }),
  response: z.array(z.strictObject({ item: z.string(), due: z.iso.date() })),
})
