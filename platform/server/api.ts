import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import * as z from 'zod'
import type { $ZodObject, $ZodType } from 'zod/v4/core'
import { isDatabaseUnavailable, isOwnerGone } from '../database/database.ts'
import { RowHeld } from '../database/transaction.ts'
import type {
  BodyOf,
  Endpoint,
  OrganizerAccess,
  ParamsOf,
  QueryOf,
  ResponseOf,
} from '../endpoint.ts'
import type { CurrentOrganizer, CurrentUser, Guard, OrganizerGuard } from './current-user.ts'
import { describeError, type Logger } from './log.ts'
import { jsonInSlices } from './shares/slices.ts'
import { isStorable, isStorableJson } from './storable.ts'

// Long because one place has all steps of a call: session, role, reading and parsing, response, error.

/** An error that any code can throw. The handler below responds with { code, message }. */
export class ApiError extends Error {
  readonly status: ContentfulStatusCode
  readonly code: string
  /** seconds for Retry-After */
  readonly retryAfterSeconds: number | undefined
  /** what a client needs in addition to code and message */
  readonly more: Record<string, unknown>

  constructor(
    status: ContentfulStatusCode,
    code: string,
    message: string,
    options: { retryAfterSeconds?: number; more?: Record<string, unknown> } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfterSeconds = options.retryAfterSeconds
    this.more = options.more ?? {}
  }
}

/** Maximum bytes of a request body (product 9.1.6). */
const BODY_LIMIT_BYTES = 100_000

export interface Call<E extends Endpoint> {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  user: E['access'] extends 'public' ? undefined : CurrentUser
  organizer: E['access'] extends OrganizerAccess ? CurrentOrganizer : undefined
  context: Context
}

/** What a handler may return. JSON turns a Date into an ISO time, so rows can be returned as read. */
export type Sendable<T> = T extends string
  ? string extends T
    ? T | Date
    : T
  : T extends object
    ? { readonly [Name in keyof T]: Sendable<T[Name]> }
    : T

/** A response with a status other than 200. */
export class Answer<T> {
  readonly status: ContentfulStatusCode
  readonly body: T
  constructor(status: ContentfulStatusCode, body: T) {
    this.status = status
    this.body = body
  }
}

/** Waits in the person's queue (platform/server/turns.ts). @returns leaves it */
export type EnterTurn = (person: Pick<CurrentUser, 'id'>) => Promise<() => void>

interface Turns {
  user: EnterTurn
  organizer: EnterTurn
  /** for callers without a session, by network */
  stranger: EnterNetworkTurn
  /** for practice, also by network: many guests of one address then delay only each other */
  practice: EnterNetworkTurn
}

type EnterNetworkTurn = (context: Context) => ReturnType<EnterTurn>

/** Whether the caller hung up. Always false for calls within the process. */
export const isGone = ({ env }: Context): boolean => env?.outgoing?.destroyed === true

/** A Hono app that serves endpoints. */
export class Api {
  readonly hono = new Hono()
  /** all endpoints served, for /api/openapi.json */
  readonly endpoints: Endpoint[] = []
  readonly #guard: Guard
  readonly #organizers: OrganizerGuard
  readonly #turns: Turns

  /** @param turns queues each person's calls, unless the endpoint has its own queue */
  constructor(guard: Guard, organizers: OrganizerGuard, turns: Turns) {
    this.#guard = guard
    this.#organizers = organizers
    this.#turns = turns
  }

  /** Serves an endpoint: session (401), strict parsing (400, 413, 415), organizer's role (404, 403), handler. */
  serve<E extends Endpoint>(
    endpoint: E,
    handler: (
      call: Call<E>,
    ) => Promise<Sendable<ResponseOf<E>> | Answer<Sendable<ResponseOf<E>>> | Response>,
  ): void {
    const { user, organizer, practice } = this.#turns
    const isMembers = typeof endpoint.access === 'object'
    this.serveInTurn(endpoint, isMembers ? organizer : user, async (call) => {
      if (isMembers || !endpoint.knowsSession) return handler(call)
      // Queue only after reading the body: a slow one would hold its whole campus's slot.
      const leaveTurn = await practice(call.context)
      try {
        requireCaller(call.context)
        return await handler(call)
      } finally {
        leaveTurn()
      }
    })
  }

  /** Like serve, but queues a person's calls: those with a session wait in `enterTurn` before their body is read. */
  serveInTurn<E extends Endpoint>(
    endpoint: E,
    enterTurn: EnterTurn,
    handler: (
      call: Call<E>,
    ) => Promise<Sendable<ResponseOf<E>> | Answer<Sendable<ResponseOf<E>>> | Response>,
  ): void {
    this.endpoints.push(endpoint)
    const readQuery = rememberQueries((context) =>
      parse(endpoint.query ?? noFields, () => queryOf(context)),
    )
    this.hono.on(endpoint.method, endpoint.path, async (context) => {
      const { access } = endpoint
      const request = context.req.raw
      const readBody = async () =>
        endpoint.body && parse(endpoint.body, await readJson(request, endpoint.bodyBytes))
      const readParams = () => ({
        params: parse(endpoint.params, () => context.req.param()),
        query: readQuery(context),
      })
      if (typeof access === 'object') {
        const holder = await this.#guard.requireToken(request)
        const readCall = async () => {
          const asked = readParams()
          const requireOrganizer = () =>
            this.#organizers.requireOrganizer(
              holder,
              access,
              asked.params as { society: string },
              endpoint.knowsSession,
            )
          // Check the role before reading a large body.
          const [body, member] = endpoint.bodyBytes
            ? await requireOrganizer().then(async (one) => [await readBody(), one] as const)
            : ([await readBody(), await requireOrganizer()] as const)
          return { ...asked, body, ...member, context }
        }
        const leaveTurn = await enterTurn(holder)
        try {
          requireCaller(context)
          // Session and role take one read. If anything is rejected, an ended session is reported first.
          const call = await readCall().catch(async (error) => {
            await this.#guard.requireUser(request)
            throw error
          })
          try {
            return await answerOf(await handler(call as Call<E>))
          } finally {
            if (endpoint.method !== 'GET') this.#organizers.forgetMembers()
          }
        } finally {
          leaveTurn()
        }
      }
      const user =
        access === 'public'
          ? undefined
          : await this.#guard.requireUser(request, endpoint.knowsSession)
      // Read the body first: a stranger's slow one would hold its whole campus's slot.
      const strangers = user ? undefined : await readBody()
      const leaveTurn = await (user ? enterTurn(user) : this.#turns.stranger(context))
      try {
        requireCaller(context)
        const call = {
          ...readParams(),
          body: user ? await readBody() : strangers,
          user,
          organizer: undefined,
          context,
        }
        return await answerOf(await handler(call as Call<E>))
      } finally {
        leaveTurn()
        if (user && endpoint.method !== 'GET' && !endpoint.knowsSession) this.#guard.forget(user.id)
      }
    })
  }
}

/** Skips a read whose caller is gone. Errors: 408 caller_gone. */
function requireCaller(context: Context): void {
  if (context.req.method === 'GET' && isGone(context)) throw callerGone()
}

export const callerGone = () =>
  new ApiError(408, 'caller_gone', 'The caller did not wait for the response.')

async function answerOf(answer: unknown): Promise<Response> {
  if (answer instanceof Response) return answer
  const { status, body } = answer instanceof Answer ? answer : { status: 200, body: answer }
  const isLong = isLongList(body) || Object.values(body ?? {}).some(isLongList)
  return answerJson(isLong ? await writeLong(body as object) : JSON.stringify(body), status)
}

/** Longer lists are written in slices; otherwise a view of five thousand people would delay everyone. */
const LONG_LIST = 300
const isLongList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.length >= LONG_LIST

async function writeLong(body: object): Promise<string> {
  if (isLongList(body)) return jsonInSlices(body)
  const fields: string[] = []
  for (const [name, value] of Object.entries(body)) {
    const json = isLongList(value) ? await jsonInSlices(value) : JSON.stringify(value)
    if (json !== undefined) fields.push(`${JSON.stringify(name)}:${json}`)
  }
  return `{${fields.join(',')}}`
}

const noFields = z.strictObject({})

/** Describes the API as OpenAPI 3.1, from the contracts that parse the calls. */
export function describeApi(endpoints: readonly Endpoint[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    const parameters = [
      ...describeFields(endpoint.params, 'path'),
      ...describeFields(endpoint.query, 'query'),
    ]
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: {
        summary: endpoint.summary,
        security: endpoint.access === 'public' ? [] : [{ accessToken: [] }],
        ...(parameters.length > 0 ? { parameters } : {}),
        ...(endpoint.body
          ? { requestBody: { required: true, content: jsonContent(endpoint.body, 'input') } }
          : {}),
        ...(endpoint.fileBytes ? { requestBody: { required: true, content: FILE_CONTENT } } : {}),
        responses: {
          200: { description: 'Done', content: jsonContent(endpoint.response, 'output') },
          default: {
            description: 'Refused',
            content: jsonContent(
              z.strictObject({ code: z.string(), message: z.string() }),
              'output',
            ),
          },
        },
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Superday', version: '1' },
    components: {
      securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
    paths,
  }
}

function jsonContent(schema: $ZodType, io: 'input' | 'output') {
  return { 'application/json': { schema: z.toJSONSchema(schema, { io }) } }
}

const FILE_CONTENT = {
  'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
}

function describeFields(schema: $ZodObject | undefined, where: 'path' | 'query') {
  if (!schema) return []
  return Object.entries(schema._zod.def.shape).map(([name, field]) => ({
    name,
    in: where,
    required: !z.safeParse(field as $ZodType, undefined).success,
    schema: z.toJSONSchema(field as $ZodType, { io: 'input' }),
  }))
}

const QUERIES_REMEMBERED = 200

/** Caches parsed query strings, because calls repeat a few and parsing costs more. Rejected ones aren't cached. */
function rememberQueries(read: (context: Context) => unknown): (context: Context) => unknown {
  const known = new Map<string, unknown>()
  return (context) => {
    const { url } = context.req
    const start = url.indexOf('?')
    const search = start < 0 ? '' : url.slice(start)
    const remembered = known.get(search)
    if (remembered) return remembered
    const query = Object.freeze(read(context))
    if (known.size < QUERIES_REMEMBERED && search.length < 300) known.set(search, query)
    return query
  }
}

/** Rejects repeated parameters, and NUL, which PostgreSQL can't compare. */
function queryOf(context: Context): Record<string, string> {
  const query: Record<string, string> = {}
  for (const [name, values] of Object.entries(context.req.queries())) {
    if (values.length !== 1) {
      throw new ApiError(400, 'bad_request', `The query parameter ${name} occurs twice.`)
    }
    const value = values[0] as string
    if (!isStorable(value)) throw unstorable()
    query[name] = value
  }
  return query
}

function parse(schema: $ZodType | undefined, input: (() => unknown) | unknown): unknown {
  if (!schema) return undefined
  const result = z.safeParse(schema, typeof input === 'function' ? input() : input)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const where = issue?.path.join('.')
  throw new ApiError(
    400,
    'bad_request',
    where ? `${where}: ${issue?.message}` : `${issue?.message}`,
  )
}

const unstorable = () =>
  new ApiError(400, 'bad_request', 'The request contains characters that cannot be stored.')

/** JSON escapes of characters that a text column can't store. Raw UTF-8 can't contain them. */
const ESCAPED_UNSTORABLE = /\\u(0000|d[89a-f])/i

/** Reads the body as JSON. Errors: those of readText, 400 bad_json, 400 bad_request for NUL or a lone surrogate. */
async function readJson(request: Request, limitBytes?: number): Promise<unknown> {
  const text = await readText(request, limitBytes)
  const value = parseJson(text)
  // The text is searched first, because walking every body would slow each call.
  if (ESCAPED_UNSTORABLE.test(text) && !isStorableJson(value)) throw unstorable()
  return value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError(400, 'bad_json', 'The request is not valid JSON.')
  }
}

/** The only body type. JSON is UTF-8, whatever charset the header names. */
const JSON_TYPE = /^application\/json[ \t]*(;|$)/i

/**
 * Reads the body as text, up to the limit. It must be declared as JSON, because another site can send forms and plain
 * text. Errors: 413 body_too_large; 415 unsupported_media_type, except for an empty body.
 */
export async function readText(request: Request, limitBytes = BODY_LIMIT_BYTES): Promise<string> {
  const tooLarge = () => tooLargeFor(limitBytes)
  const length = request.headers.get('content-length')
  if (Number(length ?? 0) > limitBytes) throw tooLarge()
  // Node reads no more than the announced length. Reading the text directly avoids a stream, which would cost an eighth
  // of a small call.
  const text =
    length === null
      ? (await readChunks(request, limitBytes)).toString('utf8')
      : await request.text()
  if (text !== '' && !JSON_TYPE.test(request.headers.get('content-type') ?? '')) {
    throw new ApiError(
      415,
      'unsupported_media_type',
      'The request has to be JSON. Please send it with Content-Type: application/json.',
    )
  }
  return text
}

/** Counts the bytes of a body without a content-length as they arrive. */
async function readChunks(request: Request, limitBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > limitBytes) throw tooLargeFor(limitBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const tooLargeFor = (limitBytes: number) =>
  new ApiError(413, 'body_too_large', `The request is larger than ${limitBytes} bytes.`)

/** Reads a file sent as the request's body. Errors: 413 body_too_large, 415 unsupported_media_type. */
export async function readFile(request: Request, limitBytes: number): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) {
    throw tooLargeFor(limitBytes)
  }
  const bytes = await readChunks(request, limitBytes)
  const type = request.headers.get('content-type') ?? ''
  if (bytes.length > 0 && !/^application\/octet-stream[ \t]*(;|$)/i.test(type)) {
    throw new ApiError(
      415,
      'unsupported_media_type',
      'The request has to be a file. Please send it with Content-Type: application/octet-stream.',
    )
  }
  return bytes
}

/** The error handler of /api: passes ApiErrors on, answers 503 if the database is unavailable, and otherwise 500. */
export function answerError(error: unknown, context: Context, log: Logger): Response {
  const refuse = (
    status: number,
    code: string,
    message: string,
    retryAfterSeconds?: number,
    more?: Record<string, unknown>,
  ) =>
    answerJson(
      JSON.stringify({ ...more, code, message }),
      status,
      retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) },
    )
  if (error instanceof ApiError) {
    return refuse(error.status, error.code, error.message, error.retryAfterSeconds, error.more)
  }
  if (error instanceof RowHeld) {
    return refuse(429, 'busy', 'Superday is busy right now. Please try again in a moment.', 1)
  }
  if (isOwnerGone(error)) {
    return refuse(401, 'session_not_found', 'You have been signed out. Please sign in again.')
  }
  if (isDatabaseUnavailable(error)) {
    log.warn({ path: context.req.path, error: describeError(error) }, 'database unavailable')
    return refuse(503, 'unavailable', 'The service is busy. Please try again in a moment.', 1)
  }
  log.error({ path: context.req.path, error: describeError(error) }, 'unexpected error')
  return refuse(500, 'unexpected_failure', 'An unexpected error occurred. Please try again.')
}

export const COMMON_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}
/** Headers of every response except the API's JSON, for which the last three mean nothing. */
const PAGE_HEADERS = {
  ...COMMON_HEADERS,
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}
const JSON_HEADERS = {
  ...COMMON_HEADERS,
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
}

/** Responds with JSON and headers together, because changing a finished response costs a third of a small call. */
export function answerJson(
  json: string | Uint8Array | ReadableStream<Uint8Array>,
  status = 200,
  more?: Record<string, string>,
): Response {
  return new Response(json as BodyInit, {
    status,
    headers: more ? { ...JSON_HEADERS, ...more } : JSON_HEADERS,
  })
}

/** Sets the headers of responses that answerJson doesn't create. */
export function securityHeaders(): MiddlewareHandler {
  return (context, next) => {
    for (const [name, value] of Object.entries(PAGE_HEADERS)) context.header(name, value)
    return next()
  }
}
