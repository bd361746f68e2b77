import { type Session as AuthSession, GoTrueClient, type User } from '@supabase/auth-js'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { DEVICE_HEADER } from '../device.ts'
import { followReplaced } from './replaced-session.ts'
import { deviceStore } from './storage.ts'

const AUTH_URL = `${location.origin}/auth/v1`
/** Where the browser keeps the session. */
export const STORAGE_KEY = 'superday-auth'

/**
 * auth-js reckons the expiry from expires_in when expires_at is missing. It is taken out here because
 * a device whose clock is fast would otherwise refresh at every call (docs/decisions/).
 */
async function fetchAuth(input: RequestInfo | URL, init?: RequestInit) {
  const headers = new Headers(init?.headers)
  headers.set(DEVICE_HEADER, deviceSecret())
  const response = await fetch(input, { ...init, headers })
  if (!response.ok || !response.headers.get('content-type')?.includes('json')) return response
  const body = await response.json()
  if (body && typeof body === 'object') delete body.expires_at
  return new Response(JSON.stringify(body), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  })
}

/**
 * A secret that this browser makes for itself. Shown at a sign-in it tells that the account was here before,
 * so that nobody who tries passwords behind the same address can keep its owner out. The server keeps no
 * more of it than a keyed hash beside the account.
 */
function deviceSecret(): string {
  const stored = deviceStore.get(DEVICE_KEY)
  if (stored) return stored
  const made = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  deviceStore.set(DEVICE_KEY, made)
  return made
}
const DEVICE_KEY = 'superday-device'

/** What every client of the authentication service is made with. */
export const clientOptions = {
  url: AUTH_URL,
  flowType: 'implicit',
  detectSessionInUrl: false,
  fetch: fetchAuth,
} as const

/**
 * The one client that owns the session of this browser. It stores where storeSession does, and follows when
 * a session was replaced.
 */
export const auth = new GoTrueClient({
  ...clientOptions,
  storageKey: STORAGE_KEY,
  storage: {
    getItem: deviceStore.get,
    setItem: deviceStore.set,
    removeItem: deviceStore.remove,
  },
  fetch: followReplaced(fetchAuth, storedSession),
})

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
    const timer = setTimeout(
      () => {
        if (!isKnown) accept(storedSession())
      },
      navigator.onLine ? FIRST_ANSWER_LIMIT_MS : 0,
    )
    listeners.add(accept)
    // Signed out or in in a tab whose message did not arrive, a session replaced, or site data cleared.
    const onStorage = (event: StorageEvent) => {
      if (event.key === null || event.key === STORAGE_KEY) accept(storedSession())
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

/**
 * The session to call with. Where the client cannot renew one that has expired, for want of a network, it is
 * the stored one as it is: what answers without a network asks whose it is (product 3.17.4), and a server that
 * is there after all says 401.
 */
export async function sessionToCall(): Promise<AuthSession | null> {
  if (!navigator.onLine) return storedSession()
  const stored = new Promise<AuthSession | null>((resolve) => {
    setTimeout(() => resolve(storedSession()), FIRST_ANSWER_LIMIT_MS)
  })
  return Promise.race([auth.getSession().then(({ data }) => data.session), stored])
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
  deviceStore.remove(STORAGE_KEY)
  announce(null)
}

/** What an answer of the server says of a session, beside its user. */
export type SessionTokens = Omit<AuthSession, 'user' | 'expires_at'>

/** Makes a session this browser's own, in every tab, without asking the server for anything. */
export function storeSession(tokens: SessionTokens, user: User): void {
  // By this device's clock, which may be wrong, as the client itself reckons (product 2.1.8).
  const expiresAt = Math.round(Date.now() / 1000) + tokens.expires_in
  const session: AuthSession = { ...tokens, expires_at: expiresAt, user }
  deviceStore.set(STORAGE_KEY, JSON.stringify(session))
  announce(session)
}
