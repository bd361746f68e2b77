import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'

/** An assessment’s list of candidates and how their credentials reach them (product 7.10). */
export function serveCandidates(_api: Api, _dependencies: AppDependencies): void {}
