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

/** The browser makes the ids, so that what it sends twice is stored once. */
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
    /** for a distractor, the mistake behind it */
    why: jsonb('why').$type<ByLetter>().notNull().default({}),
    /** for a distractor, the code of that mistake (content/slips.yaml): what a fingerprint counts */
    slips: jsonb('slips').$type<ByLetter>().notNull().default({}),
    /** questions that differ in their numbers alone have one family; null for a question of its own */
    family: text('family'),
    /** the standard or text that states its rule, for anyone who doubts it; null if it rests on none */
    cites: text('cites'),
    /** median time of everybody's measured answers, milliseconds; null where too few are known */
    usualMs: integer('usual_ms'),
    /** of the people who have answered it, how many were right the first time; null where too few are known */
    rightPercent: smallint('right_percent'),
    /** who owns the row: the loader of content/, or a CSV import (ids from 100,000) */
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
  /** kept for what was answered in it, served no more */
  retired: boolean('retired').notNull().default(false),
})
/** A question to be answered aloud, with its model answers and points, as content/aloud/ has it. */
export const spokenPrompts = pgTable('spoken_prompts', {
  slug: text('slug').primaryKey(),
  place: integer('place').notNull(),
  body: jsonb('body').notNull(),
  retired: boolean('retired').notNull().default(false),
})
/** One row. `version` tells nodes that their memory is old, `contentHash` lets the loader skip a load. */
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
    reason: text('reason').$type<ReportReason>().notNull(),
    details: text('details').notNull(),
    createdAt: instant('created_at').notNull(),
    resolvedAt: instant('resolved_at'),
  },
  (table) => [index('question_reports_user').on(table.userId)],
)
/** Something of each wrong answer of a snapshot. Entries without the wrapper, the old shape, have none. */
export const wrongOnes = (what: string) =>
  sql`jsonb_path_query_array(questions_data, '$[*] ? (@.isCorrect == false && exists(@.question.id) && exists(@.userAnswer))${sql.raw(what)}')`
/** A finished test (product 3.7.1, 3.7.3). The id comes from the browser and makes saving idempotent. */
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
    /** the review's snapshot; old rows may hold raw questions without the wrapper */
    questionsData: jsonb('questions_data').$type<ReviewEntry[]>().notNull(),
    /** ids and chosen options of the wrong answers, for error practice: unpacking whole snapshots took ten times as long */
    wrongIds: jsonb('wrong_ids').$type<number[]>().generatedAlwaysAs(wrongOnes('.question.id')),
    wrongOptions: jsonb('wrong_options')
      .$type<string[]>()
      .generatedAlwaysAs(wrongOnes('.userAnswer')),
    /** the streak that the first answer told, so that a repeat answers the same */
    streakAnswered: jsonb('streak_answered').$type<Streak>().notNull(),
    /** whether its answers stand in answered_questions: those of before there were facts are taken over late */
    hasFacts: boolean('has_facts').notNull().default(false),
  },
  (table) => [
    // Per person, so that knowing another person's id neither reads nor blocks anything.
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
    index('test_results_without_facts').on(table.userId).where(sql`not ${table.hasFacts}`),
    check('test_results_score', sql`${table.score} between 0 and ${table.totalQuestions}`),
    check('test_results_total', sql`${table.totalQuestions} > 0`),
    check('test_results_test_number', sql`${table.testNumber} > 0`),
  ],
)
/** A finished error-practice test: only that it happened, for the streak. */
export const errorPractices = pgTable(
  'error_practices',
  {
    ...ownedRow(),
    completedAt: instant('completed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] })],
)
/** The fact behind the streak: this person finished something on this local day. */
export const practiceDays = pgTable(
  'practice_days',
  {
    userId: userId(),
    day: date('day', { mode: 'string' }).notNull(),
    completedAt: instant('completed_at').notNull(),
    timeZone: text('time_zone').notNull(),
  },
  // The key's index includes the other columns (migration 0004, in a way that drizzle can't say), so that
  // a streak is read there alone.
  (table) => [primaryKey({ columns: [table.userId, table.day] })],
)
export type SessionKind = 'test' | 'mistakes' | 'due' | 'built' | 'slip' | 'case' | 'superday'
/** One answered question, from which all else derives (product 3.9). Session id and place make it idempotent. */
export const answeredQuestions = pgTable(
  'answered_questions',
  {
    userId: userId(),
    sessionId: uuid('session_id').notNull(),
    place: smallint('place').notNull(),
    kind: text('kind').$type<SessionKind>().notNull(),
    /** the question's id as text, or a case's 'case/SLUG/N': what was asked */
    item: text('item').notNull(),
    /** what the schedule knows it by: one for all variants; the item itself where it has no family */
    family: text('family').notNull(),
    choice: text('choice').$type<OptionLetter>().notNull(),
    isRight: boolean('is_right').notNull(),
    isGuess: boolean('is_guess').notNull().default(false),
    /** code of the mistake behind a wrong choice, where it is known */
    slip: text('slip'),
    /** milliseconds that the question was in view; null where nobody measured */
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
/** A finished sitting that is no test of ten: for the streak, and to be opened again. */
export const practiceSessions = pgTable(
  'practice_sessions',
  {
    ...ownedRow(),
    kind: text('kind').$type<SessionKind>().notNull(),
    /** what it was of: a case's slug, a slip's code, the choice of a built test */
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
/** When a family comes back, derived from the facts and made again where stale. */
export const reviewCards = pgTable(
  'review_cards',
  {
    userId: userId(),
    family: text('family').notNull(),
    /** of facts that came since it was made */
    stale: boolean('stale').notNull().default(true),
    /** which settings of the schedule made it (practice/schedule/schedule.ts) */
    settings: smallint('settings').notNull().default(0),
    item: text('item').notNull(),
    due: date('due', { mode: 'string' }),
    stability: real('stability'),
    difficulty: real('difficulty'),
    lapses: smallint('lapses').notNull().default(0),
    /** right answers in a row, each on a day of its own */
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
/** A finished drill. Its sums are made again from preset, version and seed. */
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
    /** for each sum reached: the answer, its milliseconds, and where it came back from */
    answers: jsonb('answers')
      .$type<{ answer: string; tookMs: number; from?: { seed: number; place: number } }[]>()
      .notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('drills_preset').on(table.userId, table.preset, table.startedAt),
  ],
)
/** A question answered aloud and checked by the person: what was said stays in the browser. */
export const spokenAnswers = pgTable(
  'spoken_answers',
  {
    ...ownedRow(),
    prompt: text('prompt').notNull(),
    /** which of the prompt's points were said, by number from 1 */
    points: jsonb('points').$type<number[]>().notNull(),
    /** the person's own word: 1 not yet, 2 shaky, 3 good, 4 fluent */
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
/** The date that a person prepares for, and how much they practice a day. */
export const practicePlans = pgTable('practice_plans', {
  userId: userId().primaryKey(),
  interviewOn: date('interview_on', { mode: 'string' }),
  minutesADay: smallint('minutes_a_day').notNull(),
  role: text('role').notNull(),
  /** days of the week without practice, 1 is Monday */
  daysOff: jsonb('days_off').$type<number[]>().notNull().default([]),
  /** its first local day; null in plans of before, which count from their last change */
  startedOn: date('started_on', { mode: 'string' }),
  /** the settings of reminders; null where none were ever asked for */
  reminders: jsonb('reminders'),
  changedAt: instant('changed_at').notNull(),
})
/** A browser that may be told 'Your ten questions are ready'. */
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
/** What was sent, for the limits and for the person to see. */
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
  /** in the order in which they were asked; null where nothing was chosen */
  answers: { id: number; choice: OptionLetter | null; isRight: boolean }[]
  strikes: number
  reason: 'candidate' | 'violations' | 'deadline'
  startedAt: string
  submittedAt: string
}
/** One mock superday (product 3.15): what was drawn, and its test. The other parts are stored where they always are. */
export const superdays = pgTable(
  'superdays',
  {
    userId: userId(),
    /** made by the browser, which makes starting idempotent */
    id: uuid('id').notNull(),
    seed: integer('seed').notNull(),
    timeZone: text('time_zone').notNull(),
    startedAt: instant('started_at').notNull(),
    /** the same moment by the device's clock, which case, drill and spoken answers are told by */
    countsFrom: instant('counts_from').notNull(),
    questions: integer('questions').array().notNull(),
    caseSlug: text('case_slug').notNull(),
    prompts: text('prompts').array().notNull(),
    test: jsonb('test').$type<SuperdayTest>(),
    /** by the person, or with the last part; null while it goes on and for one whose hours ran out */
    endedAt: instant('ended_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('superdays_started').on(table.userId, table.startedAt),
    check('superdays_ended', sql`${table.endedAt} >= ${table.startedAt}`),
  ],
)
