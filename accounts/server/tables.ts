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
  uuid,
} from 'drizzle-orm/pg-core'
import { bytea, instant } from '../../platform/database/tables.ts'

/** A person: an account with email and password, or a guest with neither. */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    /** lowercase; null for a guest */
    email: text('email').unique(),
    /** when a mail to the address was answered; null before */
    emailVerifiedAt: instant('email_verified_at'),
    /** argon2id in PHC form; null for a guest */
    passwordHash: text('password_hash'),
    isAnonymous: boolean('is_anonymous').notNull(),
    /** degree, university, year_of_studies and other sign-up fields */
    metadata: jsonb('metadata').$type<Record<string, unknown>>().notNull().default({}),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    lastSignInAt: instant('last_sign_in_at'),
    recoverySentAt: instant('recovery_sent_at'),
    /** when deletion began; the row then looks like a guest's without a session, and is deleted last */
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

/** The column with a row's user. The row is deleted with the user. */
export const ofUser = () => uuid('user_id').references(() => users.id, { onDelete: 'cascade' })

/** When a person joined (product 2.1.10). */
export const profiles = pgTable('profiles', {
  userId: ofUser().primaryKey(),
  createdAt: instant('created_at').notNull(),
})
/** One signed-in device. Its refresh token is an HMAC of id and counter, so no token is stored. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: ofUser().notNull(),
    /** how often the refresh token was rotated */
    refreshCounter: integer('refresh_counter').notNull().default(0),
    /** how the person authenticated, newest first: [{ method, timestamp (s) }] */
    amr: jsonb('amr').$type<{ method: string; timestamp: number }[]>().notNull(),
    userAgent: text('user_agent'),
    ip: text('ip'),
    createdAt: instant('created_at').notNull(),
    refreshedAt: instant('refreshed_at').notNull(),
    /** when the password or second factor was last used in this session; null for never */
    provenAt: instant('proven_at'),
    /** its last call as an organizer, to the minute */
    organizerAt: instant('organiser_at'),
    /** its last call that returned keys, to the minute; null for none */
    keysAt: instant('keys_at'),
  },
  (table) => [index('sessions_user').on(table.userId)],
)

export const ofSession = () =>
  uuid('session_id').references(() => sessions.id, { onDelete: 'cascade' })

/** An authenticator app whose codes follow the password. At most one per user (product 2.10). */
export const secondFactors = pgTable('second_factors', {
  id: uuid('id').primaryKey(),
  userId: ofUser().notNull().unique(),
  /** the app's secret, encrypted with a key derived from SECRET_KEY */
  secretEncrypted: bytea('secret_encrypted').notNull(),
  createdAt: instant('created_at').notNull(),
  /** when its first correct code made it valid; null before */
  verifiedAt: instant('verified_at'),
  /** the latest time step (30 s since 1970) whose code was used: it and earlier ones are spent */
  lastStep: integer('last_step').notNull().default(0),
  /** wrong codes typed since tries_since */
  tries: smallint('tries').notNull().default(0),
  triesSince: instant('tries_since'),
})
/** Recovery codes that replace the app, each once. */
export const secondFactorCodes = pgTable(
  'second_factor_codes',
  {
    factorId: uuid('factor_id')
      .notNull()
      .references(() => secondFactors.id, { onDelete: 'cascade' }),
    codeHash: bytea('code_hash').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [primaryKey({ columns: [table.factorId, table.codeHash] })],
)
/** A requested email address that its mail hasn't confirmed yet. At most one per person. */
export const addressChanges = pgTable('address_changes', {
  userId: ofUser().primaryKey(),
  email: text('email').notNull(),
  /** keyed hash of the link's token; null until the mail is sent */
  tokenHash: bytea('token_hash').unique(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
})
/** A mailed recovery link or code. At most one per person. */
export const recoveryTokens = pgTable('recovery_tokens', {
  userId: ofUser().primaryKey(),
  /** keyed hash of the link's token */
  tokenHash: bytea('token_hash').notNull().unique(),
  codeHash: bytea('code_hash').notNull(),
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

export type User = typeof users.$inferSelect
export type Session = typeof sessions.$inferSelect

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether it is a UUID in the one form that we write. */
export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && UUID.test(value)
