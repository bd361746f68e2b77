/**
 * Runs the database as root. Each start takes a second or two.
 * @module-tag full
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  renameSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import {
  canActAsUser,
  copyDataDir,
  isLinux,
  isRoot,
  listFiles,
  newDataDir,
  ordinaryUser,
  query,
  serverPid,
  start,
  startApp,
  tests,
  useEmbedded,
  waitFor,
} from '../../../tests/rig/embedded-rig.ts'
import { makeFolders } from './cluster.ts'
import { findFolderOwner } from './placement.ts'
import { findUnprivilegedUser, locateBinaries } from './runner.ts'

useEmbedded()

describe.skipIf(!isRoot)('the embedded database, started as root,', () => {
  const privateDir = join(tests, 'of root alone')
  const ownerOf = (path: string) => statSync(path).uid

  beforeAll(() => mkdirSync(privateDir, { mode: 0o700 }))

  test('runs as another user, even in a folder that only root can enter', async () => {
    const dataDir = join(privateDir, randomUUID())
    const database = await start(dataDir)
    expect(database.clusterDir).toBe(join(dataDir, 'postgres', 'cluster'))
    expect(database.lines[0]).toMatch(/run by user \w+\.$/)
    expect(ownerOf(database.clusterDir)).toBe(findUnprivilegedUser()?.uid)
    expect(ownerOf(`/proc/${serverPid(database.clusterDir)}`)).toBe(findUnprivilegedUser()?.uid)
    expect(statSync(database.clusterDir).mode & 0o077).toBe(0)
    await query(database.url, 'create table kept as select 1 as n')
    process.kill(serverPid(database.clusterDir), 'SIGKILL')
    await waitFor(() => query(database.url, 'select n from kept'))
  })

  test('takes over the files that an earlier version left to root', async () => {
    const dataDir = copyDataDir(join(privateDir, randomUUID()))
    execFileSync('chown', ['-R', 'root', dataDir])
    const database = await start(dataDir)
    expect(await query(database.url, 'select 1 as n')).toEqual([{ n: 1 }])
    expect(ownerOf(database.clusterDir)).toBe(findUnprivilegedUser()?.uid)
  })

  test('finds the files that an earlier version kept elsewhere, for one start at a time', async () => {
    const dataDir = copyDataDir(join(privateDir, randomUUID()))
    const home = newDataDir()
    mkdirSync(home, { mode: 0o711 })
    renameSync(join(dataDir, 'postgres', 'cluster'), join(home, 'cluster'))
    symlinkSync(join(home, 'cluster'), join(dataDir, 'postgres', 'cluster'))
    const database = await start(dataDir)
    expect(database.clusterDir).toBe(join(home, 'cluster'))
    const copy = `${dataDir} copy`
    cpSync(dataDir, copy, { recursive: true, verbatimSymlinks: true })
    await expect(start(copy)).rejects.toThrow(`${copy} is in use by process ${process.pid}`)
  })

  test('is refused with one message if no other user can run it', async () => {
    vi.stubEnv('PATH', newDataDir())
    await expect(start(join(privateDir, randomUUID()))).rejects.toThrow(
      /^PostgreSQL refuses to run as root, and no other user can run it in .*\. Start as/,
    )
    vi.unstubAllEnvs()
  })

  test.skipIf(!canActAsUser)(
    "in a person's folder belongs to that person, who can start it without root",
    async () => {
      const home = join(tests, 'home of a person')
      mkdirSync(home)
      chownSync(home, ordinaryUser.uid, ordinaryUser.gid)
      chmodSync(home, 0o700)
      const made = join(home, 'made by root a moment ago')
      mkdirSync(made, { mode: 0o700 })
      const owner = await findFolderOwner(made, locateBinaries())
      expect(owner).toEqual(ordinaryUser)
      makeFolders(made, owner)
      expect(statSync(made).uid).toBe(ordinaryUser.uid)

      const dataDir = join(home, 'superday', 'data')
      const byRoot = await start(dataDir)
      await query(byRoot.url, 'create table kept as select 1 as n')
      expect(byRoot.lines[0]).toMatch(/run by user nobody\.$/)
      for (const path of [join(home, 'superday'), dataDir, ...listFiles(dataDir)]) {
        const stat = lstatSync(path, { throwIfNoEntry: false })
        if (stat) expect([path, stat.uid]).toEqual([path, ordinaryUser.uid])
      }
      await byRoot.stop()
      const app = await startApp(dataDir, { user: ordinaryUser })
      expect(await query(app.database.url, 'select n from kept')).toEqual([{ n: 1 }])
      if (isLinux) {
        const server = statSync(`/proc/${serverPid(app.database.clusterDir)}`)
        expect(server.uid).toBe(ordinaryUser.uid)
      }
      await expect(start(dataDir)).rejects.toThrow(`in use by process ${app.process.pid}`)
    },
  )

  test.skipIf(!canActAsUser)('tells an ordinary user who owns the database', async () => {
    const dataDir = copyDataDir()
    chmodSync(dataDir, 0o755)
    await expect(startApp(dataDir, { user: ordinaryUser })).rejects.toThrow(
      /^EmbeddedPostgresError: The data folder .* user nobody isn't allowed to read and write/,
    )
    execFileSync('chown', ['-R', 'nobody', dataDir])
    chownSync(join(dataDir, 'postgres', 'cluster'), 0, 0)
    await expect(startApp(dataDir, { user: ordinaryUser })).rejects.toThrow(
      /^EmbeddedPostgresError: The database in .* belongs to user 0, and this is user nobody/,
    )
  })
})
