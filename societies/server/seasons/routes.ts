import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import * as contract from '../../contract/seasons.ts'
import { memberOf } from '../action.ts'
import { answered } from '../lifecycle/refused.ts'
import { listSeasons } from './list.ts'
import { setKeepUntil } from './retention.ts'

/** How long a season is kept, and its fairness card (product 7.21). */
export function serveSeasons(api: Api, dependencies: AppDependencies): void {
  const { db, now } = dependencies
  const organiserOf = memberOf(dependencies)

  api.serve(contract.readSeasons, async ({ user, organiser }) => {
    const of = { societyId: organiser.societyId, userId: user.id }
    const { retentionMonths, seasons } = await listSeasons({ db, now: now() }, of)
    const text = (at: Date | null) => at?.toISOString() ?? null
    return {
      retentionMonths,
      seasons: seasons.map(({ season, assessments }) => ({
        season,
        assessments: assessments.map((one) => ({
          ...one,
          closesAt: text(one.closesAt),
          keepUntil: text(one.keepUntil),
          warnedAt: text(one.warnedAt),
          deletedAt: text(one.deletedAt),
        })),
      })),
    }
  })

  api.serve(contract.setKeepUntil, async ({ user, params, body }) => {
    const day = body.keepUntil === null ? null : new Date(body.keepUntil)
    const { keepUntil } = await answered(setKeepUntil(organiserOf(user), params.code, day))
    return { keepUntil: keepUntil?.toISOString() ?? null }
  })
}
