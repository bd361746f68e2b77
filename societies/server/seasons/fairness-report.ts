import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../../../platform/database/database.ts'
import { ApiError } from '../../../platform/server/api.ts'
import type { FairnessContent } from '../../contract/fairness.ts'
import { act, type Client, type Organiser, read } from '../action.ts'
import { makeFairnessContent } from './fairness-content.ts'

interface StoredReport {
  id: string
  content: FairnessContent
  publishedAt: Date
  /** null: it is as it was published first */
  changedAt: Date | null
}

/** The public report of a test, or null. */
async function getReport(client: Client, code: string): Promise<StoredReport | null> {
  const { rows } = await client.query<StoredReport>(
    `select id, content, published_at as "publishedAt", changed_at as "changedAt"
     from fairness_reports where assessment = $1`,
    [code],
  )
  return rows[0] ?? null
}

/** The public reports of some tests: their ids, by code. */
export async function readReports(
  client: Client,
  codes: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ code: string; id: string }>(
    'select assessment as code, id from fairness_reports where assessment = any ($1)',
    [codes],
  )
  return new Map(rows.map(({ code, id }) => [code, id]))
}

/** Results that are not withdrawn; of a deleted test the release stays. */
const IS_RELEASED = `exists (select from result_releases r
  where r.assessment = a.code and r.withdrawn_at is null)`

/** What an owner may publish, and what is published already (product 7.21.7). */
export function previewReport(organiser: Pick<Organiser, 'db' | 'now'>, code: string) {
  return read(organiser, async (client) => {
    const made = await makeFairnessContent(client, code, organiser.now)
    const stored = await getReport(client, code)
    const { rows } = await client.query<{ isReleased: boolean }>(
      `select ${IS_RELEASED} as "isReleased" from assessments a where a.code = $1`,
      [code],
    )
    return {
      content: typeof made === 'string' ? null : made,
      obstacle: typeof made === 'string' ? made : null,
      isReleased: rows[0]?.isReleased ?? false,
      published: stored && { ...stored, isCurrent: isDeepStrictEqual(stored.content, made) },
    }
  })
}

/**
 * Publishes the report of a test as it is now; one that is published is brought up to date under its address, and
 * says when it was changed (product 7.21.7).
 * Errors: 409 report_impossible.
 */
export function publishReport(organiser: Organiser, code: string): Promise<{ id: string }> {
  const { now, actor } = organiser
  return act(organiser, 'publish-report', code, async (client) => {
    const made = await makeFairnessContent(client, code, now)
    if (typeof made === 'string') {
      throw new ApiError(
        409,
        'report_impossible',
        'The report can’t be published yet. Reload the page.',
      )
    }
    const { rows } = await client.query<{ id: string; isNew: boolean }>(
      `insert into fairness_reports (id, assessment, content, published_at, published_by)
       values ($1, $2, $3, $4, $5)
       on conflict (assessment) do update set content = excluded.content,
         changed_at = case when fairness_reports.content = excluded.content
           then fairness_reports.changed_at else excluded.published_at end
       returning id, changed_at is null as "isNew"`,
      [randomUUID(), code, JSON.stringify(made), now, actor],
    )
    const { id, isNew } = rows[0] as { id: string; isNew: boolean }
    return { result: { id }, detail: { isNew } }
  })
}

/**
 * A report as everybody reads it.
 * @returns 'unknown' where there is none, 'not yet' while the results are not released
 */
export function readPublicReport(
  db: Database,
  id: string,
): Promise<(StoredReport & { timeZone: string }) | 'unknown' | 'not yet'> {
  return read({ db }, async (client) => {
    const { rows } = await client.query<StoredReport & { timeZone: string; isReleased: boolean }>(
      `select f.id, f.content, f.published_at as "publishedAt", f.changed_at as "changedAt",
         a.time_zone as "timeZone", ${IS_RELEASED} as "isReleased"
       from fairness_reports f join assessments a on a.code = f.assessment where f.id = $1`,
      [id],
    )
    const [found] = rows
    if (!found) return 'unknown'
    const { isReleased, ...report } = found
    return isReleased ? report : 'not yet'
  })
}
