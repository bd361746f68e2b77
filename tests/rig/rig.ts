import { randomBytes, randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, inject } from 'vitest'
import { createApp } from '../../app/server/app.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { insertUser } from './insert-user.ts'

export interface Rig {
  db: Database
  /** the database's own address */
  databaseUrl: string
  app: ReturnType<typeof createApp>
  dependencies: AppDependencies
  /** whether the command line finds an SMTP_URL */
  sendsMail?: boolean
  /** the application's clock; tests set it */
  clock: { now: Date }
  /** what the application logged as warning or worse */
  logged: { level: number; msg: string; [key: string]: unknown }[]
  /** a call in process: JSON in, JSON out */
  call(
    method: string,
    path: string,
    options?: { body?: unknown; token?: string; headers?: Record<string, string> },
    // biome-ignore lint/suspicious/noExplicitAny: the test defines the response
  ): Promise<{ status: number; headers: Headers; body: any }>
  /** the rows of a statement: a tagged template, or a text with its values */
  // biome-ignore lint/suspicious/noExplicitAny: the statement defines the row
  sql<Row = any>(text: TemplateStringsArray | string, ...values: unknown[]): Promise<Row[]>
}

/** An application's dependencies that tests seldom change, with the device's time and no log. */
export const dependenciesOf = (db: Database): AppDependencies => ({
  db,
  now: () => new Date(),
  random: Math.random,
  secretKey: randomBytes(32),
  publicUrl: 'http://localhost:3000',
  supportEmail: 'support@superday.example',
  founderProfiles: [],
  privacyEmail: 'privacy@superday.example',
  rateLimits: false,
  newsMs: 0,
  foundingOpen: true,
  secondFactorRequired: false,
  trustProxy: false,
  webDir: null,
  metricsToken: null,
  log: pino({ level: 'silent' }),
})

/**
 * The application with its own database, copied from the migrated template, for one test file. Use it at the top of a
 * describe block or a file.
 * @param at the application's time at the start of each test; default: the clock continues
 */
export function useRig(overrides: Partial<AppDependencies> = {}, at?: Date): Rig {
  const rig = {
    ...{ clock: { now: new Date('2026-03-02T10:00:00Z') }, logged: [] },
    sql: async (text, ...values) => {
      const whole =
        typeof text === 'string' ? text : text.reduce((sum, one, n) => `${sum}$${n}${one}`)
      return (await rig.db.$client.query(whole, values)).rows
    },
  } as Pick<Rig, 'clock' | 'logged' | 'sql'> as Rig
  if (at) {
    beforeEach(() => {
      rig.clock.now = at
    })
  }
  beforeAll(async () => {
    const name = `test_${randomUUID().replaceAll('-', '')}`
    await (await connectAdmin()).query(
      `create database ${name} template superday_template strategy file_copy`,
    )
    const url = new URL(inject('postgresUrl'))
    url.pathname = `/${name}`
    rig.databaseUrl = url.href
    rig.db = openDatabase(url.href, { max: 10 })
    rig.dependencies = {
      ...dependenciesOf(rig.db),
      now: () => rig.clock.now,
      log: pino(
        { level: 'warn', base: undefined },
        { write: (line: string) => void rig.logged.push(JSON.parse(line)) },
      ),
      ...overrides,
    }
    rig.app = createApp(rig.dependencies)
    rig.call = async (method, path, { body, token, headers } = {}) => {
      const response = await rig.app.request(path, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(token ? { Authorization: `Bearer ${token}` } : {}),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json')
      return {
        status: response.status,
        headers: response.headers,
        body: isJson ? JSON.parse(text) : text,
      }
    }
  })
  afterAll(async () => {
    await rig.db?.$client.end()
  })
  return rig
}

let admin: Promise<pg.Client> | undefined

/** One connection per worker, which lives as long as the worker. */
function connectAdmin(): Promise<pg.Client> {
  admin ??= (async () => {
    const client = new pg.Client({ connectionString: inject('postgresUrl') })
    // PostgreSQL may stop before the worker does.
    client.on('error', () => {})
    await client.connect()
    return client
  })()
  return admin
}

/** Makes an account a month older than the application's clock, for tests that reach into the past. */
export async function makeOlder(rig: Rig, userId: string): Promise<void> {
  await rig.db.$client.query(
    `update users set created_at = $2::timestamptz - interval '30 days' where id = $1`,
    [userId, rig.clock.now],
  )
}

interface SignedUp {
  token: string
  userId: string
  refreshToken: string
  email: string | undefined
}

/** A new account, or a guest without an email, stored directly: without limits, and with a cheap hash. */
export async function signUp(
  rig: Rig,
  email?: string,
  password = 'correct horse battery',
): Promise<SignedUp> {
  const session = await insertUser(rig.dependencies, { email, password })
  return {
    token: session.access_token,
    userId: session.user.id,
    refreshToken: session.refresh_token,
    email,
  }
}

/** The same through the sign-up call, for tests of that call. */
export async function callSignUp(
  rig: Rig,
  email?: string,
  password = 'correct horse battery',
): Promise<SignedUp> {
  const { status, body } = await rig.call('POST', '/auth/v1/signup', {
    body: email ? { email, password, data: {} } : { data: {} },
  })
  if (status !== 200) throw new Error(`sign-up answered ${status} ${JSON.stringify(body)}`)
  return {
    token: body.access_token,
    userId: body.user.id,
    refreshToken: body.refresh_token,
    email,
  }
}

/**
 * Measures the longest time that work blocked the event loop, in milliseconds: of this process's own CPU time at most,
 * because a busy machine delays it too.
 */
export async function standstillOf<T>(
  work: () => Promise<T>,
): Promise<{ answer: T; longest: number }> {
  const cpuMs = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
  let [longest, isOver] = [0, false]
  const watching = (async () => {
    while (!isOver) {
      const [began, cpu] = [performance.now(), cpuMs()]
      await nextTurn()
      longest = Math.max(longest, Math.min(performance.now() - began, cpuMs() - cpu))
    }
  })()
  const answer = await work()
  isOver = true
  await watching
  return { answer, longest }
}
