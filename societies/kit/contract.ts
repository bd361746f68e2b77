import * as z from 'zod/mini'
import type { $ZodObject } from 'zod/v4/core'
import { type Endpoint, endpoint, type OrganizerAccess } from '../../platform/endpoint.ts'
import { type Act, type Limit, type PERMISSIONS, ROLES } from './roles.ts'

type Candidates = OrganizerAccess['candidates']
/** An action that an invigilator may perform has to declare how it's limited to the room. */
type Within<A extends Act> = 'invigilator' extends keyof (typeof PERMISSIONS)[A]
  ? [within: readonly Limit[], candidates: NonNullable<Candidates>]
  : [within?: readonly Limit[], candidates?: Candidates]

/** Requires an action of the permission table for an organizer's endpoint (product 7.7.4). */
export const organizerMay = <const A extends Act>(
  organizer: A,
  ...[within = [], candidates]: Within<A>
) => ({ organizer, within, candidates }) satisfies OrganizerAccess

/** Also requires re-authentication within the last five minutes, and the second factor (product 7.13.3). */
export const fresh = <const A extends OrganizerAccess>(access: A) => ({
  ...access,
  fresh: true as const,
})

/** For an endpoint that returns keys or is used with keys visible. It requires revealed keys (product 7.13.9). */
export const handingOutKeys = <const A extends OrganizerAccess>(access: A) => ({
  ...access,
  keys: true as const,
})

export const ofSociety = z.strictObject({ society: z.uuid() })
export const ofAssessment = z.strictObject({
  society: z.uuid(),
  code: z.string().check(z.regex(/^[A-Z0-9_]{1,40}$/)),
})

type Shapes = Omit<Endpoint, 'method' | 'path' | 'summary' | 'access'>

/** Creates endpoints below a common path, with the path's parameters by default. */
const below =
  <const P extends $ZodObject>(prefix: string, params: P) =>
  <const A extends OrganizerAccess, const S extends Shapes>(
    call: `${Endpoint['method']} /${string}` | Endpoint['method'],
    access: A,
    summary: string,
    shapes: S,
  ) => {
    const [method, path = ''] = call.split(' ') as [Endpoint['method'], string?]
    return { method, path: prefix + path, summary, access, params, ...shapes } as Omit<
      S,
      'params'
    > & {
      method: Endpoint['method']
      path: string
      summary: string
      access: A
      params: S extends { params: infer Own extends $ZodObject } ? Own : P
    }
  }

/** An endpoint of a society: `inSociety('GET /log', organizerMay('read_log'), 'The log', { response })`. */
export const inSociety = below('/api/societies/:society', ofSociety)
export const inTest = below('/api/societies/:society/assessments/:code', ofAssessment)

/** Created when a dialog opens and sent with its action, so that a retry changes nothing (product 7.15.3). */
export const requestId = z.uuid()

const assessment = z.strictObject({
  code: z.string(),
  /** The name shown to candidates. */
  society: z.string(),
  session: z.nullable(z.string()),
  season: z.nullable(z.string()),
  isDraft: z.boolean(),
  durationSeconds: z.number(),
  opensAt: z.nullable(z.iso.datetime()),
  closesAt: z.nullable(z.iso.datetime()),
  /** The last moment to start for any candidate, including those with their own start window. */
  lastStartAt: z.nullable(z.iso.datetime()),
  timeZone: z.string(),
  itemCount: z.number(),
  candidateCount: z.number(),
  runningCount: z.number(),
  submittedCount: z.number(),
})

/** Every role has this permission. */
const SEE = organizerMay('see_assessments', [], 'none')

export const listSocietyAssessments = inSociety('GET /assessments', SEE, "The member's tests", {
  response: z.array(assessment),
})

export const getSocietyAssessment = inTest('GET', SEE, 'One assessment of the society', {
  response: assessment,
})

export const role = z.enum(ROLES)
/** The code of the test that a role is for; null means the whole society, including future tests. */
export const scope = { assessment: z.nullable(z.string().check(z.maxLength(40))) }
export const room = { room: z.nullable(z.string()) }

export const listMySocieties = endpoint({
  method: 'GET',
  path: '/api/societies',
  summary: 'The societies in which the user has a role, with the roles that are in force',
  access: 'user',
  response: z.strictObject({
    societies: z.array(
      z.strictObject({
        id: z.uuid(),
        name: z.string(),
        timeZone: z.string(),
        roles: z.array(z.strictObject({ role, ...scope, ...room })),
      }),
    ),
    /** Whether the account can create a society here, or why it can't (product 7.7.2). */
    founding: z.enum(['open', 'closed', 'account_needed', 'address_unverified']),
  }),
})
