import { execFile } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { EmbeddedPostgresError, userName } from './failure.ts'
import {
  type Binaries,
  canRun,
  findUnprivilegedUser,
  hasUserName,
  majorVersion,
  plainRunner,
  type Runner,
  runnersOf,
  type User,
} from './runner.ts'

export interface Placement {
  runner: Runner
  binaries: Binaries
  /** the folder around the cluster, where unfinished clusters are built */
  homeDir: string
}

/**
 * The real path of the finished cluster (for root, an earlier version made a symlink), or null. Errors:
 * EmbeddedPostgresError when it finds files that must not be touched.
 */
export function findCluster(baseDir: string): string | null {
  const entry = join(baseDir, 'cluster')
  if (!lstatSync(entry, { throwIfNoEntry: false })) return null
  const clusterDir = realpathSync(entry)
  requireOwnCluster(clusterDir)
  if (existsSync(join(clusterDir, 'PG_VERSION'))) return clusterDir
  if (readdirSync(clusterDir).length === 0) return null
  throw new EmbeddedPostgresError(
    `${entry} contains files but no PostgreSQL database. Nothing was changed: move it away to start with an empty database.`,
  )
}

function requireOwnCluster(clusterDir: string): void {
  const ours = process.getuid?.() ?? 0
  const { uid } = statSync(clusterDir)
  if (ours === 0 || uid === ours) return
  throw new EmbeddedPostgresError(
    `The database in ${clusterDir} belongs to user ${uid}, and this is user ${userName()}: start as that user, or change the owner of the whole data folder.`,
  )
}

/** Rejects a cluster of another major version, whose files this server can't read. */
export function requireSameVersion(clusterDir: string, binaries: Binaries): void {
  const found = readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim()
  const ours = majorVersion(binaries)
  if (found === ours) return
  throw new EmbeddedPostgresError(
    `The database in ${clusterDir} was created by PostgreSQL ${found}, but this version of Superday includes PostgreSQL ${ours}. Nothing was changed: start the Superday version that created it, or set DATABASE_URL to a server with its data.`,
  )
}

/** Decides how to run an existing or new cluster. Root runs it as the user who owns it. */
export async function placeCluster(options: {
  existing: string | null
  baseDir: string
  binaries: Binaries
  folderOwner: User | null
}): Promise<Placement> {
  const { existing, binaries } = options
  const homeDir = existing ? dirname(existing) : options.baseDir
  if (process.getuid?.() !== 0) return { runner: plainRunner, binaries, homeDir }
  const owner = existing ? statSync(existing) : options.folderOwner
  const user = owner?.uid ? { uid: owner.uid, gid: owner.gid } : findUnprivilegedUser()
  for (const runner of user ? runnersOf(user) : []) {
    if (!(await canRun(runner, binaries, homeDir))) continue
    // An earlier version ran it in a user namespace, so root owns its files.
    if (existing && owner?.uid === 0) {
      await promisify(execFile)('chown', ['-R', `${user?.uid}:${user?.gid}`, existing])
    }
    return { runner, binaries, homeDir }
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL refuses to run as root, and no other user can run it in ${homeDir}. Start as an ordinary user with a separate data folder, or set DATABASE_URL.`,
  )
}

/**
 * Finds the ordinary user who owns the folder when root starts there (`sudo npm start`), or null. That user runs the
 * database, and can start it without sudo next time.
 */
export async function findFolderOwner(dataDir: string, binaries: Binaries): Promise<User | null> {
  if (process.getuid?.() !== 0) return null
  let dir = dataDir
  while (!existsSync(dir) || isEmptyOfRoot(dir)) dir = dirname(dir)
  const { uid, gid } = statSync(dir)
  return uid !== 0 && (await hasUserName(uid, binaries)) ? { uid, gid } : null
}

/** A data folder that was just created says nothing about its place. */
function isEmptyOfRoot(dir: string): boolean {
  const stat = statSync(dir)
  return dir !== '/' && stat.uid === 0 && stat.isDirectory() && readdirSync(dir).length === 0
}
