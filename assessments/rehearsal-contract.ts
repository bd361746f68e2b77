import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { deviceFactsSchema, REMARKS, TROUBLES } from './rehearsal.ts'

export const openRehearsal = endpoint({
  method: 'POST',
  path: '/api/rehearsals',
  summary:
    "Open a rehearsal by a society's link: throwaway credentials for a test of sample questions",
  access: 'user',
  body: z.strictObject({
    /** From a candidate's personal link, after its '#'. */
    token: z.optional(z.string().check(z.regex(/^[\w-]{43}$/))),
    assessment: z.optional(z.string().check(z.regex(/^[A-Z0-9_]{1,40}$/))),
  }),
  response: z.strictObject({
    /** The rehearsal's code. Its calls are the same as any assessment's. */
    code: z.string(),
    username: z.string(),
    password: z.string(),
    /** Label of the real test. */
    label: z.string(),
    durationSeconds: z.int(),
    questionCount: z.int(),
    navigator: z.boolean(),
    contact: z.nullable(z.string()),
    /** Whose readiness the server stores. */
    keptFor: z.enum(['nobody', 'candidate', 'helper']),
  }),
})

export const tellTime = endpoint({
  method: 'GET',
  path: '/api/rehearsals/time',
  summary: "The server's clock",
  access: 'user',
  response: z.strictObject({ now: z.iso.datetime() }),
})

export const checkDevice = endpoint({
  method: 'POST',
  path: '/api/rehearsals/:code/check',
  summary: 'The measurements of a finished rehearsal, stored for the candidate of a personal link',
  access: 'user',
  params: z.strictObject({ code: z.string().check(z.regex(/^[A-Z0-9_]{1,40}$/)) }),
  body: deviceFactsSchema,
  response: z.strictObject({
    browser: z.string(),
    findings: z.array(z.enum([...TROUBLES, ...REMARKS])),
    isReady: z.boolean(),
    isKept: z.boolean(),
  }),
})
