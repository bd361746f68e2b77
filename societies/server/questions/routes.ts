import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { serveEditor } from './editor-routes.ts'

/** An assessment’s questions, the society’s bank (product 7.9). */
export function serveQuestions(api: Api, dependencies: AppDependencies): void {
  serveEditor(api, dependencies)
}
