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
import { ApiError, callerGone } from './api-error.ts'
import { readJson, readText, requireLengths, storableJson, unstorable } from './body/read-body.ts'
import { isStorable } from './body/storable.ts'
import type { CurrentOrganizer, CurrentUser, Guard, OrganizerGuard } from './current-user.ts'
import { describeError, type Logger } from './log.ts'
import { createLine } from './shares/line.ts'
import { jsonInSlices } from './shares/slices.ts'

// Long because one place has all steps of a call: session, role, reading and parsing, response, error.

export { ApiError }

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
  /** for people with a session, also by network: many guests of one address then delay only each other */
  network: EnterNetworkTurn
}

type EnterNetworkTurn = (context: Context) => ReturnType<EnterTurn>

/** Whether the caller hung up. Always false for calls within the process. */
export const isGone = ({ env }: Context): boolean => env?.outgoing?.destroyed === true

/** Large bodies are parsed one at a time. Afterward the sender waits three times as long as the parsing took. */
const parseInTurn = createLine(1, { rest: 3 })

/** Reads a body that can be larger than usual. Errors: those of readText, 400 bad_json, 400 bad_request. */
async function readLargeBody(
  { body, bodyBytes }: Endpoint,
  request: Request,
  share: string,
): Promise<unknown> {
  const text = await readText(request, bodyBytes)
  return parseInTurn({ share }, async () => {
    const value = storableJson(text)
    // The schema would check every item of a list before its length.
    if (body) requireLengths(body, value)
    return parse(body, value)
  })
}

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
    const { user, organizer, network } = this.#turns
    const isMembers = typeof endpoint.access === 'object'
    this.serveInTurn(endpoint, isMembers ? organizer : user, async (call) => {
      if (isMembers || endpoint.access === 'public') return handler(call)
      // Queue only after reading the body: a slow one would hold its whole campus's slot.
      const leaveTurn = await network(call.context)
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
      const readBody = async () => endpoint.body && parse(endpoint.body, await readJson(request))
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
          // The role is checked before a large body is read, and again after it has arrived.
          if (endpoint.bodyBytes) await requireOrganizer()
          const body = await (endpoint.bodyBytes
            ? readLargeBody(endpoint, request, holder.id)
            : readBody())
          return { ...asked, body, ...(await requireOrganizer()), context }
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

async function answerOf(answer: unknown): Promise<Response> {
  if (answer instanceof Response) return answer
  const { status, body } = answer instanceof Answer ? answer : { status: 200, body: answer }
  return answerJson(hasLongList(body) ? await writeLong(body) : JSON.stringify(body), status)
}

/** Longer lists are written in slices; otherwise a view of five thousand people would delay everyone. */
const LONG_LIST = 300
const isLongList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.length >= LONG_LIST
// Only of objects: the values of a text are its characters.
const hasLongList = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && [body, ...Object.values(body)].some(isLongList)

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
