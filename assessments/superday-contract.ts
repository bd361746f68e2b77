import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'

export const openSuperdayTest = endpoint({
  method: 'POST',
  path: '/api/practice/superdays/:id/test',
  summary:
    'Credentials for the test of a mock superday, which is then verified, started, saved and submitted like every other',
  access: 'user',
  params: z.strictObject({ id: z.uuid() }),
  response: z.strictObject({
    /** its calls are those of any assessment */
    code: z.string(),
    username: z.string(),
    password: z.string(),
  }),
})
