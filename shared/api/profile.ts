import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

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

export const getContact = endpoint({
  method: 'GET',
  path: '/api/contact',
  summary: 'The addresses that people write to',
  access: 'public',
  response: z.strictObject({ supportEmail: z.string(), privacyEmail: z.string() }),
})
