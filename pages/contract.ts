import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'

export const getContact = endpoint({
  method: 'GET',
  path: '/api/contact',
  summary: 'The contact addresses, and the founders’ profiles',
  access: 'public',
  response: z.strictObject({
    supportEmail: z.string(),
    privacyEmail: z.string(),
    /** one for each founder's card, in order, or none at all */
    founderProfiles: z.array(z.string()),
  }),
})
