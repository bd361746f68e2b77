import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { EmbeddedPostgresError, userName } from './failure.ts'
import {
  type Binaries,
  canRun,
  canWorkIn,
  copyBinaries,
  hasUserName,
  haveUserName,
  majorVersion,
  namespaceRunner,
  plainRunner,
  type Runner,
  unprivilegedRunner,
  userRunner,
} from './runner.ts'

/** For root only: a way that is taken without trying the others. */
export type RootMode = 'namespace' | 'unprivileged-user'

/** Where the cluster lies, which binaries serve it, and as whom. */
export interface Placement {
  runner: Runner
  binaries: Binaries
  /** the folder around the cluster: half-finished ones are made here */
  homeDir: string
}

/** The cluster of a data folder: a folder, or a link to one where root keeps it elsewhere. The link
 * is made last, so whatever it names was finished once. */
export function clusterEntry(baseDir: string): string {
  return join(baseDir, 'cluster')
}

/** Where the files of the finished cluster really lie; null when there is none yet.
 * Throws EmbeddedPostgresError when there is something that must not be touched. */
export function findCluster(baseDir: string): string | null {
  const entry = clusterEntry(baseDir)
  const stat = lstatSync(entry, { throwIfNoEntry: false })
  if (!stat) return null
  if (stat.isSymbolicLink() && !existsSync(entry)) {
    throw new EmbeddedPostgresError(
      `The database of this data folder lay in ${readlinkSync(entry)}, which is gone. Bring it back, or delete ${entry} to start with an empty database.`,
    )
  }
  const clusterDir = realpathSync(entry)
  requireOwnCluster(clusterDir)
  if (existsSync(join(clusterDir, 'PG_VERSION'))) return clusterDir
  if (readdirSync(clusterDir).length === 0) return null
  throw new EmbeddedPostgresError(
    `${entry} holds files but no PostgreSQL database. Nothing was changed: move it away to start with an empty database.`,
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

/** Refuses the cluster of another major version, whose files this server can't read. */
export function requireSameVersion(clusterDir: string, binaries: Binaries): void {
  const found = readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim()
  const ours = majorVersion(binaries)
  if (found === ours) return
  throw new EmbeddedPostgresError(
    `The database in ${clusterDir} was made by PostgreSQL ${found}, and this version of Superday brings PostgreSQL ${ours}. Nothing was changed: start the version of Superday that made it, or set DATABASE_URL to a server that has its data.`,
  )
}

/** How to run the cluster that exists: by the user who owns its files. */
export async function placeExisting(
  clusterDir: string,
  binaries: Binaries,
  rootMode: RootMode | undefined,
): Promise<Placement> {
  const homeDir = dirname(clusterDir)
  if (process.getuid?.() !== 0) return { runner: plainRunner, binaries, homeDir }
  const { uid, gid } = statSync(clusterDir)
  if (uid !== 0) {
    const runner = userRunner(uid, gid)
    return { runner, binaries: await requireRunnable(runner, binaries), homeDir }
  }
  const namespace = rootMode === 'unprivileged-user' ? null : namespaceRunner()
  if (namespace && (await works(namespace, homeDir, binaries))) {
    return { runner: namespace, binaries, homeDir }
  }
  // Made in a user namespace on a kernel that allowed it, opened where it is refused.
  const runner = unprivilegedRunner()
  openToOthers(homeDir)
  if (!runner?.user || !(await canWorkIn(runner, homeDir, binaries))) {
    throw new EmbeddedPostgresError(
      `The database in ${clusterDir} belongs to root, PostgreSQL refuses to run as root, user namespaces are not allowed here, and no other user can enter the folder. Start as an ordinary user with a data folder of its own.`,
    )
  }
  const runnable = await requireRunnable(runner, binaries)
  const owner = `${runner.user.uid}:${runner.user.gid}`
  await promisify(execFile)('chown', ['-R', owner, clusterDir])
  return { runner, binaries: runnable, homeDir }
}

/** Where to make the cluster of a data folder that has none. `folderOwner` is the ordinary user in
 * whose folder root was started, or null. */
export async function placeNew(options: {
  dataDir: string
  baseDir: string
  binaries: Binaries
  folderOwner: { uid: number; gid: number } | null
  rootMode: RootMode | undefined
}): Promise<Placement> {
  const { dataDir, baseDir, binaries, folderOwner, rootMode } = options
  const namespace = rootMode === 'unprivileged-user' ? null : namespaceRunner()
  if (process.getuid?.() !== 0) {
    const inNamespace = !haveUserName() && namespace && (await works(namespace, baseDir, binaries))
    return { runner: inNamespace ? namespace : plainRunner, binaries, homeDir: baseDir }
  }
  if (folderOwner && !rootMode) {
    const runner = userRunner(folderOwner.uid, folderOwner.gid)
    if (await works(runner, baseDir, binaries)) return { runner, binaries, homeDir: baseDir }
  }
  if (namespace && (await works(namespace, baseDir, binaries))) {
    return { runner: namespace, binaries, homeDir: baseDir }
  }
  const runner = rootMode === 'namespace' ? null : unprivilegedRunner()
  if (!runner) {
    throw new EmbeddedPostgresError(
      'PostgreSQL refuses to run as root, and there is no way here to run it as somebody else: start as an ordinary user, or set DATABASE_URL.',
    )
  }
  const runnable = await requireRunnable(runner, binaries)
  return { runner, binaries: runnable, homeDir: await openHome(runner, dataDir, baseDir, binaries) }
}

async function works(runner: Runner, dir: string, binaries: Binaries): Promise<boolean> {
  return (await canWorkIn(runner, dir, binaries)) && (await canRun(runner, binaries))
}

/** The binaries in place where this user may run them, else a copy that everybody may run. */
async function requireRunnable(runner: Runner, binaries: Binaries): Promise<Binaries> {
  if (await canRun(runner, binaries)) return binaries
  const copy = await copyBinaries(binaries, requireSharedRoot())
  if (await canRun(runner, copy)) return copy
  throw new EmbeddedPostgresError(
    `PostgreSQL refuses to run as root, and ${copy.nativeDir} does not start, ${runner.words}: start as an ordinary user, or set DATABASE_URL.`,
  )
}

/** The data folder itself where that user can pass into it, so that a mounted volume holds the
 * database; else a folder outside that is named after the data folder's path. */
async function openHome(runner: Runner, dataDir: string, baseDir: string, binaries: Binaries) {
  openToOthers(baseDir)
  if (await canWorkIn(runner, baseDir, binaries)) return baseDir
  chmodSync(baseDir, 0o700)
  const name = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16)
  const sharedRoot = requireSharedRoot()
  removeUnfinishedHomes(sharedRoot, name)
  // Not the hash alone: who moves a data folder away and starts afresh means an empty database,
  // and the moved folder's link still names the old one.
  const homeDir = join(sharedRoot, `${name}-${randomUUID().slice(0, 8)}`)
  mkdirSync(homeDir)
  openToOthers(homeDir)
  return homeDir
}

/** Passable, not readable: what lies inside has its own modes. */
function openToOthers(dir: string): void {
  chmodSync(dir, 0o711)
}

/** A folder of root's that every user may pass. Not the temporary folder, which machines empty. */
function requireSharedRoot(): string {
  for (const dir of ['/var/lib/superday', '/var/tmp/superday']) {
    try {
      mkdirSync(dir, { recursive: true })
      const { uid, mode } = statSync(dir)
      // In /var/tmp anybody could have made it first, and would choose what we run.
      if (uid !== 0 || (mode & 0o022) !== 0) continue
      chmodSync(dir, 0o755)
      return dir
    } catch {
      // read-only or not ours: the next one
    }
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root, and neither /var/lib/superday nor /var/tmp/superday can be made for it: start as an ordinary user, or set DATABASE_URL.',
  )
}

/** Leftovers of starts that were killed before they had made a cluster. */
function removeUnfinishedHomes(sharedRoot: string, name: string): void {
  for (const entry of readdirSync(sharedRoot)) {
    const dir = join(sharedRoot, entry)
    if (entry.startsWith(`${name}-`) && !existsSync(join(dir, 'cluster'))) {
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
    }
  }
}

/** The ordinary user who owns the place of the data folder, when root starts there: `sudo npm start`
 * in a person's checkout. The database is then run by that person, who can start it without sudo
 * the next time. Null for everybody else. */
export async function findFolderOwner(dataDir: string, binaries: Binaries) {
  if (process.getuid?.() !== 0) return null
  let dir = dataDir
  while (!existsSync(dir) || isEmptyOfRoot(dir)) dir = dirname(dir)
  const { uid, gid } = statSync(dir)
  return uid !== 0 && (await hasUserName(uid, binaries)) ? { uid, gid } : null
}

/** A data folder that was made a moment ago says nothing about its place. */
function isEmptyOfRoot(dir: string): boolean {
  const stat = statSync(dir)
  return dir !== '/' && stat.uid === 0 && stat.isDirectory() && readdirSync(dir).length === 0
}
