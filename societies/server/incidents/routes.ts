import { type Api, ApiError } from '../../../platform/server/api.ts'
import type { CurrentOrganiser, CurrentUser } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import * as contract from '../../contract/incidents.ts'
import { blindNumber } from '../../number-words.ts'
import { memberOf, read } from '../action.ts'
import { exportCoveredDossier } from '../results/dossier.ts'
import { writeDossier } from '../results/dossier-text.ts'
import { getCandidateFile } from './candidate-file.ts'
import { countStrikesAgain, takeClearedStrikesBack } from './cleared-strikes.ts'
import { decideIncidents, withdrawVerdict } from './decide.ts'
import { readList } from './list.ts'
import { reachOf } from './reach.ts'
import { writeReport } from './reports.ts'
import { showName, showScore } from './uncover.ts'

/** Incidents, their verdicts, and one candidate on a page (product 7.16). */
export function serveIncidents(api: Api, dependencies: AppDependencies): void {
  const { db } = dependencies
  const organiserOf = memberOf(dependencies)
  const whoCalls = ({ user, organiser }: { user: CurrentUser; organiser: CurrentOrganiser }) => ({
    ...organiserOf(user),
    reach: reachOf(organiser),
  })

  api.serve(contract.listIncidents, (call) => readList(whoCalls(call), call.params.code))

  api.serve(contract.getCandidateFile, (call) => {
    const { code, candidate } = call.params
    return getCandidateFile(whoCalls(call), code, candidate, { isLive: call.query.live === '1' })
  })

  api.serve(contract.showName, (call) => showName(whoCalls(call), call.params))
  api.serve(contract.showScore, (call) => showScore(whoCalls(call), call.params))

  api.serve(contract.writeCandidateDossier, async (call) => {
    const { organiser, params, body } = call
    const member = whoCalls(call)
    const { code, candidate } = params
    const { number } = await read({ db }, async (client) => {
      const { rows } = await client.query<{ number: number }>(
        'select number from blind_numbers where assessment = $1 and candidate_id = $2',
        [code, candidate],
      )
      // The paper is in it.
      if (!(await mayReadKeys(client, code, member.reach, member.now))) throw notOver()
      return { number: rows[0]?.number ?? null }
    })
    // A reviewer exports without names (product 7.7.4).
    const withName = body.withName && organiser.extent === 'all'
    const as = withName ? null : candidateName(number)
    const dossier = await exportCoveredDossier(member, code, candidate, {
      ...{ as, hasKeys: body.withKeys },
    })
    if (!dossier) {
      throw new ApiError(404, 'not_found', 'This candidate is not on the list any more.')
    }
    const called = as === null ? dossier.candidate.username : as
    const fileName = `${code}-${called.replace(/[^\p{L}\p{N}.-]+/gu, '-')}.md`
    return { fileName, text: writeDossier(dossier) }
  })

  api.serve(contract.decideIncidents, ({ user, organiser, params, body }) => {
    const { extent } = organiser
    return decideIncidents(organiserOf(user), { code: params.code, extent }, body)
  })
  api.serve(contract.withdrawVerdict, ({ user, organiser, params }) => {
    const { code, verdict } = params
    return withdrawVerdict(organiserOf(user), { code, verdict, extent: organiser.extent })
  })
  api.serve(contract.takeClearedStrikesBack, ({ user, params, body }) =>
    takeClearedStrikesBack(organiserOf(user), params.code, body.incidents),
  )
  api.serve(contract.countStrikesAgain, ({ user, params, body }) =>
    countStrikesAgain(organiserOf(user), params.code, body.incidents, body.reason),
  )
  api.serve(contract.writeReport, (call) =>
    writeReport(whoCalls(call), call.params.code, {
      ...call.body,
      happenedAt: new Date(call.body.happenedAt),
    }),
  )
}

/** 'candidate 021': what stands for a name that is covered. */
const candidateName = (number: number | null) =>
  number === null ? 'a candidate' : `candidate ${blindNumber(number)}`
