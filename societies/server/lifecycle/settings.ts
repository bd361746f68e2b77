import type { AssessmentSettings } from '../../contract/lifecycle.ts'
import { act, type Client, type Organiser, read } from '../action.ts'
import {
  type AssessmentRow,
  countAttempts,
  type Place,
  requireAssessment,
  requireWindow,
} from '../assessments.ts'
import { formatLocalTime, isNamedZone, parseLocalTime } from '../local-time.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { type Kept, readKept } from '../seasons/retention.ts'
import { staleError } from '../stale.ts'
import { readLastChange } from './version.ts'

/** What may change after the first start: the rest is the same for everybody who sits it (product 7.8.6). */
export const AFTER_START = ['season', 'opens', 'closes', 'timeZone', 'contact'] as const

export interface ReadSettings {
  version: number
  settings: AssessmentSettings
  opensAt: Date | null
  closesAt: Date | null
  isDraft: boolean
  startedCount: number
  /** have signed in with their credentials, and not started */
  waitingCount: number
  /** null for a draft and a sample */
  kept: Kept | null
  /** null where nobody is noted */
  changed: { by: string; at: Date } | null
}

/** The settings with what depends on them (product 7.8.6). Errors: OrganiserRefusal. */
export function readSettings(organiser: Organiser, place: Place): Promise<ReadSettings> {
  return read(organiser, async (client) => {
    const row = await requireAssessment(client, place)
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from candidates c
       where c.assessment = $1 and not c.is_demo and c.revoked_at is null
         and exists (select from candidate_tokens k where k.candidate_id = c.id)
         and not exists (select from attempts t where t.candidate_id = c.id)`,
      [row.code],
    )
    const { version, opensAt, closesAt, isDraft } = row
    return {
      ...{ version, opensAt, closesAt, isDraft },
      settings: await settingsOf(client, row),
      startedCount: await countAttempts(client, row.code),
      waitingCount: rows[0]?.count ?? 0,
      kept: isDraft ? null : ((await readKept(client, [row.code])).get(row.code) ?? null),
      changed: await readLastChange(client, row.code),
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
    ...{ society, session, season, durationSeconds, timeZone, shuffle, navigator },
    opens: localOf(row.opensAt),
    closes: localOf(row.closesAt),
    timing: rules.timing,
    allowed: rules.allowed,
    forbidden: rules.forbidden,
    contact: rules.contact,
  }
}

/**
 * Changes some settings; what is left out stays. Times are local to the zone that holds then, so that a typed
 * 09:00 stays 09:00 where the zone is another (product 7.1.5). Who has started keeps the whole time.
 * Errors: ApiError 409 stale; OrganiserRefusal settled_by_starts, zone_unknown, closes_before_opens; AdminError for
 * a time that a change of the clocks skips or repeats.
 */
export function changeSettings(
  organiser: Organiser,
  place: Place,
  { version, change }: { version: number; change: Partial<AssessmentSettings> },
): Promise<void> {
  return act(organiser, 'settings', place.code, async (client) => {
    const row = await requireAssessment(client, place, 'replace')
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
    const { timeZone } = after
    if (!isNamedZone(timeZone)) throw new OrganiserRefusal('zone_unknown', { timeZone })
    const instantOf = (local: string | null) => local && parseLocalTime(local, timeZone)
    // Seconds that the form does not show stay where nobody touched the time.
    const isMoved = (field: 'opens' | 'closes') =>
      fields.includes(field) || fields.includes('timeZone')
    const opensAt = isMoved('opens') ? instantOf(after.opens) : row.opensAt
    const closesAt = isMoved('closes') ? instantOf(after.closes) : row.closesAt
    requireWindow(opensAt || null, closesAt || null)
    if (fields.length > 0) {
      const { timing, allowed, forbidden, contact } = after
      await client.query(
        `update assessments set society = $2, session = $3, season = $4, duration_seconds = $5,
           shuffle = $6, navigator = $7, rules = $8, opens_at = $9, closes_at = $10, time_zone = $11,
           content_hash = null, version = version + 1
         where code = $1`,
        [
          row.code,
          after.society,
          after.session,
          after.season,
          after.durationSeconds,
          after.shuffle,
          after.navigator,
          JSON.stringify({ timing, allowed, forbidden, contact }),
          opensAt || null,
          closesAt || null,
          timeZone,
        ],
      )
    }
    const changed = Object.fromEntries(
      fields.map((field) => [field, { before: before[field], after: after[field] }]),
    )
    return { result: undefined, detail: { fields, changed } }
  })
}

/** Errors: OrganiserRefusal where somebody has started and another field than those of AFTER_START changes. */
async function requireChangeable(
  client: Client,
  code: string,
  fields: readonly (keyof AssessmentSettings)[],
): Promise<void> {
  const settled = fields.filter((field) => !(AFTER_START as readonly string[]).includes(field))
  if (settled.length === 0) return
  const attempts = await countAttempts(client, code)
  if (attempts > 0) {
    throw new OrganiserRefusal('settled_by_starts', { assessment: code, attempts, fields: settled })
  }
}

/**
 * Errors: OrganiserRefusal has_attempts where somebody has started: then a call that needs more is the way
 * (product 7.7.4).
 */
export function requireNobodyStarted(organiser: Organiser, place: Place): Promise<void> {
  return read(organiser, async (client) => {
    await requireAssessment(client, place)
    const attempts = await countAttempts(client, place.code)
    if (attempts > 0) {
      throw new OrganiserRefusal('has_attempts', { assessment: place.code, attempts })
    }
  })
}
