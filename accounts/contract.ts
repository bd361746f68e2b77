import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'

export const getProfile = endpoint({
  method: 'GET',
  path: '/api/profile',
  summary: 'The signed-in user',
  access: 'user',
  response: z.strictObject({
    /** the part of the e-mail before the at-sign, or 'User' */
    name: z.string(),
    email: z.nullable(z.string()),
    createdAt: z.nullable(z.iso.datetime()),
    isAnonymous: z.boolean(),
  }),
})

/** The password again, because a stolen session must not allow everything (product 2.8.7). */
const confirmation = z.strictObject({
  /** guests have none */
  password: z.optional(z.string()),
})

export const deleteProfile = endpoint({
  method: 'DELETE',
  path: '/api/profile',
  summary:
    'Close the account immediately and delete its data; assessment attempts stay with the society, without the link',
  access: 'user',
  body: confirmation,
  response: z.strictObject({
    /** the user is signed out everywhere, the address is free, and the data is being removed */
    deleting: z.literal(true),
  }),
})

export const exportProfile = endpoint({
  method: 'POST',
  path: '/api/profile/export',
  summary:
    'Everything stored about the user, as one JSON file; without keys or results of assessments',
  access: 'user',
  body: confirmation,
  response: z.record(z.string(), z.unknown()),
})

export const verifyAddress = endpoint({
  method: 'POST',
  path: '/api/profile/verify-address',
  summary: 'Send a link to the account’s own address to verify it',
  access: 'user',
  response: z.strictObject({
    /** where the link goes, or would have gone */
    email: z.string(),
    /** if true, no mail is sent */
    isVerified: z.boolean(),
  }),
})

export const getSecondFactor = endpoint({
  method: 'GET',
  path: '/api/second-factor',
  summary: 'Whether the account has a second factor, and whether this session used it',
  access: 'user',
  response: z.strictObject({
    /** when it was set up; null without one */
    since: z.nullable(z.iso.datetime()),
    codesLeft: z.number(),
    /** whether it was used in this session */
    isShown: z.boolean(),
  }),
})

export const makeRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/second-factor/codes',
  summary: 'Ten new recovery codes, shown once; earlier ones stop working',
  access: 'user',
  response: z.strictObject({ codes: z.array(z.string()) }),
})

export const useRecoveryCode = endpoint({
  method: 'POST',
  path: '/api/second-factor/recover',
  summary: 'A recovery code instead of an app code: a new session with both factors',
  access: 'user',
  body: z.strictObject({ code: z.string() }),
  response: z.strictObject({
    codesLeft: z.number(),
    /** replaces the session that made the call, in the protocol's format */
    session: z.strictObject({
      access_token: z.string(),
      token_type: z.literal('bearer'),
      expires_in: z.number(),
      expires_at: z.number(),
      refresh_token: z.string(),
    }),
  }),
})

export const giveProof = endpoint({
  method: 'POST',
  path: '/api/proof',
  summary: 'Show once more who is here: a code where there is a second factor, else the password',
  access: 'user',
  body: z.strictObject({
    password: z.optional(z.string()),
    /** from the app, or a recovery code */
    code: z.optional(z.string()),
  }),
  response: z.strictObject({ provenAt: z.iso.datetime() }),
})
