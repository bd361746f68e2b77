import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { compareCandidates, getComparable } from '../../contract/compare.ts'
import * as contract from '../../contract/incidents.ts'
import { read } from '../action.ts'
import { fileResponse } from '../results/files/file-response.ts'
import { exportReport } from '../results/report-file.ts'
import { serveMembers } from '../serve-members.ts'
import { readFile } from './candidate-file.ts'
import { compareTwo, readComparable } from './compare/compare.ts'
import { decideIncidents, withdrawVerdict } from './decide.ts'
import { readList } from './list.ts'
import { writeReport } from './reports.ts'
import { countStrikesAgain, takeClearedStrikesBack } from './strikes.ts'
import { showName, showScore } from './uncover.ts'

/** Incidents, their verdicts, and one candidate's page (product 7.16). */
export function serveIncidents(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)
  serve(contract.listIncidents, ({ organiser }) => readList(organiser))
  serve(contract.getCandidateFile, ({ organiser, params, query }) =>
    read(organiser, async (client) => {
      const isLive = query.live === '1'
      return (await readFile(client, organiser, params.candidate, isLive)).file
    }),
  )
  serve(contract.showName, ({ organiser, params }) => showName(organiser, params.candidate))
  serve(contract.showScore, ({ organiser, params }) => showScore(organiser, params.candidate))
  serve(contract.exportCandidateReport, async ({ organiser, params, body, context }) => {
    const { name, content } = await exportReport(
      organiser,
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
  serve(contract.decideIncidents, ({ organiser, body }) => decideIncidents(organiser, body))
  serve(contract.withdrawVerdict, ({ organiser, params }) =>
    withdrawVerdict(organiser, params.verdict),
  )
  serve(contract.takeClearedStrikesBack, ({ organiser, body }) =>
    takeClearedStrikesBack(organiser, body.incidents),
  )
  serve(contract.countStrikesAgain, ({ organiser, body }) =>
    countStrikesAgain(organiser, body.incidents, body.reason),
  )
  serve(contract.writeReport, ({ organiser, body }) => writeReport(organiser, body))
  serve(getComparable, ({ organiser }) => readComparable(organiser))
  serve(compareCandidates, ({ organiser, body }) => compareTwo(organiser, body))
}
