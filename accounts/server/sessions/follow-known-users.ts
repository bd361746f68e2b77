import { startListening } from '../../../platform/database/announcements.ts'
import { KnownUsers } from '../../../platform/server/known-users.ts'
import type { Logger } from '../../../platform/server/log.ts'
import { isUuid } from '../tables.ts'

/** What the triggers of migration 0035 announce on: a person's id, or nothing for everybody. */
const CHANNEL = 'known_users'

/** What a node remembers of callers, void once anything changes it (product 2.1.11). `renew`: the server is lost. */
export function followKnownUsers(
  databaseUrl: string,
  log: Logger,
  options: { silentMs?: number } = {},
): { users: KnownUsers; renew(): void; stop(): Promise<void> } {
  const users = new KnownUsers(() => line.isHeard())
  const line = startListening({
    url: databaseUrl,
    channel: CHANNEL,
    // After any other announcement, an extra read is better than a stale one.
    onNotice: (text) => (isUuid(text) ? users.forget(text.toLowerCase()) : users.forgetAll()),
    onGap: () => users.forgetAll(),
    log,
    ...options,
  })
  return { users, renew: () => line.renew(), stop: () => line.stop() }
}
