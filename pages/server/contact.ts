import type { Api } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { getContact } from '../contract.ts'

/** Whom to write to. */
export function serveContact(
  api: Api,
  { supportEmail, privacyEmail }: Pick<AppDependencies, 'supportEmail' | 'privacyEmail'>,
): void {
  api.serve(getContact, async () => ({ supportEmail, privacyEmail }))
}
