/**
 * Where root keeps its database: each start takes a second or two.
 * @module-tag full
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  canActAsUser,
  copyDataDir,
  hasNamespaces,
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
import { findFolderOwner, placeNew } from './placement.ts'
import { canRun, locateBinaries, namespaceRunner, unprivilegedRunner } from './runner.ts'

useEmbedded()

describe.skipIf(!isRoot)('the embedded database, started as root,', () => {
  const privateDir = join(tests, 'of root alone')
  const homes = new Set<string>()

  beforeAll(() => {
    mkdirSync(privateDir, { mode: 0o700 })
  })
  afterAll(() => {
    for (const home of homes) rmSync(home, { recursive: true, force: true })
  })

  function startElsewhere(dataDir: string) {
    return start(dataDir, { rootMode: 'unprivileged-user' }).then((database) => {
      homes.add(join(database.clusterDir, '..'))
      return database
    })
  }

  test.skipIf(!hasNamespaces)(
    'uses a user namespace for a folder that only root can enter',
    async () => {
      const dataDir = copyDataDir(join(privateDir, randomUUID()))
      const database = await start(dataDir)
      expect(database.clusterDir).toBe(join(dataDir, 'postgres', 'cluster'))
      expect(database.lines[0]).toMatch(/run in a user namespace\.$/)
      expect(statSync(database.clusterDir).uid).toBe(0)
      expect(await query(database.url, 'select 1 as n')).toEqual([{ n: 1 }])
    },
  )

  test('without namespaces is run by another user from elsewhere, also after a move', async () => {
    const dataDir = join(privateDir, randomUUID())
    const first = await startElsewhere(dataDir)
    expect(first.clusterDir).toMatch(/^\/var\/(lib|tmp)\/superday\//)
    expect(first.lines[0]).toMatch(`files in ${first.clusterDir}, run by user `)
    expect(statSync(first.clusterDir).uid).toBe(unprivilegedRunner()?.user?.uid)
    expect(statSync(first.clusterDir).mode & 0o077).toBe(0)
    await query(first.url, 'create table kept as select 1 as n')
    process.kill(serverPid(first.clusterDir), 'SIGKILL')
    await waitFor(() => query(first.url, 'select n from kept'))

    const copy = `${dataDir} copy`
    cpSync(dataDir, copy, { recursive: true, verbatimSymlinks: true })
    await expect(start(copy)).rejects.toThrow(`${copy} is in use by process ${process.pid}`)
    await first.stop()

    const moved = `${dataDir} moved`
    renameSync(dataDir, moved)
    const second = await startElsewhere(moved)
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 1 }])
    const home = join(second.clusterDir, '..')
    const unfinished = home.replace(/-[^-]*$/, '-unfinished')
    mkdirSync(join(unfinished, 'new-1'), { recursive: true })
    const fresh = await startElsewhere(dataDir)
    expect(existsSync(unfinished)).toBe(false)
    await expect(query(fresh.url, 'select n from kept')).rejects.toThrow('does not exist')
    await second.stop()

    rmSync(home, { recursive: true })
    await expect(start(moved)).rejects.toThrow(/lay in .*, which is gone\. Bring it back/)
  })

  test('without namespaces stays in the data folder when that user can enter it', async () => {
    const dataDir = newDataDir()
    mkdirSync(dataDir, { mode: 0o755 })
    const database = await start(dataDir, { rootMode: 'unprivileged-user' })
    expect(database.clusterDir).toBe(join(dataDir, 'postgres', 'cluster'))
    expect(statSync(database.clusterDir).uid).toBe(unprivilegedRunner()?.user?.uid)
    await database.stop()
    const again = await start(dataDir)
    expect(again.lines[0]).toMatch(/run by user /)
  })

  test.skipIf(!hasNamespaces)(
    "takes over a namespace's database when namespaces are gone",
    async () => {
      const dataDir = copyDataDir()
      chmodSync(dataDir, 0o755)
      const first = await start(dataDir)
      await query(first.url, 'create table kept as select 1 as n')
      await first.stop()
      const second = await start(dataDir, { rootMode: 'unprivileged-user' })
      expect(await query(second.url, 'select n from kept')).toEqual([{ n: 1 }])
    },
  )

  test('runs binaries in a folder that only root can enter, in place or from a copy', async () => {
    const found = locateBinaries()
    const nativeDir = join(privateDir, 'native')
    cpSync(found.nativeDir, nativeDir, { recursive: true, verbatimSymlinks: true })
    const binaries = { version: `${found.version}-test`, nativeDir }
    const namespace = namespaceRunner()
    if (hasNamespaces && namespace) expect(await canRun(namespace, binaries)).toBe(true)
    const baseDir = join(newDataDir(), 'postgres')
    mkdirSync(baseDir, { recursive: true })
    const options = { dataDir: join(baseDir, '..'), baseDir, binaries, folderOwner: null }
    const places = await Promise.all([
      placeNew({ ...options, rootMode: 'unprivileged-user' }),
      placeNew({ ...options, rootMode: 'unprivileged-user' }),
    ])
    for (const place of places) {
      homes.add(place.binaries.nativeDir)
      expect(place.binaries.nativeDir).toMatch(/^\/var\/(lib|tmp)\/superday\/postgresql-/)
      expect(await canRun(place.runner, place.binaries)).toBe(true)
    }
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
      /^EmbeddedPostgresError: The data folder .* user nobody may not read and write/,
    )
    execFileSync('chown', ['-R', 'nobody', dataDir])
    chownSync(join(dataDir, 'postgres', 'cluster'), 0, 0)
    await expect(startApp(dataDir, { user: ordinaryUser })).rejects.toThrow(
      /^EmbeddedPostgresError: The database in .* belongs to user 0, and this is user nobody/,
    )
  })
})
