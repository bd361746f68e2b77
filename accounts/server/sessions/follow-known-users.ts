import { startListening } from '../../../platform/database/announcements.ts'
import { KnownUsers } from '../../../platform/server/known-users.ts'
import type { Logger } from '../../../platform/server/log.ts'
import { isUuid } from '../tables.ts'

/** The channel that the triggers of migration 0035 notify, with a person's id, or an empty text for everyone. */
const CHANNEL = 'known_users'

/** A node's cache of callers, which change notifications keep valid (product 2.1.11). `renew`: the server is lost. */
export function followKnownUsers(
  databaseUrl: string,
  log: Logger,
  options: { silentMs?: number } = {},
): { users: KnownUsers; renew(): void; stop(): Promise<void> } {
  const users = new KnownUsers(() => line.isHeard())
  const line = startListening({
    url: databaseUrl,
    channel: CHANNEL,
    // For any other notification, an extra read is better than a stale one.
    onNotice: (text) => (isUuid(text) ? users.forget(text.toLowerCase()) : users.forgetAll()),
    onGap: () => users.forgetAll(),
    log,
    ...options,
  })
  return { users, renew: () => line.renew(), stop: () => line.stop() }
}
