import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import * as contract from '../../contract/analysis.ts'
import { rulingOf } from '../../ruling.ts'
import { memberOf, read } from '../action.ts'
import { noteKeysRead } from '../questions/keys-read.ts'
import { OrganiserRefusal } from '../refusal.ts'
import {
  declineProposal,
  proposeRuling,
  type Regraded,
  regradeItem,
  withdrawRuling,
} from '../results/regrade.ts'
import { doubtKey, keepKey } from './keep-key.ts'
import { requireReach } from './my-roles.ts'
import { readAnalysis } from './read-analysis.ts'
import { readRulingPreview } from './read-ruling.ts'
import { answered } from './refused.ts'

/** What the test is worth, question by question, and rulings (product 7.18). */
export function serveAnalysis(api: Api, dependencies: AppDependencies): void {
  const { db, now } = dependencies
  const organiserOf = memberOf(dependencies)

  api.serve(contract.getAnalysis, async ({ user, organiser, params, query }) => {
    const { societyId } = organiser
    const place = { societyId, code: params.code }
    const { ruling, isEarly, ...analysis } = await answered(
      read({ db }, async (client) => ({
        ...(await requireReach(client, place, user.id, now())),
        ...(await readAnalysis(client, params.code, query.form ?? null)),
      })),
    )
    if (isEarly) await noteKeysRead(organiserOf(user), place)
    const { seesScores: _, ...shown } = analysis
    return { ...shown, ruling }
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
    if (reach.isEarly) await noteKeysRead(organiserOf(user), place)
    const ruling: 'rule' | 'propose' = reach.ruling === 'rule' ? 'rule' : 'propose'
    return { ...preview, ruling }
  })

  api.serve(contract.ruleOnQuestion, ({ user, params, body }) => {
    const { reason, ...press } = body
    const ruling = rulingOf(body.ruling)
    return once(
      regradeItem(organiserOf(user), params.code, params.item, ruling, reason, press),
    )
  })

  api.serve(contract.proposeRuling, ({ user, params, body }) => {
    const { reason, ...press } = body
    const ruling = rulingOf(body.ruling)
    return once(
      proposeRuling(organiserOf(user), params.code, params.item, ruling, reason, press),
    )
  })

  api.serve(contract.declineRuling, ({ user, params, body }) =>
    once(declineProposal(organiserOf(user), params.code, params.ruling, body.reason)),
  )

  api.serve(contract.withdrawRuling, ({ user, params, body }) =>
    once(withdrawRuling(organiserOf(user), params.code, params.ruling, body.reason, body.version)),
  )

  api.serve(contract.keepKey, ({ user, params, body }) =>
    once(keepKey(organiserOf(user), params.code, params.item, body.reason)),
  )

  api.serve(contract.doubtKey, ({ user, params }) =>
    once(doubtKey(organiserOf(user), params.code, params.item)),
  )
}

/** Done now, or when the same press was sent before and its answer got lost. */
async function once(act: Promise<Partial<Regraded> | void>) {
  try {
    const done = await answered(act)
    const changed = ((done ?? {}).changes ?? []).filter(({ isDemo }) => !isDemo).length
    return { done: true as const, changed }
  } catch (error) {
    if (error instanceof OrganiserRefusal && error.code === 'pressed_twice') {
      return { done: true as const, changed: 0 }
    }
    throw error
  }
}
