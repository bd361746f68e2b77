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
  /** where server.json and server.log lie */
  baseDir: string
  clusterName: string
  settings: Record<string, string>
  log: (line: string) => void
  /** false when the data folder was taken from under us: then nothing is started again */
  isOwner: () => boolean
}

export interface RunningServer {
  port: number
  /** fast shutdown; connections are cut, commits are kept */
  stop(): Promise<void>
}

/** What a later start, or the admin command, wants to know. */
export interface ServerState {
  port: number
  /** the server; absent after a clean stop */
  pid?: number
  /** the app that started it; another owner of the folder has not started its own yet */
  appPid?: number
}

interface Launched {
  child: ChildProcess
  /** why it ended, in words */
  ended: Promise<string>
  /** size of the log before it was started, in bytes */
  logStart: number
}

/** Pauses between restarts, in milliseconds: doubled from the first to the last, and back to the
 * first once a server has lived for a minute. */
const firstPauseMs = 50
const lastPauseMs = 10_000
const provenMs = 60_000
/** A fast shutdown writes everything to disk: on a slow one that takes its time. */
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

/** Ends what a killed app left of this cluster's server, and removes its pid file. PostgreSQL would
 * refuse to start when some other process has got the pid in it; whether a server really runs was
 * just looked up. */
export async function sweepUp(clusterName: string, clusterDir: string): Promise<boolean> {
  if (!canListProcesses) return false
  const swept = await endServerProcesses(clusterName)
  rmSync(join(clusterDir, 'postmaster.pid'), { force: true })
  return swept
}

/** Starts the server, on its last port if that is free, and keeps it running until `stop`.
 * Throws EmbeddedPostgresError with the server's own reason. */
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

/** Below 32768, where no system takes the ports of outgoing connections from: from there, a client
 * that tries again and again while the server restarts can be given the server's own port as its
 * source, which connects it to itself and keeps the server out. */
function choosePort(): number {
  return randomInt(20_000, 32_000)
}

function forgetPid({ baseDir, isOwner }: ServerOptions, port: number): void {
  try {
    if (isOwner()) writeServerState(baseDir, { port })
  } catch {
    // On a full disk the old text stays: its pid counts only while the folder has an owner.
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

  /** Until stop: waits for the end of the server, then starts it again, on the same port because
   * everybody has its address. */
  async keepRunning(first: Launched, port: number): Promise<void> {
    let running: Launched | null = first
    let startedAt = performance.now()
    let pauseMs = firstPauseMs
    while (running) {
      const reason = await running.ended
      if (this.#isStopping) return
      this.#options.log(`PostgreSQL ended (${reason}); starting it again on port ${port}.`)
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
    this.#options.log('PostgreSQL is not started again: its data folder was taken away.')
    return false
  }

  /** The server, or null when it did not start or is no longer wanted. */
  async #startAgain(port: number, nextPauseMs: number): Promise<Launched | null> {
    const { clusterName, clusterDir, log } = this.#options
    try {
      await sweepUp(clusterName, clusterDir)
      if (this.#isStopping) return null
      const launched = await this.start(port)
      log(`PostgreSQL runs again on port ${port}.`)
      return launched
    } catch (error) {
      if (this.#isStopping) return null
      const reason =
        error instanceof EmbeddedPostgresError ? error.message : `${findReason(String(error))}.`
      log(`PostgreSQL could not be started again; next try in ${nextPauseMs} ms. ${reason}`)
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
      // A process group of its own: Ctrl-C in a terminal goes to the app alone, which then stops it.
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
      child.kill('SIGQUIT') // nobody would know of it
      throw error
    }
  }
  return { child, ended, logStart }
}

function serverArguments({ clusterDir, clusterName, settings }: ServerOptions, port: number) {
  const all: Record<string, string> = {
    cluster_name: clusterName, // how a later start finds its processes
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '', // a deep folder makes the socket's path too long
    max_connections: '100',
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off', // a line every five minutes that nobody needs
    log_min_error_statement: 'panic', // statements hold what people typed
    ...settings,
  }
  return [
    '-D',
    clusterDir,
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

/** A shell that ends the server when the app dies without stopping it: the app's end of the pipe
 * closes, however it died. The next start would end the server too; until then it would keep
 * memory and the port. Returns what ends the watchdog. */
function startWatchdog(serverPid: number): () => void {
  if (process.platform === 'win32') return () => {}
  const script = 'read -r line; kill -INT "$1"'
  const watchdog = spawn('sh', ['-c', script, 'superday-watchdog', String(serverPid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  })
  watchdog.on('error', () => {}) // without a shell, the next start does it
  watchdog.stdin?.on('error', () => {})
  watchdog.unref()
  return () => watchdog.kill('SIGKILL')
}

/** Waits for the line that PostgreSQL writes into its pid file when it takes connections. Recovery
 * after a crash may take long and is waited for.
 * Throws EmbeddedPostgresError when the server ends instead. */
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
      options.log(`PostgreSQL is still starting; ${logFile} says what it does.`)
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
    options.log(`PostgreSQL did not stop within ${limitMs / 1_000} s of ${signal}.`)
  }
}

/** Windows has no signals; pg_ctl speaks to the server there by its own means. */
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

/** Opens the file that the server's messages go to. The server writes to it by itself, so that
 * messages cost the app nothing and the last ones survive the app. The caller closes it. */
function openServerLog(path: string): number {
  const isNew = !existsSync(path)
  const file = openSync(path, 'a', 0o600)
  if (isNew) giveToFolderOwner(path)
  return file
}

/** Keeps the file and the one before it (.1) at some 4 MB each. Returns what stops it. */
function limitServerLog(path: string): () => void {
  const check = () => {
    try {
      if (statSync(path).size <= limitBytes) return
      // Emptied in place: the server appends, and goes on writing to this very file.
      copyFileSync(path, `${path}.1`)
      truncateSync(path, 0)
    } catch {
      // A full disk must not end the app; the next check tries again.
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
