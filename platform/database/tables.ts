import { sql } from 'drizzle-orm'
import {
  bigint,
  customType,
  index,
  integer,
  pgTable,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

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
    kind: text('kind').notNull(),
    recipient: text('recipient').notNull(),
    /** the row that it tells about, where the recipient alone does not say it */
    about: uuid('about'),
    createdAt: instant('created_at').notNull(),
    /** 0: urgent, a user is waiting for it; 1: bulk, which lets urgent mails pass */
    priority: smallint('priority').notNull().default(0),
    tries: integer('tries').notNull().default(0),
    nextTryAt: instant('next_try_at').notNull(),
    /** handed over, or given up, or not to be sent because nobody has that address */
    closedAt: instant('closed_at'),
    lastError: text('last_error'),
  },
  (table) => [
    index('mails_open').on(table.priority, table.nextTryAt).where(sql`${table.closedAt} is null`),
    index('mails_recipient').on(table.recipient, table.createdAt),
  ],
)
