import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, vi } from 'vitest'
import { buildServer, SERVER_FILE } from '../../tools/build-server.mjs'
import { freePort } from '../../tools/free-port.mjs'
import { type Smtp, startSmtp } from './auth-smtp.ts'
import { type Rig, useRig } from './rig.ts'

// The built server in production mode, in a separate process. Only here the tests see Node's HTTP server, the static
// files and the log.
export const DIST = path.join(import.meta.dirname, '..', '..', 'dist')
const PUBLIC_URL = 'https://superday.example'
export const METRICS_TOKEN = 'a-token-for-the-metrics'
export const REQUEST_SECONDS = 2
export const PASSWORD = 'correct horse battery'
export const SECRET_KEY = randomBytes(32)
export const SEND_MAIL_MS = 5_000

export let rig: Rig
export let smtp: Smtp
let child: ChildProcess
let folder: string
let port: number
export let output = ''

/** Starts the server before the tests of a file, and ends it after them. */
export function useBuiltServer(): void {
  rig = useRig({ secretKey: SECRET_KEY })
  output = ''
  beforeAll(async () => {
    await buildServer()
    folder = await mkdtemp(path.join(tmpdir(), 'superday-wire-'))
    port = await freePort()
    smtp = await startSmtp()
    child = spawn(process.execPath, [SERVER_FILE, 'serve'], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: rig.databaseUrl,
        DATA_DIR: folder,
        SECRET_KEY: SECRET_KEY.toString('base64'),
        PORT: String(port),
        PUBLIC_URL,
        SMTP_URL: smtp.url,
        METRICS_TOKEN,
        REQUEST_SECONDS: String(REQUEST_SECONDS),
        LOG_LEVEL: 'trace',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk
      })
    }
    await vi.waitUntil(() => output.includes('Superday is ready'), { timeout: 60_000 })
  })
  afterAll(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
    await smtp.stop()
    await rm(folder, { recursive: true, force: true })
  })
}

export interface Asked {
  status: number
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: the test defines the response
  json: any
}

/** A request whose path and headers are sent unchanged. */
export function ask(
  method: string,
  route: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const sent = request(
      {
        ...{ host: '127.0.0.1', port, method, path: route, agent: false },
        headers: { ...type, ...headers },
      },
      async (response: IncomingMessage) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk as Buffer)
        const text = Buffer.concat(chunks).toString()
        const isJson = response.headers['content-type']?.includes('json')
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: isJson && text ? JSON.parse(text) : null,
        })
      },
    )
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

export const post = (route: string, body: unknown, token?: string, headers = {}) =>
  ask('POST', route, {
    headers: { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...headers },
    body,
  })

/**
 * Sends bytes on a plain connection. Returns what comes back until the server closes it, or until `enough` has arrived,
 * and the duration.
 */
export function raw(
  send: (socket: Socket) => void,
  enough?: RegExp,
): Promise<{ text: string; ms: number; isClosed: boolean }> {
  return new Promise((resolve) => {
    const start = performance.now()
    let text = ''
    const socket = connect(port, '127.0.0.1', () => send(socket))
    const done = (isClosed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ text, ms: performance.now() - start, isClosed })
    }
    const timer = setTimeout(() => done(false), 8_000)
    socket.on('data', (chunk) => {
      text += chunk
      if (enough?.test(text)) done(false)
    })
    socket.on('error', () => {})
    socket.on('close', () => done(true))
  })
}

/** Sends one byte every 50 ms, as long as the other side listens. */
export function drip(socket: Socket, head: string): void {
  socket.write(head)
  const timer = setInterval(() => socket.write('a'), 50)
  socket.on('close', () => clearInterval(timer))
}

/** Makes a call while a table is missing that isn't needed at start. */
export async function broken<T>(work: () => Promise<T>): Promise<T> {
  await rig.db.$client.query('alter table profiles rename to profiles_away')
  try {
    return await work()
  } finally {
    await rig.db.$client.query('alter table profiles_away rename to profiles')
  }
}
