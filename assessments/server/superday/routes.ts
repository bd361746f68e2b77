import { type Api, ApiError, type EnterTurn } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { getStoredSuperday, isOpen, testTimes } from '../../../practice/server/superday-store.ts'
import { openSuperdayTest } from '../../superday-contract.ts'
import { makePassword } from '../password-store.ts'
import { collectSuperdayTest, makeSuperdayTest } from './superday-test.ts'

/** The way into the test of a mock superday (product 3.15.3): the rest goes by the calls of every test. */
export function serveSuperdayTest(
  api: Api,
  { db, now, secretKey }: AppDependencies,
  enterTurn: EnterTurn,
): void {
  api.serveInTurn(openSuperdayTest, enterTurn, async ({ user, params }) => {
    const at = now()
    const runsUntil = await collectSuperdayTest(db, { userId: user.id, id: params.id }, at)
    const evening = await getStoredSuperday(db.$client, user.id, params.id)
    if (!evening) throw new ApiError(404, 'not_found', 'There is no such mock superday here.')
    if (evening.test) {
      throw new ApiError(409, 'already_submitted', 'This test has already been submitted.')
    }
    // One that goes on is gone on with as long as its clock runs.
    if (!runsUntil && (!isOpen(evening, at) || at > testTimes(evening).lastStartAt)) {
      throw new ApiError(409, 'superday_over', 'It is too late for the test of this evening.')
    }
    const password = makePassword()
    const call = { userId: user.id, evening, password }
    return { ...(await makeSuperdayTest(db, secretKey, call, at)), password }
  })
}
