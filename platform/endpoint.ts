import type { $ZodObject, $ZodType, input, output } from 'zod/v4/core'

/** One call of the API: it parses the server's input, types the browser's client, and makes /api/openapi.json. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** with `:name` for each member of `params` */
  path: string
  summary: string
  /** 'user' needs an access token whose session still lives, an organizer's call a role in the society too */
  access: 'user' | 'public' | OrganizerAccess
  /** whether a node may know the session from a moment ago: practice, an attempt, watching a test (product 2.1.11) */
  knowsSession?: true
  params?: $ZodObject
  query?: $ZodObject
  body?: $ZodType
  /** bytes that the body may have, where it is more than usual (product 9.1.6) */
  bodyBytes?: number
  /** bytes of a file that comes in place of a JSON body, as application/octet-stream; the handler reads it */
  fileBytes?: number
  response: $ZodType
  /** of an organizer's quota of characters a day, where the call writes more than its body */
  costs?: number
}

/** A call of a society's member: `params` has `society`, and `code` where it is about one assessment. */
export interface OrganizerAccess {
  /** the act of societies/kit/roles.ts that the role has to allow */
  organizer: string
  /** limits to which the handler keeps; who may act within another one only is refused */
  within?: readonly string[]
  /** only within five minutes after the person has shown password or second factor (product 7.13.3) */
  fresh?: boolean
  /** hands out keys: only after such a proof too, which then holds as long as one goes on with them (product 7.13.9) */
  keys?: boolean
  /**
   * how the call comes to candidates, of whom an invigilator with a room reaches only that room's (product 7.12.7):
   * 'named' in params or body, by the id of the list; 'covered' by the id that views without names have. Both are
   * looked up before the handler. 'own_room': the handler reads no other room than the member's. 'none': it has none
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

/** Every refusal: clients switch on `code`, people read `message`. */
export interface ErrorBody {
  code: string
  message: string
}

/** In this header a browser shows the secret by which an account knows it again (product 9.3.15). */
export const DEVICE_HEADER = 'X-Device'
