import type { CallInput, Endpoint, ResponseOf } from '../endpoint.ts'
import { ApiFailure } from './api-failure.ts'
import { auth } from './session.tsx'

export { ApiFailure }

type Input = {
  params?: Record<string, string | number>
  query?: Record<string, string | number | undefined>
  body?: unknown
}

/**
 * Calls one endpoint of shared/api with the session's access token.
 * Throws ApiFailure; after a 401 the session is checked once, so that one ended elsewhere signs out here.
 * @param options.keepalive lets the call finish after the page is gone
 * @param options.headers go with the call besides its own
 * @param options.onlyAs id of the user whose token must be used: with another one nothing is sent
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: {
    signal?: AbortSignal
    keepalive?: boolean
    headers?: Record<string, string>
    onlyAs?: string
  } = {},
): Promise<ResponseOf<E>> {
  const { onlyAs, headers: moreHeaders, ...fetchOptions } = options
  const { params, query, body } = input as Input
  const path = endpoint.path.replace(/:(\w+)/g, (_, name) =>
    encodeURIComponent(String(params?.[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, String(value))
  }
  const headers: Record<string, string> = { ...moreHeaders }
  if (endpoint.access === 'user') {
    const { data } = await auth.getSession()
    // Compared with the very token that is sent: another tab may have signed in as somebody else.
    if (onlyAs !== undefined && data.session?.user.id !== onlyAs) {
      throw new ApiFailure(0, { code: 'other_user', message: 'Somebody else is signed in.' })
    }
    if (data.session) headers.Authorization = `Bearer ${data.session.access_token}`
  }
  if (body !== undefined) headers['Content-Type'] = 'application/json'

  let response: Response
  try {
    response = await fetch(search.size > 0 ? `${path}?${search}` : path, {
      method: endpoint.method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...fetchOptions,
    })
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new ApiFailure(0, { code: 'offline', message: 'No connection. Please try again.' })
  }
  // null is an answer: there is none of what was asked for.
  const answer = await response.json().catch(() => undefined)
  if (response.ok && answer !== undefined) return answer as ResponseOf<E>
  if (response.status === 401) await auth.getUser()
  throw new ApiFailure(
    response.status,
    answer && typeof answer.code === 'string'
      ? answer
      : { code: 'unknown', message: 'An unexpected error occurred' },
    response.headers,
  )
}
