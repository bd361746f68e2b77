import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/database/columns.ts'

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
