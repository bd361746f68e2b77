import type { $ZodObject, $ZodType, input, output } from 'zod/v4/core'

/** One call of the API. It parses the server's input, types the browser's client, and produces /api/openapi.json. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** contains `:name` for each member of `params` */
  path: string
  summary: string
  /** 'user' needs an access token with a live session; an organizer's call also needs a role in the society */
  access: 'user' | 'public' | OrganizerAccess
  /** whether a node may use a cached session: practice, an attempt, watching a test (product 2.1.11) */
  knowsSession?: true
  params?: $ZodObject
  query?: $ZodObject
  body?: $ZodType
  /** maximum bytes of the body, if above the default (product 9.1.6) */
  bodyBytes?: number
  /** maximum bytes of a file sent instead of JSON, as application/octet-stream; the handler reads it */
  fileBytes?: number
  response: $ZodType
  /** characters charged to an organizer's daily quota, if the call writes more than its body */
  costs?: number
}

/** A call by a society's member. `params` has `society`, and `code` if the call is about one assessment. */
export interface OrganizerAccess {
  /** the action of societies/kit/roles.ts that the role must allow */
  organizer: string
  /** scopes that the handler enforces; members who have only other scopes are refused */
  within?: readonly string[]
  /** needs the person's password or second factor within the last five minutes (product 7.13.3) */
  fresh?: boolean
  /** reveals keys: needs the same re-authentication, which then stays valid while keys are in use (product 7.13.9) */
  keys?: boolean
  /**
   * how the call names candidates, since an invigilator with a room reaches only that room's (product 7.12.7). 'named':
   * by list id in params or body; 'covered': by the id in anonymous views. Both are checked before the handler.
   * 'own_room': the handler reads only the member's room. 'none': no candidates
   */
  candidates?: 'named' | 'covered' | 'own_room' | 'none'
}

type Parsed<S> = S extends $ZodType ? output<S> : undefined
type Sent<S> = S extends $ZodType ? input<S> : undefined

export type ParamsOf<E extends Endpoint> = Parsed<E['params']>
export type QueryOf<E extends Endpoint> = Parsed<E['query']>
export type BodyOf<E extends Endpoint> = Parsed<E['body']>
export type ResponseOf<E extends Endpoint> = output<E['response']>

export type CallInput<E extends Endpoint> = (E['params'] extends $ZodObject
  ? { params: Sent<E['params']> }
  : unknown) &
  (E['query'] extends $ZodObject ? { query: Sent<E['query']> } : unknown) &
  (E['body'] extends $ZodType ? { body: Sent<E['body']> } : unknown) &
  (E['fileBytes'] extends number ? { file: Blob } : unknown)

/** Keeps an endpoint's exact types while checking its shape. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition
}

/** The body of every error: clients switch on `code`, people read `message`. */
export interface ErrorBody {
  code: string
  message: string
}

/** Header with the secret by which an account recognizes a browser (product 9.3.15). */
export const DEVICE_HEADER = 'X-Device'
