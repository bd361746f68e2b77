import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { listAssessments } from '../../contract.ts'
import { labelOf } from '../../reference.ts'
import { lastStart } from '../candidate-store.ts'

type Listed = ResponseOf<typeof listAssessments>[number]
type Row = Omit<Listed, 'label' | 'closesInMs' | 'opensAt' | 'closesAt'> & Window
/** first and last moment to start, and the last one for any candidate; null is open */
type Window = Record<'opensAt' | 'closesAt' | 'lastStartAt', Date | null>

/** GET /api/assessments: the open processes, by society (product 6.1). */
export function serveListing(api: Api, { db, now }: AppDependencies): void {
  api.serve(listAssessments, async ({ user }) => {
    const at = now()
    const { rows } = await db.$client.query<Row>({
      name: 'listed-assessments',
      text: `select code, society, session, duration_seconds as "durationSeconds", navigator, rules,
          opens_at as "opensAt", closes_at as "closesAt", last_start as "lastStartAt", time_zone as "timeZone",
          -- Of two forms each asks as many (product 7.19.2): candidates read the number of one.
          (select count(*)::int from assessment_items i where i.assessment = assessments.code
            and i.form is distinct from 'B') as "questionCount",
          exists (select from attempts t where t.user_id = $2 and t.assessment = assessments.code
            and t.submitted_at is null) as "isRunning",
          ${IS_RELEASED} as "isReleased"
        from assessments cross join lateral (select ${lastStart('assessments')} as last_start) w
        where not is_draft and deleted_at is null and trial is null
          and (last_start is null or last_start > $1 or ${IS_RELEASED})
        order by society, code`,
      values: [listedSince(at), user.id, new Date(at.getTime() - LISTED_AFTER_RELEASE_MS)],
    })
    return rows.map(({ lastStartAt, ...row }) => ({
      ...row,
      label: labelOf(row),
      // A candidate who starts at another time comes in here, too.
      closesInMs: lastStartAt && lastStartAt.getTime() - at.getTime(),
    }))
  })
}

/** How long a test stays listed for candidates who read their released result (product 6.1.5). */
const LISTED_AFTER_RELEASE_MS = 60 * 24 * 3600 * 1000

const IS_RELEASED = `exists (select from result_releases r where r.assessment = assessments.code
  and r.withdrawn_at is null and r.released_at > $3)`

/** How long a closed assessment stays listed, so that who is inside can come back to it (product 6.1.5). */
const LISTED_AFTER_CLOSE_MS = 24 * 3600 * 1000

/** Assessments that closed after this moment are still listed. */
export function listedSince(now: Date): Date {
  return new Date(now.getTime() - LISTED_AFTER_CLOSE_MS)
}
