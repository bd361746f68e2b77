import type { Session } from '@supabase/auth-js'

/*
 * A new password ends every session and opens a new one (product 2.6.11). Until its tokens are stored, other tabs
 * get 401. They wait for a browser lock, which the tab with the change holds:
 *   this tab    PUT /user ──────────────▶ ends all, opens one ──────────────▶ stores it
 *   other tab              GET /api/… ──────────────▶ 401 ··· waits for ···▶ retries with the new one
 */

const LOCK = 'superday-session-replaced'
/** Milliseconds that a refused call waits for the new tokens, as long as for a hanging connection. */
const WAIT_LIMIT_MS = 20_000
/** Milliseconds that a tab may see old storage: on a busy device, it may get the lock before the tokens. */
const ARRIVAL_LIMIT_MS = 1_000

/** Undefined on a page served over plain http from another host. Then nothing waits. */
const locks: LockManager | undefined = globalThis.navigator?.locks
/** The running session replacement in this tab, and whether the call that ends the old session was sent. */
let replacingHere: Promise<unknown> | null = null
let isChanging = false

export async function whileReplacing<T>(replace: () => Promise<T>): Promise<T> {
  const run = async () => {
    const replacing = Promise.resolve().then(replace)
    replacingHere = replacing
    try {
      return await replacing
    } finally {
      replacingHere = null
      isChanging = false
    }
  }
  return locks ? locks.request(LOCK, run) : run()
}

/** Waits until no tab is replacing the session. */
async function replaced(): Promise<void> {
  if (replacingHere) {
    // A refresh before the change is part of it and would wait for itself. No refresh comes after it.
    if (isChanging) await Promise.race([replacingHere.catch(() => {}), sleep(WAIT_LIMIT_MS)])
    return
  }
  if (!locks) return
  const signal = AbortSignal.timeout(WAIT_LIMIT_MS)
  await locks.request(LOCK, { mode: 'shared', signal }, () => {}).catch(() => {})
}

/** The stored session that replaced a refused one, after waiting for any replacement, or null. */
async function newerStored(
  stored: () => Session | null,
  isRefused: (session: Session) => boolean,
): Promise<Session | null> {
  await replaced()
  const until = performance.now() + ARRIVAL_LIMIT_MS
  for (;;) {
    const now = stored()
    if (!now || !isRefused(now)) return now
    if (replacingHere || performance.now() > until) return null
    await sleep(50)
  }
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Retries a rejected refresh with the newest stored tokens, so that another tab's change doesn't sign the user out. */
export function followReplaced(
  fetchOnce: typeof fetch,
  stored: () => Session | null,
): typeof fetch {
  return async (input, init) => {
    const path = String(input)
    // A new password or a code starts another session.
    const isChange = init?.method === 'PUT' || path.endsWith('/verify')
    if (isChange && replacingHere) isChanging = true
    const response = await fetchOnce(input, init)
    const isRenewal = path.includes('grant_type=refresh_token')
    const isQuestion = init?.method === 'GET' && path.endsWith('/user')
    const isRefused = response.status === 400 || response.status === 403
    if (!isRefused || !(isRenewal || isQuestion)) return response
    if (isRenewal) {
      const sent = JSON.parse(String(init?.body)).refresh_token
      const now = await newerStored(stored, ({ refresh_token }) => refresh_token === sent)
      if (!now) return response
      return fetchOnce(input, {
        ...init,
        body: JSON.stringify({ refresh_token: now.refresh_token }),
      })
    }
    const headers = new Headers(init?.headers)
    const sent = headers.get('Authorization')
    const now = await newerStored(stored, ({ access_token }) => `Bearer ${access_token}` === sent)
    if (!now) return response
    headers.set('Authorization', `Bearer ${now.access_token}`)
    return fetchOnce(input, { ...init, headers })
  }
}
