import { GoTrueClient, type GoTrueClientOptions, type Session } from '@supabase/auth-js'
import { DEVICE_HEADER } from '../endpoint.ts'
import { connectivity } from './connection/connectivity.ts'
import { followReplaced } from './replaced-session.ts'
import { deviceStore } from './storage.ts'

const AUTH_URL = `${location.origin}/auth/v1`

/** Removes expires_in, because auth-js would compute the expiry from it by the device's clock. */
async function fetchAuth(input: RequestInfo | URL, init?: RequestInit) {
  const headers = new Headers(init?.headers)
  headers.set(DEVICE_HEADER, deviceSecret())
  const response = await fetch(input, { ...init, headers }).catch((error) => {
    connectivity.noteFailure()
    throw error
  })
  connectivity.noteAnswer(response.status, null)
  if (!response.ok || !response.headers.get('content-type')?.includes('json')) return response
  const body = await response.json()
  if (body && typeof body === 'object') delete body.expires_at
  return new Response(JSON.stringify(body), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  })
}

/** This browser's secret. It identifies a known browser, so that others' wrong tries can't lock out the owner. */
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

export const makeClient = (options: GoTrueClientOptions): GoTrueClient =>
  new GoTrueClient({
    url: AUTH_URL,
    flowType: 'implicit',
    detectSessionInUrl: false,
    fetch: fetchAuth,
    ...options,
  })

/** Creates the client that owns this browser's session, for authClient() of session.tsx. */
export const makeSessionClient = (storageKey: string, stored: () => Session | null): GoTrueClient =>
  makeClient({
    storageKey,
    storage: {
      getItem: deviceStore.get,
      setItem: deviceStore.set,
      removeItem: deviceStore.remove,
    },
    fetch: followReplaced(fetchAuth, stored),
  })
