import type { Client } from '../../kit/server/action.ts'

/** Owners are told so long before the day, and have at least that time to object (product 7.21.2). */
export const WARNING_DAYS = 14
export const RETENTION_MAIL = 'retention'

/** Until when an assessment a of a society s is kept: its own date, or so long after its close. */
export const KEPT_UNTIL = `coalesce(a.keep_until, a.closes_at + s.retention_months * interval '1 month')`

/** Until when answers and names of an assessment are kept. */
export interface Kept {
  /** null: no day, since it never closes */
  until: Date | null
  /** a day of its own, not the society's months after the close */
  hasOwnDay: boolean
  /** when owners were told that the day is near */
  warnedAt: Date | null
}

/** The same for some assessments, by code; samples have no such day. */
export async function readKept(
  client: Client,
  codes: readonly string[],
): Promise<Map<string, Kept>> {
  const { rows } = await client.query<Kept & { code: string }>(
    `select a.code, ${KEPT_UNTIL} as until, a.keep_until is not null as "hasOwnDay",
       a.keep_warned_at as "warnedAt"
     from assessments a join societies s on s.id = a.society_id
     where a.code = any ($1) and not a.is_sample`,
    [codes],
  )
  return new Map(rows.map(({ code, ...kept }) => [code, kept]))
}
