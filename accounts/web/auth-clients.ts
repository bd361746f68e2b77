import type { GoTrueClient, GoTrueClientOptions } from '@supabase/auth-js'
import { STORAGE_KEY } from '../../platform/web/session.tsx'
import { tabStore } from '../../platform/web/storage.ts'

/** Creates a client on first use, and only one, because a second one with the same key logs a warning. */
function once(options: () => GoTrueClientOptions): () => Promise<GoTrueClient> {
  let client: GoTrueClient | undefined
  return async () => {
    const { makeClient } = await import('../../platform/web/auth-client.ts')
    client ??= makeClient(options())
    return client
  }
}

/** Stores nothing: after signing up the screen switches to Sign In (product 2.3.8). */
export const createForgetfulAuth = once(() => ({
  storageKey: `${STORAGE_KEY}-sign-up`,
  persistSession: false,
  autoRefreshToken: false,
}))

const RECOVERY_KEY = `${STORAGE_KEY}-recovery`

/** The recovery's client. In sessionStorage it survives a reload, and an abandoned one leaves no session. */
export const createRecoveryAuth = once(() => ({
  storageKey: RECOVERY_KEY,
  storage: { getItem: tabStore.get, setItem: tabStore.set, removeItem: tabStore.remove },
  autoRefreshToken: false,
}))

/** The address that this tab is recovering, or null. */
export function recoveringEmail(): string | null {
  try {
    return JSON.parse(tabStore.get(RECOVERY_KEY) ?? 'null')?.user?.email ?? null
  } catch {
    return null
  }
}

export function forgetRecovery(): void {
  tabStore.remove(RECOVERY_KEY)
}
