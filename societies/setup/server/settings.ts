import sql from 'sql-template-tag'
import type { BodyOf, ResponseOf } from '../../../platform/endpoint.ts'
import type { ApiError, Sendable } from '../../../platform/server/api.ts'
import { countOf } from '../../../platform/words.ts'
import {
  type AssessmentRow,
  countAttempts,
  readKept,
  requireAssessment,
  requireWindow,
} from '../../access/server/assessments.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { requireFreeTestName } from '../../access/server/societies.ts'
import { act, type Client, read, readLastLogged, staleError } from '../../kit/server/action.ts'
import { formatLocalTime } from '../../kit/server/local-time.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { momentOf } from '../../kit/server/typed-time.ts'
import { isZone } from '../../kit/zone-time.ts'
import type * as contract from '../contract.ts'

type Settings = contract.AssessmentSettings
type ReadSettings = Sendable<ResponseOf<typeof contract.getSettings>>

/** These can change after the first start. The others must be the same for all candidates (product 7.8.6). */
const AFTER_START: readonly string[] = ['season', 'opens', 'closes', 'timeZone', 'contact']
/** The log actions that change an assessment's version. */
const CHANGING = ['settings', 'window', 'publish', 'take-back', 'load', 'create', 'copy']

/** Reads the settings and the data that depends on them (product 7.8.6). */
export function readSettings(organizer: MemberInTest): Promise<ReadSettings> {
  return read(organizer, async (client) => {
    const row = await requireAssessment(client, organizer)
    const { code, version, isDraft } = row
    const { rows } = await client.query<{ count: number }>(
      sql`select count(*)::int as count from candidates c
       where c.assessment = ${code} and not c.is_demo and c.revoked_at is null
         and exists (select from candidate_tokens k where k.candidate_id = c.id)
         and not exists (select from attempts t where t.candidate_id = c.id)`,
    )
    const { by, at } = await readLastChange(client, code)
    return {
      version,
      settings: await settingsOf(client, row),
      isDraft,
      startedCount: await countAttempts(client, code),
      waitingCount: rows[0]?.count ?? 0,
      kept: isDraft ? null : ((await readKept(client, [code])).get(code) ?? null),
      changed: by !== null && at ? { by, at } : null,
    }
  })
}

async function settingsOf(client: Client, row: AssessmentRow): Promise<Settings> {
  const { rows } = await client.query<Omit<Settings, 'opens' | 'closes'>>(
    sql`select society, session, season, duration_seconds as "durationSeconds", time_zone as "timeZone",
       shuffle, navigator, rules -> 'timing' as timing, rules -> 'allowed' as allowed,
       rules -> 'forbidden' as forbidden, rules ->> 'contact' as contact
     from assessments where code = ${row.code}`,
  )
  const localOf = (at: Date | null) => at && formatLocalTime(at, row.timeZone)
  return {
    ...(rows[0] as (typeof rows)[number]),
    opens: localOf(row.opensAt),
    closes: localOf(row.closesAt),
  }
}

/** Returns the author and time of the last settings change, from the log. */
export const readLastChange = (client: Client, code: string) =>
  readLastLogged(client, sql`assessment = ${code} and action = any(${CHANGING}::text[])`)

/**
 * Changes the given settings. Times are local to the new zone, so a typed 09:00 stays 09:00 when the zone changes
 * (product 7.1.5). Candidates who have started keep their full time.
 * Errors: 400 bad_time, zone_unknown, closes_before_opens; 409 stale, settled_by_starts, society_exists; has_attempts
 * after the first start, when a change needs more rights (product 7.7.4).
 */
export async function changeSettings(
  organizer: MemberInTest,
  { version, change }: BodyOf<typeof contract.changeSettings>,
  onlyWhile?: 'nobody_started',
): Promise<ReadSettings> {
  await act(organizer, 'settings', organizer.code, async (client) => {
    const row = await requireAssessment(client, organizer, 'replace')
    const attempts = await countAttempts(client, row.code)
    if (onlyWhile && attempts > 0) throw hasAttempts(attempts)
    if (row.version !== version) {
      throw staleError(await readLastChange(client, row.code), organizer.now)
    }
    const before = await settingsOf(client, row)
    const after = { ...before, ...change }
    const fields = (Object.keys(before) as (keyof Settings)[]).filter(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
    )
    if (attempts > 0 && !fields.every((field) => AFTER_START.includes(field))) {
      const sentence = `${started(attempts)}. Name, session, duration, order and rules are the same for all candidates, so they can no longer change.`
      throw refuse(409, 'settled_by_starts', sentence)
    }
    if (!isZone(after.timeZone)) {
      const sentence = `${after.timeZone} isn’t a named time zone. Choose one such as Europe/Lisbon.`
      throw refuse(400, 'zone_unknown', sentence)
    }
    if (fields.includes('society')) {
      await requireFreeTestName(client, after.society, organizer.societyId)
    }
    // Keep the stored seconds, which the form doesn't show, if the time wasn't changed.
    const isTouched = (field: 'opens' | 'closes') =>
      fields.includes('timeZone') || fields.includes(field)
    const opensAt = isTouched('opens') ? instantOf(after, 'opens') : row.opensAt
    const closesAt = isTouched('closes') ? instantOf(after, 'closes') : row.closesAt
    requireWindow(opensAt, closesAt)
    if (fields.length > 0) {
      const { timing, allowed, forbidden, contact } = after
      const rules = JSON.stringify({ timing, allowed, forbidden, contact })
      await client.query(
        sql`update assessments set society = ${after.society}, session = ${after.session},
            season = ${after.season}, duration_seconds = ${after.durationSeconds},
            shuffle = ${after.shuffle}, navigator = ${after.navigator}, rules = ${rules},
            opens_at = ${opensAt}, closes_at = ${closesAt}, time_zone = ${after.timeZone},
            -- Owners were warned of another day (product 7.21.2).
            keep_warned_at = case when closes_at is not distinct from ${closesAt} then keep_warned_at end,
            content_hash = null, version = version + 1
          where code = ${row.code}`,
      )
    }
    const changed = Object.fromEntries(
      fields.map((field) => [field, { before: before[field], after: after[field] }]),
    )
    return { result: undefined, detail: fields.length === 0 ? null : { fields, changed } }
  })
  return readSettings(organizer)
}

/** Errors: 400 bad_time for a time that a clock change skips or repeats. */
function instantOf(settings: Settings, field: 'opens' | 'closes'): Date | null {
  const local = settings[field]
  return local === null ? null : momentOf(local, settings.timeZone)
}

export const hasAttempts = (attempts: number): ApiError =>
  refuse(409, 'has_attempts', `${started(attempts)}, so this can no longer be changed.`)

const started = (attempts: number) =>
  `${countOf(attempts, 'candidate has', 'candidates have')} started`
