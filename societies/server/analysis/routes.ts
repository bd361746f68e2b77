import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'

/** What the test is worth, question by question, and rulings (product 7.18). */
export function serveAnalysis(_api: Api, _dependencies: AppDependencies): void {}
