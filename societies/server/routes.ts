import type { Api } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { serveTeam } from '../access/server/routes.ts'
import { serveActs } from '../acts/server/routes.ts'
import { serveCandidates } from '../candidates/server/routes.ts'
import { serveIncidents } from '../incidents/server/routes.ts'
import { serveLive } from '../live/server/routes.ts'
import { serveLog } from '../log/server/routes.ts'
import { serveOverview } from '../overview/server/routes.ts'
import { serveExchange } from '../questions/server/exchange/routes.ts'
import { serveQuestions } from '../questions/server/routes.ts'
import { serveResults } from '../results/server/routes.ts'
import type { RequestInProcess } from '../setup/server/rehearsal/crowd.ts'
import { serveSetup } from '../setup/server/routes.ts'

/**
 * Serves the society's side (product 7.7).
 * @param request calls the application within this process
 */
export function serveSocieties(
  api: Api,
  dependencies: AppDependencies,
  request: RequestInProcess,
): void {
  serveTeam(api, dependencies)
  serveSetup(api, dependencies, request)
  serveQuestions(api, dependencies)
  serveExchange(api, dependencies)
  serveCandidates(api, dependencies)
  serveLive(api, dependencies)
  serveActs(api, dependencies)
  serveIncidents(api, dependencies)
  serveResults(api, dependencies)
  serveLog(api, dependencies)
  serveOverview(api, dependencies)
}
