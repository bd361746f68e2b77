import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'

/** An assessment’s questions, the society’s bank, import and export, the blind key check (product 7.9). */
export function serveQuestions(_api: Api, _dependencies: AppDependencies): void {}
