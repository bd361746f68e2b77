import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytea, instant } from '../../platform/database/columns.ts'

/** A person: an account with e-mail and password, or a guest with neither. */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    /** lower case; null for a guest */
    email: text('email').unique(),
    /** when a mail to the address was answered; null while that never happened */
    emailVerifiedAt: instant('email_verified_at'),
    /** argon2id in PHC form; null for a guest */
    passwordHash: text('password_hash'),
    isAnonymous: boolean('is_anonymous').notNull(),
    /** degree, university, year_of_studies and whatever else sign-up sent */
    metadata: jsonb('metadata').$type<Record<string, unknown>>().notNull().default({}),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    lastSignInAt: instant('last_sign_in_at'),
    recoverySentAt: instant('recovery_sent_at'),
    /** since when it is being deleted: then it is a guest's row with no session, and goes last of all */
    deletingSince: instant('deleting_since'),
  },
  (table) => [
    index('users_deleting').on(table.deletingSince).where(sql`${table.deletingSince} is not null`),
    check('users_email_lower', sql`${table.email} = lower(${table.email})`),
    check('users_guest_has_no_email', sql`${table.isAnonymous} = (${table.email} is null)`),
    check(
      'users_guest_has_no_password',
      sql`${table.isAnonymous} = (${table.passwordHash} is null)`,
    ),
  ],
)
/** When a person joined (product 2.1.10). */
export const profiles = pgTable('profiles', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  createdAt: instant('created_at').notNull(),
})
/** One signed-in device. Its refresh token is an HMAC over id and counter, so none is stored. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** how often the refresh token was rotated */
    refreshCounter: integer('refresh_counter').notNull().default(0),
    /** how the person proved who they are, newest first: [{ method, timestamp (s) }] */
    amr: jsonb('amr').$type<{ method: string; timestamp: number }[]>().notNull(),
    userAgent: text('user_agent'),
    ip: text('ip'),
    createdAt: instant('created_at').notNull(),
    refreshedAt: instant('refreshed_at').notNull(),
  },
  (table) => [index('sessions_user').on(table.userId)],
)
/** A recovery link or code that was mailed; at most one a person. */
export const recoveryTokens = pgTable('recovery_tokens', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** keyed hash of the link's token */
  tokenHash: bytea('token_hash').notNull().unique(),
  /** keyed hash of the six digits */
  codeHash: bytea('code_hash').notNull(),
  /** wrong codes tried */
  codeTries: smallint('code_tries').notNull().default(0),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
})
/** Keys that sign access tokens. The private half is encrypted with a key derived from SECRET_KEY. */
export const signingKeys = pgTable('signing_keys', {
  kid: text('kid').primaryKey(),
  publicJwk: jsonb('public_jwk').$type<Record<string, unknown>>().notNull(),
  privateKeyEncrypted: bytea('private_key_encrypted').notNull(),
  createdAt: instant('created_at').notNull(),
})
