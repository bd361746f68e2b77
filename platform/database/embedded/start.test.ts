import { spawnSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  canActAsUser,
  copyDataDir,
  isLinux,
  isRoot,
  listFiles,
  newDataDir,
  ordinaryUser,
  query,
  serverLog,
  start,
  startApp,
  tests,
  useEmbedded,
} from '../../../tests/rig/embedded-rig.ts'
import { completeSymlinks } from './runner.ts'
import { findRunningPostgres } from './start.ts'

useEmbedded()

describe('the start of the embedded database', () => {
  test('opens a durable UTF-8 database on loopback only, and closes it cleanly', async () => {
    // start() created the database in this folder and stopped it.
    const dataDir = copyDataDir()
    const database = await start(dataDir)
    const [row] = await query(
      database.url,
      `select current_user, current_database(), session_user,
        (select rolsuper from pg_roles where rolname = current_user) as super,
        current_setting('fsync') as fsync, current_setting('max_connections') as connections,
        current_setting('shared_buffers') as buffers, current_setting('timezone') as zone,
        current_setting('server_encoding') as encoding,
        current_setting('listen_addresses') as addresses,
        current_setting('unix_socket_directories') as sockets,
        (select datlocprovider::text || ' ' || datlocale from pg_database
          where datname = current_database()) as locale`,
    )
    expect(row).toEqual({
      current_user: 'superday',
      current_database: 'superday',
      session_user: 'superday',
      super: true,
      fsync: 'on',
      connections: '100',
      buffers: '128MB',
      zone: 'UTC',
      encoding: 'UTF8',
      addresses: '127.0.0.1',
      sockets: '',
      locale: 'b C.UTF-8',
    })
    await query(database.url, 'create database copy_of_it template superday')
    await database.stop()
    await database.stop()

    const again = await start(dataDir)
    expect(again.url).toBe(database.url)
    await again.stop()
    expect(serverLog(dataDir)).not.toMatch(/not properly shut down|recovery/)
  })

  test('keeps its files private and refuses connections without the password', async () => {
    const dataDir = copyDataDir()
    const { url, stop } = await start(dataDir)
    for (const path of [dataDir, ...listFiles(dataDir)]) {
      const stat = lstatSync(path, { throwIfNoEntry: false })
      if (stat) expect([path, stat.mode & 0o077]).toEqual([path, 0])
    }
    const wrong = new URL(url)
    wrong.password = 'wrong'
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
    const others = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
    for (const { address } of others.filter((a) => a.family === 'IPv4' && !a.internal)) {
      await expect(query(url.replace('127.0.0.1', address), 'select 1')).rejects.toThrow('REFUSED')
    }
    await stop()
  })

  test('takes another port when its own is taken, and keeps it', { tags: ['full'] }, async () => {
    const dataDir = copyDataDir()
    const first = await start(dataDir)
    await first.stop()
    const taken = createServer()
    const port = Number(new URL(first.url).port)
    await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve))
    const second = await start(dataDir)
    expect(second.url).not.toBe(first.url)
    await second.stop()
    await new Promise((resolve) => taken.close(resolve))
    const third = await start(dataDir)
    expect(third.url).toBe(second.url)
  })

  test('sets a new password when the password file is missing', { tags: ['full'] }, async () => {
    const dataDir = copyDataDir()
    const first = await start(dataDir)
    await query(first.url, 'create table kept ()')
    await first.stop()
    rmSync(join(dataDir, 'postgres', 'password'))
    const second = await start(dataDir)
    expect(second.url).not.toBe(first.url)
    expect(await query(second.url, 'select * from kept')).toEqual([])
  })

  test('rotates a long log and keeps the last one', { tags: ['full'] }, async () => {
    const dataDir = copyDataDir()
    writeFileSync(join(dataDir, 'postgres', 'server.log'), 'x'.repeat(5_000_000))
    await start(dataDir)
    expect(serverLog(dataDir).length).toBeLessThan(10_000)
    expect(statSync(join(dataDir, 'postgres', 'server.log.1')).size).toBe(5_000_000)
  })

  test("tells the admin command the address of a running app's server", {
    tags: ['full'],
  }, async () => {
    const dataDir = copyDataDir()
    expect(await findRunningPostgres(dataDir)).toBeNull()
    const database = await start(dataDir)
    expect(await findRunningPostgres(dataDir)).toBe(database.url)
    const stateFile = join(dataDir, 'postgres', 'server.json')
    const state = JSON.parse(readFileSync(stateFile, 'utf8'))
    writeFileSync(stateFile, JSON.stringify({ ...state, appPid: 1 })) // of an app that was killed earlier
    expect(await findRunningPostgres(dataDir)).toBeNull()
    await database.stop()
    expect(await findRunningPostgres(dataDir)).toBeNull()
  })
})

describe('an unusable data folder', () => {
  const refused = (dataDir: string) =>
    start(dataDir).then(
      () => 'started',
      (error: Error) => `${error.name}: ${error.message}`,
    )

  test('is refused with one message when it is a file', async () => {
    const dataDir = newDataDir()
    writeFileSync(dataDir, '')
    expect(await refused(dataDir)).toMatch(/^EmbeddedPostgresError: .* is a file, not a folder\./)
  })

  test('is refused untouched when another PostgreSQL major version made it', async () => {
    const dataDir = newDataDir()
    const clusterDir = join(dataDir, 'postgres', 'cluster')
    mkdirSync(join(clusterDir, 'base'), { recursive: true })
    writeFileSync(join(clusterDir, 'PG_VERSION'), '17\n')
    expect(await refused(dataDir)).toMatch(
      /was created by PostgreSQL 17, but .* includes PostgreSQL 18\./,
    )
    expect(listFiles(join(dataDir, 'postgres')).map((path) => path.slice(dataDir.length))).toEqual([
      '/postgres/cluster',
      '/postgres/cluster/PG_VERSION',
      '/postgres/cluster/base',
    ])
  })

  test('is refused untouched when it contains other files', async () => {
    const dataDir = newDataDir()
    const file = join(dataDir, 'postgres', 'cluster', 'thesis.txt')
    mkdirSync(join(dataDir, 'postgres', 'cluster'), { recursive: true })
    writeFileSync(file, 'mine')
    expect(await refused(dataDir)).toMatch('contains files but no PostgreSQL database')
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  test.skipIf(!canActAsUser)(
    'is refused with one message when it is not writable',
    { tags: ['full'] },
    async () => {
      const dataDir = newDataDir()
      mkdirSync(dataDir, { mode: 0o755 })
      const outcome = startApp(dataDir, { user: ordinaryUser })
      await expect(outcome).rejects.toThrow(
        /user nobody isn't allowed to read and write .*Change its owner/,
      )
    },
  )

  const mountPoint = join(tests, 'small disk')
  const canMount = () => {
    if (!isRoot || !isLinux) return false
    mkdirSync(mountPoint)
    return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', mountPoint]).status === 0
  }
  test('is refused with one message when the disk is full, and works once there is space', {
    tags: ['full'],
  }, async ({ skip }) => {
    if (!canMount()) skip('only root may mount a small disk')
    try {
      expect(await refused(join(mountPoint, 'data'))).toMatch(
        /^EmbeddedPostgresError: The database could not be set up in .*: the disk is full\.$/,
      )
      writeFileSync(join(mountPoint, 'filler'), Buffer.alloc(1))
      spawnSync('dd', ['if=/dev/zero', `of=${join(mountPoint, 'filler')}`, 'bs=4k'])
      expect(await refused(join(mountPoint, 'data'))).toMatch(/The disk of .* is full/)
      rmSync(join(mountPoint, 'filler'))
      spawnSync('mount', ['-o', 'remount,size=200m', mountPoint])
      const database = await start(join(mountPoint, 'data'))
      await database.stop()
    } finally {
      spawnSync('umount', [mountPoint])
    }
  })
})

describe('the symlinks in the npm package', () => {
  function makePackage(): string {
    const dir = newDataDir()
    mkdirSync(join(dir, 'native', 'lib'), { recursive: true })
    writeFileSync(join(dir, 'native/lib/libpq.so.5.18'), 'library')
    const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
    writeFileSync(join(dir, 'native', 'pg-symlinks.json'), JSON.stringify(links))
    return dir
  }

  test('are created when npm ran no install script, and left alone when present', () => {
    const dir = makePackage()
    completeSymlinks(dir)
    completeSymlinks(dir)
    expect(readFileSync(join(dir, 'native/lib/libpq.so.5'), 'utf8')).toBe('library')
  })

  test.skipIf(!canActAsUser)(
    'are requested with one message when they cannot be created',
    { tags: ['full'] },
    () => {
      const dir = makePackage()
      const script = `import { completeSymlinks } from ${JSON.stringify(realpathSync('platform/database/embedded/runner.ts'))}
      completeSymlinks(${JSON.stringify(dir)})`
      writeFileSync(join(dir, 'link.mts'), script)
      const run = () =>
        spawnSync(process.execPath, ['--import', 'tsx', join(dir, 'link.mts')], {
          ...ordinaryUser,
          encoding: 'utf8',
          env: { ...process.env, HOME: tests },
        })
      expect(run().stderr).toMatch("can't be written. Run npm install as the owner")
      symlinkSync('libpq.so.5.18', join(dir, 'native/lib/libpq.so.5'))
      expect(run().status).toBe(0)
    },
  )
})
