import type { Api } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { getContact } from '../contract.ts'

type Contact = Pick<AppDependencies, 'supportEmail' | 'privacyEmail' | 'founderProfiles'>

/** Serves the contact addresses and the founders' profiles (product 8.2.1, 8.6.1). */
export function serveContact(
  api: Api,
  { supportEmail, privacyEmail, founderProfiles }: Contact,
): void {
  api.serve(getContact, async () => ({
    supportEmail,
    privacyEmail,
    founderProfiles: [...founderProfiles],
  }))
}
