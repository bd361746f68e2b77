import { auth, forgetSession } from '../../platform/web/session.tsx'

/** How long signing out may wait for the client (offline with an expired token: some 25 s). */
const SIGN_OUT_LIMIT_MS = 1_000

/**
 * Signs this device out. User and session are cleared in the browser even when the call fails
 * (product 2.5.1), and without waiting for its answer; errors are only logged.
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

function logSignOut(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: product 2.5.1 wants sign-out errors logged
  console.warn('sign-out failed', error)
}
