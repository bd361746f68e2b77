import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'

/** Two forms, two sessions, and pairs of answers (product 7.19). */
export function serveSessions(_api: Api, _dependencies: AppDependencies): void {}
