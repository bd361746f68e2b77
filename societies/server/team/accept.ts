import { nameOf } from '../../../accounts/person.ts'
import { proveAddress } from '../../../accounts/server/address-store.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { ApiError } from '../../../platform/server/api.ts'
import type { CurrentUser } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import type { InvitationState, Role } from '../../roles.ts'
import { type Client, note } from '../action.ts'
import { hashInvitationToken, INVITED_TO, STATE } from './invitations.ts'
import { grantRole, holdMembers, type Scope } from './members.ts'

interface Found extends Scope {
  room: string | null
  /** what `assessment` is called */
  named: { code: string; society: string; session: string | null; season: string | null } | null
  id: string
  societyId: string
  society: string
  email: string
  roles: Role[]
  state: InvitationState
  invitedBy: string
  expiresAt: Date
  userId: string | null
}

type Dependencies = Pick<AppDependencies, 'db' | 'secretKey'> & { now: Date }

async function find(
  client: Client,
  { secretKey, now }: Dependencies,
  token: string,
  lock: '' | 'for no key update of i',
): Promise<Found> {
  const { rows } = await client.query<Found>(
    `select i.id, i.society_id as "societyId", s.name as society, i.email, i.roles, i.assessment, i.room,
       ${INVITED_TO} as named, ${STATE(2)} as state, i.invited_by_name as "invitedBy",
       i.expires_at as "expiresAt", i.user_id as "userId"
     from society_invitations i join societies s on s.id = i.society_id
     where i.token_hash = $1 ${lock}`,
    [hashInvitationToken(secretKey, token), now],
  )
  if (rows[0]) return rows[0]
  throw new ApiError(
    404,
    'invitation_unknown',
    'This link is not valid. If you were sent a newer one, please open that; otherwise ask whoever invited you.',
  )
}

/** Errors: ApiError with a sentence for each way in which it is closed. */
function requirePending({ state, society, invitedBy }: Found): void {
  switch (state) {
    case 'pending':
      return
    case 'accepted':
      throw new ApiError(
        410,
        'invitation_used',
        `This invitation to ${society} was used already. If that was you, sign in and you find the society there.`,
      )
    case 'revoked':
      throw new ApiError(
        410,
        'invitation_revoked',
        `This invitation to ${society} was taken back. If you think that is a mistake, please ask ${invitedBy}.`,
      )
    case 'withdrawn':
      throw new ApiError(
        410,
        'invitation_withdrawn',
        `${invitedBy}, who sent this invitation, is no longer an owner of ${society}. Please ask another owner for a new one.`,
      )
    case 'expired':
      throw new ApiError(
        410,
        'invitation_expired',
        `This invitation to ${society} has expired. Please ask ${invitedBy} for a new one.`,
      )
  }
}

/**
 * What a link invites to; nothing is accepted by it.
 * Errors: ApiError 404 for no link of ours, 410 for one that is closed (product 7.7.7).
 */
export async function readInvitation(dependencies: Dependencies, token: string): Promise<Found> {
  const found = await find(dependencies.db.$client, dependencies, token, '')
  requirePending(found)
  return found
}

/**
 * Accepts an invitation: its roles are the account's, once, however often it is pressed. Having the mail's
 * link proves the account's address.
 * Errors: ApiError as readInvitation, and 403 for a guest, for an account with another address, and in a
 * recovery whose new password is not set.
 */
export function acceptInvitation(
  dependencies: Dependencies,
  user: CurrentUser,
  token: string,
): Promise<{ id: string; name: string }> {
  const { db, now } = dependencies
  return inTransaction(db, async (client) => {
    const found = await find(client, dependencies, token, 'for no key update of i')
    const { societyId, society, roles } = found
    // A second click, or an answer that was lost.
    if (found.userId === user.id) return { id: societyId, name: society }
    requirePending(found)
    requireProven(await proveAddress(client, user, found.email, now), found, user)
    await holdMembers(client, societyId)
    for (const role of roles) {
      await grantRole(client, { societyId, userId: user.id, role, now }, found)
    }
    await client.query(
      'update society_invitations set accepted_at = $2, user_id = $3 where id = $1',
      [found.id, now, user.id],
    )
    const { assessment, room } = found
    const who = { now, actor: nameOf(user.email), userId: user.id }
    await note(client, who, {
      action: 'accept-invitation',
      societyId,
      code: null,
      detail: { email: found.email, roles, assessment, ...(room && { room }) },
    })
    return { id: societyId, name: society }
  })
}

function requireProven(
  proof: Awaited<ReturnType<typeof proveAddress>>,
  { email }: Found,
  user: CurrentUser,
): void {
  switch (proof) {
    case 'proven':
      return
    case 'guest':
      throw new ApiError(
        403,
        'account_needed',
        `Please sign in with an account for ${email}, or make one: a guest cannot be a member.`,
      )
    case 'other':
      throw new ApiError(
        403,
        'other_address',
        `This invitation was sent to ${email}, and you are signed in as ${user.email}. Please sign in with ${email}, or ask for an invitation to ${user.email}.`,
      )
    case 'recovery':
      throw new ApiError(
        403,
        'new_password_needed',
        'Please set your new password first, then open the invitation again.',
      )
  }
}
