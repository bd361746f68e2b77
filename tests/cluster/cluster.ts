import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmod, chown, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { type Stage, until } from '../faults/full-length/stage.ts'
import {
  apiPort,
  type ClusterOptions,
  databasePort,
  HAPROXY_PORT,
  haproxyConfig,
  memberAddress,
  patroniYaml,
  STORE_PEER_PORT,
  STORE_PORT,
  storeAddress,
} from './configuration.ts'
import { findPostgresPrograms, findProgram } from './packages.ts'

const MEMBERS = [1, 2, 3]
/** Milliseconds for three initdbs or copies on a busy machine. */
const START_LIMIT_MS = 120_000
/** PostgreSQL refuses to run as root. */
const ACCOUNT = 'postgres'

interface MemberState {
  name: string
  role: 'leader' | 'sync_standby' | 'replica'
  state: string
}

/** Three PostgreSQL members under Patroni, behind HAProxy, on this machine. Everything ends with the stage. */
export class Cluster {
  /** the address at which the product finds the primary */
  readonly url: string
  readonly #stage: Stage
  readonly #folder: string
  readonly #options: ClusterOptions
  readonly #patronis = new Map<number, ChildProcess>()
  readonly #stopped = new Set<number>()

  private constructor(stage: Stage, options: ClusterOptions) {
    this.#stage = stage
    this.#folder = path.join(stage.folder, 'cluster')
    this.#options = options
    const members = MEMBERS.map((number) => `${memberAddress(number)}:${databasePort(number)}`)
    const hosts = options.isWithoutProxy ? members.join() : `127.0.0.1:${HAPROXY_PORT}`
    this.url = `postgres://superday@${hosts}/superday`
  }

  /** Resolves when three members run, one of them synchronous if requested, and Superday has a database. */
  static async start(stage: Stage, options: ClusterOptions = {}): Promise<Cluster> {
    const cluster = new Cluster(stage, options)
    await cluster.#start()
    return cluster
  }

  async #start(): Promise<void> {
    await chmod(this.#stage.folder, 0o755)
    execFileSync('mkdir', ['-p', this.#folder])
    if (process.getuid?.() === 0) {
      const [uid, gid] = ['-u', '-g'].map((flag) =>
        Number(execFileSync('id', [flag, ACCOUNT], { encoding: 'utf8' })),
      ) as [number, number]
      await chown(this.#folder, uid, gid)
    }
    await this.#startStore()
    const programs = findPostgresPrograms() as string
    for (const number of MEMBERS) {
      const file = this.#file(`member-${number}.yml`)
      await writeFile(file, patroniYaml(number, this.#folder, programs, this.#options))
    }
    // The first one creates the cluster. Otherwise all three would race.
    this.startMember(1)
    await until(async () => (await this.findPrimary()) === 1, START_LIMIT_MS)
    this.startMember(2)
    this.startMember(3)
    await this.untilWhole()
    await this.#makeDatabase()
    const configuration = this.#file('haproxy.cfg')
    await writeFile(configuration, haproxyConfig(MEMBERS, this.#options))
    this.#spawn('haproxy', ['-db', '-f', configuration])
  }

  /** The store in which the members agree on the primary. In production there are three, on other machines. */
  async #startStore(): Promise<void> {
    const peer = `http://127.0.0.1:${STORE_PEER_PORT}`
    const clients = MEMBERS.map((number) => `http://${storeAddress(number)}:${STORE_PORT}`).join()
    this.#spawn('etcd', [
      ...['--name', 'store', '--data-dir', this.#file('store'), '--log-level', 'error'],
      ...['--listen-client-urls', clients, '--advertise-client-urls', clients],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ...['--initial-cluster', `store=${peer}`, '--enable-v2'],
    ])
    // Patroni ends if it asks before the store is ready.
    await until(async () => {
      const response = await fetch(`http://${storeAddress(1)}:${STORE_PORT}/version`).catch(
        () => null,
      )
      return /"etcdcluster":"\d/.test((await response?.text()) ?? '')
    }, 20_000)
  }

  startMember(number: number): void {
    const patroni = this.#spawn('patroni', [this.#file(`member-${number}.yml`)])
    this.#patronis.set(number, patroni)
    this.#stage.atEnd(() => this.#continueMember(number))
  }

  #file = (name: string) => path.join(this.#folder, name)

  /** Starts a program of the cluster as an ordinary user. Its output goes to a file with its name. */
  #spawn(name: string, args: string[]): ChildProcess {
    const program = findProgram(name) as string
    const account =
      process.getuid?.() === 0
        ? ['setpriv', `--reuid=${ACCOUNT}`, `--regid=${ACCOUNT}`, '--init-groups', '--']
        : []
    const [command, ...rest] = [...account, program, ...args] as [string, ...string[]]
    const child = spawn(command, rest, {
      cwd: this.#folder,
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', PYTHONUNBUFFERED: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output = (output + chunk).slice(-100_000)
      })
    }
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    this.#stage.atEnd(async () => {
      if (isRunning(child)) child.kill('SIGTERM')
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 15_000).unref())])
      if (isRunning(child)) child.kill('SIGKILL')
      if (process.env.CLUSTER_OUTPUT) {
        await writeFile(path.join(process.env.CLUSTER_OUTPUT, `${name}-${child.pid}.log`), output)
      }
    })
    return child
  }

  async #makeDatabase(): Promise<void> {
    const client = new pg.Client({
      connectionString: `postgres://postgres@${memberAddress(1)}:${databasePort(1)}/postgres`,
    })
    await client.connect()
    await client.query('create role superday login')
    await client.query('create database superday owner superday')
    await client.end()
  }

  /** The members' state. @param asked the member to ask; null if it doesn't respond */
  async readMembers(asked = 1): Promise<MemberState[] | null> {
    try {
      const response = await fetch(`http://${memberAddress(asked)}:${apiPort(asked)}/cluster`, {
        signal: AbortSignal.timeout(2_000),
      })
      return ((await response.json()) as { members: MemberState[] }).members
    } catch {
      return null
    }
  }

  /** The number of the current primary, or null. */
  async findPrimary(): Promise<number | null> {
    for (const number of MEMBERS) {
      const url = `http://${memberAddress(number)}:${apiPort(number)}/primary`
      const response = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => null)
      if (response?.ok) return number
    }
    return null
  }

  /** Waits until all members run and follow one primary, one of them synchronously if requested. */
  async untilWhole(limitMs = START_LIMIT_MS): Promise<void> {
    const { isSynchronous = true } = this.#options
    await until(async () => {
      for (const number of MEMBERS) {
        const members = await this.readMembers(number)
        if (!members) continue
        const isRunning = members.filter(({ state }) => /^(running|streaming)$/.test(state))
        const hasSynchronous = members.some(({ role }) => role === 'sync_standby')
        return isRunning.length === MEMBERS.length && hasSynchronous === isSynchronous
      }
      return false
    }, limitMs)
  }

  /** The address of one member, bypassing HAProxy. */
  addressOf(number: number): string {
    return `postgres://superday@${memberAddress(number)}:${databasePort(number)}/superday`
  }

  /** Kills a member's PostgreSQL with SIGKILL. Its Patroni stays alive. */
  async killPostgres(number: number): Promise<void> {
    process.kill(await this.#readPostmaster(number), 'SIGKILL')
  }

  /** Kills all of a member's processes with SIGKILL, as if its machine were gone. */
  async killMember(number: number): Promise<void> {
    for (const pid of await this.#readProcesses(number)) send(pid, 'SIGKILL')
  }

  /** Stops all of a member's processes, like a machine that hangs. Connections stay open. */
  async stopMember(number: number): Promise<void> {
    this.#stopped.add(number)
    for (const pid of await this.#readProcesses(number)) send(pid, 'SIGSTOP')
  }

  /** Continues the processes where they were stopped. */
  async continueMember(number: number): Promise<void> {
    await this.#continueMember(number)
  }

  async #continueMember(number: number): Promise<void> {
    if (!this.#stopped.delete(number)) return
    for (const pid of await this.#readProcesses(number)) send(pid, 'SIGCONT')
  }

  /** A planned change of the primary. */
  async switchOver(from: number): Promise<void> {
    const response = await fetch(`http://${memberAddress(from)}:${apiPort(from)}/switchover`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ leader: `member-${from}` }),
    })
    if (!response.ok) throw new Error(`no switchover: ${await response.text()}`)
  }

  /** Patroni comes first, because it would react to the others' end. */
  async #readProcesses(number: number): Promise<number[]> {
    const patroni = this.#patronis.get(number)?.pid as number
    const postmaster = await this.#readPostmaster(number)
    return [patroni, ...childrenOf(patroni), postmaster, ...childrenOf(postmaster)]
  }

  async #readPostmaster(number: number): Promise<number> {
    const text = await readFile(this.#file(`member-${number}/postmaster.pid`), 'utf8')
    return Number.parseInt(text, 10)
  }
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

function childrenOf(pid: number): number[] {
  try {
    const text = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    return text.trim().split('\n').map(Number)
  } catch {
    return []
  }
}

/** A process that has ended in the meantime needs no signal. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
