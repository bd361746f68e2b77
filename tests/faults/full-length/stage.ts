import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Database, openDatabase } from '../../../platform/database/database.ts'
import {
  type EmbeddedPostgres,
  findRunningPostgres,
  startEmbeddedPostgres,
} from '../../../platform/database/embedded/start.ts'
import { readOrMakeSecretKey } from '../../../platform/database/secret-key.ts'
import { PROJECT_DIR } from '../../../platform/server/project-folder.ts'
import { SERVER_FILE } from '../../../tools/build-server.mjs'
import { freePort } from '../../../tools/free-port.mjs'
import { makeAssessment, makeCandidate, PASSWORD } from '../../rig/assessment-rig.ts'
import type { Rig } from '../../rig/rig.ts'
import { Crowd, type CrowdOptions, callInTurn } from './crowd.ts'
import { Ledger } from './ledger.ts'

const START_LIMIT_MS = 60_000

export interface Node {
  url: string
  process: ChildProcess
  output(): string
  /** Sends a signal and waits for the end. @returns the exit code, null after a kill */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** The processes of one fault. Everything ends with close(). */
export class Stage {
  readonly folder: string
  readonly ledger = new Ledger()
  readonly #closers: (() => unknown)[] = []

  constructor(folder: string) {
    this.folder = folder
  }

  static async open(): Promise<Stage> {
    const folder = await mkdtemp(path.join(tmpdir(), 'superday-faults-'))
    const stage = new Stage(folder)
    stage.atEnd(() => rm(folder, { recursive: true, force: true }))
    return stage
  }

  atEnd(close: () => unknown): void {
    this.#closers.unshift(close)
  }

  async close(): Promise<void> {
    for (const close of this.#closers) await close()
  }

  /** A PostgreSQL as durable as in production, separate from the server. */
  async startPostgres(dataDir = path.join(this.folder, 'postgres')): Promise<EmbeddedPostgres> {
    const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
    this.atEnd(() => postgres.stop())
    return postgres
  }

  /** A node with its own PostgreSQL, like `npm start`. Call it again to restart. */
  startWithEmbedded(
    dataDir: string,
    port: number,
    { preload, environment = {} }: NodeOptions = {},
  ): Promise<Node> {
    const settings = { DATA_DIR: dataDir, ...environment, PORT: String(port) }
    return this.#startNode('demo', settings, preload)
  }

  /** A production node with a database that others may share. */
  startNode(
    databaseUrl: string,
    secretKey: Buffer,
    { port, preload, environment = {} }: NodeOptions = {},
  ): Promise<Node> {
    return this.#startNode(
      'serve',
      {
        DATABASE_URL: databaseUrl,
        DATA_DIR: this.folder,
        SECRET_KEY: secretKey.toString('base64'),
        PORT: String(port ?? 0),
        SMTP_URL: 'smtp://127.0.0.1:1',
        // It is the same on every node, because it names the tokens' issuer.
        PUBLIC_URL: 'http://localhost:3000',
        ...environment,
      },
      preload,
    )
  }

  async #startNode(
    mode: string,
    environment: Record<string, string>,
    preload?: string,
  ): Promise<Node> {
    const port = environment.PORT === '0' ? await freePort() : Number(environment.PORT)
    const url = `http://127.0.0.1:${port}`
    const child = spawn(
      process.execPath,
      [...(preload ? ['--import', preload] : []), SERVER_FILE, mode],
      {
        cwd: PROJECT_DIR,
        env: {
          ...process.env,
          RATE_LIMITS: 'off',
          LOG_LEVEL: 'info',
          PUBLIC_URL: url,
          ...environment,
          PORT: String(port),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const node: Node = {
      url,
      process: child,
      output: () => output,
      end: (signal) => {
        child.kill(signal)
        return ended
      },
    }
    this.atEnd(() => (isRunning(child) ? node.end('SIGTERM') : null))
    await until(() => {
      if (!isRunning(child)) throw new Error(`the server did not start: ${output}`)
      return output.includes('Superday is ready')
    }, START_LIMIT_MS)
    return node
  }

  connect(databaseUrl: string): Database {
    const db = openDatabase(databaseUrl, { max: 4 })
    this.atEnd(() => db.$client.end())
    return db
  }

  /** An assessment, its candidates, and a crowd. */
  async gather(
    db: Database,
    secretKey: Buffer,
    urls: readonly string[],
    options: Partial<CrowdOptions> & {
      candidates: number
      durationSeconds?: number
      itemCount?: number
    },
  ): Promise<{ crowd: Crowd; code: string }> {
    const { candidates, durationSeconds, itemCount = 20, ...more } = options
    const rig = { db, dependencies: { secretKey } } as unknown as Rig
    const { code } = await makeAssessment(rig, { durationSeconds, itemCount })
    const usernames: string[] = []
    for (let number = 1; number <= candidates; number += 1) {
      usernames.push((await makeCandidate(rig, code, `candidate-${number}`)).username)
    }
    const crowd = new Crowd({
      send: callInTurn(urls),
      ledger: this.ledger,
      code,
      usernames,
      password: PASSWORD,
      students: 20,
      seats: 30,
      thinkMs: 150,
      ...more,
    })
    return { crowd, code }
  }
}

interface NodeOptions {
  port?: number
  /** a module that is loaded before the server */
  preload?: string
  environment?: Record<string, string>
}

export const makeSecretKey = () => randomBytes(32)

/** Database address and key of a running `npm start` in a data folder. */
export async function readEmbedded(dataDir: string) {
  const databaseUrl = await findRunningPostgres(dataDir)
  if (!databaseUrl) throw new Error(`no database runs on ${dataDir}`)
  return { databaseUrl, secretKey: await readOrMakeSecretKey(dataDir) }
}

/** The embedded PostgreSQL's process id. */
export async function readServerPid(dataDir: string): Promise<number> {
  const state = await readFile(path.join(dataDir, 'postgres', 'server.json'), 'utf8')
  return (JSON.parse(state) as { pid: number }).pid
}

/** Stops or continues a PostgreSQL with its connections' processes, which then hangs as with a lost disk. */
export function signalServer(serverPid: number, signal: 'STOP' | 'CONT'): void {
  const children = execFileSync('pgrep', ['-P', String(serverPid)], { encoding: 'utf8' })
  for (const pid of [serverPid, ...children.trim().split('\n').map(Number)]) {
    try {
      process.kill(pid, `SIG${signal}`)
    } catch {
      // It ended in the meantime.
    }
  }
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

/** Waits until something is true. An error thrown by the check ends the wait. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  limitMs: number,
): Promise<number> {
  const begunAt = performance.now()
  while (!(await isTrue())) {
    if (performance.now() - begunAt > limitMs) throw new Error(`waited ${limitMs} ms in vain`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return performance.now() - begunAt
}
