import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { serveMembers } from '../../access/server/serve-members.ts'
import * as acts from '../../acts/contract.ts'
import { read } from '../../kit/server/action.ts'
import * as contract from '../contract.ts'
import { compareCandidates, getComparable } from '../contract-compare.ts'
import { readFile } from './candidate-file.ts'
import { compareTwo, readComparable } from './compare.ts'
import { decideIncidents, withdrawVerdict } from './decide.ts'
import { acceptLateAnswers, previewLate } from './late.ts'
import { readList } from './list.ts'
import { writeReport } from './reports.ts'
import {
  countStrikesAgain,
  exemptCandidate,
  restoreStrikes,
  takeClearedStrikesBack,
  takeStrikesBack,
} from './strikes.ts'
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

  serve(acts.takeStrikesBack, ({ organiser, body }) =>
    takeStrikesBack(organiser, body.events, body.reason),
  )
  serve(acts.restoreStrikes, async ({ organiser, body }) => ({
    events: await restoreStrikes(organiser, body.events, body.reason),
  }))
  serve(acts.exemptFromKinds, ({ organiser, params, body }) =>
    exemptCandidate(organiser, params.candidate, body.kinds),
  )
  serve(acts.listLateAnswers, ({ organiser }) => previewLate(organiser))
  serve(acts.acceptLateAnswers, ({ organiser, body }) => acceptLateAnswers(organiser, body))
}
