import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError } from './failure.ts'

/** Whether other processes' command lines can be read here (not on Windows). */
export const canListProcesses = process.platform !== 'win32'

/** A process's start time, which tells it from a later one with the same pid. Null if none runs. */
export function readStartTime(pid: number): string | null {
  if (process.platform === 'linux') return readStartTicks(pid)
  if (process.platform === 'win32') return canSignal(pid) ? 'running' : null
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], quietly).trim() || null
  } catch {
    return null
  }
}

const quietly: ExecFileSyncOptionsWithStringEncoding = {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
}

function readStartTicks(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in parentheses, which may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null)
  } catch {
    return null
  }
}

function canSignal(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Where a pid is valid: this boot and pid namespace. Containers with a shared data folder have different ones. */
export function readProcessSpace(): string {
  if (process.platform !== 'linux') return hostname()
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

interface ListedProcess {
  pid: number
  /** arguments, separated by NUL on Linux and by spaces elsewhere */
  command: string
}

function listProcesses(): ListedProcess[] {
  if (process.platform === 'win32') return []
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-axww', '-o', 'pid=,command='], quietly).split('\n')
    return lines.flatMap((line) => {
      const match = /^\s*(\d+) (.*)$/.exec(line)
      return match ? [{ pid: Number(match[1]), command: match[2] ?? '' }] : []
    })
  }
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))
  return pids.flatMap((pid) => {
    try {
      return [{ pid: Number(pid), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') }]
    } catch {
      return [] // the process ended in the meantime
    }
  })
}

export interface ServerProcesses {
  postmasters: number[]
  /** connections and background workers, which can outlive a killed postmaster for a while */
  children: number[]
}

/**
 * Lists the processes of the server with this cluster_name, which PostgreSQL shows in all of their arguments or titles.
 * Stored pids aren't trusted.
 */
export function listServerProcesses(clusterName: string): ServerProcesses {
  const postmaster = new RegExp(
    `^[^\\0]*postgres(\\.exe)?[\\0 ]-D[\\0 ].*[\\0 ]cluster_name=${clusterName}([\\0 ]|$)`,
    's',
  )
  const all = listProcesses()
  return {
    postmasters: all.filter((p) => postmaster.test(p.command)).map((p) => p.pid),
    children: all
      .filter((p) => p.command.startsWith(`postgres: ${clusterName}: `))
      .map((p) => p.pid),
  }
}

/**
 * Ends all of the server's processes with increasing force and without losing a commit. Returns whether any existed.
 * Errors: EmbeddedPostgresError when one survives.
 */
export async function endServerProcesses(clusterName: string): Promise<boolean> {
  const found = listServerProcesses(clusterName)
  if (found.postmasters.length + found.children.length === 0) return false
  for (const [signal, limitMs] of [
    ['SIGINT', 3_000],
    ['SIGQUIT', 1_000],
  ] as const) {
    if (await endProcesses(found.postmasters, signal, limitMs)) break
  }
  // Children notice a dead postmaster at their next wait. A child in a long query doesn't, and would keep the shared
  // memory in use, which prevents the new server from starting.
  await waitUntilGone(found.children, 300)
  const left = Object.values(listServerProcesses(clusterName)).flat()
  if (await endProcesses(left, 'SIGKILL', 5_000)) return true
  throw new EmbeddedPostgresError(
    `An old PostgreSQL process (pid ${left.join(', ')}) can't be stopped. Stop it by hand and start again.`,
  )
}

/** Ends an initdb that outlived its killed app and still writes to this folder. */
export async function endInitdb(stagingDir: string): Promise<void> {
  const pids = listProcesses()
    .filter(({ command }) => /^[^\0]*initdb/.test(command) && command.includes(stagingDir))
    .map(({ pid }) => pid)
  await endProcesses(pids, 'SIGKILL', 1_000)
}

async function endProcesses(pids: number[], signal: NodeJS.Signals, limitMs: number) {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  return waitUntilGone(pids, limitMs)
}

async function waitUntilGone(pids: number[], limitMs: number): Promise<boolean> {
  const waiting = new Map(pids.map((pid) => [pid, readStartTime(pid)]))
  const deadline = performance.now() + limitMs
  for (;;) {
    for (const [pid, startTime] of waiting) {
      if (startTime === null || readStartTime(pid) !== startTime) waiting.delete(pid)
    }
    if (waiting.size === 0) return true
    if (performance.now() > deadline) return false
    await sleep(10)
  }
}
