// Long because all tables of an assessment are in one file, as in the data dictionary.
import { sql } from 'drizzle-orm'
import {
  bigint,
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
import { ofSession, ofUser, users } from '../../accounts/server/tables.ts'
import { bytea, instant } from '../../platform/database/tables.ts'
import type { Exhibit, PictureType } from '../../platform/exhibit.ts'

export interface AssessmentRules {
  timing: string[]
  allowed: string[]
  forbidden: string[]
  /** Shown on the test screen. */
  contact: string | null
}

/** A tenant. Assessments belong to it, and its members manage them (societies/server/tables.ts). */
export const societies = pgTable(
  'societies',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    /** 'command': created by the server's operator. 'console': founded by an account, so the name is not verified. */
    via: text('via').$type<'console' | 'command'>().notNull(),
    /** The time zone of its pages. Each assessment has its own. */
    timeZone: text('time_zone').notNull().default('Europe/Lisbon'),
    /** The contact that candidates see in mails. Null if none was named. */
    contact: text('contact'),
    /** How many months a season's answers and names are kept after it closes. */
    retentionMonths: smallint('retention_months').notNull().default(12),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    check('societies_retention', sql`${table.retentionMonths} between 1 and 120`),
    uniqueIndex('societies_name').on(sql`lower(${table.name})`),
    check('societies_name_blank', sql`btrim(${table.name}) <> ''`),
    check('societies_via', sql`${table.via} in ('console', 'command')`),
  ],
)

const ofSociety = () => uuid('society_id').references(() => societies.id)

/** One session of a society's recruitment test. New societies and sessions are rows, never tables. */
export const assessments = pgTable(
  'assessments',
  {
    code: text('code').primaryKey(),
    /** Null only for the test of a mock superday, which belongs to one user. */
    societyId: ofSociety(),
    society: text('society').notNull(),
    /** 'Morning' or 'Afternoon', for example. Null if the society has one session. */
    session: text('session'),
    /** 'Autumn 2026', for example, to group assessments. Null if not set. */
    season: text('season'),
    durationSeconds: integer('duration_seconds').notNull(),
    shuffle: boolean('shuffle').notNull(),
    navigator: boolean('navigator').notNull(),
    rules: jsonb('rules').$type<AssessmentRules>().notNull(),
    /** First and last moment to start. Null means no limit. */
    opensAt: instant('opens_at'),
    closesAt: instant('closes_at'),
    timeZone: text('time_zone').notNull(),
    /** Its items are samples from git, whose keys are public. */
    isSample: boolean('is_sample').notNull(),
    /** Hash of the file it was loaded from, so that loading an unchanged file is skipped. */
    contentHash: text('content_hash'),
    /** Grows with each change of the settings, so that a stale form is detected. */
    version: integer('version').notNull().default(1),
    /** A temporary test. It is deleted automatically and left out of lists, counts and results (product 7.11.1). */
    trial: text('trial').$type<'rehearsal' | 'simulation' | 'superday'>(),
    /** Code of the assessment it was made for. For a superday, USER/EVENING. */
    trialOf: text('trial_of'),
    /** Only its society sees it, and it can't be started. */
    isDraft: boolean('is_draft').notNull().default(false),
    /** Hidden from all views since then. An owner can restore it until only its row and the log are left. */
    deletedAt: instant('deleted_at'),
    /** When it is deleted automatically. Null means the society's retention time after it closes. */
    keepUntil: instant('keep_until'),
    /** When its owners were warned of the deletion. */
    keepWarnedAt: instant('keep_warned_at'),
    /** Secret seed for blind numbers (view blind_numbers). Null if a candidate started before it existed. */
    numberSecret: uuid('number_secret').defaultRandom(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('assessments_society').on(table.societyId),
    uniqueIndex('assessments_rehearsal').on(table.trialOf).where(sql`${table.trial} = 'rehearsal'`),
    uniqueIndex('assessments_superday').on(table.trialOf).where(sql`${table.trial} = 'superday'`),
    check(
      'assessments_trial',
      sql`(${table.trial} is null) = (${table.trialOf} is null) and ${table.trial} in ('rehearsal', 'simulation', 'superday')`,
    ),
    check(
      'assessments_whose',
      sql`(${table.societyId} is null) = (${table.trial} is not null and ${table.trial} = 'superday')`,
    ),
    check('assessments_code', sql`${table.code} ~ '^[A-Z0-9_]{1,40}$'`),
    check('assessments_duration', sql`${table.durationSeconds} between 1 and 86400`),
    check('assessments_window', sql`${table.opensAt} < ${table.closesAt}`),
  ],
)

/** The assessment that a row belongs to and is deleted with. The candidate and attempt references below work alike. */
const ofAssessment = () =>
  text('assessment').references(() => assessments.code, { onDelete: 'cascade' })

/** SQL of the key that two questions share if they differ only in case and spaces. */
export const textKey = (question: string) =>
  `md5(translate(lower(${question}), E' \\t\\r\\n\\u00a0', ''))`

/** A question of an assessment. It only changes before the first start, and each version is kept (societies). */
export const assessmentItems = pgTable(
  'assessment_items',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    assessment: ofAssessment().notNull(),
    /** Table order, from 1. */
    position: integer('position').notNull(),
    question: text('question').notNull(),
    answerA: text('answer_a').notNull(),
    answerB: text('answer_b').notNull(),
    answerC: text('answer_c').notNull(),
    answerD: text('answer_d').notNull(),
    correctOption: text('correct_option').$type<'A' | 'B' | 'C' | 'D'>().notNull(),
    /** Which of a test's two forms asks it. Null if both do. */
    form: text('form').$type<'A' | 'B'>(),
    /** The same in each version and copy of a question, so that its results in other seasons can be found. */
    questionId: uuid('question_id').notNull().defaultRandom(),
    /** Counts changes, from 1. */
    version: integer('version').notNull().default(1),
    topic: text('topic'),
    explanation: text('explanation'),
    /** An expression whose value is the correct answer, such as 1.25 / 1.10. */
    compute: text('compute'),
    /** A table or picture above the options. Null for text only. */
    exhibit: jsonb('exhibit').$type<Exhibit>(),
    isSample: boolean('is_sample').notNull(),
  },
  (table) => [
    uniqueIndex('assessment_items_position').on(table.assessment, table.position),
    // A test asks a question only once. The index also finds other tests that ask it.
    uniqueIndex('assessment_items_question').on(table.questionId, table.assessment),
    // Finds other tests with the same text, on every call of a member who is also a candidate.
    index('assessment_items_text').on(sql.raw(textKey('question'))),
    check('assessment_items_key', sql`${table.correctOption} in ('A', 'B', 'C', 'D')`),
    check('assessment_items_form', sql`${table.form} in ('A', 'B')`),
  ],
)

/** A picture shown in a society's questions. Its bytes never change: a new picture is a new row. */
export const exhibitPictures = pgTable(
  'exhibit_pictures',
  {
    id: uuid('id').primaryKey(),
    societyId: ofSociety().notNull(),
    type: text('type').$type<PictureType>().notNull(),
    bytes: bytea('bytes').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('exhibit_pictures_society').on(table.societyId),
    check('exhibit_pictures_type', sql`${table.type} in ('image/png', 'image/jpeg', 'image/webp')`),
    check('exhibit_pictures_size', sql`octet_length(${table.bytes}) between 1 and 500000`),
  ],
)

/** How a society can rule on an item after the test. */
export type RulingKind = 'accept' | 'replace' | 'void' | 'full_marks'

/** Rulings on items. Withdrawn and proposed rulings change no results. */
export const itemRulings = pgTable(
  'item_rulings',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    itemId: integer('item_id')
      .notNull()
      .references(() => assessmentItems.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<RulingKind>().notNull(),
    /** The option that is correct in addition to the key or instead of it. Null for the other kinds. */
    acceptedOption: text('accepted_option').$type<'A' | 'B' | 'C' | 'D'>(),
    reason: text('reason').notNull(),
    /** The member's name at that time. Null for rulings from before names were stored. */
    madeBy: text('made_by'),
    /** Proposed by a member who can't rule. An owner's ruling on it is another row. */
    isProposal: boolean('is_proposal').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    withdrawnAt: instant('withdrawn_at'),
    withdrawnBy: text('withdrawn_by'),
    withdrawReason: text('withdraw_reason'),
  },
  (table) => [
    index('item_rulings_item').on(table.itemId),
    // Two active replacements of the same key would contradict each other.
    uniqueIndex('item_rulings_one_key')
      .on(table.itemId)
      .where(
        sql`${table.kind} = 'replace' and ${table.withdrawnAt} is null and not ${table.isProposal}`,
      ),
    check('item_rulings_option', sql`${table.acceptedOption} in ('A', 'B', 'C', 'D')`),
    check('item_rulings_kind', sql`${table.kind} in ('accept', 'replace', 'void', 'full_marks')`),
    check(
      'item_rulings_kind_option',
      sql`(${table.acceptedOption} is not null) = (${table.kind} in ('accept', 'replace'))`,
    ),
    check(
      'item_rulings_withdrawn',
      sql`(${table.withdrawnAt} is null) = (${table.withdrawnBy} is null)`,
    ),
  ],
)

/** The candidates of an assessment, from the society's roster. */
export const candidates = pgTable(
  'candidates',
  {
    id: uuid('id').primaryKey(),
    assessment: ofAssessment().notNull(),
    username: text('username').notNull(),
    /** The name from the society's list. Null if the list has none. */
    name: text('name'),
    email: text('email'),
    room: text('room'),
    /** Visible only to organizers. */
    note: text('note'),
    /** When the current password was issued. Null if the candidate has no working password. */
    passwordMadeAt: instant('password_made_at'),
    /** When it was printed on a credential sheet, and the times printed with it. Null if it was not printed. */
    slipMadeAt: instant('slip_made_at'),
    slipTold: text('slip_told'),
    /** Keyed SHA-256 of a generated password with at least 60 random bits. */
    passwordHash: bytea('password_hash').notNull(),
    extraSeconds: integer('extra_seconds').notNull().default(0),
    /** First and last moment to start, for a candidate with a separate window. Null means the test's window. */
    startsFrom: instant('starts_from'),
    startsUntil: instant('starts_until'),
    /** Kinds of events that are stored but not counted. A dictation program, for example, pastes. */
    exemptKinds: text('exempt_kinds').array().notNull().default(sql`'{}'`),
    revokedAt: instant('revoked_at'),
    isDemo: boolean('is_demo').notNull().default(false),
    /** Grows with each change by an organizer, so that two organizers don't overwrite each other's changes. */
    version: integer('version').notNull().default(1),
    /** Name of the member who made the last change, at that time. Null if there was none. */
    changedBy: text('changed_by'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    // Every organizer call checks this: an organizer whose address is on a list has no role in that test.
    index('candidates_email')
      .on(table.assessment, sql`lower(${table.email})`)
      .where(sql`${table.email} is not null`),
    // Every check for whether a test is over looks for the last start.
    index('candidates_starts_until')
      .on(table.assessment, table.startsUntil)
      .where(sql`${table.startsUntil} is not null`),
    // Usernames ignore case, because phones capitalize the first letter.
    uniqueIndex('candidates_username').on(table.assessment, sql`lower(${table.username})`),
    check('candidates_username_blank', sql`btrim(${table.username}) <> ''`),
    check('candidates_extra_seconds', sql`${table.extraSeconds} >= 0`),
    check(
      'candidates_starts',
      sql`(${table.startsFrom} is null) = (${table.startsUntil} is null)
        and coalesce(${table.startsFrom} < ${table.startsUntil}, true)`,
    ),
  ],
)

/** An account. Null once it is deleted. */
const userOrGone = () => uuid('user_id').references(() => users.id, { onDelete: 'set null' })
const ofCandidate = () =>
  uuid('candidate_id').references(() => candidates.id, { onDelete: 'cascade' })

/** A removed candidate's place, so that the other blind numbers don't change (product 7.16.12; view blind_numbers). */
export const removedCandidates = pgTable(
  'removed_candidates',
  {
    candidateId: uuid('candidate_id').primaryKey(),
    assessment: ofAssessment().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('removed_candidates_assessment').on(table.assessment)],
)

/** A person's rehearsal: its throwaway candidate, and whose readiness it records (product 7.11.4). */
export const rehearsals = pgTable(
  'rehearsals',
  {
    candidateId: ofCandidate().primaryKey(),
    userId: ofUser().notNull(),
    ofCandidateId: uuid('of_candidate_id').references(() => candidates.id, { onDelete: 'cascade' }),
    /** The society that the person is a helper of. */
    helperOf: uuid('helper_of').references(() => societies.id, { onDelete: 'cascade' }),
    openedAt: instant('opened_at').notNull(),
  },
  (table) => [
    index('rehearsals_user').on(table.userId),
    index('rehearsals_of_candidate').on(table.ofCandidateId),
    check(
      'rehearsals_one_outcome',
      sql`${table.ofCandidateId} is null or ${table.helperOf} is null`,
    ),
  ],
)

/** The findings of the newest rehearsal, per candidate or member of a society. */
export const deviceChecks = pgTable(
  'device_checks',
  {
    id: uuid('id').primaryKey(),
    candidateId: ofCandidate().unique(),
    societyId: uuid('society_id').references(() => societies.id, { onDelete: 'cascade' }),
    userId: ofUser(),
    checkedAt: instant('checked_at').notNull(),
    browser: text('browser').notNull(),
    /** How far the device's clock is ahead of the server's, clamped to the column's range. */
    clockOffsetMs: integer('clock_offset_ms').notNull(),
    roundTripMs: integer('round_trip_ms').notNull(),
    hasFullscreen: boolean('has_fullscreen').notNull(),
    hasStorage: boolean('has_storage').notNull(),
    troubles: text('troubles').array().notNull(),
  },
  (table) => [
    uniqueIndex('device_checks_member').on(table.societyId, table.userId),
    index('device_checks_user').on(table.userId),
    check(
      'device_checks_of_one',
      sql`(${table.candidateId} is null) = (${table.userId} is not null)
        and (${table.societyId} is null) = (${table.userId} is null)`,
    ),
  ],
)

/** Tokens issued by verify. They are deleted with the user's session. */
export const candidateTokens = pgTable(
  'candidate_tokens',
  {
    tokenHash: bytea('token_hash').primaryKey(),
    candidateId: ofCandidate().notNull(),
    userId: ofUser().notNull(),
    sessionId: ofSession().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('candidate_tokens_candidate').on(table.candidateId),
    index('candidate_tokens_user').on(table.userId),
    index('candidate_tokens_session').on(table.sessionId),
  ],
)

/** Tokens that ended when a candidate got a new password. Calls with one are rejected with that reason. */
export const replacedTokens = pgTable(
  'replaced_tokens',
  {
    tokenHash: bytea('token_hash').primaryKey(),
    candidateId: ofCandidate().notNull(),
    sessionId: ofSession().notNull(),
    replacedAt: instant('replaced_at').notNull(),
  },
  (table) => [
    index('replaced_tokens_candidate').on(table.candidateId),
    index('replaced_tokens_session').on(table.sessionId),
  ],
)

/** A candidate's only attempt. It outlives the account, so that deleting an account doesn't allow a second attempt. */
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
    userId: userOrGone(),
    /** Item ids in this candidate's order, frozen at the start. */
    paper: integer('paper').array().notNull(),
    startedAt: instant('started_at').notNull(),
    /** started_at plus the duration, extra time and extensions. */
    deadlineAt: instant('deadline_at').notNull(),
    /** The part of the deadline given because of an incident. Planned extra time is on the candidate. */
    incidentSeconds: integer('incident_seconds').notNull().default(0),
    /** The assigned form. Null if the test has one form. */
    form: text('form').$type<'A' | 'B'>(),
    submittedAt: instant('submitted_at'),
    submitReason: text('submit_reason').$type<'candidate' | 'violations' | 'deadline'>(),
    /** Milliseconds that it was closed before an organizer reopened it. They don't count as test time. */
    pausedMs: bigint('paused_ms', { mode: 'number' }).notNull().default(0),
    /** Whether a submit call closed it. A repeated submit gets the same response. */
    closedBySubmit: boolean('closed_by_submit').notNull().default(false),
    /** The owning window, which is the newest one. */
    windowId: text('window_id').notNull(),
    isDemo: boolean('is_demo').notNull(),
  },
  (table) => [
    uniqueIndex('attempts_candidate').on(table.assessment, table.candidateId),
    // Every call of a candidate searches by this column, which the index above doesn't support before PostgreSQL 18.
    index('attempts_candidate_id').on(table.candidateId),
    index('attempts_user').on(table.userId),
    // The last start decides how long answers are kept, which every list of tests shows.
    index('attempts_started').on(table.assessment, table.startedAt).where(sql`not ${table.isDemo}`),
    // Only for closing expired attempts, which searches by this exact expression. Batches would scan a partial index of
    // open attempts from end to end: after a table was empty, the planner expects almost no open attempts.
    index('attempts_open_until').on(
      sql`(case when ${table.submittedAt} is null then ${table.deadlineAt} end)`,
    ),
    check('attempts_reason', sql`(${table.submittedAt} is null) = (${table.submitReason} is null)`),
    check('attempts_deadline', sql`${table.deadlineAt} > ${table.startedAt}`),
    check('attempts_paused', sql`${table.pausedMs} >= 0`),
    check('attempts_form', sql`${table.form} in ('A', 'B')`),
  ],
)

const ofAttempt = () => uuid('attempt_id').references(() => attempts.id, { onDelete: 'cascade' })

/** Assigns the two forms by a count of starts and a seed (product 7.19.3), separately for demo candidates. */
export const formDeals = pgTable(
  'form_deals',
  {
    assessment: ofAssessment().notNull(),
    isDemo: boolean('is_demo').notNull(),
    /** Chosen at the first start. It never leaves the server. */
    seed: integer('seed').notNull(),
    dealt: integer('dealt').notNull(),
  },
  (table) => [primaryKey({ columns: [table.assessment, table.isDemo] })],
)

/** The windows that opened the attempt, with the last event number that each reported. */
export const attemptWindows = pgTable(
  'attempt_windows',
  {
    attemptId: ofAttempt().notNull(),
    windowId: text('window_id').notNull(),
    openedAt: instant('opened_at').notNull(),
    /** Number of its last event, as its saves report it. */
    lastEvent: integer('last_event').notNull().default(0),
    userId: userOrGone(),
    address: text('address'),
    agent: text('agent'),
  },
  (table) => [
    primaryKey({ columns: [table.attemptId, table.windowId] }),
    index('attempt_windows_user').on(table.userId),
  ],
)

/** The current choice for each item, with the revision that protects it. */
export const attemptAnswers = pgTable(
  'attempt_answers',
  {
    attemptId: ofAttempt().notNull(),
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

/** Rare kinds that Live reads every two seconds, so they have an index. */
export const RARE_KINDS =
  "('verified', 'started', 'taken_over', 'ready', 'reopened', 'late_answer', 'late_accepted')"

/** Everything that happened, append-only. Only a void and its reason are added later. */
export const attemptEvents = pgTable(
  'attempt_events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    candidateId: ofCandidate().notNull(),
    /** Null for a verification before the start. */
    attemptId: uuid('attempt_id').references(() => attempts.id, { onDelete: 'cascade' }),
    kind: text('kind').notNull(),
    /** The window that reported it, and its number there. Null if the server recorded the event itself. */
    windowId: text('window_id'),
    number: integer('number'),
    /** Milliseconds since the start, clamped. */
    atMs: bigint('at_ms', { mode: 'number' }),
    detail: jsonb('detail').$type<Record<string, unknown>>(),
    /** For a save or submit: total viewing times that grew since the last one. For statistics only. */
    dwell: jsonb('dwell').$type<[item: number, ms: number][]>(),
    /** Decided when the event arrived. */
    isViolation: boolean('is_violation').notNull().default(false),
    voidedAt: instant('voided_at'),
    voidReason: text('void_reason'),
    userId: userOrGone(),
    address: text('address'),
    agent: text('agent'),
    receivedAt: instant('received_at').notNull(),
  },
  (table) => [
    uniqueIndex('attempt_events_number').on(table.attemptId, table.windowId, table.number),
    index('attempt_events_attempt').on(table.attemptId, table.id),
    index('attempt_events_candidate').on(table.candidateId),
    index('attempt_events_rare')
      .on(table.candidateId)
      .where(sql`${table.kind} in ${sql.raw(RARE_KINDS)}`),
    // Live reads these events for each candidate, and the candidate's page reads them every minute.
    index('attempt_events_help')
      .on(table.candidateId)
      .where(sql`${table.kind} in ('help', 'help_read')`),
    // Counted at each report of a page: saves have no number, and a script makes thousands.
    index('attempt_events_of_pages')
      .on(table.attemptId, table.atMs)
      .where(sql`${table.number} is not null`),
    index('attempt_events_user').on(table.userId),
    index('attempt_events_violations').on(table.attemptId).where(sql`${table.isViolation}`),
  ],
)

/** A candidate's comment to the society after the end. */
export const attemptComments = pgTable('attempt_comments', {
  attemptId: ofAttempt().primaryKey(),
  text: text('text').notNull(),
  writtenAt: instant('written_at').notNull(),
})

/** Messages from organizers to candidates during the test. A withdrawn message can't be read any more. */
export const candidateMessages = pgTable(
  'candidate_messages',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    assessment: ofAssessment().notNull(),
    /** For one room. Null with a candidate, or for all candidates. */
    room: text('room'),
    candidateId: ofCandidate(),
    text: text('text').notNull(),
    sentAt: instant('sent_at').notNull(),
    /** The sender's name at that time, which candidates don't see. */
    sentBy: text('sent_by').notNull(),
    withdrawnAt: instant('withdrawn_at'),
  },
  (table) => [
    index('candidate_messages_assessment').on(table.assessment, table.id),
    // Each page reads messages to many every minute. Individual messages about extra time have a separate index.
    index('candidate_messages_to_many')
      .on(table.assessment, table.id)
      .where(sql`${table.candidateId} is null`),
    index('candidate_messages_candidate')
      .on(table.candidateId)
      .where(sql`${table.candidateId} is not null`),
    check('candidate_messages_text', sql`length(${table.text}) between 1 and 500`),
    check('candidate_messages_to', sql`${table.room} is null or ${table.candidateId} is null`),
  ],
)

/** The release of an assessment's results to candidates, with its time and the society's words. */
export const resultReleases = pgTable('result_releases', {
  assessment: ofAssessment().primaryKey(),
  releasedAt: instant('released_at').notNull(),
  /** The member's name at that time. */
  releasedBy: text('released_by').notNull(),
  /** The society's words, or ''. */
  words: text('words').notNull(),
  /** Whether candidates see the cut score and whether they passed it. */
  tellsLine: boolean('tells_line').notNull().default(false),
  /** Standard error at each score from 0 on, by form ('' for one form), as of the release. */
  errors: jsonb('errors').$type<Record<string, number[]>>().notNull().default({}),
  withdrawnAt: instant('withdrawn_at'),
})

/** One row that every node updates each second: since when the service has been up without a break. */
export const servicePulse = pgTable(
  'service_pulse',
  {
    id: smallint('id').primaryKey(),
    upSince: instant('up_since').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
  },
  (table) => [check('service_pulse_one_row', sql`${table.id} = 1`)],
)

/** When the service was down. Deadlines within an outage get more grace, unless only one node was stalled. */
export const serviceOutages = pgTable(
  'service_outages',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at').notNull(),
    isStandstill: boolean('is_standstill').notNull().default(false),
  },
  (table) => [check('service_outages_order', sql`${table.startedAt} <= ${table.endedAt}`)],
)
