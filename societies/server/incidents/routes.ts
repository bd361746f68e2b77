import type { Api } from '../../../platform/server/api.ts'
import type { CurrentOrganiser, CurrentUser } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { compareCandidates, getComparable } from '../../contract/compare.ts'
import * as contract from '../../contract/incidents.ts'
import { memberOf } from '../action.ts'
import { fileResponse } from '../results/files/file-response.ts'
import { exportReport } from '../results/report-file.ts'
import { getCandidateFile } from './candidate-file.ts'
import { countStrikesAgain, takeClearedStrikesBack } from './cleared-strikes.ts'
import { compareTwo, readComparable } from './compare/compare.ts'
import { decideIncidents, withdrawVerdict } from './decide.ts'
import { readList } from './list.ts'
import { reachOf } from './reach.ts'
import { writeReport } from './reports.ts'
import { showName, showScore } from './uncover.ts'

/** Incidents, their verdicts, and one candidate on a page (product 7.16). */
export function serveIncidents(api: Api, dependencies: AppDependencies): void {
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

  api.serve(contract.exportCandidateReport, async (call) => {
    const { organiser, params, body, context } = call
    const { name, content } = await exportReport(
      whoCalls(call),
      params.code,
      {
        candidate: params.candidate,
        // A reviewer exports without names (product 7.7.4).
        withName: body.withName && organiser.extent === 'all',
        withKeys: body.withKeys,
      },
      context.req.raw.signal,
    )
    return fileResponse(name, 'application/pdf', content)
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
  api.serve(getComparable, ({ user, params }) => readComparable(organiserOf(user), params.code))
  api.serve(compareCandidates, ({ user, params, body }) =>
    compareTwo(organiserOf(user), params.code, body),
  )
}
