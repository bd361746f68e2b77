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

export const deleteProfile = endpoint({
  method: 'DELETE',
  path: '/api/profile',
  summary:
    'Delete the account and its data; assessment attempts stay with the society, without the link',
  access: 'user',
  response: z.strictObject({ deleted: z.literal(true) }),
})

export const exportProfile = endpoint({
  method: 'GET',
  path: '/api/profile/export',
  summary: 'Everything held on the user, as one JSON file; of assessments never key or result',
  access: 'user',
  response: z.record(z.string(), z.unknown()),
})
