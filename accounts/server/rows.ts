import type { sessions, users } from './tables.ts'

export type User = typeof users.$inferSelect
export type Session = typeof sessions.$inferSelect

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether PostgreSQL would take it as a uuid, in the one form that we write. */
export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && UUID.test(value)
