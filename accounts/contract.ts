import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'

export const getProfile = endpoint({
  method: 'GET',
  path: '/api/profile',
  summary: 'Who is signed in',
  access: 'user',
  response: z.strictObject({
    /** the part of the e-mail before the at-sign, or 'User' */
    name: z.string(),
    email: z.nullable(z.string()),
    createdAt: z.nullable(z.iso.datetime()),
    isAnonymous: z.boolean(),
  }),
})

/** The password once more: whoever holds somebody's session alone shall not get at everything (product 2.8.7). */
const confirmation = z.strictObject({
  /** a guest has none */
  password: z.optional(z.string()),
})

export const deleteProfile = endpoint({
  method: 'DELETE',
  path: '/api/profile',
  summary:
    'Close the account at once and delete its data; assessment attempts stay with the society, without the link',
  access: 'user',
  body: confirmation,
  response: z.strictObject({
    /** signed out everywhere, the address free; the data is being removed */
    deleting: z.literal(true),
  }),
})

export const exportProfile = endpoint({
  method: 'POST',
  path: '/api/profile/export',
  summary: 'Everything held on the user, as one JSON file; of assessments never key or result',
  access: 'user',
  body: confirmation,
  response: z.record(z.string(), z.unknown()),
})
