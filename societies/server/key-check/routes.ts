import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import {
  answerKeyCheck,
  compareKeys,
  finishKeyCheck,
  getKeyCheck,
  overruleKey,
  startKeyCheck,
  withdrawOverruledKey,
} from '../../contract/key-check.ts'
import { memberOf } from '../action.ts'
import { compareWithKeys } from './comparison.ts'
import { overruleKeyCheck, withdrawOverruling } from './overrule.ts'
import { finishSitting, keepAnswer, readKeyCheck, startSitting } from './sittings.ts'

/** The blind key check (product 7.9.40 to 7.9.44, 7.9.48). */
export function serveKeyCheck(api: Api, { db, now }: AppDependencies): void {
  const organiserOf = memberOf({ db, now })
  const place = ({ code }: { code: string }, { societyId }: { societyId: string }) => ({
    ...{ code, societyId },
  })

  api.serve(getKeyCheck, async ({ params, user, organiser }) =>
    readKeyCheck(organiserOf(user), place(params, organiser)),
  )

  api.serve(startKeyCheck, async ({ params, user, organiser }) =>
    startSitting(organiserOf(user), place(params, organiser)),
  )

  api.serve(answerKeyCheck, async ({ params, user, organiser, body }) => {
    await keepAnswer(organiserOf(user), place(params, organiser), params.sitting, body)
    return { done: true as const }
  })

  api.serve(finishKeyCheck, async ({ params, user, organiser }) =>
    finishSitting(organiserOf(user), place(params, organiser), params.sitting),
  )

  api.serve(compareKeys, async ({ params, user, organiser }) => {
    const questions = await compareWithKeys(organiserOf(user), place(params, organiser))
    return { questions }
  })

  api.serve(overruleKey, async ({ params, user, organiser, body }) => {
    await overruleKeyCheck(organiserOf(user), place(params, organiser), body)
    return { done: true as const }
  })

  api.serve(withdrawOverruledKey, async ({ params, user, organiser }) => {
    await withdrawOverruling(organiserOf(user), place(params, organiser), params.upheld)
    return { done: true as const }
  })
}
