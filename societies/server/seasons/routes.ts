import { createAddressOf, networkOf } from '../../../platform/server/address.ts'
import { type Api, ApiError } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { createQuota } from '../../../platform/server/quota.ts'
import { checkReference, readCard } from '../../contract/card.ts'
import * as contract from '../../contract/seasons.ts'
import { memberOf } from '../action.ts'
import { answered } from '../lifecycle/refused.ts'
import {
  type CardVersion,
  findReference,
  previewCard,
  publishCard,
  readPublicCard,
} from './card-versions.ts'
import { setKeepUntil } from './retention.ts'

/** Of one network in a day: wide enough for a hall, and hopeless for guessing (product 7.21.8). */
const REFERENCE_QUOTA = {
  name: 'references',
  limit: 2_000,
  sentence: 'Very many references were looked up from your network today.',
}

/** How long a season is kept, and its fairness card (product 7.21). */
export function serveSeasons(api: Api, dependencies: AppDependencies): void {
  const { db } = dependencies
  const organiserOf = memberOf(dependencies)

  api.serve(contract.setKeepUntil, async ({ user, params, body }) => {
    const day = body.keepUntil === null ? null : new Date(body.keepUntil)
    const { keepUntil } = await answered(setKeepUntil(organiserOf(user), params.code, day))
    return { keepUntil: keepUntil?.toISOString() ?? null }
  })

  api.serve(contract.previewCard, async ({ user, organiser, query }) => {
    const found = await answered(previewCard(organiserOf(user), organiser.societyId, query.season))
    return { ...found, versions: versionsShown(found.versions) }
  })

  api.serve(contract.publishCard, ({ user, organiser, body }) =>
    answered(publishCard(organiserOf(user), organiser.societyId, body)),
  )

  const addressOf = createAddressOf(dependencies)
  const checks = createQuota(dependencies, REFERENCE_QUOTA)

  api.serve(readCard, async ({ params, query }) => {
    const found = await readPublicCard(
      db,
      params.card,
      query.version ? Number(query.version) : null,
    )
    if (found === 'unknown') throw noCard()
    if (found === 'not yet') return { card: null }
    const { madeAt, versions, ...card } = found
    return {
      card: { ...card, madeAt: madeAt.toISOString(), versions: versionsShown(versions) },
    }
  })

  api.serve(checkReference, async ({ params, body, context }) => {
    await checks.take(networkOf(addressOf(context)))
    const reference = body.reference.replace(/\s/g, '').toLowerCase()
    const found = await findReference(db, params.card, reference)
    if (found === null) throw noCard()
    return { found }
  })
}

const versionsShown = (versions: readonly CardVersion[]) =>
  versions.map((one) => ({ ...one, madeAt: one.madeAt.toISOString() }))

const noCard = () =>
  new ApiError(404, 'no_card', 'There is no such card. Please check the link you were given.')
