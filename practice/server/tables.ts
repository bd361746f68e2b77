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
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from '../../accounts/server/tables.ts'
import { instant } from '../../platform/database/columns.ts'
import type { ReviewEntry } from '../question.ts'
import type { ReportReason } from '../question-report.ts'
import type { Streak } from '../streak.ts'

// ── The bank ────────────────────────────────────────────────────────────────────────────────────
/** A practice question: product 3.1.1. */
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
    reason: text('reason').$type<ReportReason>().notNull(),
    details: text('details').notNull(),
    createdAt: instant('created_at').notNull(),
    resolvedAt: instant('resolved_at'),
  },
  (table) => [index('question_reports_user').on(table.userId)],
)
// ── What students did ───────────────────────────────────────────────────────────────────────────
/** Something of each wrong answer of a snapshot. Entries without the wrapper, the old shape, have none. */
export const wrongOnes = (what: string) =>
  sql`jsonb_path_query_array(questions_data, '$[*] ? (@.isCorrect == false && exists(@.question.id) && exists(@.userAnswer))${sql.raw(what)}')`
/** A finished test (product 3.7.1, 3.7.3). The id comes from the browser and makes saving idempotent. */
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
