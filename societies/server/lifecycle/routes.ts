import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'

/** From the draft to the deletion of an assessment, its settings, its checklist (product 7.8). */
export function serveLifecycle(_api: Api, _dependencies: AppDependencies): void {}
