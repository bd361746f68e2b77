import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { findRunningPostgres } from '../platform/database/embedded/start.ts'
import { freePort } from '../tools/free-port.mjs'

const ROOT = path.join(import.meta.dirname, '..')

export interface RunningProduct {
  url: string
  databaseUrl: string
  dataDir: string
  /** the server's process id */
  pid: number
  /** the server's resident memory now, in MB, without PostgreSQL */
  residentMb(): number
  /** processor time of the server and its embedded PostgreSQL so far, in milliseconds */
  cpuMs(): { server: number; postgres: number }
  stop(): Promise<void>
}

/**
 * Starts the real server in its own process, with its embedded PostgreSQL as durable as in production.
 * @param environment extra settings, such as a shared DATABASE_URL
 * @param root the program's folder, for another version
 */
export async function startProduct(
  environment: Record<string, string> = {},
  root = ROOT,
): Promise<RunningProduct> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'superday-bench-'))
  const port = await freePort()
  // This is the exact command of `npm start`, so that its flags are measured too.
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const [, ...args] = scripts.start.split(' ') as string[]
  const server = spawn(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      RATE_LIMITS: 'off',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await untilReady(server)
  return {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    pid: server.pid ?? 0,
    databaseUrl: environment.DATABASE_URL ?? (await findRunningPostgres(dataDir)) ?? '',
    residentMb: () => readResidentMb(server.pid ?? 0),
    cpuMs: () => readCpuMs(server.pid ?? 0, dataDir),
    stop: async () => {
      server.kill('SIGTERM')
      await new Promise((resolve) => server.once('exit', resolve))
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Resolves when the server reports that it is ready. Rejects if it ends first. */
export function untilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    server.stdout?.on('data', (chunk) => {
      output += chunk
      if (output.includes('Superday is ready')) resolve()
    })
    server.once('exit', () => reject(new Error(`the server did not start: ${output}`)))
  })
}

export interface Guest {
  token: string
  refreshToken: string
  userId: string
}

export async function makeGuest(url: string): Promise<Guest> {
  const response = await fetch(`${url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"data":{}}',
  })
  return guestOf(await response.json())
}

/** Refreshes a guest's tokens, for runs that take longer than they are valid. */
export async function renewGuest(url: string, refreshToken: string): Promise<Guest> {
  const response = await fetch(`${url}/auth/v1/token?grant_type=refresh_token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ refresh_token: refreshToken }),
  })
  if (!response.ok) throw new Error(`a guest's token was not refreshed: ${response.status}`)
  return guestOf(await response.json())
}

const guestOf = (session: {
  access_token: string
  refresh_token: string
  user: { id: string }
}): Guest => ({
  token: session.access_token,
  refreshToken: session.refresh_token,
  userId: session.user.id,
})

/** Signs up accounts with a shared password. @returns their addresses */
export async function signUpAccounts(
  url: string,
  count: number,
  password: string,
): Promise<string[]> {
  const emails = Array.from({ length: count }, (_, n) => `student-${n}@example.org`)
  await Promise.all(
    emails.map(async (email) => {
      const response = await fetch(`${url}/auth/v1/signup`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email, password }),
      })
      if (!response.ok) throw new Error(`a sign-up was refused: ${await response.text()}`)
    }),
  )
  return emails
}

/** Runs a script of this folder in a separate process, with a plan as its input. @returns its output */
export async function playScript<T>(script: string, plan: object): Promise<T> {
  const player = spawn(
    process.execPath,
    ['--import', 'tsx', path.join(import.meta.dirname, script)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  player.stdin.end(JSON.stringify(plan))
  return (await json(player.stdout)) as T
}

function readResidentMb(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Math.round(Number(match?.[1] ?? 0) / 1024)
}

/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10

function readCpuMs(serverPid: number, dataDir: string): { server: number; postgres: number } {
  const pidFile = path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid')
  const [postmaster] = readFileSync(pidFile, 'utf8').split('\n')
  let postgres = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const times = readTimes(pid)
    // The postmaster's own time includes that of its ended children.
    if (pid === postmaster) postgres += times.own + times.ended
    else if (times.parent === postmaster) postgres += times.own
  }
  return { server: readTimes(String(serverPid)).own, postgres }
}

/** Processor time of a process and its ended children in milliseconds, from `/proc/PID/stat` (proc(5)). */
function readTimes(pid: string): { parent: string; own: number; ended: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ms = (at: number) => Number(fields[at]) * TICK_MS
    return { parent: fields[1] ?? '', own: ms(11) + ms(12), ended: ms(13) + ms(14) }
  } catch {
    // It ended after the list was read.
    return { parent: '', own: 0, ended: 0 }
  }
}
