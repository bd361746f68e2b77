import type { Session as AuthSession, GoTrueClient, User } from '@supabase/auth-js'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { connectivity, whenOfflineOrAfter } from './connection/connectivity.ts'
import { deviceStore } from './storage.ts'
import { whenIdle } from './when-idle.ts'

export const STORAGE_KEY = 'superday-auth'

let loading: Promise<GoTrueClient> | undefined

/** The browser's session client, loaded alongside the first screen. Rejects if it can't be loaded. */
export function authClient(): Promise<GoTrueClient> {
  loading ??= import('./auth-client.ts').then(
    ({ makeSessionClient }) => {
      const client = makeSessionClient(STORAGE_KEY, storedSession)
      client.onAuthStateChange((event, next) => {
        // Offline with an expired token, the client reports no session although one is stored. Keep the user signed in.
        announce(event === 'INITIAL_SESSION' && !next ? storedSession() : next)
      })
      return client
    },
    (error) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

export type Session =
  | { status: 'loading'; user: null }
  | { status: 'signed-out'; user: null }
  | { status: 'signed-in'; user: User }

const LOADING: Session = { status: 'loading', user: null }
const SIGNED_OUT: Session = { status: 'signed-out', user: null }

const SessionContext = createContext<Session>(LOADING)

/** Milliseconds to wait for an expired token's refresh while the server responds. */
const FIRST_ANSWER_LIMIT_MS = 3_000

/** Returns the current session or the next one: the same object if nothing visible changes. */
function nextSession(current: Session, next: AuthSession | null): Session {
  if (!next) return current.status === 'signed-out' ? current : SIGNED_OUT
  const isSame =
    current.status === 'signed-in' &&
    current.user.id === next.user.id &&
    current.user.is_anonymous === next.user.is_anonymous &&
    current.user.email === next.user.email
  return isSame ? current : { status: 'signed-in', user: next.user }
}

/** The session before the client is loaded. It is complete unless the token expired. */
function firstSession(): Session {
  const stored = storedSession()
  if (!stored) return SIGNED_OUT
  return isFresh(stored) ? { status: 'signed-in', user: stored.user } : LOADING
}

/** Provides the session to all components, and follows changes in any tab. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient()
  const [session, setSession] = useState<Session>(firstSession)

  useEffect(() => {
    const first = firstSession()
    let isKnown = first.status !== 'loading'
    let userId = first.user?.id
    const accept = (next: AuthSession | null) => {
      // Data read for one person is never shown to another.
      if (isKnown && next?.user.id !== userId) queryClient.clear()
      isKnown = true
      userId = next?.user.id
      // SIGNED_IN fires whenever the page becomes visible. For the same person nothing happens.
      setSession((current) => nextSession(current, next))
    }
    listeners.add(accept)
    const cancelLimit = whenOfflineOrAfter(FIRST_ANSWER_LIMIT_MS, () => {
      if (!isKnown) accept(storedSession())
    })
    // The client refreshes the token in time and follows other tabs. If it can't be loaded, the stored session stays.
    const begin = () => void authClient().catch(() => {})
    const stopWaiting = isKnown ? whenIdle(begin) : begin()
    // Another tab signed in or out without its message arriving, or replaced the session, or site data was cleared.
    const onStorage = (event: StorageEvent) => {
      if (event.key === null || event.key === STORAGE_KEY) accept(storedSession())
    }
    window.addEventListener('storage', onStorage)
    return () => {
      cancelLimit()
      stopWaiting?.()
      listeners.delete(accept)
      window.removeEventListener('storage', onStorage)
    }
  }, [queryClient])

  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>
}

/** A token that expires within this many milliseconds is refreshed before use, as in auth-js. */
const RENEWED_BEFORE_MS = 90_000

const isFresh = ({ expires_at }: AuthSession): boolean =>
  expires_at !== undefined && expires_at * 1000 - Date.now() > RENEWED_BEFORE_MS

/** The session for a call, refreshed, or as stored when offline (product 3.17.4). Null: signed out. */
export async function currentSession(): Promise<AuthSession | null> {
  const stored = storedSession()
  if (!stored || isFresh(stored) || connectivity.isOffline()) return stored
  const renewed = authClient().then(async (client) => {
    const { data } = await client.getSession()
    // The client has none if another tab stored a newer one in the meantime. Ended sessions aren't stored.
    return data.session ?? storedSession()
  })
  const asItIs = new Promise<AuthSession | null>((resolve) => {
    whenOfflineOrAfter(FIRST_ANSWER_LIMIT_MS, () => resolve(storedSession()))
  })
  return Promise.race([renewed, asItIs])
}

/** This browser's stored session, which may be newer than the one on screen. */
export function storedSession(): AuthSession | null {
  try {
    const session = JSON.parse(deviceStore.get(STORAGE_KEY) ?? 'null')
    return session?.access_token && session?.refresh_token && session?.user ? session : null
  } catch {
    return null
  }
}

export function useSession(): Session {
  return useContext(SessionContext)
}

/** The signed-in user. Use it only below the guard of app/web/routes.tsx. */
export function useUser(): User {
  const session = useSession()
  if (!session.user) throw new Error('useUser needs a signed-in user')
  return session.user
}

/** Notifies the providers of changes for which the client has no event. */
export function announce(next: AuthSession | null): void {
  for (const accept of listeners) accept(next)
}

const listeners = new Set<(next: AuthSession | null) => void>()

/** Clears user and session in this browser only, because the server may have ended the session already. */
export function forgetSession(): void {
  deviceStore.remove(STORAGE_KEY)
  announce(null)
}

/** The session fields of a server response, without the user. */
export type SessionTokens = Omit<AuthSession, 'user' | 'expires_at'>

/** Stores a session in this browser for every tab, without asking the server. */
export function storeSession(tokens: SessionTokens, user: User): void {
  // Uses the device's clock, which may be wrong, because auth-js does too (product 2.1.8).
  const expiresAt = Math.round(Date.now() / 1000) + tokens.expires_in
  const session: AuthSession = { ...tokens, expires_at: expiresAt, user }
  deviceStore.set(STORAGE_KEY, JSON.stringify(session))
  announce(session)
}
