import type { Session } from '@supabase/auth-js'
import type { CallInput, Endpoint, ResponseOf } from '../endpoint.ts'
import { ApiFailure } from './api-failure.ts'
import { AS_OF_HEADER } from './connection/as-of.ts'
import { connectivity } from './connection/connectivity.ts'
import { authClient, currentSession } from './session.tsx'

export { ApiFailure }

type Input = {
  params?: Record<string, string | number>
  query?: Record<string, string | number | undefined>
  body?: unknown
  file?: Blob
}

interface CallOptions {
  signal?: AbortSignal
  keepalive?: boolean
  headers?: Record<string, string>
  onlyAs?: string
}

export const pathOf = (
  { path }: Pick<Endpoint, 'path'>,
  params: Record<string, string | number> = {},
): string => path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])))

/**
 * Calls an endpoint with the access token. A 401 checks the session once and retries if it was replaced
 * (replaced-session.ts). `onlyAs`: sends only with this user's token. `keepalive`: survives the page. `file`: the raw
 * body. Errors: ApiFailure.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: CallOptions = {},
): Promise<ResponseOf<E>> {
  const response = await answerOf(endpoint, input, options)
  // null is a valid response: the requested thing doesn't exist.
  const answer = await response.json().catch(() => undefined)
  if (response.ok && answer !== undefined) return answer as ResponseOf<E>
  throw failureOf(response, answer)
}

/** Like call, for an endpoint that returns a file. */
export async function fetchFile<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: CallOptions = {},
): Promise<Blob> {
  const response = await answerOf(endpoint, input, options)
  if (response.ok) return response.blob()
  throw failureOf(response, await response.json().catch(() => undefined))
}

// biome-ignore lint/suspicious/noExplicitAny: the response's code determines its shape
function failureOf(response: Response, answer: any): ApiFailure {
  return new ApiFailure(
    response.status,
    answer && typeof answer.code === 'string'
      ? answer
      : { code: 'unknown', message: 'An unexpected error occurred' },
    response.headers,
  )
}

async function answerOf<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: CallOptions,
): Promise<Response> {
  const { onlyAs, headers: moreHeaders, ...fetchOptions } = options
  const { params, query, body, file } = input as Input
  const path = pathOf(endpoint, params)
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, String(value))
  }
  const headers: Record<string, string> = { ...moreHeaders }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (file !== undefined) headers['Content-Type'] = 'application/octet-stream'

  const send = async (session: Session | null): Promise<Response> => {
    // Compares the token that is actually sent, because another tab may have signed in as a different user.
    if (onlyAs !== undefined && session?.user.id !== onlyAs) {
      throw new ApiFailure(0, { code: 'other_user', message: 'Someone else is signed in.' })
    }
    try {
      const url = search.size > 0 ? `${path}?${search}` : path
      const request = () =>
        fetch(url, {
          method: endpoint.method,
          headers: session
            ? { ...headers, Authorization: `Bearer ${session.access_token}` }
            : headers,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          ...(file === undefined ? {} : { body: file }),
          ...fetchOptions,
        })
      const answer = await (earlyAnswer(url, session) ?? request())
      connectivity.noteAnswer(answer.status, answer.headers.get(AS_OF_HEADER))
      return answer
    } catch (error) {
      const { signal } = options
      // A call that the page aborted says nothing about the server, but a timeout does.
      const isGivenUp = signal?.aborted && signal.reason?.name !== 'TimeoutError'
      if (!isGivenUp) connectivity.noteFailure()
      if (signal?.aborted) throw error
      throw offline()
    }
  }
  const session = endpoint.access === 'public' ? null : await online(currentSession())
  let response = await send(session)
  if (response.status === 401 && session) {
    const client = await online(authClient())
    await client.getUser()
    const next = await online(currentSession())
    const isReplaced =
      next?.user.id === session.user.id && next.access_token !== session.access_token
    if (isReplaced) response = await send(next)
  }
  return response
}

declare global {
  /** The call that app/web/public/before-paint.js made while the application was loading. */
  var earlyCall: { url: string; token: string; answer: Promise<Response> } | undefined
}

/** Milliseconds after the page's start in which the early call's answer is new enough. */
const EARLY_MS = 10_000

/** The early call's answer, for the first request that asks the same with the same token. */
function earlyAnswer(url: string, session: Session | null): Promise<Response> | undefined {
  const early = globalThis.earlyCall
  if (early?.url !== url || early.token !== session?.access_token) return undefined
  globalThis.earlyCall = undefined
  return performance.now() < EARLY_MS ? early.answer : undefined
}

/** Reports a failed load like any call without a connection. */
const online = <T>(work: Promise<T>): Promise<T> =>
  work.catch(() => {
    throw offline()
  })

const offline = () =>
  new ApiFailure(0, { code: 'offline', message: 'No connection. Please try again.' })
