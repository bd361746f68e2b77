import type { GoTrueClient, GoTrueClientOptions } from '@supabase/auth-js'
import { STORAGE_KEY } from '../../platform/web/session.tsx'

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

/** The recovery's client. In sessionStorage it survives a reload, and an abandoned one leaves nobody signed in. */
export const createRecoveryAuth = once(() => ({
  storageKey: RECOVERY_KEY,
  storage: tabStorage(),
  autoRefreshToken: false,
}))

/** The address that this tab is recovering, or null. */
export function recoveringEmail(): string | null {
  try {
    return JSON.parse(tabStorage().getItem(RECOVERY_KEY) ?? 'null')?.user?.email ?? null
  } catch {
    return null
  }
}

export function forgetRecovery(): void {
  tabStorage().removeItem(RECOVERY_KEY)
}

const memory = new Map<string, string>()

/** This tab's sessionStorage, or memory where it is blocked. */
function tabStorage() {
  try {
    // Where site data is blocked, even reading the property throws.
    sessionStorage.getItem(RECOVERY_KEY)
    return sessionStorage
  } catch {
    return {
      getItem: (key: string) => memory.get(key) ?? null,
      setItem: (key: string, value: string) => void memory.set(key, value),
      removeItem: (key: string) => void memory.delete(key),
    }
  }
}
