import { authClient, forgetSession } from './session.tsx'

/** Milliseconds that signing out waits for the client, which may take about 25 s offline with an expired token. */
const SIGN_OUT_LIMIT_MS = 1_000

/** Signs out here immediately, even if the call fails (product 2.5.1). `leave` runs before the page shows it. */
export async function signOutHere(leave?: () => void | Promise<void>): Promise<void> {
  await Promise.race([
    askToSignOut().catch(logSignOut),
    new Promise((resolve) => setTimeout(resolve, SIGN_OUT_LIMIT_MS)),
  ])
  await leave?.()
  forgetSession()
}

/** Resolves as soon as the client drops the session, before the server responds. */
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
  // biome-ignore lint/suspicious/noConsole: product 2.5.1 requires logging sign-out errors
  console.warn('sign-out failed', error)
}
