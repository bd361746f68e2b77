import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'

/** Results, the line, names and release (product 7.17). */
export function serveResults(_api: Api, _dependencies: AppDependencies): void {}
