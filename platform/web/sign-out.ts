import { authClient, forgetSession } from './session.tsx'

/** How long signing out may wait for the client (offline with an expired token: some 25 s). */
const SIGN_OUT_LIMIT_MS = 1_000

/** Signs out here at once, even when the call fails (product 2.5.1). `leave` comes before the page shows it. */
export async function signOutHere(leave?: () => void | Promise<void>): Promise<void> {
  await Promise.race([
    askToSignOut().catch(logSignOut),
    new Promise((resolve) => setTimeout(resolve, SIGN_OUT_LIMIT_MS)),
  ])
  await leave?.()
  forgetSession()
}

/** Comes back as soon as the client has forgotten the session, which is before the server has answered. */
async function askToSignOut(): Promise<void> {
  const client = await authClient()
  await new Promise<void>((resolve) => {
    const { data } = client.onAuthStateChange((event) => event === 'SIGNED_OUT' && done())
    function done() {
      data.subscription.unsubscribe()
      resolve()
    }
    client
      .signOut({ scope: 'local' })
      .then(({ error }) => error && logSignOut(error), logSignOut)
      .finally(done)
  })
}

function logSignOut(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: product 2.5.1 wants sign-out errors logged
  console.warn('sign-out failed', error)
}
