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

/** The column of whose a row is; the row goes with the person. */
export const ofUser = () => uuid('user_id').references(() => users.id, { onDelete: 'cascade' })

/** When a person joined (product 2.1.10). */
export const profiles = pgTable('profiles', {
  userId: ofUser().primaryKey(),
  createdAt: instant('created_at').notNull(),
})
/** One signed-in device. Its refresh token is an HMAC over id and counter, so none is stored. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: ofUser().notNull(),
    /** how often the refresh token was rotated */
    refreshCounter: integer('refresh_counter').notNull().default(0),
    /** how the person proved who they are, newest first: [{ method, timestamp (s) }] */
    amr: jsonb('amr').$type<{ method: string; timestamp: number }[]>().notNull(),
    userAgent: text('user_agent'),
    ip: text('ip'),
    createdAt: instant('created_at').notNull(),
    refreshedAt: instant('refreshed_at').notNull(),
    /** when the password or the second factor was last shown in it; null where neither ever was */
    provenAt: instant('proven_at'),
    /** the last call in it as an organizer, to the minute */
    organizerAt: instant('organiser_at'),
    /** the last call in it that hands out keys, to the minute; null where none was let in yet */
    keysAt: instant('keys_at'),
  },
  (table) => [index('sessions_user').on(table.userId)],
)

export const ofSession = () =>
  uuid('session_id').references(() => sessions.id, { onDelete: 'cascade' })

/** An authenticator app whose codes are asked for after the password. At most one per user (product 2.10). */
export const secondFactors = pgTable('second_factors', {
  id: uuid('id').primaryKey(),
  userId: ofUser().notNull().unique(),
  /** what the app was given, encrypted with a key derived from SECRET_KEY */
  secretEncrypted: bytea('secret_encrypted').notNull(),
  createdAt: instant('created_at').notNull(),
  /** since when it counts: its first right code; null before */
  verifiedAt: instant('verified_at'),
  /** the latest step of time (30 s since 1970) whose code was taken: it and those before are spent */
  lastStep: integer('last_step').notNull().default(0),
  /** codes typed since tries_since, the right one not counted */
  tries: smallint('tries').notNull().default(0),
  triesSince: instant('tries_since'),
})
/** Codes on paper that stand in for the app, each once. */
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
/** A new e-mail address that was asked for and not yet confirmed by its mail; at most one a person. */
export const addressChanges = pgTable('address_changes', {
  userId: ofUser().primaryKey(),
  email: text('email').notNull(),
  /** keyed hash of the link's token; null until the mail leaves */
  tokenHash: bytea('token_hash').unique(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
})
/** A recovery link or code that was mailed; at most one a person. */
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

/** Whether PostgreSQL would take it as a uuid, in the one form that we write. */
export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && UUID.test(value)
