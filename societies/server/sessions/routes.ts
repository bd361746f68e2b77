import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import * as contract from '../../contract/sessions.ts'
import { memberOf, read } from '../action.ts'
import { readComparisons } from './comparisons.ts'
import {
  applyShift,
  listShifts,
  previewShift,
  readShiftLock,
  type Shift,
  withdrawShift,
} from './shift.ts'
import { compareAll, compareNumbers, readSimilarity } from './similarity.ts'

/** Two forms, two sessions, and pairs of answers (product 7.19). */
export function serveSessions(api: Api, { db, now }: AppDependencies): void {
  const organiserOf = memberOf({ db, now })
  const placeOf = ({ code }: { code: string }, { societyId }: { societyId: string }) => ({
    ...{ code, societyId },
  })

  // Numbers of questions and groups alone, so that authors read them too (item_statistics).
  api.serve(contract.getSessions, ({ params, user, organiser }) =>
    read({ db }, async (client) => {
      const place = placeOf(params, organiser)
      const asker = { ...place, userId: user.id, now: now() }
      const found = await readComparisons(client, asker)
      const { comparisons, favoured, unlinked, season, table } = found
      return {
        ...{ comparisons, favoured, unlinked, season },
        closedCount: table.rows.length,
        openCount: table.openCount,
        shifts: (await listShifts(client, params.code)).map(shown),
        shiftLock: await readShiftLock(client, params.code),
      }
    }),
  )

  api.serve(contract.previewShift, async ({ params, query, user, organiser }) => {
    const found = await previewShift(
      organiserOf(user),
      placeOf(params, organiser),
      query.comparison,
    )
    const { offer, name, onto, moved, line, crossing } = found
    return { offer, name, onto, moved, line, crossing }
  })

  api.serve(contract.applyShift, async ({ params, user, organiser, body }) =>
    shown(await applyShift(organiserOf(user), placeOf(params, organiser), body)),
  )

  api.serve(contract.withdrawShift, async ({ params, user, organiser }) => {
    await withdrawShift(organiserOf(user), placeOf(params, organiser), params.shift)
    return { done: true as const }
  })

  // No verdict is given here, so that who reported something may ask too (not_own_report).
  api.serve(contract.listSimilarityChecks, ({ params, user }) =>
    readSimilarity(organiserOf(user), params.code),
  )

  api.serve(contract.checkPair, ({ params, user, body }) =>
    compareNumbers(organiserOf(user), params.code, body),
  )

  api.serve(contract.checkAllPairs, ({ params, user, body }) =>
    compareAll(organiserOf(user), params.code, body),
  )
}

function shown({ withdrawnAt, withdrawnBy, appliedAt, ...shift }: Shift) {
  return {
    ...shift,
    appliedAt: appliedAt.toISOString(),
    withdrawn: withdrawnAt ? { by: withdrawnBy ?? '', at: withdrawnAt.toISOString() } : null,
  }
}
