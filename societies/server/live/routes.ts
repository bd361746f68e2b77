import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'

/** The day: who is inside, and who needs somebody (product 7.14). */
export function serveLive(_api: Api, _dependencies: AppDependencies): void {}
