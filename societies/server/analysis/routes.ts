import type { Api } from '../../../platform/server/api.ts'
import type { CurrentUser } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import * as contract from '../../contract/analysis.ts'
import { rulingOf } from '../../ruling.ts'
import { memberOf, read } from '../action.ts'
import { noteOnceAnHour } from '../questions/keys-read.ts'
import {
  declineProposal,
  proposeRuling,
  type Regraded,
  regradeItem,
  withdrawRuling,
} from '../results/regrade.ts'
import { writeAnalysisTable } from './analysis-table.ts'
import { doubtKey, keepKey } from './keep-key.ts'
import { requireReach } from './my-roles.ts'
import { readAnalysis } from './read-analysis.ts'
import { readRulingPreview } from './read-ruling.ts'
import { answered } from './refused.ts'
import type { Form } from './sat.ts'

/** What the test is worth, question by question, and rulings (product 7.18). */
export function serveAnalysis(api: Api, dependencies: AppDependencies): void {
  const { db, now } = dependencies
  const organiserOf = memberOf(dependencies)

  /** The figures for a member who may see them; that keys were seen early is noted. */
  async function analysisFor(
    user: CurrentUser,
    place: { societyId: string; code: string },
    form: Form | undefined,
  ) {
    const { reach, analysis } = await answered(
      read({ db }, async (client) => ({
        reach: await requireReach(client, place, user.id, now()),
        analysis: await readAnalysis(client, place.code, form ?? null),
      })),
    )
    if (reach.isEarly) await noteOnceAnHour(organiserOf(user), place, 'read-keys')
    return { ...analysis, ruling: reach.ruling }
  }

  api.serve(contract.getAnalysis, ({ user, organiser, params, query }) => {
    const { societyId } = organiser
    return analysisFor(user, { societyId, code: params.code }, query.form)
  })

  api.serve(contract.writeAnalysis, async ({ user, organiser, params, query }) => {
    const { societyId } = organiser
    const analysis = await analysisFor(user, { societyId, code: params.code }, query.form)
    return { csv: writeAnalysisTable(analysis) }
  })

  api.serve(contract.getRulingPreview, async ({ user, organiser, params }) => {
    const { societyId } = organiser
    const place = { societyId, code: params.code }
    const { reach, preview } = await answered(
      read({ db }, async (client) => {
        const reach = await requireReach(client, place, user.id, now())
        const { seesScores } = reach
        return {
          reach,
          preview: await readRulingPreview(client, params.code, params.item, seesScores),
        }
      }),
    )
    if (reach.isEarly) await noteOnceAnHour(organiserOf(user), place, 'read-keys')
    const ruling: 'rule' | 'propose' = reach.ruling === 'rule' ? 'rule' : 'propose'
    return { ...preview, ruling }
  })

  api.serve(contract.ruleOnQuestion, ({ user, params, body }) => {
    const { requestId, reason, ...press } = body
    const organiser = organiserOf(user, requestId)
    const ruling = rulingOf(body.ruling)
    return done(
      regradeItem({ ...organiser, code: params.code }, params.item, ruling, reason, press),
    )
  })

  api.serve(contract.proposeRuling, ({ user, params, body }) => {
    const { requestId, reason, ...press } = body
    const organiser = organiserOf(user, requestId)
    const ruling = rulingOf(body.ruling)
    return done(
      proposeRuling({ ...organiser, code: params.code }, params.item, ruling, reason, press),
    )
  })

  api.serve(contract.declineRuling, ({ user, params, body }) =>
    done(declineProposal({ ...organiserOf(user), code: params.code }, params.ruling, body.reason)),
  )

  api.serve(contract.withdrawRuling, ({ user, params, body }) =>
    done(
      withdrawRuling(
        { ...organiserOf(user), code: params.code },
        params.ruling,
        body.reason,
        body.version,
      ),
    ),
  )

  api.serve(contract.keepKey, ({ user, params, body }) =>
    done(keepKey(organiserOf(user), params.code, params.item, body.reason)),
  )

  api.serve(contract.doubtKey, ({ user, params }) =>
    done(doubtKey(organiserOf(user), params.code, params.item)),
  )
}

/** What the page is told: of how many the result has changed, demo candidates apart. */
async function done(act: Promise<Partial<Regraded>>) {
  const { changes = [] } = await answered(act)
  return { done: true as const, changed: changes.filter(({ isDemo }) => !isDemo).length }
}
