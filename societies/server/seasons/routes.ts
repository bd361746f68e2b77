import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import * as fairness from '../../contract/fairness.ts'
import { setKeepUntil } from '../../contract/seasons.ts'
import { serveMembers } from '../serve-members.ts'
import { previewReport, publishReport, readPublicReport } from './fairness-report.ts'
import * as retention from './retention.ts'

/** How long a season is kept, and the fairness reports of its tests (product 7.21). */
export function serveSeasons(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)

  serve(setKeepUntil, ({ organiser, body: { keepUntil } }) =>
    retention.setKeepUntil(organiser, keepUntil === null ? null : new Date(keepUntil)),
  )
  serve(fairness.previewFairnessReport, ({ organiser }) => previewReport(organiser))
  serve(fairness.publishFairnessReport, ({ organiser }) => publishReport(organiser))
  api.serve(fairness.readFairnessReport, async ({ params }) => ({
    report: await readPublicReport(dependencies.db, params.report),
  }))
}
