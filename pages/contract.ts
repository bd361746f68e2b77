import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'

export const getContact = endpoint({
  method: 'GET',
  path: '/api/contact',
  summary: 'The addresses that people write to',
  access: 'public',
  response: z.strictObject({ supportEmail: z.string(), privacyEmail: z.string() }),
})
