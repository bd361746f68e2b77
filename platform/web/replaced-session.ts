import type { Session } from '@supabase/auth-js'

/*
 * A new password ends every session and opens another one (product 2.6.11). Until its tokens have arrived
 * and are stored, whatever any tab of this browser asks is answered as if it were signed out:
 *
 *   this tab    PUT /user ──────────────▶ ends all, opens one ──────────────▶ tokens stored
 *   other tab              GET /api/… ──────────────▶ 401 ··· waits for ···▶ asks again with the new ones
 *
 * The tab that changes holds a lock of the browser meanwhile, for which the others wait.
 */

const LOCK = 'superday-session-replaced'
/** How long a refused call waits for that, milliseconds: as long as a hanging connection is waited for. */
const WAIT_LIMIT_MS = 20_000

/** Absent where the page came over plain http from elsewhere: then nothing is waited for. */
const locks: LockManager | undefined = globalThis.navigator?.locks
let isReplacingHere = false

/** Runs what replaces this browser's session by another one. */
export async function whileReplacing<T>(replace: () => Promise<T>): Promise<T> {
  const run = async () => {
    isReplacingHere = true
    try {
      return await replace()
    } finally {
      isReplacingHere = false
    }
  }
  return locks ? locks.request(LOCK, run) : run()
}

/** Waits until no other tab is replacing the session. */
async function replaced(): Promise<void> {
  // What replaces it here makes calls of its own, which would wait for themselves.
  if (!locks || isReplacingHere) return
  const signal = AbortSignal.timeout(WAIT_LIMIT_MS)
  await locks.request(LOCK, { mode: 'shared', signal }, () => {}).catch(() => {})
}

/**
 * Has the client's own renewals and questions follow: one that was refused is asked again with the tokens
 * that are stored by now, so that the client does not sign out whom another tab has just signed in anew.
 */
export function followReplaced(
  fetchOnce: typeof fetch,
  stored: () => Session | null,
): typeof fetch {
  return async (input, init) => {
    const response = await fetchOnce(input, init)
    const isRenewal = String(input).includes('grant_type=refresh_token')
    const isQuestion = init?.method === 'GET' && String(input).endsWith('/user')
    const isRefused = response.status === 400 || response.status === 403
    if (!isRefused || !(isRenewal || isQuestion)) return response
    await replaced()
    const now = stored()
    if (!now) return response
    if (isRenewal) {
      const sent = JSON.parse(String(init?.body)).refresh_token
      if (sent === now.refresh_token) return response
      return fetchOnce(input, {
        ...init,
        body: JSON.stringify({ refresh_token: now.refresh_token }),
      })
    }
    const headers = new Headers(init?.headers)
    const authorization = `Bearer ${now.access_token}`
    if (headers.get('Authorization') === authorization) return response
    headers.set('Authorization', authorization)
    return fetchOnce(input, { ...init, headers })
  }
}
