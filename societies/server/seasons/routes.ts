import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'

/** How long a season is kept, and its fairness card (product 7.21). */
export function serveSeasons(_api: Api, _dependencies: AppDependencies): void {}
