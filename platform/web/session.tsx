import { type Session as AuthSession, GoTrueClient, type User } from '@supabase/auth-js'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'

const AUTH_URL = `${location.origin}/auth/v1`
/** Where the browser keeps the session. */
export const STORAGE_KEY = 'superday-auth'

/**
 * auth-js reckons the expiry from expires_in when expires_at is missing. It is taken out here because
 * a device whose clock is fast would otherwise refresh at every call (docs/decisions/).
 */
async function fetchWithoutExpiresAt(input: RequestInfo | URL, init?: RequestInit) {
  const response = await fetch(input, init)
  if (!response.ok || !response.headers.get('content-type')?.includes('json')) return response
  const body = await response.json()
  if (body && typeof body === 'object') delete body.expires_at
  return new Response(JSON.stringify(body), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  })
}

/** What every client of the authentication service is made with. */
export const clientOptions = {
  url: AUTH_URL,
  flowType: 'implicit',
  detectSessionInUrl: false,
  fetch: fetchWithoutExpiresAt,
} as const

/** The one client that owns the session of this browser. */
export const auth = new GoTrueClient({ ...clientOptions, storageKey: STORAGE_KEY })

export type Session =
  | { status: 'loading'; user: null }
  | { status: 'signed-out'; user: null }
  | { status: 'signed-in'; user: User }

const LOADING: Session = { status: 'loading', user: null }
const SIGNED_OUT: Session = { status: 'signed-out', user: null }

const SessionContext = createContext<Session>(LOADING)

/** How long the first answer of the client may take (offline with an expired token: some 25 s). */
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

/** Tells everything below who is signed in, and follows every change in any tab. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient()
  const [session, setSession] = useState<Session>(LOADING)

  useEffect(() => {
    let isKnown = false
    let userId: string | undefined
    const accept = (next: AuthSession | null) => {
      // What was read for one person is never shown to another.
      if (isKnown && next?.user.id !== userId) queryClient.clear()
      isKnown = true
      userId = next?.user.id
      // SIGNED_IN fires again whenever the page becomes visible: nothing happens for the same person.
      setSession((current) => nextSession(current, next))
    }
    const { data } = auth.onAuthStateChange((event, next) => {
      // Offline with an expired token the client says 'no session' although one is stored: not signed out.
      if (event === 'INITIAL_SESSION' && !next) accept(storedSession())
      else accept(next)
    })
    const timer = setTimeout(() => {
      if (!isKnown) accept(storedSession())
    }, FIRST_ANSWER_LIMIT_MS)
    listeners.add(accept)
    // Signed out in a tab whose message did not arrive, or site data cleared by hand.
    const onStorage = (event: StorageEvent) => {
      const isGone = event.key === null || (event.key === STORAGE_KEY && event.newValue === null)
      if (isGone && !storedSession()) accept(null)
    }
    window.addEventListener('storage', onStorage)
    return () => {
      clearTimeout(timer)
      data.subscription.unsubscribe()
      listeners.delete(accept)
      window.removeEventListener('storage', onStorage)
    }
  }, [queryClient])

  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>
}

function storedSession(): AuthSession | null {
  try {
    const session = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null')
    return session?.access_token && session?.refresh_token && session?.user ? session : null
  } catch {
    return null
  }
}

/** Who is signed in, or that it isn't known yet. */
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
  try {
    localStorage.removeItem(STORAGE_KEY)
  } catch {
    // Where storage is forbidden nothing was stored.
  }
  announce(null)
}
