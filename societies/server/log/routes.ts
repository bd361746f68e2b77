import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'

/** Who did what (product 7.20). */
export function serveLog(_api: Api, _dependencies: AppDependencies): void {}
