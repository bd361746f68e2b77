import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from '../../accounts/server/tables.ts'
import { instant } from '../../platform/database/tables.ts'
import type { OptionLetter } from '../../platform/options.ts'
import type { ReportReason } from '../contract.ts'
import type { ReviewEntry } from '../question.ts'
import type { Streak } from '../streak.ts'
import type { StoredCase } from './cases/content.ts'

const userId = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** Browsers make the ids, so a retry is stored only once. */
const ownedRow = () => ({ userId: userId(), id: uuid('id').notNull() })

type ByLetter = Partial<Record<OptionLetter, string>>

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
    correctOption: text('correct_option').$type<OptionLetter>().notNull(),
    explanation: text('explanation'),
    /** the mistake behind each distractor */
    why: jsonb('why').$type<ByLetter>().notNull().default({}),
    /** the mistake pattern of each distractor (content/slips.yaml) */
    slips: jsonb('slips').$type<ByLetter>().notNull().default({}),
    /** shared by questions that differ only in their numbers; null for other questions */
    family: text('family'),
    /** the standard or text that states the rule, or null */
    cites: text('cites'),
    /** the median of all measured answers in milliseconds, or null if there are too few */
    usualMs: integer('usual_ms'),
    /** the share of people who were right the first time, or null if there are too few */
    rightPercent: smallint('right_percent'),
    /** the owner of the row: the content loader, or a CSV import (ids from 100,000) */
    source: text('source').$type<'content' | 'import'>().notNull(),
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
export const practiceCases = pgTable('practice_cases', {
  slug: text('slug').primaryKey(),
  place: integer('place').notNull(),
  body: jsonb('body').$type<StoredCase>().notNull(),
  /** kept for its answers, but no longer served */
  retired: boolean('retired').notNull().default(false),
})
/** A spoken question with model answers and points, from content/aloud/. */
export const spokenPrompts = pgTable('spoken_prompts', {
  slug: text('slug').primaryKey(),
  place: integer('place').notNull(),
  body: jsonb('body').notNull(),
  retired: boolean('retired').notNull().default(false),
})
/** A single row. `version` makes nodes reload the bank, and `contentHash` lets the loader skip a load. */
export const bank = pgTable(
  'bank',
  {
    id: smallint('id').primaryKey(),
    version: integer('version').notNull(),
    contentHash: text('content_hash'),
  },
  (table) => [check('bank_one_row', sql`${table.id} = 1`)],
)
/** A problem report from a student. It stays without the user id after the account is deleted. */
export const questionReports = pgTable(
  'question_reports',
  {
    id: uuid('id').primaryKey(),
    questionId: integer('question_id')
      .notNull()
      .references(() => questions.id),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    reason: text('reason').$type<ReportReason>().notNull(),
    details: text('details').notNull(),
    createdAt: instant('created_at').notNull(),
    resolvedAt: instant('resolved_at'),
  },
  (table) => [index('question_reports_user').on(table.userId)],
)
/** Selects a value from each wrong answer of a snapshot. Entries in the old shape have none. */
export const wrongOnes = (what: string) =>
  sql`jsonb_path_query_array(questions_data, '$[*] ? (@.isCorrect == false && exists(@.question.id) && exists(@.userAnswer))${sql.raw(what)}')`
/** A finished test (product 3.7.1, 3.7.3). The browser makes the id, so saving is idempotent. */
export const testResults = pgTable(
  'test_results',
  {
    ...ownedRow(),
    category: text('category').notNull(),
    difficulty: text('difficulty').notNull(),
    testNumber: integer('test_number').notNull(),
    score: integer('score').notNull(),
    totalQuestions: integer('total_questions').notNull(),
    completedAt: instant('completed_at').notNull(),
    /** the review's snapshot; old rows may have raw questions without the wrapper */
    questionsData: jsonb('questions_data').$type<ReviewEntry[]>().notNull(),
    /** ids and choices of wrong answers for error practice, because unpacking snapshots took ten times as long */
    wrongIds: jsonb('wrong_ids').$type<number[]>().generatedAlwaysAs(wrongOnes('.question.id')),
    wrongOptions: jsonb('wrong_options')
      .$type<string[]>()
      .generatedAlwaysAs(wrongOnes('.userAnswer')),
    /** the streak in the first response, so a retry returns the same */
    streakAnswered: jsonb('streak_answered').$type<Streak>().notNull(),
    /** whether its answers are in answered_questions; results from before facts are imported later */
    hasFacts: boolean('has_facts').notNull().default(false),
  },
  (table) => [
    // The key includes the user, so knowing another person's id neither reads nor blocks anything.
    primaryKey({ columns: [table.userId, table.id] }),
    // The index includes the score, so progress and lists read only the index. A person's rows are on scattered pages.
    index('test_results_cell').on(
      table.userId,
      table.category,
      table.difficulty,
      // `order by … desc` puts nulls first, but drizzle would put them last, and PostgreSQL couldn't use the index.
      table.completedAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
      table.testNumber,
      table.score,
      table.totalQuestions,
    ),
    index('test_results_without_facts').on(table.userId).where(sql`not ${table.hasFacts}`),
    check('test_results_score', sql`${table.score} between 0 and ${table.totalQuestions}`),
    check('test_results_total', sql`${table.totalQuestions} > 0`),
    check('test_results_test_number', sql`${table.testNumber} > 0`),
  ],
)
/** A finished error-practice test, stored only for the streak. */
export const errorPractices = pgTable(
  'error_practices',
  {
    ...ownedRow(),
    completedAt: instant('completed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] })],
)
/** The fact behind the streak: the person finished something on this local day. */
export const practiceDays = pgTable(
  'practice_days',
  {
    userId: userId(),
    day: date('day', { mode: 'string' }).notNull(),
    completedAt: instant('completed_at').notNull(),
    timeZone: text('time_zone').notNull(),
  },
  // The key's index includes the other columns (migration 0004; drizzle can't express it), so a streak reads only the
  // index.
  (table) => [primaryKey({ columns: [table.userId, table.day] })],
)
export type SessionKind = 'test' | 'mistakes' | 'due' | 'built' | 'slip' | 'case' | 'superday'
/** An answered question, the source of all derived data (product 3.9). Session id and place make it idempotent. */
export const answeredQuestions = pgTable(
  'answered_questions',
  {
    userId: userId(),
    sessionId: uuid('session_id').notNull(),
    place: smallint('place').notNull(),
    kind: text('kind').$type<SessionKind>().notNull(),
    /** the question's id as text, or 'case/SLUG/N' */
    item: text('item').notNull(),
    /** the key in the schedule, shared by all variants; the item itself if it has no family */
    family: text('family').notNull(),
    choice: text('choice').$type<OptionLetter>().notNull(),
    isRight: boolean('is_right').notNull(),
    isGuess: boolean('is_guess').notNull().default(false),
    /** the mistake pattern of a wrong choice, if known */
    slip: text('slip'),
    /** milliseconds in view, or null if not measured */
    tookMs: integer('took_ms'),
    answeredAt: instant('answered_at').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.sessionId, table.place] }),
    index('answered_questions_family').on(table.userId, table.family, table.answeredAt),
    index('answered_questions_time').on(table.userId, table.answeredAt),
    check('answered_questions_took', sql`${table.tookMs} >= 0`),
  ],
)
/** A finished sitting other than a test of ten, for the streak and to reopen it. */
export const practiceSessions = pgTable(
  'practice_sessions',
  {
    ...ownedRow(),
    kind: text('kind').$type<SessionKind>().notNull(),
    /** the case's slug, the mistake pattern, or the choices of a custom test */
    about: jsonb('about').notNull().default({}),
    score: integer('score').notNull(),
    total: integer('total').notNull(),
    completedAt: instant('completed_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('practice_sessions_time').on(table.userId, table.completedAt),
  ],
)
/** When a family comes back. It's derived from the facts and rebuilt when stale. */
export const reviewCards = pgTable(
  'review_cards',
  {
    userId: userId(),
    family: text('family').notNull(),
    /** true if facts arrived after it was built */
    stale: boolean('stale').notNull().default(true),
    /** the version of the schedule settings that built it (practice/schedule/schedule.ts) */
    settings: smallint('settings').notNull().default(0),
    item: text('item').notNull(),
    due: date('due', { mode: 'string' }),
    stability: real('stability'),
    difficulty: real('difficulty'),
    lapses: smallint('lapses').notNull().default(0),
    /** right answers in a row on different days */
    rightInRow: smallint('right_in_row').notNull().default(0),
    lastDay: date('last_day', { mode: 'string' }),
    lastRight: boolean('last_right'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.family] }),
    index('review_cards_due').on(table.userId, table.due),
    index('review_cards_stale').on(table.userId).where(sql`${table.stale}`),
  ],
)
/** A finished drill. Its questions are remade from preset, version and seed. */
export const drills = pgTable(
  'drills',
  {
    ...ownedRow(),
    preset: text('preset').notNull(),
    version: smallint('version').notNull(),
    seed: integer('seed').notNull(),
    startedAt: instant('started_at').notNull(),
    tookMs: integer('took_ms').notNull(),
    correct: smallint('correct').notNull(),
    wrong: smallint('wrong').notNull(),
    skipped: smallint('skipped').notNull(),
    score: integer('score').notNull(),
    /** for each question reached, the answer, its milliseconds and the drill it returned from */
    answers: jsonb('answers')
      .$type<{ answer: string; tookMs: number; from?: { seed: number; place: number } }[]>()
      .notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('drills_preset').on(table.userId, table.preset, table.startedAt),
  ],
)
/** A spoken answer, rated by the person. The recording stays in the browser. */
export const spokenAnswers = pgTable(
  'spoken_answers',
  {
    ...ownedRow(),
    prompt: text('prompt').notNull(),
    /** the numbers of the prompt's points that were said, from 1 */
    points: jsonb('points').$type<number[]>().notNull(),
    /** the person's rating: 1 not yet, 2 shaky, 3 good, 4 fluent */
    rating: smallint('rating').notNull(),
    tookMs: integer('took_ms').notNull(),
    answeredAt: instant('answered_at').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('spoken_answers_prompt').on(table.userId, table.prompt, table.answeredAt),
    check('spoken_answers_rating', sql`${table.rating} between 1 and 4`),
  ],
)
/** The date that a person prepares for, and the daily practice time. */
export const practicePlans = pgTable('practice_plans', {
  userId: userId().primaryKey(),
  interviewOn: date('interview_on', { mode: 'string' }),
  minutesADay: smallint('minutes_a_day').notNull(),
  role: text('role').notNull(),
  /** weekdays without practice, where 1 is Monday */
  daysOff: jsonb('days_off').$type<number[]>().notNull().default([]),
  /** its first local day; null in older plans, which count from their last change */
  startedOn: date('started_on', { mode: 'string' }),
  /** reminder settings; null if reminders are off */
  reminders: jsonb('reminders'),
  changedAt: instant('changed_at').notNull(),
})
/** A browser that gets the push 'Your ten questions are ready'. */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    userId: userId(),
    endpoint: text('endpoint').notNull(),
    keys: jsonb('keys').$type<{ p256dh: string; auth: string }>().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.endpoint] })],
)
/** Sent reminders, for the limits and for the person to see. */
export const remindersSent = pgTable(
  'reminders_sent',
  {
    userId: userId(),
    day: date('day', { mode: 'string' }).notNull(),
    channel: text('channel').$type<'mail' | 'push'>().notNull(),
    sentAt: instant('sent_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.day] })],
)

export interface SuperdayTest {
  /** in the order asked; `choice` is null if nothing was chosen */
  answers: { id: number; choice: OptionLetter | null; isRight: boolean }[]
  strikes: number
  reason: 'candidate' | 'violations' | 'deadline'
  startedAt: string
  submittedAt: string
}
/** A mock superday (product 3.15) with its draw and its test. The other parts are stored with their features. */
export const superdays = pgTable(
  'superdays',
  {
    userId: userId(),
    /** made by the browser, so starting is idempotent */
    id: uuid('id').notNull(),
    seed: integer('seed').notNull(),
    timeZone: text('time_zone').notNull(),
    startedAt: instant('started_at').notNull(),
    /** the start by the device's clock, to which case, drill and spoken answers are compared */
    countsFrom: instant('counts_from').notNull(),
    questions: integer('questions').array().notNull(),
    caseSlug: text('case_slug').notNull(),
    prompts: text('prompts').array().notNull(),
    test: jsonb('test').$type<SuperdayTest>(),
    /** set by the person or the last part; null while open or if time ran out */
    endedAt: instant('ended_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('superdays_started').on(table.userId, table.startedAt),
    check('superdays_ended', sql`${table.endedAt} >= ${table.startedAt}`),
  ],
)
