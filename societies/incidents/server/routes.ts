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

/** Serves incidents, their verdicts, and one candidate's page (product 7.16). */
export function serveIncidents(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)
  const reports = createQuota(dependencies, {
    name: 'incidentReports',
    limit: 60,
    sentence: 'You have written too many reports today.',
  })
  serve(contract.listIncidents, ({ organizer }) => readList(organizer))
  serve(contract.getCandidateFile, ({ organizer, params: { candidate } }) =>
    read(organizer, async (client) => (await readFile(client, organizer, candidate)).file),
  )
  serve(contract.findCandidate, ({ organizer, params }) => findCandidate(organizer, params.listed))
  serve(contract.showName, ({ organizer, params }) => showName(organizer, params.candidate))
  serve(contract.showScore, ({ organizer, params }) => showScore(organizer, params.candidate))
  serve(contract.decideIncidents, ({ organizer, body }) => decideIncidents(organizer, body))
  serve(contract.withdrawVerdict, ({ organizer, params }) =>
    withdrawVerdict(organizer, params.verdict),
  )
  serve(contract.takeClearedStrikesBack, ({ organizer, body }) =>
    strikes.takeClearedStrikesBack(organizer, body.incidents),
  )
  serve(contract.countStrikesAgain, ({ organizer, body }) =>
    strikes.countStrikesAgain(organizer, body.incidents, body.reason),
  )
  serve(contract.writeReport, ({ organizer, body }) => writeReport(organizer, body, reports))
  serve(contract.getComparable, ({ organizer }) => readComparable(organizer))
  serve(contract.compareCandidates, ({ organizer, body }) => compareTwo(organizer, body))

  serve(acts.takeStrikesBack, ({ organizer, body }) =>
    strikes.takeStrikesBack(organizer, body.events, body.reason),
  )
  serve(acts.restoreStrikes, async ({ organizer, body }) => ({
    events: await strikes.restoreStrikes(organizer, body.events, body.reason),
  }))
  serve(acts.listLateAnswers, ({ organizer }) => previewLate(organizer))
  serve(acts.acceptLateAnswers, ({ organizer, body }) => acceptLateAnswers(organizer, body))
}
