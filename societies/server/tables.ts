import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from '../../accounts/server/tables.ts'
import { assessments, candidates, societies } from '../../assessments/server/tables.ts'
import { bytea, instant } from '../../platform/database/columns.ts'
import type { Role } from '../roles.ts'

/** What an organiser did, and who it was: in the browser a member, at the keyboard the system's user. */
export const adminActions = pgTable(
  'admin_actions',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    at: instant('at').notNull(),
    /** name, as it was then; it stays when the account goes */
    actor: text('actor').notNull(),
    /** the member's account; null for the operating system's user, and when the account is gone */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    action: text('action').notNull(),
    /** null for what concerns no society, such as a backup */
    societyId: uuid('society_id').references(() => societies.id),
    assessment: text('assessment'),
    detail: jsonb('detail').$type<Record<string, unknown>>().notNull(),
  },
  (table) => [
    index('admin_actions_user').on(table.userId).where(sql`${table.userId} is not null`),
    index('admin_actions_society').on(table.societyId, table.id),
  ],
)

/**
 * One role of one account in a society; who has two roles has two rows. A role that ended stays as a row
 * that grants nothing.
 */
export const memberships = pgTable(
  'memberships',
  {
    id: uuid('id').primaryKey(),
    societyId: uuid('society_id')
      .notNull()
      .references(() => societies.id),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role').$type<Role>().notNull(),
    /** false: only for those of membership_assessments, and for none when all of them are deleted */
    allAssessments: boolean('all_assessments').notNull(),
    /** runs out by itself then */
    until: instant('until'),
    createdAt: instant('created_at').notNull(),
    endedAt: instant('ended_at'),
  },
  (table) => [
    uniqueIndex('memberships_role')
      .on(table.userId, table.societyId, table.role)
      .where(sql`${table.endedAt} is null`),
    index('memberships_society').on(table.societyId),
    check(
      'memberships_known_role',
      sql`${table.role} in ('owner', 'author', 'invigilator', 'reviewer')`,
    ),
    // Else a society could lose its last owner by the passing of time alone.
    check(
      'memberships_owner_of_all',
      sql`${table.role} <> 'owner' or (${table.allAssessments} and ${table.until} is null)`,
    ),
  ],
)

/** Which assessments a role is for. By key: a code that is used again next season is another assessment. */
export const membershipAssessments = pgTable(
  'membership_assessments',
  {
    membershipId: uuid('membership_id')
      .notNull()
      .references(() => memberships.id, { onDelete: 'cascade' }),
    assessment: text('assessment')
      .notNull()
      .references(() => assessments.code, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.membershipId, table.assessment] }),
    index('membership_assessments_assessment').on(table.assessment),
  ],
)

/** Who was asked into a society. Closed, never deleted, so that it stays known who came by which link. */
export const societyInvitations = pgTable(
  'society_invitations',
  {
    id: uuid('id').primaryKey(),
    societyId: uuid('society_id')
      .notNull()
      .references(() => societies.id),
    /** lower case */
    email: text('email').notNull(),
    roles: text('roles').array().$type<Role[]>().notNull(),
    /** of the roles, as in memberships */
    allAssessments: boolean('all_assessments').notNull(),
    until: instant('until'),
    /** at the command line nobody has to be a member to invite */
    via: text('via').$type<'console' | 'command'>().notNull(),
    /** name, as it was then */
    invitedByName: text('invited_by_name').notNull(),
    invitedBy: uuid('invited_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** for how long it was asked for, days; to send it again is as many from then on */
    expiresInDays: smallint('expires_in_days').notNull(),
    /** keyed hash of the newest link's token; null until one was made */
    tokenHash: bytea('token_hash').unique(),
    sentCount: integer('sent_count').notNull().default(0),
    lastSentAt: instant('last_sent_at'),
    acceptedAt: instant('accepted_at'),
    /** who accepted it */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    revokedAt: instant('revoked_at'),
  },
  (table) => [
    index('society_invitations_society').on(table.societyId, table.createdAt),
    index('society_invitations_user').on(table.userId),
    index('society_invitations_invited_by').on(table.invitedBy),
    check('society_invitations_email_lower', sql`${table.email} = lower(${table.email})`),
    check('society_invitations_via', sql`${table.via} in ('console', 'command')`),
    check(
      'society_invitations_roles',
      sql`cardinality(${table.roles}) > 0 and ${table.roles} <@ array['owner', 'author', 'invigilator', 'reviewer']`,
    ),
    check(
      'society_invitations_owner_of_all',
      sql`not 'owner' = any(${table.roles}) or (${table.allAssessments} and ${table.until} is null)`,
    ),
    check(
      'society_invitations_closed_once',
      sql`${table.acceptedAt} is null or ${table.revokedAt} is null`,
    ),
  ],
)

/** Which assessments the roles of an invitation are for. */
export const invitationAssessments = pgTable(
  'invitation_assessments',
  {
    invitationId: uuid('invitation_id')
      .notNull()
      .references(() => societyInvitations.id, { onDelete: 'cascade' }),
    assessment: text('assessment')
      .notNull()
      .references(() => assessments.code, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.invitationId, table.assessment] }),
    index('invitation_assessments_assessment').on(table.assessment),
  ],
)

/** How the mail with a candidate's credentials stands (product 7.10.10). */
export type CredentialMailState = 'queued' | 'sent' | 'failed' | 'stopped' | 'unsure'

/** A mail with a candidate's username and password; its text is made when it leaves, as is the password. */
export const credentialMails = pgTable(
  'credential_mails',
  {
    id: uuid('id').primaryKey(),
    candidateId: uuid('candidate_id')
      .notNull()
      .references(() => candidates.id, { onDelete: 'cascade' }),
    address: text('address').notNull(),
    state: text('state').$type<CredentialMailState>().notNull(),
    /** what the mail server said last, or why it was stopped */
    error: text('error'),
    createdAt: instant('created_at').notNull(),
    /** of the state, so that a page can ask what is new */
    changedAt: instant('changed_at').notNull(),
    /** when the mail server took it */
    sentAt: instant('sent_at'),
    /** name, as it was then */
    madeBy: text('made_by').notNull(),
    /** while a try is under way: the keyed hash of its password, which counts once the mail was taken */
    passwordHash: bytea('password_hash'),
  },
  (table) => [
    index('credential_mails_candidate').on(table.candidateId, table.createdAt),
    check(
      'credential_mails_state',
      sql`${table.state} in ('queued', 'sent', 'failed', 'stopped', 'unsure')`,
    ),
  ],
)

/** What an assessment's organisers write into the mails besides. */
export const credentialTexts = pgTable('credential_texts', {
  assessment: text('assessment')
    .primaryKey()
    .references(() => assessments.code, { onDelete: 'cascade' }),
  paragraph: text('paragraph').notNull(),
  version: integer('version').notNull(),
  changedBy: text('changed_by').notNull(),
  changedAt: instant('changed_at').notNull(),
})

/** Candidates that were added at once, by the key of the call: the same call again adds nobody. */
export const candidateAdditions = pgTable(
  'candidate_additions',
  {
    id: uuid('id').primaryKey(),
    assessment: text('assessment')
      .notNull()
      .references(() => assessments.code, { onDelete: 'cascade' }),
    /** numbers alone */
    answer: jsonb('answer').$type<Record<string, unknown>>().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('candidate_additions_assessment').on(table.assessment)],
)
