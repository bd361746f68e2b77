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
  uniqueIndex,
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

/** Something of each wrong answer of a snapshot. Entries without the wrapper, the old shape, have none. */
const wrongOnes = (what: string) =>
  sql`jsonb_path_query_array(questions_data, '$[*] ? (@.isCorrect == false && exists(@.question.id) && exists(@.userAnswer))${sql.raw(what)}')`

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
    /** ids and chosen options of the wrong answers, for error practice: unpacking whole snapshots took ten times as long */
    wrongIds: jsonb('wrong_ids').$type<number[]>().generatedAlwaysAs(wrongOnes('.question.id')),
    wrongOptions: jsonb('wrong_options')
      .$type<string[]>()
      .generatedAlwaysAs(wrongOnes('.userAnswer')),
    /** the streak that the first answer told, so that a repeat answers the same */
    streakAnswered: jsonb('streak_answered').$type<Streak>().notNull(),
  },
  (table) => [
    // Per person, so that knowing somebody else's id neither reads nor blocks anything.
    primaryKey({ columns: [table.userId, table.id] }),
    // Down to the score, so that progress and lists are read here alone: a person's rows lie far apart,
    // each on a page of its own.
    index('test_results_cell').on(
      table.userId,
      table.category,
      table.difficulty,
      // What `order by … desc` means; here drizzle would put nulls last, another order to PostgreSQL.
      table.completedAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
      table.testNumber,
      table.score,
      table.totalQuestions,
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
  // The key's index includes the other columns (migration 0004, in a way that drizzle can't say), so that
  // a streak is read there alone.
  (table) => [primaryKey({ columns: [table.userId, table.day] })],
)

// ── Assessments ─────────────────────────────────────────────────────────────────────────────────

/** What a society says about its test: shown on the instructions screen. */
export interface AssessmentRules {
  timing: string[]
  allowed: string[]
  forbidden: string[]
  /** shown on the test screen */
  contact: string | null
}

/** One session of a society's recruitment test. New societies and sessions are rows, never tables. */
export const assessments = pgTable(
  'assessments',
  {
    code: text('code').primaryKey(),
    society: text('society').notNull(),
    /** 'Morning', 'Afternoon'; null when the society has one session */
    session: text('session'),
    durationSeconds: integer('duration_seconds').notNull(),
    shuffle: boolean('shuffle').notNull(),
    navigator: boolean('navigator').notNull(),
    rules: jsonb('rules').$type<AssessmentRules>().notNull(),
    /** first and last moment to start; null is open */
    opensAt: instant('opens_at'),
    closesAt: instant('closes_at'),
    timeZone: text('time_zone').notNull(),
    /** its items are samples from git, whose keys everybody can read */
    isSample: boolean('is_sample').notNull(),
    /** of the file it was loaded from, so that a load that would change nothing is skipped */
    contentHash: text('content_hash'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    check('assessments_code', sql`${table.code} ~ '^[A-Z0-9_]{1,40}$'`),
    check('assessments_duration', sql`${table.durationSeconds} between 1 and 86400`),
    check('assessments_window', sql`${table.opensAt} < ${table.closesAt}`),
  ],
)

/** A question of an assessment. Never changed: a change is a new item, and the old one is replaced. */
export const assessmentItems = pgTable(
  'assessment_items',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    assessment: text('assessment')
      .notNull()
      .references(() => assessments.code, { onDelete: 'cascade' }),
    /** table order, from 1 */
    position: integer('position').notNull(),
    question: text('question').notNull(),
    answerA: text('answer_a').notNull(),
    answerB: text('answer_b').notNull(),
    answerC: text('answer_c').notNull(),
    answerD: text('answer_d').notNull(),
    correctOption: text('correct_option').$type<'A' | 'B' | 'C' | 'D'>().notNull(),
    isSample: boolean('is_sample').notNull(),
  },
  (table) => [
    uniqueIndex('assessment_items_position').on(table.assessment, table.position),
    check('assessment_items_key', sql`${table.correctOption} in ('A', 'B', 'C', 'D')`),
  ],
)

/** What a regrade decided about an item: a further option is right, or the item counts for nobody. */
export const itemRulings = pgTable(
  'item_rulings',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    itemId: integer('item_id')
      .notNull()
      .references(() => assessmentItems.id, { onDelete: 'cascade' }),
    /** the option accepted besides the key; null voids the item */
    acceptedOption: text('accepted_option').$type<'A' | 'B' | 'C' | 'D'>(),
    reason: text('reason').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('item_rulings_item').on(table.itemId),
    check('item_rulings_option', sql`${table.acceptedOption} in ('A', 'B', 'C', 'D')`),
  ],
)

/** Who may sit an assessment: a row of the society's roster. */
export const candidates = pgTable(
  'candidates',
  {
    id: uuid('id').primaryKey(),
    assessment: text('assessment')
      .notNull()
      .references(() => assessments.code, { onDelete: 'cascade' }),
    username: text('username').notNull(),
    /** keyed SHA-256 of a generated password of 60 random bits or more */
    passwordHash: bytea('password_hash').notNull(),
    extraSeconds: integer('extra_seconds').notNull().default(0),
    /** kinds of events that are kept but not counted: a dictation program pastes */
    exemptKinds: text('exempt_kinds').array().notNull().default(sql`'{}'`),
    revokedAt: instant('revoked_at'),
    isDemo: boolean('is_demo').notNull().default(false),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    // A phone writes the first letter large: names that differ in case alone are one.
    uniqueIndex('candidates_username').on(table.assessment, sql`lower(${table.username})`),
    check('candidates_username_blank', sql`btrim(${table.username}) <> ''`),
    check('candidates_extra_seconds', sql`${table.extraSeconds} >= 0`),
  ],
)

/** What verify gave. Dies with the user's session. */
export const candidateTokens = pgTable(
  'candidate_tokens',
  {
    /** SHA-256 of the token */
    tokenHash: bytea('token_hash').primaryKey(),
    candidateId: uuid('candidate_id')
      .notNull()
      .references(() => candidates.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('candidate_tokens_candidate').on(table.candidateId),
    index('candidate_tokens_user').on(table.userId),
    index('candidate_tokens_session').on(table.sessionId),
  ],
)

/**
 * A candidate's one attempt. It belongs to the candidate, never to the user: deleting an account keeps
 * it, so that nobody deletes an account to sit again.
 */
export const attempts = pgTable(
  'attempts',
  {
    id: uuid('id').primaryKey(),
    assessment: text('assessment')
      .notNull()
      .references(() => assessments.code),
    candidateId: uuid('candidate_id')
      .notNull()
      .references(() => candidates.id),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** item ids in this candidate's order, frozen at the start */
    paper: integer('paper').array().notNull(),
    startedAt: instant('started_at').notNull(),
    /** started_at, the duration, extra time and extensions */
    deadlineAt: instant('deadline_at').notNull(),
    submittedAt: instant('submitted_at'),
    submitReason: text('submit_reason').$type<'candidate' | 'violations' | 'deadline'>(),
    /** how long it stood closed before an organiser reopened it, milliseconds: no part of its time */
    pausedMs: bigint('paused_ms', { mode: 'number' }).notNull().default(0),
    /** whether a submit call closed it: a repeat of that call gets the same answer */
    closedBySubmit: boolean('closed_by_submit').notNull().default(false),
    /** the window that owns it, the newest one */
    windowId: text('window_id').notNull(),
    isDemo: boolean('is_demo').notNull(),
  },
  (table) => [
    uniqueIndex('attempts_candidate').on(table.assessment, table.candidateId),
    // Every call of a candidate looks here; before PostgreSQL 18 the index above serves no search by it.
    index('attempts_candidate_id').on(table.candidateId),
    index('attempts_user').on(table.userId),
    index('attempts_open').on(table.deadlineAt).where(sql`${table.submittedAt} is null`),
    check('attempts_reason', sql`(${table.submittedAt} is null) = (${table.submitReason} is null)`),
    check('attempts_deadline', sql`${table.deadlineAt} > ${table.startedAt}`),
    check('attempts_paused', sql`${table.pausedMs} >= 0`),
  ],
)

/** The windows that had the attempt open, with what each says it has reported. */
export const attemptWindows = pgTable(
  'attempt_windows',
  {
    attemptId: uuid('attempt_id')
      .notNull()
      .references(() => attempts.id, { onDelete: 'cascade' }),
    windowId: text('window_id').notNull(),
    openedAt: instant('opened_at').notNull(),
    /** number of its last event, as its saves tell it */
    lastEvent: integer('last_event').notNull().default(0),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    address: text('address'),
    agent: text('agent'),
  },
  (table) => [
    primaryKey({ columns: [table.attemptId, table.windowId] }),
    index('attempt_windows_user').on(table.userId),
  ],
)

/** The choice that counts for each item, with the revision that guards it. */
export const attemptAnswers = pgTable(
  'attempt_answers',
  {
    attemptId: uuid('attempt_id')
      .notNull()
      .references(() => attempts.id, { onDelete: 'cascade' }),
    itemId: integer('item_id')
      .notNull()
      .references(() => assessmentItems.id),
    choice: text('choice').$type<'A' | 'B' | 'C' | 'D'>().notNull(),
    revision: integer('revision').notNull(),
    savedAt: instant('saved_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.attemptId, table.itemId] }),
    check('attempt_answers_choice', sql`${table.choice} in ('A', 'B', 'C', 'D')`),
  ],
)

/**
 * Everything that happened, append-only: verifications, starts, take-overs, saves, submissions and what
 * the page saw. Only a void, with its reason, is written beside it later.
 */
export const attemptEvents = pgTable(
  'attempt_events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    candidateId: uuid('candidate_id')
      .notNull()
      .references(() => candidates.id, { onDelete: 'cascade' }),
    /** null for a verification before the start */
    attemptId: uuid('attempt_id').references(() => attempts.id, { onDelete: 'cascade' }),
    kind: text('kind').notNull(),
    /** the window that reported it, and its number there; null for what the server saw itself */
    windowId: text('window_id'),
    number: integer('number'),
    /** milliseconds since the start, clamped */
    atMs: bigint('at_ms', { mode: 'number' }),
    detail: jsonb('detail').$type<Record<string, unknown>>(),
    /** decided when it came in */
    isViolation: boolean('is_violation').notNull().default(false),
    voidedAt: instant('voided_at'),
    voidReason: text('void_reason'),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    address: text('address'),
    agent: text('agent'),
    receivedAt: instant('received_at').notNull(),
  },
  (table) => [
    uniqueIndex('attempt_events_number').on(table.attemptId, table.windowId, table.number),
    index('attempt_events_attempt').on(table.attemptId, table.id),
    index('attempt_events_candidate').on(table.candidateId),
    index('attempt_events_user').on(table.userId),
  ],
)

/** What an organiser did, and who it was at the keyboard. */
export const adminActions = pgTable('admin_actions', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  at: instant('at').notNull(),
  /** the operating system's user */
  actor: text('actor').notNull(),
  action: text('action').notNull(),
  assessment: text('assessment'),
  detail: jsonb('detail').$type<Record<string, unknown>>().notNull(),
})

/**
 * One row, touched by every node each second: since when the service (a node with its database) has
 * been up without a break. An attempt whose deadline passed while it was away gets a longer grace.
 */
export const servicePulse = pgTable(
  'service_pulse',
  {
    id: smallint('id').primaryKey(),
    upSince: instant('up_since').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
  },
  (table) => [check('service_pulse_one_row', sql`${table.id} = 1`)],
)

// ── The daily brainteaser ───────────────────────────────────────────────────────────────────────

/** The bank of brainteasers, in the order in which they are dealt. */
export const brainteasers = pgTable(
  'brainteasers',
  {
    id: integer('id').primaryKey(),
    statement: text('statement').notNull(),
    a: text('a').notNull(),
    b: text('b').notNull(),
    c: text('c').notNull(),
    d: text('d').notNull(),
    correct: text('correct').$type<'A' | 'B' | 'C' | 'D'>().notNull(),
    explanation: text('explanation'),
    retired: boolean('retired').notNull().default(false),
  },
  (table) => [check('brainteasers_correct', sql`${table.correct} in ('A', 'B', 'C', 'D')`)],
)

/**
 * The brainteaser of a date (specification, section 3): scheduled by an organiser, or dealt from the
 * bank at the first read of that date. A snapshot, so that an answered one never changes.
 */
export const dailyBrainteasers = pgTable(
  'daily_brainteasers',
  {
    date: date('date', { mode: 'string' }).primaryKey(),
    /** which one of the bank; null when it was scheduled */
    brainteaserId: integer('brainteaser_id').references(() => brainteasers.id),
    statement: text('statement').notNull(),
    a: text('a').notNull(),
    b: text('b').notNull(),
    c: text('c').notNull(),
    d: text('d').notNull(),
    correct: text('correct').$type<'A' | 'B' | 'C' | 'D'>().notNull(),
    explanation: text('explanation'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('daily_brainteasers_dealt').on(table.brainteaserId),
    check('daily_brainteasers_correct', sql`${table.correct} in ('A', 'B', 'C', 'D')`),
  ],
)

/** A person's answer to a day's brainteaser (specification, section 3); the first one stands. */
export const dailyResults = pgTable(
  'daily_results',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    date: date('date', { mode: 'string' }).notNull(),
    selectedOption: text('selected_option').$type<'A' | 'B' | 'C' | 'D'>().notNull(),
    correctOption: text('correct_option').$type<'A' | 'B' | 'C' | 'D'>().notNull(),
    wasCorrect: boolean('was_correct').notNull(),
    timeTakenSeconds: integer('time_taken_seconds').notNull(),
    answeredAt: instant('answered_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.date] }),
    check('daily_results_selected', sql`${table.selectedOption} in ('A', 'B', 'C', 'D')`),
    check('daily_results_time', sql`${table.timeTakenSeconds} >= 0`),
  ],
)
