import type { Api, EnterTurn } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { getReturns } from '../contract/returns.ts'
import { personSpread } from '../schedule/schedule.ts'
import type { Bank } from './bank.ts'
import { readCards, type SpreadFor } from './cards.ts'

/** When what was answered comes back, for a results screen (product 3.5.14). */
export function serveReturns(
  api: Api,
  { db }: AppDependencies,
  bank: Bank,
  enterTurn: EnterTurn,
  spreadFor: SpreadFor = personSpread,
): void {
  api.serveInTurn(getReturns, enterTurn, async ({ user, query }) => {
    const items = await bank.items(user.contentVersion)
    const cards = await readCards(db, user.id, items, spreadFor)
    const dueOf = new Map(cards.map(({ family, due }) => [family, due]))
    return query.items.split(',').flatMap((item) => {
      const known = items.get(item)
      const due = known && dueOf.get(known.family)
      return due ? [{ item, due }] : []
    })
  })
}
