import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  customType,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import type { ReviewEntry } from '../shared/question.ts'
import type { Streak } from '../shared/streak.ts'

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

// ── Accounts ────────────────────────────────────────────────────────────────────────────────────

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
  },
  (table) => [
    check('users_email_lower', sql`${table.email} = lower(${table.email})`),
    check('users_guest_has_no_email', sql`${table.isAnonymous} = (${table.email} is null)`),
    check(
      'users_guest_has_no_password',
      sql`${table.isAnonymous} = (${table.passwordHash} is null)`,
    ),
  ],
)

/** The specification's profile: when a person joined (section 3). */
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

/** Counters of rate-limiter-flexible, shared by all nodes. */
export const rateLimits = pgTable('rate_limits', {
  key: text('key').primaryKey(),
  points: integer('points').notNull().default(0),
  /** milliseconds since 1970 */
  expire: bigint('expire', { mode: 'number' }),
})

/** Mail to send, kept until it was handed over. `kind` says how the text is made at that moment. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').$type<'recovery' | 'password_changed' | 'email_changed'>().notNull(),
    recipient: text('recipient').notNull(),
    createdAt: instant('created_at').notNull(),
    tries: integer('tries').notNull().default(0),
    nextTryAt: instant('next_try_at').notNull(),
    /** handed over, or given up, or not to be sent because nobody has that address */
    closedAt: instant('closed_at'),
    lastError: text('last_error'),
  },
  (table) => [
    index('mails_open').on(table.nextTryAt).where(sql`${table.closedAt} is null`),
    index('mails_recipient').on(table.recipient, table.createdAt),
  ],
)

// ── The bank ────────────────────────────────────────────────────────────────────────────────────

/** A practice question: the specification's table 'Q&A' (section 3). */
export const questions = pgTable(
  'questions',
  {
    id: integer('id').primaryKey(),
    category: text('category').notNull(),
    difficulty: text('difficulty').notNull(),
    topic: text('topic'),
    question: text('question').notNull(),
    answerA: text('answer_a').notNull(),
    answerB: text('answer_b').notNull(),
    answerC: text('answer_c').notNull(),
    answerD: text('answer_d').notNull(),
    correctOption: text('correct_option').$type<'A' | 'B' | 'C' | 'D'>().notNull(),
    explanation: text('explanation'),
    /** for a distractor, the mistake behind it */
    why: jsonb('why')
      .$type<{ A?: string; B?: string; C?: string; D?: string }>()
      .notNull()
      .default({}),
    /** who owns the row: the loader of content/, or a CSV import (ids from 100,000) */
    source: text('source').$type<'content' | 'import'>().notNull(),
    /** kept for its id, served no more */
    retired: boolean('retired').notNull().default(false),
  },
  (table) => [
    index('questions_cell').on(table.category, table.difficulty, table.id),
    check('questions_correct_option', sql`${table.correctOption} in ('A', 'B', 'C', 'D')`),
    check('questions_source', sql`${table.source} in ('content', 'import')`),
    check('questions_id_block', sql`(${table.source} = 'import') = (${table.id} >= 100000)`),
    check('questions_id_positive', sql`${table.id} > 0`),
  ],
)

/**
 * One row. `version` rises whenever the bank changes, so that every node knows when what it holds in
 * memory is old; `contentHash` lets the loader skip a load that would change nothing.
 */
export const bank = pgTable(
  'bank',
  {
    id: smallint('id').primaryKey(),
    version: integer('version').notNull(),
    contentHash: text('content_hash'),
  },
  (table) => [check('bank_one_row', sql`${table.id} = 1`)],
)

/** A problem that a student saw in a question. Kept without the person when the account goes. */
export const questionReports = pgTable(
  'question_reports',
  {
    id: uuid('id').primaryKey(),
    questionId: integer('question_id')
      .notNull()
      .references(() => questions.id),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    reason: text('reason').$type<'wrong_answer' | 'unclear' | 'typo' | 'other'>().notNull(),
    details: text('details').notNull(),
    createdAt: instant('created_at').notNull(),
    resolvedAt: instant('resolved_at'),
  },
  (table) => [index('question_reports_user').on(table.userId)],
)

// ── What students did ───────────────────────────────────────────────────────────────────────────

/** A finished test (specification, section 3). The id comes from the browser and makes saving idempotent. */
export const testResults = pgTable(
  'test_results',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    id: uuid('id').notNull(),
    category: text('category').notNull(),
    difficulty: text('difficulty').notNull(),
    testNumber: integer('test_number').notNull(),
    score: integer('score').notNull(),
    totalQuestions: integer('total_questions').notNull(),
    completedAt: instant('completed_at').notNull(),
    /** the review's snapshot; old rows may hold raw questions without the wrapper */
    questionsData: jsonb('questions_data').$type<ReviewEntry[]>().notNull(),
    /** the streak that the first answer told, so that a repeat answers the same */
    streakAnswered: jsonb('streak_answered').$type<Streak>().notNull(),
  },
  (table) => [
    // Per person, so that knowing somebody else's id neither reads nor blocks anything.
    primaryKey({ columns: [table.userId, table.id] }),
    index('test_results_cell').on(
      table.userId,
      table.category,
      table.difficulty,
      table.completedAt.desc(),
    ),
    check('test_results_score', sql`${table.score} between 0 and ${table.totalQuestions}`),
    check('test_results_total', sql`${table.totalQuestions} > 0`),
    check('test_results_test_number', sql`${table.testNumber} > 0`),
  ],
)

/** A finished error-practice test: only that it happened, for the streak. */
export const errorPractices = pgTable(
  'error_practices',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    id: uuid('id').notNull(),
    completedAt: instant('completed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] })],
)

/** The fact behind the streak: this person finished something on this local day. */
export const practiceDays = pgTable(
  'practice_days',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    day: date('day', { mode: 'string' }).notNull(),
    /** the latest completion of that day */
    completedAt: instant('completed_at').notNull(),
    timeZone: text('time_zone').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.day] })],
)
