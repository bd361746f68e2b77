import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'

/** Incidents, their verdicts, and one candidate on a page (product 7.16). */
export function serveIncidents(_api: Api, _dependencies: AppDependencies): void {}
