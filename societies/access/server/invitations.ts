import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import sql, { empty, raw } from 'sql-template-tag'
import { EMAIL, EMAIL_LENGTH, nameOf } from '../../../accounts/email.ts'
import { proveAddress } from '../../../accounts/server/address-store.ts'
import { deriveKey } from '../../../platform/database/secret-key.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { ApiError, type Sendable } from '../../../platform/server/api.ts'
import type { CurrentUser } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { enqueueMail } from '../../../platform/server/mail-queue.ts'
import type { Role } from '../../kit/roles.ts'
import {
  actInSociety,
  type Client,
  note,
  type Organizer,
  readRows,
} from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type * as contract from '../contract.ts'
import { inForce } from './guard.ts'
import { DONE, type Done, grantRole, holdMembers, requireScope, type Scope } from './members.ts'
import type { Member } from './serve-members.ts'

export const INVITATION_MAIL = 'society_invitation'
/** The limit of invitations to one address from all societies, so that no one is flooded with them. */
const MAIL_LIMIT = { count: 20, withinMs: 3_600_000 }
const DAY_MS = 24 * 3600 * 1000

type Invitation = Sendable<ResponseOf<typeof contract.listInvitations>[number]>

/** SQL for the state of an invitation i. 'withdrawn' means that its sender is no longer an owner (product 7.7.7). */
const invitationState = (now: Date) => sql`case
  when i.accepted_at is not null then 'accepted'
  when i.revoked_at is not null then 'revoked'
  when i.via = 'console' and not exists (
    select from memberships m join users u on u.id = m.user_id
    where m.user_id = i.invited_by and m.society_id = i.society_id and m.role = 'owner'
      and ${inForce(now)} and not u.is_anonymous) then 'withdrawn'
  when i.expires_at <= ${now} then 'expired'
  else 'pending' end`

/** SQL for the test of an invitation i, with its name for candidates; null for the whole society. */
export const INVITED_TO = `(
  select jsonb_build_object('code', a.code, 'society', a.society, 'session', a.session, 'season', a.season)
  from assessments a where a.code = i.assessment)`

export const listInvitations = (organizer: Member): Promise<Invitation[]> =>
  readRows<Invitation>(
    organizer,
    sql`select i.id, i.email, i.roles, i.assessment, i.room, ${invitationState(organizer.now)} as state,
        i.expires_at as "expiresAt", i.created_at as "createdAt", i.invited_by_name as "invitedBy",
        i.sent_count as "sentCount", i.last_sent_at as "lastSentAt", i.accepted_at as "acceptedAt",
        i.revoked_at as "revokedAt"
      from society_invitations i where i.society_id = ${organizer.societyId}
      order by i.created_at desc, i.email limit 1000`,
  )

interface Invited {
  id: string
  email: string
}

/**
 * Invites people by their addresses. Each gets an email with a link, whose token the queue creates when it sends the mail
 * (product 7.7.7). On an error, no invitation is created. Errors: 400 bad_addresses, those of requireScope.
 * @param asked `emails` as typed; `expiresInDays` from now
 * @param mail false to send no mail; the caller then uses makeLink
 */
export function invite(
  organizer: Organizer & { societyId: string },
  asked: Scope & { emails: string[]; roles: Role[]; expiresInDays: number },
  { mail }: { mail: boolean },
): Promise<Invited[]> {
  const { societyId, now, actor, userId } = organizer
  return actInSociety(organizer, 'invite', societyId, async (client) => {
    const emails = readAddresses(asked.emails)
    const roles = [...new Set(asked.roles)]
    const { assessment, room = null, expiresInDays } = asked
    const expiresAt = new Date(now.getTime() + expiresInDays * DAY_MS)
    await requireScope(client, { societyId, roles }, asked)
    const invited: Invited[] = []
    for (const email of emails) {
      const id = randomUUID()
      await client.query(sql`
        insert into society_invitations (id, society_id, email, roles, assessment, room, via,
          invited_by_name, invited_by, created_at, expires_at, expires_in_days)
        values (${id}, ${societyId}, ${email}, ${roles}, ${assessment}, ${room},
          ${userId ? 'console' : 'command'}, ${actor}, ${userId ?? null}, ${now}, ${expiresAt}, ${expiresInDays})`)
      if (mail) await enqueueInvitation(client, { id, email }, now)
      invited.push({ id, email })
    }
    return { result: invited, detail: { emails, roles, assessment, ...(room && { room }) } }
  })
}

/** Normalizes addresses and removes duplicates. Errors: 400 bad_addresses. */
export function readAddresses(typed: readonly string[]): string[] {
  const emails = [...new Set(typed.map((text) => text.trim().toLowerCase()))]
  const wrong = emails.filter((email) => email.length > EMAIL_LENGTH || !EMAIL.test(email))
  if (wrong.length === 0) return emails
  const what = wrong.length === 1 ? 'This isn’t an email address' : 'These aren’t email addresses'
  throw refuse(400, 'bad_addresses', `${what}: ${wrong.join(', ')}. No invitation was sent.`)
}

function enqueueInvitation(client: Client, { id, email }: Invited, now: Date): Promise<void> {
  const mail = { kind: INVITATION_MAIL, recipient: email, about: id, now }
  return enqueueMail(drizzle(client as pg.PoolClient), mail, MAIL_LIMIT)
}

/** @returns the invitation's address. Errors: 404 no_such_invitation in this society; 409 invitation_closed. */
async function requireOpen(client: Client, societyId: string, id: string): Promise<string> {
  const { rows } = await client.query<{ email: string; isAccepted: boolean; isRevoked: boolean }>(
    sql`select email, accepted_at is not null as "isAccepted", revoked_at is not null as "isRevoked"
     from society_invitations where society_id = ${societyId} and id = ${id} for no key update`,
  )
  if (!rows[0]) throw refuse(404, 'no_such_invitation', 'This invitation does not exist.')
  const { email, isAccepted, isRevoked } = rows[0]
  if (!isAccepted && !isRevoked) return email
  throw refuse(
    409,
    'invitation_closed',
    isAccepted
      ? `${email} has accepted this invitation. Change or end the role instead.`
      : `The invitation of ${email} was revoked. Make a new one.`,
  )
}

/** Sends an invitation again with a new link, in the acting member's name. Errors: those of requireOpen. */
export function resendInvitation(organizer: Member, id: string): Promise<Done> {
  const { societyId, now, actor, userId } = organizer
  return actInSociety(organizer, 'resend-invitation', societyId, async (client) => {
    const email = await requireOpen(client, societyId, id)
    await client.query(
      sql`update society_invitations set expires_at = ${now}::timestamptz + expires_in_days * interval '24 hours',
         token_hash = null, via = 'console', invited_by_name = ${actor}, invited_by = ${userId} where id = ${id}`,
    )
    await enqueueInvitation(client, { id, email }, now)
    return { result: DONE, detail: { email } }
  })
}

/** Revokes an invitation and voids its link. Errors: those of requireOpen. */
export function revokeInvitation(organizer: Member, id: string): Promise<Done> {
  const { societyId, now } = organizer
  return actInSociety(organizer, 'revoke-invitation', societyId, async (client) => {
    const email = await requireOpen(client, societyId, id)
    await client.query('update society_invitations set revoked_at = $2 where id = $1', [id, now])
    return { result: DONE, detail: { email } }
  })
}

export function hashInvitationToken(secretKey: Buffer, token: string): Buffer {
  return createHmac('sha256', deriveKey(secretKey, 'invitation token')).update(token).digest()
}

/**
 * Creates an invitation's link, which replaces the previous one, and stores a keyed hash of its token. The token is
 * behind '#', so no server or log sees it. Opening the link doesn't accept the invitation, because mail scanners open
 * links.
 * @param publicUrl without a trailing slash
 * @returns null if the invitation was closed meanwhile
 */
export async function makeLink(
  client: Client,
  { secretKey, publicUrl }: { secretKey: Buffer; publicUrl: string },
  id: string,
): Promise<string | null> {
  const token = randomBytes(32).toString('base64url')
  const { rowCount } = await client.query(
    sql`update society_invitations set token_hash = ${hashInvitationToken(secretKey, token)}
     where id = ${id} and accepted_at is null and revoked_at is null`,
  )
  return rowCount === 1 ? `${publicUrl}/organise/invitations#${token}` : null
}

type Offer = Omit<ResponseOf<typeof contract.readInvitation>, 'expiresAt'> & { expiresAt: Date }

interface Found {
  id: string
  societyId: string
  state: Invitation['state']
  userId: string | null
  offer: Offer
}

type Dependencies = Pick<AppDependencies, 'db' | 'secretKey'> & { now: Date }

/** Errors: 404 invitation_unknown. */
async function find(
  client: Client,
  { secretKey, now }: Dependencies,
  token: string,
  lock = empty,
): Promise<Found> {
  const { rows } = await client.query<Omit<Found, 'offer'> & Offer>(
    sql`select i.id, i.society_id as "societyId", s.name as society, i.email, i.roles, i.room,
        ${raw(INVITED_TO)} as assessment, ${invitationState(now)} as state, i.invited_by_name as "invitedBy",
        i.expires_at as "expiresAt", i.user_id as "userId"
      from society_invitations i join societies s on s.id = i.society_id
      where i.token_hash = ${hashInvitationToken(secretKey, token)} ${lock}`,
  )
  if (rows[0]) {
    const { id, societyId, state, userId, ...offer } = rows[0]
    return { id, societyId, state, userId, offer }
  }
  throw refuse(
    404,
    'invitation_unknown',
    'This link is not valid. If you got a newer one, open that. Otherwise ask the person who invited you.',
  )
}

/** Errors: 410 with a separate message for each way an invitation can be closed. */
function requirePending({ state, offer: { society, invitedBy } }: Found): void {
  if (state === 'pending') return
  const sentence = {
    accepted: `This invitation to ${society} was already used. If you used it, sign in to see the society.`,
    revoked: `This invitation to ${society} was revoked. If you think that’s a mistake, ask ${invitedBy}.`,
    withdrawn: `${invitedBy}, who sent this invitation, is no longer an owner of ${society}. Ask another owner for a new one.`,
    expired: `This invitation to ${society} has expired. Ask ${invitedBy} for a new one.`,
  }[state]
  throw new ApiError(410, `invitation_${state === 'accepted' ? 'used' : state}`, sentence)
}

/** Returns the offer of an invitation link. Errors: 404 for an unknown link, 410 for a closed one (product 7.7.7). */
export async function readInvitation(dependencies: Dependencies, token: string): Promise<Offer> {
  const found = await find(dependencies.db.$client, dependencies, token)
  requirePending(found)
  return found.offer
}

/**
 * Accepts an invitation and grants its roles once, even if it's repeated. Having the link from the mail proves the
 * account's address. Errors: those of readInvitation; 403 for a guest, for an account with another address, and during
 * password recovery before the new password is set.
 */
export function acceptInvitation(
  dependencies: Dependencies,
  user: CurrentUser,
  token: string,
): Promise<{ id: string; name: string }> {
  const { db, now } = dependencies
  return inTransaction(db, async (client) => {
    const found = await find(client, dependencies, token, sql`for no key update of i`)
    const { id, societyId, offer } = found
    const { email, roles, room } = offer
    const society = { id: societyId, name: offer.society }
    // The user clicked twice or repeated a request whose response was lost.
    if (found.userId === user.id) return society
    requirePending(found)
    const proof = await proveAddress(client, user, email, now)
    if (proof !== 'proven') {
      const [code, sentence] = (
        {
          guest: [
            'account_needed',
            `Sign in with an account for ${email}, or create one. Guests can’t be members.`,
          ],
          other: [
            'other_address',
            `This invitation was sent to ${email}, and you are signed in as ${user.email}. Sign in with ${email}, or ask for an invitation to ${user.email}.`,
          ],
          recovery: [
            'new_password_needed',
            'Set your new password first. Then open the invitation again.',
          ],
        } as const
      )[proof]
      throw refuse(403, code, sentence)
    }
    await holdMembers(client, societyId)
    const assessment = offer.assessment?.code ?? null
    for (const role of roles) {
      await grantRole(client, { societyId, userId: user.id, role, now }, { assessment, room })
    }
    await client.query(
      'update society_invitations set accepted_at = $2, user_id = $3 where id = $1',
      [id, now, user.id],
    )
    const detail = { email, roles, assessment, ...(room && { room }) }
    const who = { now, actor: nameOf(user.email), userId: user.id }
    await note(client, who, { action: 'accept-invitation', societyId, code: null, detail })
    return society
  })
}
