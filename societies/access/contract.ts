import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { hasLink, LINK_PROBLEM, VISIBLE } from '../kit/candidate-limits.ts'
import { fresh, inSociety, ofSociety, organizerMay, role, room, scope } from '../kit/contract.ts'
import { ROLES } from '../kit/roles.ts'

/** Every role has this permission. */
const SEE = organizerMay('see_assessments', [], 'none')
const MANAGE = organizerMay('manage_members')

export const SOCIETY_NAME_LENGTH = 80
/** The maximum length of the contact in candidates' mails, in characters. */
export const CONTACT_LENGTH = 200
/** The maximum number of months for which answers and names are kept after the close. */
export const MOST_RETENTION_MONTHS = 120
export const ROOM_LENGTH = 60
export const INVITED_AT_ONCE = 50
export const INVITATION_DAYS = { usual: 7, most: 30 } as const

/** The invigilator's room; null or omitted means every room. */
const askedRoom = {
  room: z.optional(
    z.nullable(
      z.string().check(z.trim(), z.minLength(1), z.maxLength(ROOM_LENGTH), z.regex(VISIBLE)),
    ),
  ),
}
const society = z.strictObject({ id: z.uuid(), name: z.string() })

const PLAIN_NAME = /^[\p{L}\p{M}\p{N} .,&'’()+–:-]+$/u
const societyName = z.string().check(
  z.trim(),
  z.minLength(2),
  z.maxLength(SOCIETY_NAME_LENGTH),
  z.regex(PLAIN_NAME, 'only letters, digits, spaces and . , & ’ ( ) + – : -'),
  z.refine((name) => !hasLink(name), LINK_PROBLEM),
)

/** Returns a sentence about the problem of a typed name, or null. The server validates it again (product 7.7.2). */
export function nameProblem(typed: string): string | null {
  const name = typed.trim()
  if (name.length < 2) return 'Enter a name of at least two letters.'
  if (hasLink(name)) return LINK_PROBLEM
  return PLAIN_NAME.test(name) ? null : 'Use only letters, digits and . , & ’ ( ) + – : -'
}

/** This hash of /organise opens the form that creates a society, even for members of another one. */
export const FOUND_HASH = '#found'

const done = z.strictObject({ done: z.literal(true) })

export const foundSociety = endpoint({
  method: 'POST',
  path: '/api/societies',
  summary: 'Create a society and become its owner, where the server allows it',
  access: 'user',
  body: z.strictObject({ name: societyName }),
  response: society,
})

const societySettings = z.strictObject({
  name: z.string(),
  /** An IANA name, such as Europe/Lisbon. */
  timeZone: z.string(),
  contact: z.nullable(z.string()),
  /** The number of months for which answers and names are kept after the close. */
  retentionMonths: z.int(),
})
export type SocietySettings = z.infer<typeof societySettings>

export const getSocietySettings = inSociety('GET /settings', SEE, 'Name, zone and contact', {
  response: societySettings,
})

export const changeSocietySettings = inSociety(
  'PUT /settings',
  organizerMay('edit_society'),
  "Change the society's name, zone and contact; 409 where they are not what was read",
  {
    body: z.strictObject({
      /** The settings as the page loaded them. */
      was: societySettings,
      /** Omitted if unchanged. */
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
  },
)

export const listMembers = inSociety('GET /members', MANAGE, 'Present and past roles', {
  response: z.array(
    z.strictObject({
      /** The membership's id. A person with two roles is listed twice. */
      id: z.uuid(),
      userId: z.uuid(),
      name: z.string(),
      email: z.string(),
      role,
      ...scope,
      ...room,
      createdAt: z.iso.datetime(),
      endedAt: z.nullable(z.iso.datetime()),
      hasFactor: z.boolean(),
      /** False if the role was ended, or expired with its test. */
      isInForce: z.boolean(),
    }),
  ),
})

const aboutMember = { params: z.extend(ofSociety, { member: z.uuid() }), response: done }
const onMember = (act: string, summary: string) =>
  inSociety(`POST /members/:member/${act}`, fresh(MANAGE), summary, aboutMember)

export const changeMember = inSociety(
  'PUT /members/:member',
  fresh(MANAGE),
  'Change a role, what it reaches and its room; 409 where they are not what was read',
  {
    ...aboutMember,
    body: z.strictObject({
      /** The role as the page loaded it. */
      was: z.strictObject({ role, ...scope, ...room }),
      role,
      ...scope,
      ...askedRoom,
    }),
  },
)

export const listRooms = inSociety('GET /rooms', MANAGE, "Rooms of the tests' candidates", {
  /** At most 200. */
  response: z.array(z.string()),
})

export const endMember = onMember('end', 'End a role at once')
export const resetMemberFactor = onMember(
  'reset-factor',
  "Remove another member's lost second factor, and end the member's sessions",
)
export const signMemberOut = onMember('sign-out', 'End all sessions of a member')

export const listInvitations = inSociety('GET /invitations', MANAGE, 'The newest 1,000', {
  response: z.array(
    z.strictObject({
      id: z.uuid(),
      email: z.string(),
      roles: z.array(role),
      ...scope,
      ...room,
      /** 'withdrawn' means that its sender is no longer an owner. */
      state: z.enum(['pending', 'accepted', 'revoked', 'withdrawn', 'expired']),
      expiresAt: z.iso.datetime(),
      createdAt: z.iso.datetime(),
      /** The sender's name at that time. */
      invitedBy: z.string(),
      sentCount: z.number(),
      lastSentAt: z.nullable(z.iso.datetime()),
      acceptedAt: z.nullable(z.iso.datetime()),
      revokedAt: z.nullable(z.iso.datetime()),
    }),
  ),
})

export const inviteMembers = inSociety('POST /invitations', fresh(MANAGE), 'Invite by email', {
  body: z.strictObject({
    emails: z.array(z.string()).check(z.minLength(1), z.maxLength(INVITED_AT_ONCE)),
    roles: z.array(role).check(z.minLength(1), z.maxLength(ROLES.length)),
    ...scope,
    ...askedRoom,
    expiresInDays: z.optional(z.int().check(z.minimum(1), z.maximum(INVITATION_DAYS.most))),
  }),
  response: z.array(z.strictObject({ id: z.uuid(), email: z.string() })),
})

const aboutInvitation = { params: z.extend(ofSociety, { invitation: z.uuid() }), response: done }

export const resendInvitation = inSociety(
  'POST /invitations/:invitation/resend',
  fresh(MANAGE),
  'Send an invitation again with a new link, for as many days as the first time',
  aboutInvitation,
)

export const revokeInvitation = inSociety(
  'POST /invitations/:invitation/revoke',
  MANAGE,
  'Revoke an invitation',
  aboutInvitation,
)

export const leaveSociety = inSociety('POST /leave', SEE, "End one's own roles", { response: done })

/** The token in an invitation link, after '#'. */
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
    /** Null means the whole society, including future tests. */
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
