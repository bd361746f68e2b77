import type { GoTrueClient, GoTrueClientOptions } from '@supabase/auth-js'
import { STORAGE_KEY } from '../../platform/web/session.tsx'

/** Makes a client at its first use, and only one: a second one on the same key is warned about. */
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

/** A recovery's client. In sessionStorage it survives a reload, and an abandoned one leaves nobody signed in. */
export const createRecoveryAuth = once(() => ({
  storageKey: RECOVERY_KEY,
  storage: tabStorage(),
  autoRefreshToken: false,
}))

/** The address whose recovery is under way in this tab, or null. */
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

/** This tab's sessionStorage, or memory where that is forbidden. */
function tabStorage() {
  try {
    // Where site data is blocked, the mere mention throws.
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
