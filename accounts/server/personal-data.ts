import { createAddressOf } from '../../platform/server/address.ts'
import type { Api } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import type { PersonalData } from '../../platform/server/personal-data.ts'
import { deleteProfile, exportProfile } from '../contract.ts'
import { closeAccounts } from './deletion.ts'
import { createPersonalExport } from './personal-export.ts'
import { confirmPassword } from './sign-in/confirm-password.ts'
import type { RateLimits } from './sign-in/rate-limits.ts'

/** What this room holds on a person. */
export const ACCOUNT_DATA: PersonalData = {
  users: `select email, email_verified_at, is_anonymous, metadata, created_at, updated_at,
    last_sign_in_at, recovery_sent_at from users where id = $1`,
  profiles: 'select created_at from profiles where user_id = $1',
  sessions: {
    keys: 'select id from sessions where user_id = $1 order by created_at, id',
    rows: `select created_at, refreshed_at, user_agent, ip from sessions
      where user_id = $1 and id = any ($2::uuid[]) order by created_at, id`,
  },
  second_factors: 'select created_at, verified_at from second_factors where user_id = $1',
  address_changes: 'select email, created_at, expires_at from address_changes where user_id = $1',
  recovery_tokens: 'select created_at, expires_at from recovery_tokens where user_id = $1',
}

/**
 * Download and deletion of one's own data (product 2.8).
 * @param held what all rooms hold on a person
 */
export function servePersonalData(
  api: Api,
  dependencies: AppDependencies,
  limits: RateLimits,
  held: PersonalData,
): void {
  const { db, now } = dependencies
  const addressOf = createAddressOf(dependencies)
  const makeExport = createPersonalExport(dependencies, held)

  api.serve(exportProfile, async ({ user, body, context }) => {
    await confirmPassword(db, limits, user, body.password, addressOf(context))
    return makeExport(user.id, context)
  })

  api.serve(deleteProfile, async ({ user, body, context }) => {
    await confirmPassword(db, limits, user, body.password, addressOf(context))
    await closeAccounts(db, now(), [user.id])
    return { deleting: true as const }
  })
}
