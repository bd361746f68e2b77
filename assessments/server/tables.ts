// Long because all that an assessment stores stands in one place, as the data dictionary has it.
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
  /** shown on the test screen */
  contact: string | null
}

/** A tenant: assessments belong to it, and members act in it (societies/server/tables.ts). */
export const societies = pgTable(
  'societies',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    /** 'command': the server's operator made it; 'console': an account founded it, which proves no name */
    via: text('via').$type<'console' | 'command'>().notNull(),
    /** its pages tell times in it; each assessment has its own */
    timeZone: text('time_zone').notNull().default('Europe/Lisbon'),
    /** whom candidates ask, as they read it in mails; null: nobody was named */
    contact: text('contact'),
    /** how long answers and names of a season are kept after its close, months */
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
    /** null for the test of a mock superday alone, which is nobody's but its person's */
    societyId: ofSociety(),
    society: text('society').notNull(),
    /** 'Morning', 'Afternoon'; null when the society has one session */
    session: text('session'),
    /** 'Autumn 2026': what belongs together for the society; null where nobody said */
    season: text('season'),
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
    /** grows with each change of its settings: a form that was read before another's change is stale */
    version: integer('version').notNull().default(1),
    /** made to try things out, and deleted by itself: no list, count or result knows of it (product 7.11.1) */
    trial: text('trial').$type<'rehearsal' | 'simulation' | 'superday'>(),
    /** code of the assessment that it was made for; of a superday USER/EVENING */
    trialOf: text('trial_of'),
    /** nobody but its society learns of it, and it can't be started */
    isDraft: boolean('is_draft').notNull().default(false),
    /** in no view since then; an owner restores it, or it is emptied and its line and the log stay */
    deletedAt: instant('deleted_at'),
    /** when it is deleted by itself; null: as long as the society says after its close */
    keepUntil: instant('keep_until'),
    /** when its owners were told that the day is near */
    keepWarnedAt: instant('keep_warned_at'),
    /** draws blind numbers, and is in no answer (view blind_numbers); null: a candidate started before it existed */
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

/** The column of whose a row is; the row goes with the assessment. So with candidates and attempts below. */
const ofAssessment = () =>
  text('assessment').references(() => assessments.code, { onDelete: 'cascade' })

/** A question of an assessment: changed only until the first start. Each version is kept (societies). */
export const assessmentItems = pgTable(
  'assessment_items',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    assessment: ofAssessment().notNull(),
    /** table order, from 1 */
    position: integer('position').notNull(),
    question: text('question').notNull(),
    answerA: text('answer_a').notNull(),
    answerB: text('answer_b').notNull(),
    answerC: text('answer_c').notNull(),
    answerD: text('answer_d').notNull(),
    correctOption: text('correct_option').$type<'A' | 'B' | 'C' | 'D'>().notNull(),
    /** of the two forms of a test, the one that asks it; null: both do */
    form: text('form').$type<'A' | 'B'>(),
    /** the same in each version and each copy of a question: how it did in other seasons is found by it */
    questionId: uuid('question_id').notNull().defaultRandom(),
    /** from 1, grows with each change */
    version: integer('version').notNull().default(1),
    topic: text('topic'),
    explanation: text('explanation'),
    /** a term whose value is the right answer, such as 1.25 / 1.10 */
    compute: text('compute'),
    /** a table or a picture above the options; null for words alone */
    exhibit: jsonb('exhibit').$type<Exhibit>(),
    isSample: boolean('is_sample').notNull(),
  },
  (table) => [
    uniqueIndex('assessment_items_position').on(table.assessment, table.position),
    // A test asks a question once; what others ask is found by it.
    uniqueIndex('assessment_items_question').on(table.questionId, table.assessment),
    // Finds other tests that ask the same text, at every call of a member who is a candidate.
    index('assessment_items_text').on(sql`md5(${table.question})`),
    check('assessment_items_key', sql`${table.correctOption} in ('A', 'B', 'C', 'D')`),
    check('assessment_items_form', sql`${table.form} in ('A', 'B')`),
  ],
)

/** A picture that questions of a society show. Its bytes never change: another picture is another row. */
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

/** How a society rules on an item after the run. */
export type RulingKind = 'accept' | 'replace' | 'void' | 'full_marks'

/** What was ruled about an item; a withdrawn or only proposed ruling changes no result. */
export const itemRulings = pgTable(
  'item_rulings',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    itemId: integer('item_id')
      .notNull()
      .references(() => assessmentItems.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<RulingKind>().notNull(),
    /** the option that is right as well as the key, or instead of it; null for the other kinds */
    acceptedOption: text('accepted_option').$type<'A' | 'B' | 'C' | 'D'>(),
    reason: text('reason').notNull(),
    /** name, as it was then; null for rulings from before names were kept */
    madeBy: text('made_by'),
    /** proposed by a member who can't rule; an owner's ruling on it is another row */
    isProposal: boolean('is_proposal').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    withdrawnAt: instant('withdrawn_at'),
    withdrawnBy: text('withdrawn_by'),
    withdrawReason: text('withdraw_reason'),
  },
  (table) => [
    index('item_rulings_item').on(table.itemId),
    // Two keys that both stand instead of the first contradict each other.
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

/** Who may sit an assessment: a row of the society's roster. */
export const candidates = pgTable(
  'candidates',
  {
    id: uuid('id').primaryKey(),
    assessment: ofAssessment().notNull(),
    username: text('username').notNull(),
    /** what the society calls them; null where the list has none */
    name: text('name'),
    email: text('email'),
    room: text('room'),
    /** for the organizers alone */
    note: text('note'),
    /** when the password that counts was handed out; null: nobody has one that opens anything */
    passwordMadeAt: instant('password_made_at'),
    /** when that password went onto a printed slip, and which time the slip told; null: it did not */
    slipMadeAt: instant('slip_made_at'),
    slipTold: text('slip_told'),
    /** keyed SHA-256 of a generated password of 60 random bits or more */
    passwordHash: bytea('password_hash').notNull(),
    extraSeconds: integer('extra_seconds').notNull().default(0),
    /** first and last moment to start of one who starts at another time; null: the test's own */
    startsFrom: instant('starts_from'),
    startsUntil: instant('starts_until'),
    /** kinds of events that are kept but not counted: a dictation program pastes */
    exemptKinds: text('exempt_kinds').array().notNull().default(sql`'{}'`),
    revokedAt: instant('revoked_at'),
    isDemo: boolean('is_demo').notNull().default(false),
    /** grows with each change that an organizer makes, so that two don't overwrite each other unseen */
    version: integer('version').notNull().default(1),
    /** who made the last one, by name as it was then; null: nobody since it was added */
    changedBy: text('changed_by'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    // An organizer whose address stands in a list has no role there: asked at every organizer's call.
    index('candidates_email')
      .on(table.assessment, sql`lower(${table.email})`)
      .where(sql`${table.email} is not null`),
    // Who starts last is asked wherever it matters whether a test is over.
    index('candidates_starts_until')
      .on(table.assessment, table.startsUntil)
      .where(sql`${table.startsUntil} is not null`),
    // A phone writes the first letter large: names that differ in case alone are one.
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

/** An account; null once it is deleted. */
const userOrGone = () => uuid('user_id').references(() => users.id, { onDelete: 'set null' })
const ofCandidate = () =>
  uuid('candidate_id').references(() => candidates.id, { onDelete: 'cascade' })

/** The place of a removed candidate, which keeps others' blind numbers (product 7.16.12; view blind_numbers). */
export const removedCandidates = pgTable(
  'removed_candidates',
  {
    candidateId: uuid('candidate_id').primaryKey(),
    assessment: ofAssessment().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('removed_candidates_assessment').on(table.assessment)],
)

/** One person's rehearsal: whose throwaway candidate it is, and for whom its outcome is kept (product 7.11.4). */
export const rehearsals = pgTable(
  'rehearsals',
  {
    candidateId: ofCandidate().primaryKey(),
    userId: ofUser().notNull(),
    ofCandidateId: uuid('of_candidate_id').references(() => candidates.id, { onDelete: 'cascade' }),
    /** the society in which the person has a role */
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

/** What the newest rehearsal of a candidate, or of a member of a society, found of the device. */
export const deviceChecks = pgTable(
  'device_checks',
  {
    id: uuid('id').primaryKey(),
    candidateId: ofCandidate().unique(),
    societyId: uuid('society_id').references(() => societies.id, { onDelete: 'cascade' }),
    userId: ofUser(),
    checkedAt: instant('checked_at').notNull(),
    browser: text('browser').notNull(),
    /** how far the device's clock is ahead of the server's; clamped to what the column holds */
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

/** What verify gave. Dies with the user's session. */
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

/** Tokens that ended with a candidate's old password: they open nothing, and a call with one is refused for that reason. */
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

/** A candidate's one attempt; it outlives the account, so that nobody deletes an account to sit again. */
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
    /** item ids in this candidate's order, frozen at the start */
    paper: integer('paper').array().notNull(),
    startedAt: instant('started_at').notNull(),
    /** started_at, the duration, extra time and extensions */
    deadlineAt: instant('deadline_at').notNull(),
    /** of the deadline, what was given because something happened; planned extra time stands on the candidate */
    incidentSeconds: integer('incident_seconds').notNull().default(0),
    /** which of the two forms was dealt; null where the test has one */
    form: text('form').$type<'A' | 'B'>(),
    submittedAt: instant('submitted_at'),
    submitReason: text('submit_reason').$type<'candidate' | 'violations' | 'deadline'>(),
    /** how long it stood closed before an organizer reopened it, milliseconds: no part of its time */
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
    // For the sweep alone, which asks by this very expression. An index of the open attempts would be read from
    // end to end by every round: of a table that was just empty the planner believes that next to none are open.
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

/** How two forms are dealt, by a count of starts and a seed (product 7.19.3); demo candidates apart. */
export const formDeals = pgTable(
  'form_deals',
  {
    assessment: ofAssessment().notNull(),
    isDemo: boolean('is_demo').notNull(),
    /** drawn by the first start; never leaves the server */
    seed: integer('seed').notNull(),
    dealt: integer('dealt').notNull(),
  },
  (table) => [primaryKey({ columns: [table.assessment, table.isDemo] })],
)

/** The windows that had the attempt open, with what each says it has reported. */
export const attemptWindows = pgTable(
  'attempt_windows',
  {
    attemptId: ofAttempt().notNull(),
    windowId: text('window_id').notNull(),
    openedAt: instant('opened_at').notNull(),
    /** number of its last event, as its saves tell it */
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

/** The choice that counts for each item, with the revision that guards it. */
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

/** Few for each candidate, and asked for every two seconds by what watches a test: they have an index. */
export const RARE_KINDS =
  "('verified', 'started', 'taken_over', 'ready', 'reopened', 'late_answer', 'late_accepted')"

/** Everything that happened, append-only; only a void, with its reason, is written beside it later. */
export const attemptEvents = pgTable(
  'attempt_events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    candidateId: ofCandidate().notNull(),
    /** null for a verification before the start */
    attemptId: uuid('attempt_id').references(() => attempts.id, { onDelete: 'cascade' }),
    kind: text('kind').notNull(),
    /** the window that reported it, and its number there; null for what the server saw itself */
    windowId: text('window_id'),
    number: integer('number'),
    /** milliseconds since the start, clamped */
    atMs: bigint('at_ms', { mode: 'number' }),
    detail: jsonb('detail').$type<Record<string, unknown>>(),
    /** of a save or submit: how long questions were looked at so far, those that have grown; for statistics alone */
    dwell: jsonb('dwell').$type<[item: number, ms: number][]>(),
    /** decided when it came in */
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
    // Read of each candidate by Live, and each minute by the candidate's page.
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

/** What a candidate tells the society after the end. */
export const attemptComments = pgTable('attempt_comments', {
  attemptId: ofAttempt().primaryKey(),
  text: text('text').notNull(),
  writtenAt: instant('written_at').notNull(),
})

/** What organizers tell candidates while they write. Withdrawn: who has not read it never does. */
export const candidateMessages = pgTable(
  'candidate_messages',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    assessment: ofAssessment().notNull(),
    /** for those of one room; null with a candidate, or for all */
    room: text('room'),
    candidateId: ofCandidate(),
    text: text('text').notNull(),
    sentAt: instant('sent_at').notNull(),
    /** name, as it was then; candidates do not read it */
    sentBy: text('sent_by').notNull(),
    withdrawnAt: instant('withdrawn_at'),
  },
  (table) => [
    index('candidate_messages_assessment').on(table.assessment, table.id),
    // What is for many: each candidate reads it each minute, beside a line for everybody who was given time.
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

/** That candidates may read their result, since when, and what the society writes beside it. */
export const resultReleases = pgTable('result_releases', {
  assessment: ofAssessment().primaryKey(),
  releasedAt: instant('released_at').notNull(),
  /** name, as it was then */
  releasedBy: text('released_by').notNull(),
  /** the society's words; '' for none */
  words: text('words').notNull(),
  /** whether candidates read where the line is, and on which side they are */
  tellsLine: boolean('tells_line').notNull().default(false),
  /** by form ('' for one form): one standard error at each score from 0 on, as it was at the release */
  errors: jsonb('errors').$type<Record<string, number[]>>().notNull().default({}),
  withdrawnAt: instant('withdrawn_at'),
})

/** One row, touched by every node each second: since when the service has been up without a break. */
export const servicePulse = pgTable(
  'service_pulse',
  {
    id: smallint('id').primaryKey(),
    upSince: instant('up_since').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
  },
  (table) => [check('service_pulse_one_row', sql`${table.id} = 1`)],
)

/** When the service was away: attempts with a deadline in it have a longer grace, unless one node stood still. */
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
