import type { Session } from '@supabase/auth-js'

/*
 * A new password ends every session and opens another one (product 2.6.11). Until its tokens are stored, other tabs
 * get 401. The tab that changes holds a lock of the browser, for which they wait:
 *   this tab    PUT /user ──────────────▶ ends all, opens one ──────────────▶ stores it
 *   other tab              GET /api/… ──────────────▶ 401 ··· waits for ···▶ asks again with the new one
 */

const LOCK = 'superday-session-replaced'
/** How long a refused call waits for that, milliseconds: as long as a hanging connection is waited for. */
const WAIT_LIMIT_MS = 20_000
/** How long a tab may see old storage, milliseconds: on a busy device it may have the lock before the tokens. */
const ARRIVAL_LIMIT_MS = 1_000

/** Absent where the page came over plain http from elsewhere: then nothing is waited for. */
const locks: LockManager | undefined = globalThis.navigator?.locks
/** What replaces the session here, and whether the call that ends the old one has been sent. */
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

/** Waits until nobody is replacing the session, in this tab or another. */
async function replaced(): Promise<void> {
  if (replacingHere) {
    // A renewal before the change is a part of it, which would wait for itself; none is after it.
    if (isChanging) await Promise.race([replacingHere.catch(() => {}), sleep(WAIT_LIMIT_MS)])
    return
  }
  if (!locks) return
  const signal = AbortSignal.timeout(WAIT_LIMIT_MS)
  await locks.request(LOCK, { mode: 'shared', signal }, () => {}).catch(() => {})
}

/** The session that is stored in place of a refused one once nobody is replacing it; null where none comes. */
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

/** Has a refused renewal asked again with the tokens stored by now, so that nobody is signed out by another tab. */
export function followReplaced(
  fetchOnce: typeof fetch,
  stored: () => Session | null,
): typeof fetch {
  return async (input, init) => {
    const path = String(input)
    // A new password, or a code: what opens another session.
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
