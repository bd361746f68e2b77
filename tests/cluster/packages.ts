import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

const POSTGRES_ROOT = '/usr/lib/postgresql'

/** The program folder of Debian's newest PostgreSQL, or null. */
export function findPostgresPrograms(): string | null {
  const versions = existsSync(POSTGRES_ROOT) ? readdirSync(POSTGRES_ROOT).map(Number) : []
  const folders = versions
    .filter((version) => version >= 15)
    .sort((a, b) => b - a)
    .map((version) => path.join(POSTGRES_ROOT, String(version), 'bin'))
  return folders.find((folder) => existsSync(path.join(folder, 'initdb'))) ?? null
}

/** A program's path, or null if it isn't installed. Debian keeps servers out of users' PATH. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin']
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file)) ?? null
}

/** A message with the missing programs, or null if none is missing. */
export function describeMissing(programs: readonly string[]): string | null {
  const missing = programs.filter((name) => !findProgram(name))
  if (!findPostgresPrograms()) missing.unshift('PostgreSQL 15 or later')
  if (missing.length === 0) return null
  return `Not played, for want of ${missing.join(', ')}. On Debian: apt-get install patroni etcd-server haproxy pgbouncer postgresql-15`
}
