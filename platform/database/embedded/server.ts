import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findReason } from './cluster.ts'
import { EmbeddedPostgresError } from './failure.ts'
import type { Placement } from './placement.ts'
import { giveToFolderOwner, writePrivateFile } from './private-files.ts'
import { canListProcesses, endServerProcesses } from './processes.ts'
import { executable, spawnAs } from './runner.ts'

export interface ServerOptions {
  placement: Placement
  clusterDir: string
  /** contains server.json and server.log */
  baseDir: string
  clusterName: string
  settings: Record<string, string>
  log: (line: string) => void
  /** false if another process took the data folder; then nothing is restarted */
  isOwner: () => boolean
}

export interface RunningServer {
  port: number
  /** fast shutdown: cuts connections and keeps commits */
  stop(): Promise<void>
}

/** What a later start or the admin command needs to know. */
export interface ServerState {
  port: number
  /** the server; absent after a clean stop */
  pid?: number
  /** the app that started it, which may not be the folder's current owner */
  appPid?: number
}

interface Launched {
  child: ChildProcess
  /** resolves with the reason it ended */
  ended: Promise<string>
  /** size of the log in bytes before the start */
  logStart: number
}

/** Milliseconds between restarts, doubled each time, and reset after the server ran for a minute. */
const firstPauseMs = 50
const lastPauseMs = 10_000
const provenMs = 60_000
/** A fast shutdown writes everything to disk, which takes time on a slow one. */
const stopLimitMs = 60_000

class PortTakenError extends EmbeddedPostgresError {}

export function readServerState(baseDir: string): ServerState | null {
  try {
    return JSON.parse(readFileSync(join(baseDir, 'server.json'), 'utf8')) as ServerState
  } catch {
    return null
  }
}

function writeServerState(baseDir: string, state: ServerState): void {
  writePrivateFile(join(baseDir, 'server.json'), JSON.stringify(state))
}

/**
 * Ends this cluster's server and removes its pid file, because PostgreSQL doesn't start if another process has that
 * pid.
 */
export async function sweepUp(clusterName: string, clusterDir: string): Promise<boolean> {
  if (!canListProcesses) return false
  const swept = await endServerProcesses(clusterName)
  rmSync(join(clusterDir, 'postmaster.pid'), { force: true })
  return swept
}

/** Starts the server, if possible on its last port, and keeps it running. Errors: EmbeddedPostgresError. */
export async function runServer(options: ServerOptions): Promise<RunningServer> {
  const keeper = new ServerKeeper(options)
  const stopLimiting = limitServerLog(join(options.baseDir, 'server.log'))
  let port = readServerState(options.baseDir)?.port ?? choosePort()
  for (let attempt = 1; ; attempt++) {
    try {
      const first = await keeper.start(port)
      const supervision = keeper.keepRunning(first, port)
      const stop = async () => {
        await keeper.stop()
        await supervision
        stopLimiting()
        forgetPid(options, port)
      }
      return { port, stop }
    } catch (error) {
      if (!(error instanceof PortTakenError) || attempt === 5) {
        stopLimiting()
        throw error
      }
      port = choosePort()
    }
  }
}

/**
 * Stays below 32768, the first ephemeral port. Otherwise a client that reconnects during a restart may get this port
 * and connect to itself.
 */
function choosePort(): number {
  return randomInt(20_000, 32_000)
}

function forgetPid({ baseDir, isOwner }: ServerOptions, port: number): void {
  try {
    if (isOwner()) writeServerState(baseDir, { port })
  } catch {
    // On a full disk the old text stays. Its pid is used only while the folder has an owner.
  }
}

class ServerKeeper {
  readonly #options: ServerOptions
  readonly #stopping = new AbortController()
  #current: Launched | null = null

  constructor(options: ServerOptions) {
    this.#options = options
  }

  async start(port: number): Promise<Launched> {
    const launched = launch(this.#options, port)
    this.#current = launched
    await waitUntilReady(this.#options, launched)
    return launched
  }

  /** Restarts the server whenever it ends, until stop. The port stays the same because clients have its address. */
  async keepRunning(first: Launched, port: number): Promise<void> {
    let running: Launched | null = first
    let startedAt = performance.now()
    let pauseMs = firstPauseMs
    while (running) {
      const reason = await running.ended
      if (this.#isStopping) return
      this.#options.log(`PostgreSQL ended (${reason}); restarting it on port ${port}.`)
      if (performance.now() - startedAt > provenMs) pauseMs = firstPauseMs
      running = null
      while (!running) {
        await sleep(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => {})
        if (this.#isStopping || !this.#mayStartAgain()) return
        pauseMs = Math.min(pauseMs * 2, lastPauseMs)
        startedAt = performance.now()
        running = await this.#startAgain(port, pauseMs)
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    if (this.#current) await stopServer(this.#options, this.#current)
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  #mayStartAgain(): boolean {
    if (this.#options.isOwner()) return true
    this.#options.log('PostgreSQL is not restarted, because its data folder was removed.')
    return false
  }

  /** Returns the server, or null if it didn't start or is no longer needed. */
  async #startAgain(port: number, nextPauseMs: number): Promise<Launched | null> {
    const { clusterName, clusterDir, log } = this.#options
    try {
      await sweepUp(clusterName, clusterDir)
      if (this.#isStopping) return null
      const launched = await this.start(port)
      log(`PostgreSQL is running again on port ${port}.`)
      return launched
    } catch (error) {
      if (this.#isStopping) return null
      const reason =
        error instanceof EmbeddedPostgresError ? error.message : `${findReason(String(error))}.`
      log(`PostgreSQL could not be restarted; next try in ${nextPauseMs} ms. ${reason}`)
      return null
    }
  }
}

function launch(options: ServerOptions, port: number): Launched {
  const { placement, baseDir } = options
  const logFile = join(baseDir, 'server.log')
  const logStart = sizeOfServerLog(logFile)
  const log = openServerLog(logFile)
  let child: ChildProcess
  try {
    child = spawnAs(
      placement.runner,
      executable(placement.binaries, 'postgres'),
      serverArguments(options, port),
      placement.binaries,
      // The server gets its own process group: Ctrl-C in a terminal reaches only the app, which then stops the server.
      { stdio: ['ignore', log, log], detached: true, cwd: placement.homeDir },
    )
  } finally {
    closeSync(log)
  }
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  if (child.pid) {
    const endWatchdog = startWatchdog(child.pid)
    void ended.then(endWatchdog)
    try {
      writeServerState(baseDir, { port, pid: child.pid, appPid: process.pid })
    } catch (error) {
      child.kill('SIGQUIT') // otherwise no process would track it
      throw error
    }
  }
  return { child, ended, logStart }
}

function serverArguments({ clusterDir, clusterName, settings }: ServerOptions, port: number) {
  const all: Record<string, string> = {
    cluster_name: clusterName, // lets a later start find its processes
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '', // a deep folder would make the socket's path too long
    max_connections: '100',
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off', // would add a useless line every five minutes
    log_min_error_statement: 'panic', // statements contain users' input
    ...settings,
  }
  return [
    '-D',
    clusterDir,
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

/**
 * Starts a shell that ends the server when the app dies, which closes its end of the pipe. The server wouldn't free
 * memory and port until the next start. Returns a function that ends it.
 */
function startWatchdog(serverPid: number): () => void {
  if (process.platform === 'win32') return () => {}
  const script = 'read -r line; kill -INT "$1"'
  const watchdog = spawn('sh', ['-c', script, 'superday-watchdog', String(serverPid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  })
  watchdog.on('error', () => {}) // without a shell, the next start ends the server
  watchdog.stdin?.on('error', () => {})
  watchdog.unref()
  return () => watchdog.kill('SIGKILL')
}

/** Waits until the server accepts connections, even in a long recovery. Errors: EmbeddedPostgresError if it ends. */
async function waitUntilReady(options: ServerOptions, launched: Launched): Promise<void> {
  const { child, ended, logStart } = launched
  const logFile = join(options.baseDir, 'server.log')
  let failure: string | null = null
  void ended.then((reason) => {
    failure = reason
  })
  const slowAt = performance.now() + 5_000
  let saidSlow = false
  while (failure === null) {
    const lines = readPidFile(options.clusterDir)
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return
    if (!saidSlow && performance.now() > slowAt) {
      saidSlow = true
      options.log(`PostgreSQL is still starting. See ${logFile}.`)
    }
    await sleep(10)
  }
  const output = readServerLog(logFile, logStart)
  const reason = findReason(output) ?? failure
  const Failure = /could not bind|could not create any TCP/.test(output)
    ? PortTakenError
    : EmbeddedPostgresError
  throw new Failure(`The database in ${options.clusterDir} could not be started: ${reason}.`)
}

function readPidFile(clusterDir: string): string[] {
  try {
    return readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}

async function stopServer(options: ServerOptions, { child, ended }: Launched): Promise<void> {
  for (const [signal, limitMs] of [
    ['SIGINT', stopLimitMs],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (child.exitCode !== null || child.signalCode !== null || !child.pid) return
    sendSignal(options, child, signal)
    const limit = new AbortController()
    const timeout = sleep(limitMs, 'late', { signal: limit.signal }).catch(() => '')
    const outcome = await Promise.race([ended, timeout])
    limit.abort()
    if (outcome !== 'late') return
    options.log(`PostgreSQL did not stop within ${limitMs / 1_000} s after ${signal}.`)
  }
}

/** Windows has no signals, so pg_ctl stops the server there. */
function sendSignal({ placement }: ServerOptions, child: ChildProcess, signal: NodeJS.Signals) {
  if (process.platform !== 'win32' || signal === 'SIGKILL') {
    child.kill(signal)
    return
  }
  const name = signal.replace('SIG', '')
  execFile(executable(placement.binaries, 'pg_ctl'), ['kill', name, String(child.pid)], () => {})
}

const limitBytes = 4 * 1024 * 1024
const checkEveryMs = 30_000

/** Opens the log file, which the server writes directly, so that its last messages survive the app. */
function openServerLog(path: string): number {
  const isNew = !existsSync(path)
  const file = openSync(path, 'a', 0o600)
  if (isNew) giveToFolderOwner(path)
  return file
}

/** Keeps this file and the previous one (.1) at about 4 MB each. Returns a function that stops this. */
function limitServerLog(path: string): () => void {
  const check = () => {
    try {
      if (statSync(path).size <= limitBytes) return
      // It is truncated in place because the server keeps appending to this file.
      copyFileSync(path, `${path}.1`)
      truncateSync(path, 0)
    } catch {
      // A full disk must not end the app. The next check tries again.
    }
  }
  check()
  const timer = setInterval(check, checkEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

function sizeOfServerLog(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function readServerLog(path: string, from: number): string {
  try {
    return readFileSync(path).subarray(from).toString('utf8')
  } catch {
    return ''
  }
}
