import type { Api } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { getSocietyAssessment, listSocietyAssessments } from '../contract.ts'
import { read } from './action.ts'
import { serveActs } from './acts/routes.ts'
import { serveAnalysis } from './analysis/routes.ts'
import { type ListedAssessment, listReachedWith } from './assessments.ts'
import { serveCandidates } from './candidates/routes.ts'
import { serveExchange } from './exchange/routes.ts'
import { serveIncidents } from './incidents/routes.ts'
import { serveLifecycle } from './lifecycle/routes.ts'
import { serveLive } from './live/routes.ts'
import { serveLog } from './log/routes.ts'
import { serveQuestions } from './questions/routes.ts'
import { refuse } from './refuse.ts'
import type { RequestInProcess } from './rehearsal/crowd.ts'
import { serveRehearsal } from './rehearsal/routes.ts'
import { serveResults } from './results/routes.ts'
import { serveSeasons } from './seasons/routes.ts'
import { serveMembers } from './serve-members.ts'
import { serveTeam } from './team/routes.ts'

/**
 * The society's side in the browser (product 7.7).
 * @param request a call of the whole application, in this process
 */
export function serveSocieties(
  api: Api,
  dependencies: AppDependencies,
  request: RequestInProcess,
): void {
  serveTeam(api, dependencies)
  serveLifecycle(api, dependencies)
  serveQuestions(api, dependencies)
  serveExchange(api, dependencies)
  serveCandidates(api, dependencies)
  serveRehearsal(api, dependencies, request)
  serveLive(api, dependencies)
  serveActs(api, dependencies)
  serveIncidents(api, dependencies)
  serveResults(api, dependencies)
  serveAnalysis(api, dependencies)
  serveLog(api, dependencies)
  serveSeasons(api, dependencies)

  const serve = serveMembers(api, dependencies)

  serve(listSocietyAssessments, async ({ organiser }) => {
    const found = await read(organiser, (client) =>
      listReachedWith(client, organiser.now, organiser),
    )
    return found.map(shown)
  })

  serve(getSocietyAssessment, async ({ organiser }) => {
    const [found] = await read(organiser, (client) =>
      listReachedWith(client, organiser.now, organiser),
    )
    // It may have been deleted since the guard looked.
    if (!found) throw refuse(404, 'not_found', `There is no test ${organiser.code}.`)
    return shown(found)
  })
}

const shown = (row: ListedAssessment) => ({
  code: row.code,
  society: row.society,
  session: row.session,
  season: row.season,
  isDraft: row.isDraft,
  durationSeconds: row.durationSeconds,
  opensAt: row.opensAt,
  closesAt: row.closesAt,
  timeZone: row.timeZone,
  itemCount: row.itemCount,
  candidateCount: row.candidateCount,
  runningCount: row.runningCount,
  submittedCount: row.submittedCount,
})
