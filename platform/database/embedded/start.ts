import { createHash } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pg from 'pg'
import {
  createCluster,
  databaseName,
  makeFolders,
  readPassword,
  removeHalfFinished,
  requirePassword,
} from './cluster.ts'
import { EmbeddedPostgresError, explainFailure } from './failure.ts'
import { claimFolder, findOwner, type Ownership } from './ownership.ts'
import {
  findCluster,
  findFolderOwner,
  type Placement,
  placeCluster,
  requireSameVersion,
} from './placement.ts'
import { type Binaries, locateBinaries } from './runner.ts'
import { type RunningServer, readServerState, runServer, sweepUp } from './server.ts'

/*
 * Superday's embedded PostgreSQL, with its own data folder:
 *   DATA_DIR/postgres/owner-*.json   the process that owns the folder (ownership.ts)
 *                     cluster        PostgreSQL's files (cluster.ts)
 *                     password       of the database's user
 *                     server.json    port and pid of the server (server.ts)
 *                     server.log     the server's messages, up to about 4 MB, and server.log.1
 */

export interface EmbeddedPostgres {
  /** postgres://superday:PASSWORD@127.0.0.1:PORT/superday */
  url: string
  /** the real path of the cluster's files */
  clusterDir: string
  /** a clean stop: cuts connections and loses no commit; can be called again */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  dataDir: string
  log: (line: string) => void
  /** more server settings, such as { fsync: 'off' } in tests */
  settings?: Record<string, string>
}

/**
 * Starts the PostgreSQL of a data folder, creates it the first time, and restarts it on the same port when it dies.
 * Ends a server that a killed app left. Errors: EmbeddedPostgresError with a message for the terminal.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  const claims: Ownership[] = []
  const release = () => {
    for (const claim of claims) claim.release()
  }
  try {
    return await start({ ...options, dataDir }, claims, release)
  } catch (error) {
    release()
    throw explainFailure(error, dataDir)
  }
}

async function start(
  options: EmbeddedPostgresOptions,
  claims: Ownership[],
  release: () => void,
): Promise<EmbeddedPostgres> {
  const { dataDir, log, settings = {} } = options
  const binaries = locateBinaries()
  const folderOwner = await findFolderOwner(dataDir, binaries)
  const baseDir = realpathSync(makeFolders(dataDir, folderOwner))
  claims.push(await claimFolder(baseDir, dataDir))

  const existing = findCluster(baseDir)
  if (existing) requireSameVersion(existing, binaries)
  const placement = await placeCluster({ existing, baseDir, binaries, folderOwner })
  // Copies of a data folder can link to the same cluster elsewhere.
  if (placement.homeDir !== baseDir) claims.push(await claimFolder(placement.homeDir, dataDir))
  await removeHalfFinished(placement.homeDir)

  const clusterDir = existing ?? (await createCluster(baseDir, placement))
  const clusterName = nameCluster(clusterDir)
  if (await sweepUp(clusterName, clusterDir)) {
    log(`Ended a PostgreSQL that a killed process had left running on ${clusterDir}.`)
  }
  const password = await requirePassword(baseDir, clusterDir, placement)
  const isOwner = () => claims.every((claim) => claim.isHeld())
  const serverOptions = { placement, clusterDir, baseDir, clusterName, settings, log, isOwner }
  const server = await runServer(serverOptions)
  const url = databaseUrl(password, server.port)
  try {
    await ensureDatabase(url, baseDir)
  } catch (error) {
    await server.stop()
    throw error
  }
  log(startedLine(server, placement, binaries, clusterDir))
  return { url, clusterDir, stop: stopOnce(server, release) }
}

/** The address of a running app's server on this data folder, or null. Errors: EmbeddedPostgresError. */
export async function findRunningPostgres(dataDir: string): Promise<string | null> {
  const baseDir = join(resolve(dataDir), 'postgres')
  try {
    const owner = await findOwner(baseDir)
    const state = readServerState(baseDir)
    if (!owner || !state?.pid || state.appPid !== owner.pid) return null
    const password = readPassword(baseDir)
    return password ? databaseUrl(password, state.port) : null
  } catch (error) {
    throw explainFailure(error, resolve(dataDir))
  }
}

function databaseUrl(password: string, port: number): string {
  return `postgres://${databaseName}:${password}@127.0.0.1:${port}/${databaseName}`
}

/** Names a cluster by its inode: the name survives a move, and a copy gets another. */
function nameCluster(clusterDir: string): string {
  const { dev, ino } = statSync(clusterDir, { bigint: true })
  return `superday-${createHash('sha256').update(`${dev} ${ino}`).digest('hex').slice(0, 16)}`
}

/** Connects once, and creates the database if it is missing because the app was killed after initdb. */
async function ensureDatabase(url: string, baseDir: string): Promise<void> {
  try {
    await query(url, 'select 1')
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === '28P01') {
      throw new EmbeddedPostgresError(
        `${join(baseDir, 'password')} is not the database's password: delete this file, and the next start sets a new one.`,
      )
    }
    if (code !== '3D000') throw error // the database doesn't exist
    const maintenance = new URL(url)
    maintenance.pathname = '/postgres'
    await query(maintenance.href, `create database ${databaseName}`)
  }
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, ssl: false })
  client.on('error', () => {}) // the query or connect rejects as well
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

function startedLine(
  server: RunningServer,
  { runner }: Placement,
  { version }: Binaries,
  clusterDir: string,
): string {
  const how = runner.words ? `, ${runner.words}` : ''
  return `PostgreSQL ${version} on 127.0.0.1:${server.port}, files in ${clusterDir}${how}.`
}

function stopOnce(server: RunningServer, release: () => void): () => Promise<void> {
  let stopped: Promise<void> | null = null
  return () => {
    stopped ??= server.stop().finally(release)
    return stopped
  }
}
