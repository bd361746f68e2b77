import sql from 'sql-template-tag'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { AdminError } from '../../../platform/server/admin-error.ts'
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
import { act, type Client, read, staleError } from '../../kit/server/action.ts'
import { formatLocalTime, parseLocalTime } from '../../kit/server/local-time.ts'
import { isZone } from '../../kit/zone-time.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type { AssessmentSettings, getSettings } from '../contract.ts'

type ReadSettings = Sendable<ResponseOf<typeof getSettings>>

/** What may change after the first start: the rest is the same for all candidates (product 7.8.6). */
const AFTER_START: readonly string[] = ['season', 'opens', 'closes', 'timeZone', 'contact']

/** The settings with what depends on them (product 7.8.6). */
export function readSettings(organiser: MemberInTest): Promise<ReadSettings> {
  return read(organiser, async (client) => {
    const row = await requireAssessment(client, organiser)
    const { code, version, opensAt, closesAt, isDraft } = row
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from candidates c
       where c.assessment = $1 and not c.is_demo and c.revoked_at is null
         and exists (select from candidate_tokens k where k.candidate_id = c.id)
         and not exists (select from attempts t where t.candidate_id = c.id)`,
      [code],
    )
    return {
      version,
      settings: await settingsOf(client, row),
      opensAt,
      closesAt,
      isDraft,
      startedCount: await countAttempts(client, code),
      waitingCount: rows[0]?.count ?? 0,
      kept: isDraft ? null : ((await readKept(client, [code])).get(code) ?? null),
      changed: await readLastChange(client, code),
    }
  })
}

async function settingsOf(client: Client, row: AssessmentRow): Promise<AssessmentSettings> {
  const { rows } = await client.query<
    Pick<AssessmentSettings, 'shuffle' | 'navigator'> & {
      rules: Pick<AssessmentSettings, 'timing' | 'allowed' | 'forbidden' | 'contact'>
    }
  >('select shuffle, navigator, rules from assessments where code = $1', [row.code])
  const { shuffle, navigator, rules } = rows[0] as (typeof rows)[number]
  const { society, session, season, durationSeconds, timeZone } = row
  const localOf = (at: Date | null) => at && formatLocalTime(at, timeZone)
  return {
    society,
    session,
    season,
    durationSeconds,
    opens: localOf(row.opensAt),
    closes: localOf(row.closesAt),
    timeZone,
    shuffle,
    navigator,
    timing: rules.timing,
    allowed: rules.allowed,
    forbidden: rules.forbidden,
    contact: rules.contact,
  }
}

/** What changes an assessment's version, as the log names it. */
const CHANGING = ['settings', 'window', 'publish', 'take-back', 'load', 'create', 'copy']

/** Who changed an assessment's settings last; null where the log has no line about it. */
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

/**
 * Changes some settings; what is left out stays. Times are local to the new zone, so a typed 09:00 stays 09:00 when
 * the zone changes (product 7.1.5). Candidates who have started keep their whole time.
 * Errors: 400 bad_time, zone_unknown, closes_before_opens; 409 stale, settled_by_starts.
 */
export function changeSettings(
  organiser: MemberInTest,
  { version, change }: { version: number; change: Partial<AssessmentSettings> },
): Promise<void> {
  return act(organiser, 'settings', organiser.code, async (client) => {
    const row = await requireAssessment(client, organiser, 'replace')
    if (row.version !== version) {
      const last = await readLastChange(client, row.code)
      throw staleError(last ?? { by: null, at: null }, organiser.now)
    }
    const before = await settingsOf(client, row)
    const after = { ...before, ...change }
    const fields = (Object.keys(before) as (keyof AssessmentSettings)[]).filter(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
    )
    await requireChangeable(client, row.code, fields)
    // Seconds that the form does not show stay where the time was not touched.
    const isZoneMoved = fields.includes('timeZone')
    requireZone(after.timeZone)
    const opensAt =
      isZoneMoved || fields.includes('opens') ? instantOf(after, 'opens') : row.opensAt
    const closesAt =
      isZoneMoved || fields.includes('closes') ? instantOf(after, 'closes') : row.closesAt
    requireWindow(opensAt, closesAt)
    if (fields.length > 0) {
      const { timing, allowed, forbidden, contact } = after
      const rules = JSON.stringify({ timing, allowed, forbidden, contact })
      await client.query(
        sql`update assessments set society = ${after.society}, session = ${after.session},
            season = ${after.season}, duration_seconds = ${after.durationSeconds},
            shuffle = ${after.shuffle}, navigator = ${after.navigator}, rules = ${rules},
            opens_at = ${opensAt}, closes_at = ${closesAt}, time_zone = ${after.timeZone},
            content_hash = null, version = version + 1
          where code = ${row.code}`,
      )
    }
    const changed = Object.fromEntries(
      fields.map((field) => [field, { before: before[field], after: after[field] }]),
    )
    return { result: undefined, detail: { fields, changed } }
  })
}

function requireZone(timeZone: string): void {
  if (isZone(timeZone)) return
  const sentence = `${timeZone} is no named time zone. Choose one such as Europe/Lisbon.`
  throw refuse(400, 'zone_unknown', sentence)
}

/** Errors: 400 bad_time for a time that a change of the clocks skips or repeats. */
function instantOf(settings: AssessmentSettings, field: 'opens' | 'closes'): Date | null {
  const local = settings[field]
  try {
    return local === null ? null : parseLocalTime(local, settings.timeZone)
  } catch (error) {
    throw error instanceof AdminError ? refuse(400, 'bad_time', error.message) : error
  }
}

/** Errors: 409 settled_by_starts after the first start, where a field changes that is not one of AFTER_START. */
async function requireChangeable(
  client: Client,
  code: string,
  fields: readonly string[],
): Promise<void> {
  if (fields.every((field) => AFTER_START.includes(field))) return
  const attempts = await countAttempts(client, code)
  if (attempts === 0) return
  const sentence = `${started(attempts)}. Name, session, duration, order and rules are the same for all candidates, so they can no longer change.`
  throw refuse(409, 'settled_by_starts', sentence)
}

/** Errors: 409 has_attempts after the first start, when a change needs more rights (product 7.7.4). */
export function requireNobodyStarted(organiser: MemberInTest): Promise<void> {
  return read(organiser, async (client) => {
    await requireAssessment(client, organiser)
    const attempts = await countAttempts(client, organiser.code)
    if (attempts > 0) throw hasAttempts(attempts)
  })
}

export const hasAttempts = (attempts: number): ApiError =>
  refuse(409, 'has_attempts', `${started(attempts)}, so this can no longer be changed.`)

const started = (attempts: number) =>
  `${countOf(attempts, 'candidate has', 'candidates have')} started`
