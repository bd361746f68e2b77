import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { createQuota } from '../../../platform/server/quota.ts'
import { serveMembers } from '../../access/server/serve-members.ts'
import * as acts from '../../acts/contract.ts'
import { read } from '../../kit/server/action.ts'
import * as contract from '../contract.ts'
import { readFile } from './candidate-file.ts'
import { compareTwo, readComparable } from './compare.ts'
import { decideIncidents, withdrawVerdict, writeReport } from './decide.ts'
import { acceptLateAnswers, previewLate } from './late-answers.ts'
import { readList } from './list.ts'
import * as strikes from './strikes.ts'
import { findCandidate, showName, showScore } from './uncover.ts'

/** Incidents, their verdicts, and one candidate's page (product 7.16). */
export function serveIncidents(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)
  const reports = createQuota(dependencies, {
    name: 'incidentReports',
    limit: 60,
    sentence: 'You have written many reports today.',
  })
  serve(contract.listIncidents, ({ organiser }) => readList(organiser))
  serve(contract.getCandidateFile, ({ organiser, params: { candidate } }) =>
    read(organiser, async (client) => (await readFile(client, organiser, candidate)).file),
  )
  serve(contract.findCandidate, ({ organiser, params }) => findCandidate(organiser, params.listed))
  serve(contract.showName, ({ organiser, params }) => showName(organiser, params.candidate))
  serve(contract.showScore, ({ organiser, params }) => showScore(organiser, params.candidate))
  serve(contract.decideIncidents, ({ organiser, body }) => decideIncidents(organiser, body))
  serve(contract.withdrawVerdict, ({ organiser, params }) =>
    withdrawVerdict(organiser, params.verdict),
  )
  serve(contract.takeClearedStrikesBack, ({ organiser, body }) =>
    strikes.takeClearedStrikesBack(organiser, body.incidents),
  )
  serve(contract.countStrikesAgain, ({ organiser, body }) =>
    strikes.countStrikesAgain(organiser, body.incidents, body.reason),
  )
  serve(contract.writeReport, ({ organiser, body }) => writeReport(organiser, body, reports))
  serve(contract.getComparable, ({ organiser }) => readComparable(organiser))
  serve(contract.compareCandidates, ({ organiser, body }) => compareTwo(organiser, body))

  serve(acts.takeStrikesBack, ({ organiser, body }) =>
    strikes.takeStrikesBack(organiser, body.events, body.reason),
  )
  serve(acts.restoreStrikes, async ({ organiser, body }) => ({
    events: await strikes.restoreStrikes(organiser, body.events, body.reason),
  }))
  serve(acts.listLateAnswers, ({ organiser }) => previewLate(organiser))
  serve(acts.acceptLateAnswers, ({ organiser, body }) => acceptLateAnswers(organiser, body))
}
