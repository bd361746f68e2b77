import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { EMAIL, EMAIL_LENGTH } from '../../../accounts/email.ts'
import { deriveKey } from '../../../platform/database/secret-key.ts'
import { enqueueMail } from '../../../platform/server/mail-queue.ts'
import type { InvitationState, Role } from '../../roles.ts'
import { actInSociety, type Client, type Organiser, read } from '../action.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { IN_FORCE } from './guard.ts'
import { requireScope, type Scope } from './members.ts'

/** The queue's name of the mail that invites. */
export const INVITATION_MAIL = 'society_invitation'

const DAY_MS = 24 * 3600 * 1000

export interface Invitation extends Scope {
  room: string | null
  id: string
  email: string
  roles: Role[]
  state: InvitationState
  expiresAt: Date
  createdAt: Date
  /** name, as it was then */
  invitedBy: string
  sentCount: number
  lastSentAt: Date | null
  acceptedAt: Date | null
  revokedAt: Date | null
}

/**
 * How an invitation i stands at $now. Withdrawn: sent by a member who is no owner any more, so that nobody
 * leaves a door open behind them (product 7.7.7).
 */
export const STATE = (now: number) => `case
  when i.accepted_at is not null then 'accepted'
  when i.revoked_at is not null then 'revoked'
  when i.via = 'console' and not exists (
    select from memberships m join users u on u.id = m.user_id
    where m.user_id = i.invited_by and m.society_id = i.society_id and m.role = 'owner'
      and ${IN_FORCE(now)} and not u.is_anonymous) then 'withdrawn'
  when i.expires_at <= $${now} then 'expired'
  else 'pending' end`

/** The test that an invitation i is for with what candidates call it; null for the whole society. */
export const INVITED_TO = `(
  select jsonb_build_object('code', a.code, 'society', a.society, 'session', a.session, 'season', a.season)
  from assessments a where a.code = i.assessment)`

/** The invitations of a society, newest first. */
export function listInvitations(
  organiser: Pick<Organiser, 'db' | 'now'>,
  societyId: string,
): Promise<Invitation[]> {
  return read(organiser, async (client) => {
    const { rows } = await client.query<Invitation>(
      `select i.id, i.email, i.roles, i.assessment, i.room, ${STATE(2)} as state,
         i.expires_at as "expiresAt", i.created_at as "createdAt", i.invited_by_name as "invitedBy",
         i.sent_count as "sentCount", i.last_sent_at as "lastSentAt", i.accepted_at as "acceptedAt",
         i.revoked_at as "revokedAt"
       from society_invitations i where i.society_id = $1 order by i.created_at desc, i.email limit 1000`,
      [societyId, organiser.now],
    )
    return rows
  })
}

export interface Invited {
  id: string
  email: string
}

/**
 * Asks people into a society by their addresses; each gets a mail with a link, in which the queue puts the
 * token when it sends (product 7.7.7).
 * Errors: OrganiserRefusal; then nobody is invited.
 * @param asked `emails` as they were typed; `expiresInDays` from now
 * @param mail false where no mail is sent: then makeLink makes the link
 */
export function invite(
  organiser: Organiser,
  societyId: string,
  asked: Scope & { emails: string[]; roles: Role[]; expiresInDays: number },
  { mail }: { mail: boolean },
): Promise<Invited[]> {
  return actInSociety(organiser, 'invite', societyId, async (client) => {
    const { now, actor, userId } = organiser
    const emails = readAddresses(asked.emails)
    const roles = [...new Set(asked.roles)]
    const { assessment, room = null, expiresInDays } = asked
    await requireScope(client, { societyId, roles }, asked)
    const invited: Invited[] = []
    for (const email of emails) {
      const id = randomUUID()
      await client.query(
        `insert into society_invitations (id, society_id, email, roles, assessment,
           room, via, invited_by_name, invited_by, created_at, expires_at, expires_in_days)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        [
          ...[id, societyId, email, roles, assessment, room],
          ...[userId ? 'console' : 'command', actor, userId ?? null, now],
          ...[new Date(now.getTime() + expiresInDays * DAY_MS), expiresInDays],
        ],
      )
      if (mail) await enqueueInvitation(client, { id, email }, now)
      invited.push({ id, email })
    }
    const detail = { emails, roles, assessment, ...(room && { room }) }
    return { result: invited, detail }
  })
}

/** Addresses as they are stored, each once. Errors: OrganiserRefusal with those that are none. */
export function readAddresses(typed: readonly string[]): string[] {
  const emails = [...new Set(typed.map((text) => text.trim().toLowerCase()))]
  const addresses = emails.filter((email) => email.length > EMAIL_LENGTH || !EMAIL.test(email))
  if (addresses.length > 0) throw new OrganiserRefusal('bad_addresses', { addresses })
  return emails
}

function enqueueInvitation(client: Client, { id, email }: Invited, now: Date): Promise<void> {
  const mail = { kind: INVITATION_MAIL, recipient: email, about: id, now }
  return enqueueMail(drizzle(client as pg.PoolClient), mail, MAIL_LIMIT)
}

/** Of all societies together, to one address: nobody is flooded with invitations. */
const MAIL_LIMIT = { count: 20, withinMs: 3_600_000 }

/** Errors: OrganiserRefusal when there is none in this society, or it is closed. */
async function requireOpen(client: Client, societyId: string, id: string): Promise<Invited> {
  const { rows } = await client.query<
    Invited & { acceptedAt: Date | null; revokedAt: Date | null }
  >(
    `select id, email, accepted_at as "acceptedAt", revoked_at as "revokedAt"
     from society_invitations where society_id = $1 and id = $2 for no key update`,
    [societyId, id],
  )
  const found = rows[0]
  if (!found) throw new OrganiserRefusal('no_such_invitation', {})
  const { email } = found
  if (found.acceptedAt)
    throw new OrganiserRefusal('invitation_closed', { email, state: 'accepted' })
  if (found.revokedAt) throw new OrganiserRefusal('invitation_closed', { email, state: 'revoked' })
  return { id, email }
}

/**
 * Sends an invitation again, an expired one too: with a new link, which ends the one before, for as many days
 * as the first time, and by who acts now. Errors: OrganiserRefusal.
 */
export function resendInvitation(
  organiser: Organiser,
  societyId: string,
  id: string,
): Promise<Invited> {
  return actInSociety(organiser, 'resend-invitation', societyId, async (client) => {
    const { now, actor, userId } = organiser
    const open = await requireOpen(client, societyId, id)
    await client.query(
      `update society_invitations set expires_at = $2::timestamptz + expires_in_days * interval '24 hours',
         token_hash = null, via = $3, invited_by_name = $4, invited_by = $5 where id = $1`,
      [id, now, userId ? 'console' : 'command', actor, userId ?? null],
    )
    await enqueueInvitation(client, open, now)
    return { result: open, detail: { email: open.email } }
  })
}

/** Takes an invitation back; its link is void at once. Errors: OrganiserRefusal. */
export function revokeInvitation(
  organiser: Organiser,
  societyId: string,
  id: string,
): Promise<void> {
  return actInSociety(organiser, 'revoke-invitation', societyId, async (client) => {
    const { email } = await requireOpen(client, societyId, id)
    await client.query('update society_invitations set revoked_at = $2 where id = $1', [
      id,
      organiser.now,
    ])
    return { result: undefined, detail: { email } }
  })
}

/** What is stored of a token. */
export function hashInvitationToken(secretKey: Buffer, token: string): Buffer {
  return createHmac('sha256', deriveKey(secretKey, 'invitation token')).update(token).digest()
}

/**
 * Makes the link of an invitation, in place of the one before; stored is a keyed hash. Behind '#', which no
 * server and no log sees, and which opening alone accepts nothing by: mail scanners open links.
 * @param publicUrl without a slash at its end
 * @returns null when the invitation was closed meanwhile
 */
export async function makeLink(
  client: Client,
  { secretKey, publicUrl }: { secretKey: Buffer; publicUrl: string },
  id: string,
): Promise<string | null> {
  const token = randomBytes(32).toString('base64url')
  const { rowCount } = await client.query(
    `update society_invitations set token_hash = $2
     where id = $1 and accepted_at is null and revoked_at is null`,
    [id, hashInvitationToken(secretKey, token)],
  )
  return rowCount === 1 ? `${publicUrl}/organise/invitations#${token}` : null
}
