import { type Session as AuthSession, GoTrueClient, type User } from '@supabase/auth-js'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'

const AUTH_URL = `${location.origin}/auth/v1`
const STORAGE_KEY = 'superday-auth'

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

const clientOptions = {
  url: AUTH_URL,
  flowType: 'implicit',
  detectSessionInUrl: false,
  fetch: fetchWithoutExpiresAt,
} as const

/** The one client that owns the session of this browser. */
export const auth = new GoTrueClient({ ...clientOptions, storageKey: STORAGE_KEY })

/** Makes a client at its first use, and only one: a second one on the same key is warned about. */
function once(create: () => GoTrueClient): () => GoTrueClient {
  let client: GoTrueClient | undefined
  return () => {
    client ??= create()
    return client
  }
}

/**
 * A client that stores nothing: the sign-up form uses it, because after signing up the screen switches
 * to Sign In (specification, section 4).
 */
export const createForgetfulAuth = once(
  () =>
    new GoTrueClient({
      ...clientOptions,
      storageKey: `${STORAGE_KEY}-sign-up`,
      persistSession: false,
      autoRefreshToken: false,
    }),
)

const RECOVERY_KEY = `${STORAGE_KEY}-recovery`

/**
 * The client of a password recovery. Its session lies in sessionStorage, apart from the browser's own:
 * it survives a reload, moves no other tab, replaces nobody's session before the new password is set,
 * and an abandoned recovery leaves nobody signed in.
 */
export const createRecoveryAuth = once(
  () =>
    new GoTrueClient({
      ...clientOptions,
      storageKey: RECOVERY_KEY,
      storage: tabStorage(),
      autoRefreshToken: false,
    }),
)

/**
 * The address whose recovery is under way in this tab (its link or code was accepted, no password is set
 * yet), or null.
 */
export function recoveringEmail(): string | null {
  try {
    return JSON.parse(tabStorage().getItem(RECOVERY_KEY) ?? 'null')?.user?.email ?? null
  } catch {
    return null
  }
}

/** Forgets the recovery in this tab; its session, if it is still good, belongs to someone else now. */
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

/** The providers; told by hand where the client has no event for what happened. */
const listeners = new Set<(next: AuthSession | null) => void>()

/**
 * Goes on as a guest (anonymous sign-in). A session that already exists is never replaced: a guest has no
 * other way back to it. Throws the client's error, also when it can't be known whether there is one.
 */
export async function signInAsGuest(): Promise<void> {
  const { data, error } = await auth.getSession()
  if (error) throw error
  if (data.session) {
    for (const accept of listeners) accept(data.session)
    return
  }
  const guest = await auth.signInAnonymously()
  if (guest.error) throw guest.error
}

/** How long signing out may wait for the client (offline with an expired token: some 25 s). */
const SIGN_OUT_LIMIT_MS = 1_000

/**
 * Signs this device out. User and session are cleared in the browser even when the call fails
 * (specification, section 4), and without waiting for its answer; errors are only logged.
 */
export async function signOutHere(): Promise<void> {
  const cleared = new Promise<void>((resolve) => {
    const limit = setTimeout(done, SIGN_OUT_LIMIT_MS)
    const { data } = auth.onAuthStateChange((event) => event === 'SIGNED_OUT' && done())
    function done() {
      clearTimeout(limit)
      data.subscription.unsubscribe()
      resolve()
    }
  })
  auth
    .signOut({ scope: 'local' })
    .then(({ error }) => error && logSignOut(error))
    .catch(logSignOut)
  await cleared
  forgetSession()
}

/** Clears user and session in this browser without a word to the server, which may have none any more. */
export function forgetSession(): void {
  try {
    localStorage.removeItem(STORAGE_KEY)
  } catch {
    // Where storage is forbidden nothing was stored.
  }
  for (const accept of listeners) accept(null)
}

function logSignOut(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the specification (section 8) wants sign-out errors logged
  console.warn('sign-out failed', error)
}
