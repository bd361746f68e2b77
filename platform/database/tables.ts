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
/** Mails to send, kept until the mail server accepts them. `kind` says how the text is then generated. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    recipient: text('recipient').notNull(),
    /** the row that the mail is about, if the recipient doesn't imply it */
    about: uuid('about'),
    createdAt: instant('created_at').notNull(),
    /** 0: urgent, a user is waiting; 1: bulk, sent after urgent mails */
    priority: smallint('priority').notNull().default(0),
    tries: integer('tries').notNull().default(0),
    nextTryAt: instant('next_try_at').notNull(),
    /** when it was sent or given up, or when no account had the address */
    closedAt: instant('closed_at'),
    lastError: text('last_error'),
  },
  (table) => [
    index('mails_open').on(table.priority, table.nextTryAt).where(sql`${table.closedAt} is null`),
    index('mails_recipient').on(table.recipient, table.createdAt),
  ],
)
