import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'

/** Time, messages, strikes: what organisers do while candidates write (product 7.15). */
export function serveActs(_api: Api, _dependencies: AppDependencies): void {}
