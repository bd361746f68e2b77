import type { Session as AuthSession, GoTrueClient, User } from '@supabase/auth-js'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { connectivity, whenOfflineOrAfter } from './connection/connectivity.ts'
import { deviceStore } from './storage.ts'
import { whenIdle } from './when-idle.ts'

export const STORAGE_KEY = 'superday-auth'

let loading: Promise<GoTrueClient> | undefined

/** The browser's session client, fetched beside the first screen. Rejects while it can't be fetched. */
export function authClient(): Promise<GoTrueClient> {
  loading ??= import('./auth-client.ts').then(
    ({ makeSessionClient }) => {
      const client = makeSessionClient(STORAGE_KEY, storedSession)
      client.onAuthStateChange((event, next) => {
        // Offline with an expired token the client says 'no session' although one is stored: not signed out.
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

/** How long an expired token's renewal is waited for while the server answers. */
const FIRST_ANSWER_LIMIT_MS = 3_000

/** Who is shown now, and who is next: the same object when nothing that is shown changes. */
function nextSession(current: Session, next: AuthSession | null): Session {
  if (!next) return current.status === 'signed-out' ? current : SIGNED_OUT
  const isSame =
    current.status === 'signed-in' &&
    current.user.id === next.user.id &&
    current.user.is_anonymous === next.user.is_anonymous &&
    current.user.email === next.user.email
  return isSame ? current : { status: 'signed-in', user: next.user }
}

/** What is known before the client is there: all, unless the token has run out. */
function firstSession(): Session {
  const stored = storedSession()
  if (!stored) return SIGNED_OUT
  return isFresh(stored) ? { status: 'signed-in', user: stored.user } : LOADING
}

/** Tells everything below who is signed in, and follows every change in any tab. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient()
  const [session, setSession] = useState<Session>(firstSession)

  useEffect(() => {
    const first = firstSession()
    let isKnown = first.status !== 'loading'
    let userId = first.user?.id
    const accept = (next: AuthSession | null) => {
      // What was read for one person is never shown to another.
      if (isKnown && next?.user.id !== userId) queryClient.clear()
      isKnown = true
      userId = next?.user.id
      // SIGNED_IN fires again whenever the page becomes visible: nothing happens for the same person.
      setSession((current) => nextSession(current, next))
    }
    listeners.add(accept)
    const cancelLimit = whenOfflineOrAfter(FIRST_ANSWER_LIMIT_MS, () => {
      if (!isKnown) accept(storedSession())
    })
    // Renews the token in time, and hears of other tabs. Without its code all stays as it is stored.
    const begin = () => void authClient().catch(() => {})
    const stopWaiting = isKnown ? whenIdle(begin) : begin()
    // Signed out or in in a tab whose message did not arrive, a session replaced, or site data cleared.
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

/** Same as in auth-js: a token that expires within this time is renewed before it is used, milliseconds. */
const RENEWED_BEFORE_MS = 90_000

const isFresh = ({ expires_at }: AuthSession): boolean =>
  expires_at !== undefined && expires_at * 1000 - Date.now() > RENEWED_BEFORE_MS

/** The session to call with, renewed, or as stored without a network (product 3.17.4). Null: signed out. */
export async function currentSession(): Promise<AuthSession | null> {
  const stored = storedSession()
  if (!stored || isFresh(stored) || connectivity.isOffline()) return stored
  const renewed = authClient().then(async (client) => {
    const { data } = await client.getSession()
    // The client has none to give where another tab stored a newer one meanwhile; a dead one is not stored.
    return data.session ?? storedSession()
  })
  const asItIs = new Promise<AuthSession | null>((resolve) => {
    whenOfflineOrAfter(FIRST_ANSWER_LIMIT_MS, () => resolve(storedSession()))
  })
  return Promise.race([renewed, asItIs])
}

/** The session of this browser as it is stored now, which may be newer than what is shown. */
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

/** The signed-in user; only below the guard of app/web/routes.tsx. */
export function useUser(): User {
  const session = useSession()
  if (!session.user) throw new Error('useUser needs a signed-in user')
  return session.user
}

/** Tells the providers what the client has no event for. */
export function announce(next: AuthSession | null): void {
  for (const accept of listeners) accept(next)
}

const listeners = new Set<(next: AuthSession | null) => void>()

/** Clears user and session in this browser without a word to the server, which may have none any more. */
export function forgetSession(): void {
  deviceStore.remove(STORAGE_KEY)
  announce(null)
}

/** What an answer of the server says of a session, beside its user. */
export type SessionTokens = Omit<AuthSession, 'user' | 'expires_at'>

/** Makes a session this browser's own, in every tab, without asking the server for anything. */
export function storeSession(tokens: SessionTokens, user: User): void {
  // Uses the device's clock, which may be wrong, because auth-js does too (product 2.1.8).
  const expiresAt = Math.round(Date.now() / 1000) + tokens.expires_in
  const session: AuthSession = { ...tokens, expires_at: expiresAt, user }
  deviceStore.set(STORAGE_KEY, JSON.stringify(session))
  announce(session)
}
