import type { Client } from '../action.ts'
import type { AssessmentRow } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'

/** What changes an assessment's version, as the log names it. */
const CHANGING = ['settings', 'window', 'publish', 'take-back', 'load', 'create', 'copy']

/** Who changed an assessment's settings last; null where nobody is noted. */
export async function readLastChange(
  client: Client,
  code: string,
): Promise<{ by: string; at: Date } | null> {
  const { rows } = await client.query<{ by: string; at: Date }>(
    `select actor as by, at from admin_actions
     where assessment = $1 and action = any($2::text[]) order by id desc limit 1`,
    [code, CHANGING],
  )
  return rows[0] ?? null
}

/** Errors: OrganiserRefusal stale where somebody has changed the settings since they were read. */
export async function requireVersion(
  client: Client,
  { code, version: stored }: AssessmentRow,
  version: number,
): Promise<void> {
  if (version === stored) return
  const last = await readLastChange(client, code)
  throw new OrganiserRefusal('stale', {
    assessment: code,
    version: stored,
    by: last?.by ?? null,
    at: last?.at ?? null,
  })
}
