import { type Api, ApiError } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import {
  previewFairnessReport,
  publishFairnessReport,
  readFairnessReport,
} from '../../contract/fairness.ts'
import * as contract from '../../contract/seasons.ts'
import { memberOf } from '../action.ts'
import { answered } from '../lifecycle/refused.ts'
import { previewReport, publishReport, readPublicReport } from './fairness-report.ts'
import { setKeepUntil } from './retention.ts'

/** How long a season is kept, and the fairness reports of its tests (product 7.21). */
export function serveSeasons(api: Api, dependencies: AppDependencies): void {
  const { db } = dependencies
  const organiserOf = memberOf(dependencies)

  api.serve(contract.setKeepUntil, async ({ user, params, body }) => {
    const day = body.keepUntil === null ? null : new Date(body.keepUntil)
    const { keepUntil } = await answered(setKeepUntil(organiserOf(user), params.code, day))
    return { keepUntil: keepUntil?.toISOString() ?? null }
  })

  api.serve(previewFairnessReport, async ({ user, params }) => {
    const { published, ...preview } = await previewReport(organiserOf(user), params.code)
    return {
      ...preview,
      published: published && {
        ...datesOf(published),
        id: published.id,
        isCurrent: published.isCurrent,
      },
    }
  })

  api.serve(publishFairnessReport, ({ user, params }) =>
    publishReport(organiserOf(user), params.code),
  )

  api.serve(readFairnessReport, async ({ params }) => {
    const found = await readPublicReport(db, params.report)
    if (found === 'not yet') return { report: null }
    if (found === 'unknown') {
      const sentence = 'There is no such report. Check the link you were given.'
      throw new ApiError(404, 'no_report', sentence)
    }
    const { content, timeZone } = found
    return { report: { content, timeZone, ...datesOf(found) } }
  })
}

const datesOf = ({ publishedAt, changedAt }: { publishedAt: Date; changedAt: Date | null }) => ({
  publishedAt: publishedAt.toISOString(),
  changedAt: changedAt?.toISOString() ?? null,
})
