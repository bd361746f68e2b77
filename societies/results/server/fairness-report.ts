import { randomUUID } from 'node:crypto'
import type { Database } from '../../../platform/database/database.ts'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import type { OrganiserInTest } from '../../access/server/serve-members.ts'
import { act, type Client, read } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type { previewFairnessReport, readFairnessReport } from '../contract-fairness.ts'
import { makeFairnessContent } from './fairness-content.ts'

type Preview = Sendable<ResponseOf<typeof previewFairnessReport>>
type PublicReport = Sendable<NonNullable<ResponseOf<typeof readFairnessReport>['report']>>

/** The ids of published reports, by the test's code. */
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

/** Whether results of an assessment a are released; a deleted test keeps its release. */
const IS_RELEASED = `exists (select from result_releases r
  where r.assessment = a.code and r.withdrawn_at is null)`

/** What an owner may publish, and what is published already (product 7.21.7). */
export function previewReport(organiser: OrganiserInTest): Promise<Preview> {
  const { code, now } = organiser
  return read(organiser, async (client) => {
    const made = await makeFairnessContent(client, code, now)
    const { rows } = await client.query<NonNullable<Preview['published']>>(
      `select id, published_at as "publishedAt", changed_at as "changedAt", content = $2 as "isCurrent"
       from fairness_reports where assessment = $1`,
      [code, JSON.stringify(made)],
    )
    const { rowCount } = await client.query(
      `select from assessments a where a.code = $1 and ${IS_RELEASED}`,
      [code],
    )
    return {
      content: typeof made === 'string' ? null : made,
      obstacle: typeof made === 'string' ? made : null,
      isReleased: rowCount === 1,
      published: rows[0] ?? null,
    }
  })
}

/**
 * Publishes a test's report as it is now. A published one is updated under its address, and says when it changed
 * (product 7.21.7).
 * Errors: 409 report_impossible.
 */
export function publishReport(organiser: OrganiserInTest): Promise<{ id: string }> {
  const { code, now, actor } = organiser
  return act(organiser, 'publish-report', code, async (client) => {
    const made = await makeFairnessContent(client, code, now)
    if (typeof made === 'string') {
      throw refuse(409, 'report_impossible', 'The report can’t be published yet. Reload the page.')
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

/** A report as the public reads it; null while the results are not released. Errors: 404 no_report. */
export function readPublicReport(db: Database, id: string): Promise<PublicReport | null> {
  return read({ db }, async (client) => {
    const { rows } = await client.query<PublicReport & { isReleased: boolean }>(
      `select f.content, f.published_at as "publishedAt", f.changed_at as "changedAt",
         a.time_zone as "timeZone", ${IS_RELEASED} as "isReleased"
       from fairness_reports f join assessments a on a.code = f.assessment where f.id = $1`,
      [id],
    )
    if (!rows[0]) {
      throw refuse(404, 'no_report', 'There is no such report. Check the link you were given.')
    }
    const { isReleased, ...report } = rows[0]
    return isReleased ? report : null
  })
}
