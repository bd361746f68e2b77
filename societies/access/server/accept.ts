import sql, { empty, raw } from 'sql-template-tag'
import { nameOf } from '../../../accounts/person.ts'
import { proveAddress } from '../../../accounts/server/address-store.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { ApiError } from '../../../platform/server/api.ts'
import type { CurrentUser } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import type { InvitationState } from '../../kit/roles.ts'
import { type Client, note } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type { readInvitation as read } from '../contract.ts'
import { hashInvitationToken, INVITED_TO, invitationState } from './invitations.ts'
import { grantRole, holdMembers } from './members.ts'

/** What the link's page shows. */
type Offer = Omit<ResponseOf<typeof read>, 'expiresAt'> & { expiresAt: Date }

interface Found extends Offer {
  id: string
  societyId: string
  state: InvitationState
  /** of the account that has accepted it */
  userId: string | null
}

type Dependencies = Pick<AppDependencies, 'db' | 'secretKey'> & { now: Date }

async function find(
  client: Client,
  { secretKey, now }: Dependencies,
  token: string,
  lock = empty,
): Promise<Found> {
  const { rows } = await client.query<Found>(
    sql`select i.id, i.society_id as "societyId", s.name as society, i.email, i.roles, i.room,
        ${raw(INVITED_TO)} as assessment, ${invitationState(now)} as state, i.invited_by_name as "invitedBy",
        i.expires_at as "expiresAt", i.user_id as "userId"
      from society_invitations i join societies s on s.id = i.society_id
      where i.token_hash = ${hashInvitationToken(secretKey, token)} ${lock}`,
  )
  if (rows[0]) return rows[0]
  throw refuse(
    404,
    'invitation_unknown',
    'This link is not valid. If you got a newer one, open that. Otherwise ask the person who invited you.',
  )
}

/** Errors: 410 with a sentence for each way in which it is closed. */
function requirePending({ state, society, invitedBy }: Found): void {
  if (state === 'pending') return
  const sentence = {
    accepted: `This invitation to ${society} was used already. If that was you, sign in to find the society there.`,
    revoked: `This invitation to ${society} was taken back. If you think that is a mistake, ask ${invitedBy}.`,
    withdrawn: `${invitedBy}, who sent this invitation, is no longer an owner of ${society}. Ask another owner for a new one.`,
    expired: `This invitation to ${society} has expired. Please ask ${invitedBy} for a new one.`,
  }[state]
  throw new ApiError(410, `invitation_${state === 'accepted' ? 'used' : state}`, sentence)
}

/**
 * What a link invites to; opening it accepts nothing.
 * Errors: 404 for no link of ours, 410 for one that is closed (product 7.7.7).
 */
export async function readInvitation(dependencies: Dependencies, token: string): Promise<Offer> {
  const found = await find(dependencies.db.$client, dependencies, token)
  requirePending(found)
  const { society, invitedBy, email, roles, room, assessment, expiresAt } = found
  return { society, invitedBy, email, roles, room, assessment, expiresAt }
}

/**
 * Accepts an invitation: its roles are the account's, once, however often it is pressed. Having the mail's
 * link proves the account's address.
 * Errors: those of readInvitation; 403 for a guest, for an account with another address, and in a recovery whose
 * new password is not set.
 */
export function acceptInvitation(
  dependencies: Dependencies,
  user: CurrentUser,
  token: string,
): Promise<{ id: string; name: string }> {
  const { db, now } = dependencies
  return inTransaction(db, async (client) => {
    const found = await find(client, dependencies, token, sql`for no key update of i`)
    const { societyId, email, roles, room } = found
    const society = { id: societyId, name: found.society }
    // A second click, or an answer that was lost.
    if (found.userId === user.id) return society
    requirePending(found)
    requireProven(await proveAddress(client, user, email, now), email, user)
    await holdMembers(client, societyId)
    const assessment = found.assessment?.code ?? null
    for (const role of roles) {
      await grantRole(client, { societyId, userId: user.id, role, now }, { assessment, room })
    }
    await client.query(
      'update society_invitations set accepted_at = $2, user_id = $3 where id = $1',
      [found.id, now, user.id],
    )
    await note(
      client,
      { now, actor: nameOf(user.email), userId: user.id },
      {
        action: 'accept-invitation',
        societyId,
        code: null,
        detail: { email, roles, assessment, ...(room && { room }) },
      },
    )
    return society
  })
}

function requireProven(
  proof: Awaited<ReturnType<typeof proveAddress>>,
  email: string,
  user: CurrentUser,
): void {
  if (proof === 'guest') {
    const sentence = `Sign in with an account for ${email}, or make one. A guest cannot be a member.`
    throw refuse(403, 'account_needed', sentence)
  }
  if (proof === 'other') {
    throw refuse(
      403,
      'other_address',
      `This invitation was sent to ${email}, and you are signed in as ${user.email}. Sign in with ${email}, or ask for an invitation to ${user.email}.`,
    )
  }
  if (proof === 'recovery') {
    const sentence = 'Set your new password first. Then open the invitation again.'
    throw refuse(403, 'new_password_needed', sentence)
  }
}
