import { randomBytes, randomUUID } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { EmbeddedPostgresError } from './failure.ts'
import type { Placement } from './placement.ts'
import { syncFolder, writePrivateFile } from './private-files.ts'
import { endInitdb } from './processes.ts'
import { executable, runAs, type User } from './runner.ts'

export const databaseName = 'superday'

export function readPassword(baseDir: string): string | null {
  const path = passwordFile(baseDir)
  return existsSync(path) ? readFileSync(path, 'utf8').trim() || null : null
}

function passwordFile(baseDir: string): string {
  return join(baseDir, 'password')
}

function newPassword(): string {
  return randomBytes(24).toString('base64url')
}

/** Creates the cluster of a data folder and returns its path. It is renamed into place when complete and synced. */
export async function createCluster(baseDir: string, placement: Placement): Promise<string> {
  const { runner, homeDir } = placement
  if (!readPassword(baseDir)) writePrivateFile(passwordFile(baseDir), newPassword())
  const stagingDir = join(homeDir, `new-${randomUUID()}`)
  mkdirSync(stagingDir, { mode: 0o700 })
  try {
    const password = join(stagingDir, 'password')
    writeFileSync(password, readPassword(baseDir) ?? '', { mode: 0o600 })
    if (runner.user) {
      chownSync(password, runner.user.uid, runner.user.gid)
      chownSync(stagingDir, runner.user.uid, runner.user.gid)
    }
    await runInitdb(placement, stagingDir, password)
    const clusterDir = join(homeDir, 'cluster')
    renameSync(join(stagingDir, 'cluster'), clusterDir)
    syncFolder(homeDir)
    return clusterDir
  } finally {
    rmSync(stagingDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function runInitdb({ runner, binaries }: Placement, stagingDir: string, password: string) {
  const args = [
    `--pgdata=${join(stagingDir, 'cluster')}`,
    `--username=${databaseName}`,
    `--pwfile=${password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C', // the only locale that exists on every machine
    '--no-instructions',
  ]
  const command = executable(binaries, 'initdb')
  const { code, stderr } = await runAs(runner, command, args, binaries, { cwd: stagingDir })
  if (code === 0) return
  if (stderr.startsWith('Error: spawn')) {
    throw new EmbeddedPostgresError(
      `This system can't run ${command}, which needs glibc on Linux. Set DATABASE_URL to your own PostgreSQL. (${stderr})`,
    )
  }
  throw new EmbeddedPostgresError(
    `The database could not be set up in ${dirname(stagingDir)}: ${findReason(stderr) ?? 'initdb was stopped'}.`,
  )
}

/** Ends a leftover initdb and removes its files. Only the folder's owner may call this. */
export async function removeHalfFinished(homeDir: string): Promise<void> {
  for (const name of readdirSync(homeDir).filter((name) => name.startsWith('new-'))) {
    const dir = join(homeDir, name)
    await endInitdb(dir)
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Reads the password, or sets a new one if the password file was lost. The cluster must not be running. */
export async function requirePassword(
  baseDir: string,
  clusterDir: string,
  { runner, binaries }: Placement,
): Promise<string> {
  const known = readPassword(baseDir)
  if (known) return known
  const password = newPassword()
  const { code, stderr } = await runAs(
    runner,
    executable(binaries, 'postgres'),
    ['--single', '-D', clusterDir, 'postgres'],
    binaries,
    { input: `ALTER ROLE ${databaseName} PASSWORD '${password}'\n` },
  )
  const reason = /ERROR|FATAL|PANIC/.test(stderr) ? findReason(stderr) : null
  if (code !== 0 || reason) {
    throw new EmbeddedPostgresError(
      `The database in ${clusterDir} has lost its password file, and a new password could not be set: ${reason ?? 'it was stopped'}.`,
    )
  }
  writePrivateFile(passwordFile(baseDir), password)
  return password
}

/** The reason in a PostgreSQL program's output. A full disk has many symptoms, so it is checked first. */
export function findReason(output: string): string | null {
  if (/No space left on device|Check free disk space|ENOSPC/.test(output)) return 'the disk is full'
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const reason = lines.findLast((line) => /(FATAL|PANIC|ERROR|error): /.test(line)) ?? lines.at(-1)
  return reason?.replace(/^.*(FATAL|PANIC|ERROR|error): +/, '').replace(/\.$/, '') ?? null
}

/** Creates both data folders with mode 700. In another user's folder, root gives them to that user. */
export function makeFolders(dataDir: string, folderOwner: User | null): string {
  const baseDir = join(dataDir, 'postgres')
  const firstParent = mkdirSync(dirname(dataDir), { recursive: true })
  const firstPrivate = mkdirSync(baseDir, { recursive: true, mode: 0o700 })
  if (folderOwner && firstPrivate) {
    const top = firstParent ?? dataDir
    for (let dir = baseDir; dir.length >= top.length; dir = dirname(dir)) {
      chownSync(dir, folderOwner.uid, folderOwner.gid)
    }
  }
  return baseDir
}
