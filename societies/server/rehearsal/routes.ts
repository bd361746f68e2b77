import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'

/** What candidates and organisers try before the day (product 7.11). */
export function serveRehearsal(_api: Api, _dependencies: AppDependencies): void {}
