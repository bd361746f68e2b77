import { vi } from 'vitest'
import { createApp } from '../../app/server/app.ts'
import { openDatabase } from '../../platform/database/database.ts'
import type { Endpoint } from '../../platform/endpoint.ts'
import { OPTION_LETTERS } from '../../platform/options.ts'
import { Api } from '../../platform/server/api.ts'
import { DAY, makeAssessment, makeCandidate, type Seat, takeSeat } from './assessment-rig.ts'
import { dependenciesOf, type Rig, signUp } from './rig.ts'

/** One route that the application serves, from its router. */
export interface Route {
  method: string
  /** contains `:name` for each parameter */
  path: string
  /** 'GET /api/results/:id' */
  name: string
  /** routes of one class pass the same checks before their handler runs */
  guardClass: string
}

/**
 * All routes of the application without middleware. They are listed while tests are collected, so that a new route gets
 * tests. No route is called, so no database is needed.
 */
export function listRoutes(): Route[] {
  routes ??= findRoutes()
  return routes
}

let routes: Route[] | undefined

function findRoutes(): Route[] {
  const serve = vi.spyOn(Api.prototype, 'serveInTurn')
  const app = createApp({
    ...dependenciesOf(openDatabase('postgres://localhost/none')),
    metricsToken: 'a-token-for-metrics',
  })
  const guardClasses = new Map(
    serve.mock.calls.map(([endpoint, enterTurn]) => [
      `${endpoint.method} ${endpoint.path}`,
      guardClassOf(endpoint, enterTurn !== null),
    ]),
  )
  serve.mockRestore()
  return app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => {
      const name = `${method} ${path}`
      // Other routes have their own guard: the calls under /auth/v1.
      return { method, path, name, guardClass: guardClasses.get(name) ?? name }
    })
}

/** What Api does before an endpoint's handler runs. */
function guardClassOf(endpoint: Endpoint, hasTurn: boolean): string {
  const { access, method, path, bodyBytes, knowsSession = false } = endpoint
  if (typeof access === 'object') {
    const isLarge = bodyBytes !== undefined
    return `organizer: ${JSON.stringify({ ofTest: path.includes(':code'), isLarge, knowsSession })}`
  }
  return `${access}: ${JSON.stringify({ hasTurn, knowsSession, reads: method === 'GET' })}`
}

/** Two routes of each guard class: the first and the last. */
export function sampleRoutes(routes: readonly Route[]): Route[] {
  const isFirst = ({ guardClass }: Route, at: number) =>
    routes.findIndex((other) => other.guardClass === guardClass) === at
  const isLast = ({ guardClass }: Route, at: number) =>
    routes.findLastIndex((other) => other.guardClass === guardClass) === at
  return routes.filter((route, at) => isFirst(route, at) || isLast(route, at))
}

/** Whether a route's call may end its own session. */
export const endsSession = ({ method, path }: Route) =>
  method === 'DELETE' || path.endsWith('/logout')

/** The routes that need no session, on purpose. All others must reject calls without one. */
export const OPEN_ROUTES = [
  'GET /healthz',
  'GET /readyz',
  // needs its own token
  'GET /metrics',
  'GET /api/contact',
  // needs a mail's token
  'POST /api/invitations/read',
  // needs a mail's token, and is also for mail programs
  'POST /api/practice/reminders/:token/stop',
  // returns counts only, after results are released
  'GET /api/fairness/:report',
  'GET /api/openapi.json',
  'POST /auth/v1/signup',
  'POST /auth/v1/token',
  'POST /auth/v1/recover',
  'GET /auth/v1/verify',
  'POST /auth/v1/verify',
  'GET /auth/v1/settings',
  'GET /auth/v1/health',
  'GET /auth/v1/.well-known/jwks.json',
  'POST /auth/v1/resend',
  'POST /auth/v1/otp',
  'POST /auth/v1/sso',
]

/** The parts of JSON Schema that /api/openapi.json uses. */
export interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minItems?: number
}

/** An API call as /api/openapi.json describes it. */
export interface Described {
  query: Record<string, Schema>
  /** the required ones */
  needed: string[]
  body: Schema | null
}

const descriptions = new WeakMap<Rig, Promise<Map<string, Described>>>()

/** Descriptions by route name. Cached per rig, because the response is long. */
export function readDescription(rig: Rig): Promise<Map<string, Described>> {
  const known = descriptions.get(rig) ?? fetchDescription(rig)
  descriptions.set(rig, known)
  return known
}

async function fetchDescription(rig: Rig): Promise<Map<string, Described>> {
  const { body } = await rig.call('GET', '/api/openapi.json')
  const described = new Map<string, Described>()
  for (const [path, calls] of Object.entries<Record<string, unknown>>(body.paths)) {
    for (const [method, call] of Object.entries(calls)) {
      const { parameters = [], requestBody } = call as {
        parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
        requestBody?: { content: Record<string, { schema: Schema }> }
      }
      const name = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`
      described.set(name, {
        query: Object.fromEntries(
          parameters.filter((one) => one.in === 'query').map((one) => [one.name, one.schema]),
        ),
        needed: parameters.flatMap((one) => (one.in === 'query' && one.required ? [one.name] : [])),
        body: requestBody?.content['application/json']?.schema ?? null,
      })
    }
  }
  return described
}

/**
 * A value that a schema accepts. Texts are one of `texts` if its pattern matches, so that calls name things that exist.
 */
export function exampleOf(schema: Schema, name: string, texts: readonly string[]): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return exampleOf(schema.anyOf[0] as Schema, name, texts)
  if (name === 'timeZone') return 'Europe/Lisbon'
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, field]) => [
          key,
          exampleOf(field, key, texts),
        ]),
      )
    case 'array':
      return [exampleOf(schema.items ?? {}, name, texts)]
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1)
    case 'boolean':
      return true
    default:
      if (schema.format === 'date-time') return DAY.toISOString()
      if (schema.format === 'uuid') return '00000000-0000-4000-8000-000000000000'
      if (schema.format === 'date') return DAY.toISOString().slice(0, 10)
      return texts.find((text) => new RegExp(schema.pattern ?? '').test(text)) ?? 'text'
  }
}

/** Path parameters that are numbers instead of ids. */
const NUMBERED = [':item', ':ruling']

/** Fills in a path's parameters. If `value` is an id, numeric parameters get a number. */
export function fillPath(path: string, value: string): string {
  const isId = /^[0-9a-f-]{36}$/.test(value)
  return path.replace(/:\w+/g, (name) =>
    isId && NUMBERED.includes(name) ? '7' : encodeURIComponent(value),
  )
}

/** Creates a candidate with a running assessment, so that every call has something to do. */
export async function seatedPerson(rig: Rig, email?: string): Promise<Seat & { items: number[] }> {
  const { code, items } = await makeAssessment(rig)
  const { username } = await makeCandidate(rig, code)
  const seat = await takeSeat(rig, code, username, await signUp(rig, email))
  const started = await seat.start()
  if (started.status !== 200) throw new Error(`start answered ${JSON.stringify(started.body)}`)
  await seat.save(
    items.map(({ id }, index) => ({
      questionId: id,
      choice: OPTION_LETTERS[index % 4] as string,
      revision: 1,
    })),
  )
  return { ...seat, items: items.map(({ id }) => id) }
}

/** Texts that do harm in code that builds SQL, HTML, a shell command, a template or a path from them. */
export const HOSTILE_TEXTS = [
  "'; drop table users; --",
  "' or '1'='1",
  '$1; select pg_sleep(9)',
  "\\'; delete from sessions where 'a'='a",
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "javascript:alert('x')",
  '{{7*7}} #{7*7} <%= 7*7 %>',
  '../../../../etc/passwd',
  '$(touch x) `id` | cat',
  '%00%0d%0aSet-Cookie: a=b',
  '=HYPERLINK("https://evil.example")',
  '\u202Eright to left, zero\u200Bwidth, Ünïcödé, 漢字, 🙂',
]

/** Internals that no error may reveal: a place in the code, a statement, a folder, the database's messages. */
export const LEAK =
  /\bat .+:\d+:\d+|node_modules|\.[mc]?[tj]s\b|\bselect\b.+\bfrom\b|\binsert into\b|\bupdate\b.+\bset\b|syntax error|violates|pg_|postgres|\bENOENT\b|\/(home|root|usr|var|tmp|work)\//i
