import * as z from 'zod/mini'
import type { $ZodObject } from 'zod/v4/core'
import { type Endpoint, endpoint, type OrganiserAccess } from '../platform/endpoint.ts'
import { type Act, INVITATION_STATES, type Limit, ROLES } from './roles.ts'

/** An organiser's call that needs an act of the permission table (product 7.7.4). */
export const organiserMay = <const A extends Act>(organiser: A, within: readonly Limit[] = []) =>
  ({ organiser, within }) satisfies OrganiserAccess

/** The same within five minutes after a proof of who it is (product 7.13.3). */
export const fresh = <const A extends OrganiserAccess>(access: A) => ({
  ...access,
  fresh: true as const,
})

/** A call that hands out keys, or is made with them in sight: open once they were uncovered (product 7.13.9). */
export const handingOutKeys = <const A extends OrganiserAccess>(access: A) => ({
  ...access,
  keys: true as const,
})

export const ofSociety = z.strictObject({ society: z.uuid() })
export const ofAssessment = z.strictObject({
  society: z.uuid(),
  code: z.string().check(z.regex(/^[A-Z0-9_]{1,40}$/)),
})

type Shapes = Pick<Endpoint, 'response'> &
  Partial<Pick<Endpoint, 'params' | 'query' | 'body' | 'bodyBytes' | 'fileBytes' | 'knowsSession'>>

/** Calls below one path, with its parameters unless more are named. */
const below =
  <const P extends $ZodObject>(prefix: string, params: P) =>
  <const A extends OrganiserAccess, const S extends Shapes>(
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

/** A call about a society: `inSociety('GET /log', organiserMay('read_log'), 'The log', { response })`. */
export const inSociety = below('/api/societies/:society', ofSociety)
/** A call about one test of a society. */
export const inTest = below('/api/societies/:society/assessments/:code', ofAssessment)

/** Made by the page when a dialog opens, and sent with what it does: the same again changes nothing (product 7.15.3). */
export const requestId = z.uuid()

const assessment = z.strictObject({
  code: z.string(),
  /** the name that candidates read */
  society: z.string(),
  session: z.nullable(z.string()),
  season: z.nullable(z.string()),
  isDraft: z.boolean(),
  durationSeconds: z.number(),
  opensAt: z.nullable(z.iso.datetime()),
  closesAt: z.nullable(z.iso.datetime()),
  timeZone: z.string(),
  itemCount: z.number(),
  candidateCount: z.number(),
  runningCount: z.number(),
  submittedCount: z.number(),
})

export const listSocietyAssessments = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments',
  summary: "The society's assessments for which the member has a role",
  access: organiserMay('see_assessments'),
  params: ofSociety,
  response: z.array(assessment),
})

export const getSocietyAssessment = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code',
  summary: 'One assessment of the society',
  access: organiserMay('see_assessments'),
  params: ofAssessment,
  response: assessment,
})

/** Characters of a society's name. */
export const SOCIETY_NAME_LENGTH = 80
/** Characters of whom candidates ask, as they read it in mails. */
export const CONTACT_LENGTH = 200
/** Months that answers and names may be kept after the close. */
export const MOST_RETENTION_MONTHS = 120
/** Characters of the room of an invigilator. */
export const ROOM_LENGTH = 60
/** Addresses of one call. */
export const INVITED_AT_ONCE = 50
export const INVITATION_DAYS = { usual: 7, most: 30 } as const

const role = z.enum(ROLES)
/** the code of the test that a role is for; null: the whole society, tests to come too */
const scope = { assessment: z.nullable(z.string().check(z.maxLength(40))) }
/** an invigilator's; null or left out is every room */
const askedRoom = {
  room: z.optional(
    z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(ROOM_LENGTH))),
  ),
}
const room = { room: z.nullable(z.string()) }
const society = z.strictObject({ id: z.uuid(), name: z.string() })

/** A society's name. It stands in mails to people who asked for nothing. */
const societyName = z
  .string()
  .check(
    z.trim(),
    z.minLength(2),
    z.maxLength(SOCIETY_NAME_LENGTH),
    z.regex(/^[\p{L}\p{M}\p{N} .,&'’()+–:-]+$/u, 'letters, digits and the signs of a name alone'),
  )
const done = z.strictObject({ done: z.literal(true) })

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
    /** whether the account may found one here, or what stands in the way (product 7.7.2) */
    founding: z.enum(['open', 'closed', 'account_needed', 'address_unverified']),
  }),
})

export const foundSociety = endpoint({
  method: 'POST',
  path: '/api/societies',
  summary: 'Found a society and become its owner, where the server allows it',
  access: 'user',
  body: z.strictObject({ name: societyName }),
  response: society,
})

/** What a society says of itself (product 7.12.8). */
const societySettings = z.strictObject({
  name: z.string(),
  /** IANA, such as Europe/Lisbon */
  timeZone: z.string(),
  /** whom candidates ask; null: nobody was named */
  contact: z.nullable(z.string()),
  /** how long answers and names are kept after the close, months */
  retentionMonths: z.int(),
})

export const getSocietySettings = endpoint({
  method: 'GET',
  path: '/api/societies/:society/settings',
  summary: "The society's name, zone and contact",
  access: organiserMay('see_assessments'),
  params: ofSociety,
  response: societySettings,
})

export const changeSocietySettings = endpoint({
  method: 'PUT',
  path: '/api/societies/:society/settings',
  summary: "Change the society's name, zone and contact; 409 where they are not what was read",
  access: organiserMay('edit_society'),
  params: ofSociety,
  body: z.strictObject({
    /** as they were read */
    was: societySettings,
    /** left out: stays as it is */
    name: z.optional(societyName),
    timeZone: z.string().check(z.maxLength(64)),
    retentionMonths: z.int().check(z.minimum(1), z.maximum(MOST_RETENTION_MONTHS)),
    contact: z.nullable(
      z
        .string()
        .check(
          z.trim(),
          z.minLength(1),
          z.maxLength(CONTACT_LENGTH),
          z.regex(/^\P{C}*$/u, 'one line, without control characters'),
        ),
    ),
  }),
  response: societySettings,
})

export const listMembers = endpoint({
  method: 'GET',
  path: '/api/societies/:society/members',
  summary: 'Who is or was a member, a line a role',
  access: organiserMay('manage_members'),
  params: ofSociety,
  response: z.array(
    z.strictObject({
      id: z.uuid(),
      userId: z.uuid(),
      name: z.string(),
      email: z.string(),
      role,
      ...scope,
      ...room,
      createdAt: z.iso.datetime(),
      endedAt: z.nullable(z.iso.datetime()),
      /** whether the account has a second factor */
      hasFactor: z.boolean(),
      /** false: ended, or over with its test */
      isInForce: z.boolean(),
    }),
  ),
})

const ofMember = z.strictObject({ society: z.uuid(), member: z.uuid() })

export const changeMember = endpoint({
  method: 'PUT',
  path: '/api/societies/:society/members/:member',
  summary: 'Change a role, what it reaches and its room; 409 where they are not what was read',
  access: fresh(organiserMay('manage_members')),
  params: ofMember,
  body: z.strictObject({
    /** as they were read */
    was: z.strictObject({ role, ...scope, ...room }),
    role,
    ...scope,
    ...askedRoom,
  }),
  response: done,
})

export const listRooms = endpoint({
  method: 'GET',
  path: '/api/societies/:society/rooms',
  summary: 'The rooms that stand in its lists of candidates, 200 at most',
  access: organiserMay('manage_members'),
  params: ofSociety,
  response: z.array(z.string()),
})

export const endMember = endpoint({
  method: 'POST',
  path: '/api/societies/:society/members/:member/end',
  summary: 'End a role at once',
  access: fresh(organiserMay('manage_members')),
  params: ofMember,
  response: done,
})

export const resetMemberFactor = endpoint({
  method: 'POST',
  path: '/api/societies/:society/members/:member/reset-factor',
  summary:
    "Take the second factor of another member away, who has lost it, and end the member's sessions",
  access: fresh(organiserMay('manage_members')),
  params: ofMember,
  response: done,
})

export const signMemberOut = endpoint({
  method: 'POST',
  path: '/api/societies/:society/members/:member/sign-out',
  summary: 'End all sessions of a member',
  access: fresh(organiserMay('manage_members')),
  params: ofMember,
  response: done,
})

export const listInvitations = endpoint({
  method: 'GET',
  path: '/api/societies/:society/invitations',
  summary: 'The newest 1,000 invitations with their states',
  access: organiserMay('manage_members'),
  params: ofSociety,
  response: z.array(
    z.strictObject({
      id: z.uuid(),
      email: z.string(),
      roles: z.array(role),
      ...scope,
      ...room,
      state: z.enum(INVITATION_STATES),
      expiresAt: z.iso.datetime(),
      createdAt: z.iso.datetime(),
      invitedBy: z.string(),
      /** mails that were handed over */
      sentCount: z.number(),
      lastSentAt: z.nullable(z.iso.datetime()),
      acceptedAt: z.nullable(z.iso.datetime()),
      revokedAt: z.nullable(z.iso.datetime()),
    }),
  ),
})

export const inviteMembers = endpoint({
  method: 'POST',
  path: '/api/societies/:society/invitations',
  summary: 'Invite people by mail',
  access: fresh(organiserMay('manage_members')),
  params: ofSociety,
  body: z.strictObject({
    emails: z.array(z.string()).check(z.minLength(1), z.maxLength(INVITED_AT_ONCE)),
    roles: z.array(role).check(z.minLength(1), z.maxLength(ROLES.length)),
    ...scope,
    ...askedRoom,
    expiresInDays: z.optional(z.int().check(z.minimum(1), z.maximum(INVITATION_DAYS.most))),
  }),
  response: z.array(z.strictObject({ id: z.uuid(), email: z.string() })),
})

const ofInvitation = z.strictObject({ society: z.uuid(), invitation: z.uuid() })

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/api/societies/:society/invitations/:invitation/resend',
  summary: 'Send an invitation again with a new link, for as many days as the first time',
  access: fresh(organiserMay('manage_members')),
  params: ofInvitation,
  response: done,
})

export const revokeInvitation = endpoint({
  method: 'POST',
  path: '/api/societies/:society/invitations/:invitation/revoke',
  summary: 'Take an invitation back',
  access: organiserMay('manage_members'),
  params: ofInvitation,
  response: done,
})

export const leaveSociety = endpoint({
  method: 'POST',
  path: '/api/societies/:society/leave',
  summary: "End one's own roles",
  // Every role has it.
  access: organiserMay('see_assessments'),
  params: ofSociety,
  response: done,
})

/** What the link of an invitation carries behind '#'. */
const invitationLink = z.strictObject({ token: z.string().check(z.regex(/^[\w-]{43}$/)) })

export const readInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/read',
  summary: 'What a link invites to; accepts nothing',
  access: 'public',
  body: invitationLink,
  response: z.strictObject({
    society: z.string(),
    invitedBy: z.string(),
    email: z.string(),
    roles: z.array(role),
    ...room,
    /** null: the whole society, tests to come too */
    assessment: z.nullable(
      z.strictObject({
        code: z.string(),
        society: z.string(),
        session: z.nullable(z.string()),
        season: z.nullable(z.string()),
      }),
    ),
    expiresAt: z.iso.datetime(),
  }),
})

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/accept',
  summary: 'Accept an invitation with the account of its address',
  access: 'user',
  body: invitationLink,
  response: society,
})
