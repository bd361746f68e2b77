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
  text,
} from 'drizzle-orm/pg-core'
import { ofUser } from '../../accounts/server/tables.ts'
import { instant } from '../../platform/database/tables.ts'
import type { OptionLetter } from '../../platform/options.ts'

/** For each wrong option, the mistake that leads to it: its name in slips.yaml, and how it was made here. */
export type Mistakes = Partial<Record<OptionLetter, { name: string; sentence: string }>>

const puzzle = {
  statement: text('statement').notNull(),
  a: text('a').notNull(),
  b: text('b').notNull(),
  c: text('c').notNull(),
  d: text('d').notNull(),
  correct: text('correct').$type<OptionLetter>().notNull(),
  explanation: text('explanation'),
  /** empty in a scheduled one */
  mistakes: jsonb('mistakes').$type<Mistakes>().notNull().default({}),
}

/** The bank of brainteasers, in the order in which they are used. */
export const brainteasers = pgTable(
  'brainteasers',
  {
    id: integer('id').primaryKey(),
    ...puzzle,
    retired: boolean('retired').notNull().default(false),
  },
  (table) => [check('brainteasers_correct', sql`${table.correct} in ('A', 'B', 'C', 'D')`)],
)
/** A date's brainteaser, scheduled or taken from the bank (product 5.2, 5.4): a snapshot that never changes. */
export const dailyBrainteasers = pgTable(
  'daily_brainteasers',
  {
    date: date('date', { mode: 'string' }).primaryKey(),
    /** its id in the bank; null if it was scheduled */
    brainteaserId: integer('brainteaser_id').references(() => brainteasers.id),
    ...puzzle,
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('daily_brainteasers_dealt').on(table.brainteaserId),
    check('daily_brainteasers_correct', sql`${table.correct} in ('A', 'B', 'C', 'D')`),
  ],
)
/** A person's answer to a day's brainteaser (product 5.6). The first one counts. */
export const dailyResults = pgTable(
  'daily_results',
  {
    userId: ofUser().notNull(),
    date: date('date', { mode: 'string' }).notNull(),
    selectedOption: text('selected_option').$type<OptionLetter>().notNull(),
    correctOption: text('correct_option').$type<OptionLetter>().notNull(),
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
