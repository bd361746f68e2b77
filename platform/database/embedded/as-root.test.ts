import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { completeSymlinks, locateBinaries } from './binaries.ts'
import { makeFolders } from './cluster.ts'
import { claimFolder } from './ownership.ts'
import { findFolderOwner, placeNew } from './placement.ts'
import { listServerProcesses, readProcessSpace, readStartTime } from './processes.ts'
import { canRun, namespaceRunner, unprivilegedRunner } from './runner.ts'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  findRunningPostgres,
  startEmbeddedPostgres,
} from './start.ts'

/** Blanks, an umlaut, a quote and a dollar: all folders of these tests have them. */
const tests = mkdtempSync(join(tmpdir(), `superday dätabase '$x-`))
const prepared = join(tests, 'prepared')
const isLinux = process.platform === 'linux'
const isRoot = process.getuid?.() === 0
const hasNamespaces = isRoot && spawnSync('unshare', ['-U', '--map-user=1', 'true']).status === 0
const ordinaryUser = { uid: 65_534, gid: 65_534 } // nobody
/** Root can act as an ordinary user only where that user may read the checkout: not in root's own home. */
const canActAsUser =
  isRoot &&
  spawnSync('test', ['-r', realpathSync('platform/database/embedded/start.ts')], {
    ...ordinaryUser,
  }).status === 0

const running = new Set<EmbeddedPostgres>()
const apps = new Set<App>()
const sleepers = new Set<ChildProcess>()

beforeAll(async () => {
  // Others may pass through, as in an ordinary folder below /srv or /home.
  chmodSync(tests, 0o755)
  writeFileSync(
    join(tests, 'app.mts'),
    `import { startEmbeddedPostgres } from ${JSON.stringify(realpathSync('platform/database/embedded/start.ts'))}
    const say = (word, value) => process.stdout.write(word + ' ' + JSON.stringify(value) + '\\n')
    try {
      const options = JSON.parse(process.argv[2])
      const database = await startEmbeddedPostgres({ ...options, log: (line) => say('LOG', line) })
      process.on('SIGINT', () => database.stop().then(() => process.exit(0)))
      say('READY', { url: database.url, clusterDir: database.clusterDir })
    } catch (error) {
      say('REFUSED', error.name + ': ' + error.message)
    }`,
  )
  await (await start(prepared)).stop()
})

afterEach(async () => {
  for (const app of apps) app.process.kill('SIGKILL')
  apps.clear()
  for (const sleeper of sleepers) sleeper.kill('SIGKILL')
  sleepers.clear()
  await Promise.all([...running].map((database) => database.stop()))
  running.clear()
})

afterAll(() => rmSync(tests, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

function newDataDir(): string {
  return join(tests, randomUUID())
}

/** A data folder with a finished database: a copy takes a tenth of the time that initdb takes. */
function copyDataDir(dataDir = newDataDir()): string {
  execFileSync('cp', ['-a', prepared, dataDir])
  return dataDir
}

async function start(dataDir: string, more: Partial<EmbeddedPostgresOptions> = {}) {
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  const database = await startEmbeddedPostgres({ dataDir, log, ...more })
  running.add(database)
  return Object.assign(database, { lines })
}

interface App {
  process: ChildProcess
  lines: string[]
  database: { url: string; clusterDir: string }
}

/** Starts an app with a database in a process of its own; resolves when it is ready. */
async function startApp(
  dataDir: string,
  more: { rootMode?: string; user?: { uid: number; gid: number } } = {},
): Promise<App> {
  const { user, ...options } = more
  const argument = JSON.stringify({ dataDir, ...options })
  const child = spawn(process.execPath, ['--import', 'tsx', join(tests, 'app.mts'), argument], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true, // a process group, as a terminal gives one to each command
    env: { ...process.env, HOME: tests, TMPDIR: tmpdir() },
    ...user,
  })
  const app: App = { process: child, lines: [], database: { url: '', clusterDir: '' } }
  apps.add(app)
  for await (const line of createInterface({ input: child.stdout })) {
    const [word = '', ...rest] = line.split(' ')
    const value = JSON.parse(rest.join(' '))
    if (word === 'REFUSED') throw new Error(value)
    if (word === 'LOG') app.lines.push(value)
    if (word === 'READY') return Object.assign(app, { database: value })
  }
  throw new Error('the app ended')
}

async function killApp(app: App): Promise<void> {
  const exited = new Promise((resolve) => app.process.once('exit', resolve))
  app.process.kill('SIGKILL')
  await exited
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function waitFor(condition: () => unknown, limitMs = 10_000): Promise<void> {
  const deadline = performance.now() + limitMs
  for (;;) {
    if (
      await Promise.resolve()
        .then(condition)
        .catch(() => false)
    )
      return
    if (performance.now() > deadline) throw new Error(`Not within ${limitMs} ms: ${condition}`)
    await sleep(20)
  }
}

function serverPid(clusterDir: string): number {
  return Number(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')[0])
}

function serverLog(dataDir: string): string {
  return readFileSync(join(dataDir, 'postgres', 'server.log'), 'utf8')
}

/** A harmless process of the same user, whose pid is put where an old server's was. */
function startSleeper(): number {
  const sleeper = spawn('sleep', ['60'], { stdio: 'ignore' })
  sleepers.add(sleeper)
  return sleeper.pid ?? 0
}

/** Ends the shell that would end the server when its app dies, so that an orphan stays. */
function endWatchdog(serverPid: number): void {
  const found = execFileSync('pgrep', ['-f', `superday-watchdog ${serverPid}$`], {
    encoding: 'utf8',
  })
  process.kill(Number(found.trim()), 'SIGKILL')
}

function readGroup(pid: number | undefined): string {
  return execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' }).trim()
}

function listFiles(dir: string): string[] {
  return readdirSync(dir, { recursive: true }).map((name) => join(dir, String(name)))
}

describe('a start', () => {
  test('makes a durable UTF-8 database on loopback only, quickly, and again more quickly', async () => {
    const dataDir = newDataDir()
    const first = performance.now()
    const database = await start(dataDir)
    const firstMs = performance.now() - first
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

    const laterMs: number[] = []
    for (let i = 0; i < 2; i++) {
      const before = performance.now()
      const again = await start(dataDir)
      laterMs.push(performance.now() - before)
      expect(again.url).toBe(database.url)
      await again.stop()
    }
    expect(firstMs).toBeLessThan(5_000)
    expect(Math.min(...laterMs)).toBeLessThan(500)
    expect(serverLog(dataDir)).not.toMatch(/not properly shut down|recovery/)
  })

  test('keeps everything private, and lets nobody in without the password', async () => {
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

  test('takes another port when its own is taken, and keeps that', async () => {
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

  test('sets a new password when the password file was lost', async () => {
    const dataDir = copyDataDir()
    const first = await start(dataDir)
    await query(first.url, 'create table kept ()')
    await first.stop()
    rmSync(join(dataDir, 'postgres', 'password'))
    const second = await start(dataDir)
    expect(second.url).not.toBe(first.url)
    expect(await query(second.url, 'select * from kept')).toEqual([])
  })

  test('empties a log that has grown too long, and keeps the last one', async () => {
    const dataDir = copyDataDir()
    writeFileSync(join(dataDir, 'postgres', 'server.log'), 'x'.repeat(5_000_000))
    await start(dataDir)
    expect(serverLog(dataDir).length).toBeLessThan(10_000)
    expect(statSync(join(dataDir, 'postgres', 'server.log.1')).size).toBe(5_000_000)
  })

  test('tells the admin command where the server of a running app is', async () => {
    const dataDir = copyDataDir()
    expect(await findRunningPostgres(dataDir)).toBeNull()
    const database = await start(dataDir)
    expect(await findRunningPostgres(dataDir)).toBe(database.url)
    const stateFile = join(dataDir, 'postgres', 'server.json')
    const state = JSON.parse(readFileSync(stateFile, 'utf8'))
    writeFileSync(stateFile, JSON.stringify({ ...state, appPid: 1 })) // of an app killed before
    expect(await findRunningPostgres(dataDir)).toBeNull()
    await database.stop()
    expect(await findRunningPostgres(dataDir)).toBeNull()
  })
})

describe('a data folder that cannot be used', () => {
  const refused = (dataDir: string) =>
    start(dataDir).then(
      () => 'started',
      (error: Error) => `${error.name}: ${error.message}`,
    )

  test('is refused in one sentence when it is a file', async () => {
    const dataDir = newDataDir()
    writeFileSync(dataDir, '')
    expect(await refused(dataDir)).toMatch(/^EmbeddedPostgresError: .* is a file, not a folder\./)
  })

  test('is refused untouched when PostgreSQL of another major version made it', async () => {
    const dataDir = newDataDir()
    const clusterDir = join(dataDir, 'postgres', 'cluster')
    mkdirSync(join(clusterDir, 'base'), { recursive: true })
    writeFileSync(join(clusterDir, 'PG_VERSION'), '17\n')
    expect(await refused(dataDir)).toMatch(/made by PostgreSQL 17, and .* brings PostgreSQL 18\./)
    expect(listFiles(join(dataDir, 'postgres')).map((path) => path.slice(dataDir.length))).toEqual([
      '/postgres/cluster',
      '/postgres/cluster/PG_VERSION',
      '/postgres/cluster/base',
    ])
  })

  test('is refused untouched when it holds something else', async () => {
    const dataDir = newDataDir()
    const file = join(dataDir, 'postgres', 'cluster', 'thesis.txt')
    mkdirSync(join(dataDir, 'postgres', 'cluster'), { recursive: true })
    writeFileSync(file, 'mine')
    expect(await refused(dataDir)).toMatch('holds files but no PostgreSQL database')
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  test.skipIf(!canActAsUser)('is refused in one sentence when it may not be written', async () => {
    const dataDir = newDataDir()
    mkdirSync(dataDir, { mode: 0o755 })
    const outcome = startApp(dataDir, { user: ordinaryUser })
    await expect(outcome).rejects.toThrow(/user nobody may not read and write .*Change its owner/)
  })

  const mountPoint = join(tests, 'small disk')
  const canMount = () => {
    if (!isRoot || !isLinux) return false
    mkdirSync(mountPoint)
    return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', mountPoint]).status === 0
  }
  test('is refused in one sentence when the disk is full, and works once it is not', async ({
    skip,
  }) => {
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

describe('when PostgreSQL is killed', () => {
  test('it runs again on the same port, although a query of the old one still runs', async () => {
    const database = await start(copyDataDir())
    await query(database.url, 'create table kept as select 1 as n')
    const busy = new pg.Client({ connectionString: database.url })
    busy.on('error', () => {})
    await busy.connect()
    // Counts for minutes and never looks up: it survives its postmaster and keeps the memory busy.
    const counted = busy.query('select count(*) from generate_series(1, 10000000000)')
    counted.catch(() => {})
    await sleep(100)
    const pid = serverPid(database.clusterDir)
    process.kill(pid, 'SIGKILL')
    await waitFor(() => query(database.url, 'select n from kept'))
    expect(serverPid(database.clusterDir)).not.toBe(pid)
    expect(database.lines.slice(1).join('\n')).toMatch(
      /^PostgreSQL ended \(SIGKILL\); starting it again on port \d+\.\nPostgreSQL runs again/,
    )
    await expect(counted).rejects.toThrow()
  })

  test('it recovers by itself when only the process of one connection was killed', async () => {
    const database = await start(copyDataDir())
    await query(database.url, 'create table kept as select 1 as n')
    const victim = new pg.Client({ connectionString: database.url })
    victim.on('error', () => {})
    await victim.connect()
    const { rows } = await victim.query('select pg_backend_pid() as pid')
    process.kill(rows[0].pid, 'SIGKILL')
    await waitFor(() => query(database.url, 'select n from kept'))
  })

  test('it is not started again after stop, nor in a folder that is no longer ours', async () => {
    const stopped = await start(copyDataDir())
    const stopping = stopped.stop()
    process.kill(serverPid(stopped.clusterDir), 'SIGKILL')
    await stopping
    expect(stopped.lines).toHaveLength(1)

    const dataDir = copyDataDir()
    const lost = await start(dataDir)
    const pid = serverPid(lost.clusterDir)
    renameSync(dataDir, `${dataDir} moved`)
    process.kill(pid, 'SIGKILL')
    await waitFor(() => lost.lines.at(-1)?.includes('taken away'))
  })
})

describe('when the app is killed', () => {
  test('the server stops soon after it', async () => {
    const app = await startApp(copyDataDir())
    const pid = serverPid(app.database.clusterDir)
    await killApp(app)
    await waitFor(() => readStartTime(pid) === null, 3_000)
  })

  test('the next start ends a server that runs on, and has all that was committed', async () => {
    const dataDir = copyDataDir()
    const app = await startApp(dataDir)
    const pid = serverPid(app.database.clusterDir)
    endWatchdog(pid)
    await query(app.database.url, 'create table kept as select 1 as n')
    await killApp(app)
    expect(readStartTime(pid)).not.toBeNull()
    expect(await findRunningPostgres(dataDir)).toBeNull()
    const database = await start(dataDir)
    expect(readStartTime(pid)).toBeNull()
    expect(database.lines[0]).toMatch(/^Ended a PostgreSQL that a killed process had left/)
    expect(await query(database.url, 'select n from kept')).toEqual([{ n: 1 }])
  })

  test.skipIf(!isLinux)('the next start ends a server that has hung', async () => {
    const dataDir = copyDataDir()
    const app = await startApp(dataDir)
    const pid = serverPid(app.database.clusterDir)
    process.kill(pid, 'SIGSTOP')
    await killApp(app)
    await start(dataDir)
    expect(readStartTime(pid)).toBeNull()
  })

  test('no other process is ended, nor in the way, that got the pid of the old server', async () => {
    const dataDir = copyDataDir()
    const first = await start(dataDir)
    await first.stop()
    const pid = startSleeper()
    const lines = [pid, first.clusterDir, 1, 5432, '', '127.0.0.1', '  1 1', 'ready', '']
    writeFileSync(join(first.clusterDir, 'postmaster.pid'), lines.join('\n'))
    const port = Number(new URL(first.url).port)
    writeFileSync(join(dataDir, 'postgres', 'server.json'), JSON.stringify({ port, pid }))
    await start(dataDir)
    expect(readStartTime(pid)).not.toBeNull()
  })

  test('in the middle of initdb, the next start does it again', async () => {
    const dataDir = newDataDir()
    const starting = startApp(dataDir)
    starting.catch(() => {})
    const base = join(dataDir, 'postgres')
    const unfinished = () => readdirSync(base).filter((name) => name.startsWith('new-'))
    await waitFor(() => existsSync(join(base, unfinished()[0] ?? 'none', 'cluster', 'global')))
    const [app] = apps
    if (app) await killApp(app)
    expect(unfinished()).toHaveLength(1)
    const database = await start(dataDir)
    expect(await query(database.url, 'select 1 as n')).toEqual([{ n: 1 }])
    expect(unfinished()).toEqual([])
  })
})

describe('Ctrl-C', () => {
  test('stops the server cleanly and loses no commit', async () => {
    const dataDir = copyDataDir()
    const app = await startApp(dataDir)
    await query(app.database.url, 'create table commits (n int)')
    const serverGroup = readGroup(serverPid(app.database.clusterDir))
    const appGroup = readGroup(app.process.pid)
    let acknowledged = 0
    const client = new pg.Client({ connectionString: app.database.url })
    client.on('error', () => {})
    await client.connect()
    const writing = (async () => {
      for (;;) {
        await client.query(`insert into commits values (${acknowledged + 1})`)
        acknowledged++
      }
    })()
    await waitFor(() => acknowledged > 50)
    const exited = new Promise((resolve) => app.process.once('exit', resolve))
    process.kill(-(app.process.pid ?? 0), 'SIGINT') // the whole group, as a terminal does
    await expect(writing).rejects.toThrow()
    expect(await exited).toBe(0)
    expect(app.lines).toHaveLength(1)
    expect(serverGroup).not.toBe(appGroup)
    const database = await start(dataDir)
    expect(database.lines).toHaveLength(1)
    const [row] = await query(database.url, 'select max(n) as n from commits')
    expect(row?.n).toBeGreaterThanOrEqual(acknowledged)
    expect(serverLog(dataDir)).not.toMatch(/not properly shut down|recovery/)
  })
})

describe('two starts on one data folder', () => {
  test('the second is refused with the folder and the pid of the first', async () => {
    const dataDir = copyDataDir()
    const app = await startApp(dataDir)
    const refusal = `The data folder ${dataDir} is in use by process ${app.process.pid}`
    await expect(start(dataDir)).rejects.toThrow(refusal)
    await expect(startApp(dataDir)).rejects.toThrow(`EmbeddedPostgresError: ${refusal}`)
    expect(await query(app.database.url, 'select 1 as n')).toEqual([{ n: 1 }])
  })

  test('one of them serves when both start in the same instant', async () => {
    const dataDir = newDataDir()
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => startApp(dataDir)))
    expect(outcomes.map(({ status }) => status).sort()).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
    ])
    const winner = outcomes.find((outcome) => outcome.status === 'fulfilled')?.value
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(String(outcome.reason)).toMatch(`in use by process ${winner?.process.pid}`)
      }
    }
    const names = listServerProcesses('superday-[0-9a-f]+')
    const pid = serverPid(winner?.database.clusterDir ?? '')
    expect(names.postmasters).toContain(pid)
  })

  test('many claims at once have one winner, with a dead owner before them', async () => {
    for (let round = 0; round < 5; round++) {
      const folder = newDataDir()
      mkdirSync(folder)
      leaveClaim(folder, { startTime: 'of a dead process' })
      const claims = Array.from({ length: 8 }, () => claimFolder(folder, folder))
      const won = (await Promise.allSettled(claims)).filter((c) => c.status === 'fulfilled')
      expect(won).toHaveLength(1)
      won[0]?.value.release()
      expect(readdirSync(folder)).toEqual([])
    }
  })

  test.each<
    [string, { startTime?: string; folder?: string; space?: string; beats?: boolean }, string]
  >([
    ['a living process', {}, 'refused'],
    ['a dead process whose pid somebody else has', { startTime: '1' }, 'granted'],
    ['an owner that was copied along with the folder', { folder: '1' }, 'granted'],
    ['a container that is gone', { space: 'another container' }, 'granted'],
    ['a container that lives', { space: 'another container', beats: true }, 'refused'],
  ])('a folder with the claim of %s', async (_name, { beats = false, ...claim }, outcome) => {
    const folder = newDataDir()
    mkdirSync(folder)
    const path = leaveClaim(folder, claim)
    const beat = setInterval(() => beats && utimesSync(path, new Date(), new Date()), 200)
    const claimed = await claimFolder(folder, folder).then(
      (ownership) => {
        ownership.release()
        return 'granted'
      },
      () => 'refused',
    )
    clearInterval(beat)
    expect(claimed).toBe(outcome)
  })

  test.each([
    ['stays when the other name is higher', 'owner-z.json', 'granted'],
    ['gives way when the other name is lower', 'owner-0.json', 'refused'],
  ])('a start that meets an undecided one %s', async (_rule, name, outcome) => {
    const folder = newDataDir()
    mkdirSync(folder)
    const path = leaveClaim(folder, {}, name, false)
    setTimeout(() => rmSync(path, { force: true }), 100) // it withdraws
    const claimed = claimFolder(folder, folder).then(
      () => 'granted',
      () => 'refused',
    )
    expect(await claimed).toBe(outcome)
  })

  function leaveClaim(folder: string, changes: object, name?: string, decided = true): string {
    const path = join(folder, name ?? `owner-${randomUUID()}.json`)
    const pid = startSleeper()
    const claim = {
      pid,
      startTime: readStartTime(pid),
      space: readProcessSpace(),
      folder: String(statSync(folder, { bigint: true }).ino),
    }
    writeFileSync(path, JSON.stringify({ ...claim, ...changes }) + (decided ? '\n' : ''))
    return path
  }
})

describe.skipIf(!isRoot)('as root', () => {
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
    'a user namespace serves a folder that only root can enter',
    async () => {
      const dataDir = copyDataDir(join(privateDir, randomUUID()))
      const database = await start(dataDir)
      expect(database.clusterDir).toBe(join(dataDir, 'postgres', 'cluster'))
      expect(database.lines[0]).toMatch(/run in a user namespace\.$/)
      expect(statSync(database.clusterDir).uid).toBe(0)
      expect(await query(database.url, 'select 1 as n')).toEqual([{ n: 1 }])
    },
  )

  test('without namespaces, another user serves it from elsewhere, also after a move', async () => {
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

  test('without namespaces, the data folder itself is used where the user can enter it', async () => {
    const dataDir = newDataDir()
    mkdirSync(dataDir, { mode: 0o755 })
    const database = await start(dataDir, { rootMode: 'unprivileged-user' })
    expect(database.clusterDir).toBe(join(dataDir, 'postgres', 'cluster'))
    expect(statSync(database.clusterDir).uid).toBe(unprivilegedRunner()?.user?.uid)
    await database.stop()
    const again = await start(dataDir)
    expect(again.lines[0]).toMatch(/run by user /)
  })

  test.skipIf(!hasNamespaces)('a database of a namespace is taken over without one', async () => {
    const dataDir = copyDataDir()
    chmodSync(dataDir, 0o755)
    const first = await start(dataDir)
    await query(first.url, 'create table kept as select 1 as n')
    await first.stop()
    const second = await start(dataDir, { rootMode: 'unprivileged-user' })
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 1 }])
  })

  test('binaries in a folder that only root can enter are run in place, or copied', async () => {
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
    "in a person's folder the database is that person's, who can start it without root",
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

  test.skipIf(!canActAsUser)('an ordinary user is told whose database it is', async () => {
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

describe('the links in the npm package', () => {
  function makePackage(): string {
    const dir = newDataDir()
    mkdirSync(join(dir, 'native', 'lib'), { recursive: true })
    writeFileSync(join(dir, 'native/lib/libpq.so.5.18'), 'library')
    const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
    writeFileSync(join(dir, 'native', 'pg-symlinks.json'), JSON.stringify(links))
    return dir
  }

  test('are made when npm ran no install script, and left alone when they are there', () => {
    const dir = makePackage()
    completeSymlinks(dir)
    completeSymlinks(dir)
    expect(readFileSync(join(dir, 'native/lib/libpq.so.5'), 'utf8')).toBe('library')
  })

  test.skipIf(!canActAsUser)('are asked for in one sentence where they cannot be made', () => {
    const dir = makePackage()
    const script = `import { completeSymlinks } from ${JSON.stringify(realpathSync('platform/database/embedded/binaries.ts'))}
      completeSymlinks(${JSON.stringify(dir)})`
    writeFileSync(join(dir, 'link.mts'), script)
    const run = () =>
      spawnSync(process.execPath, ['--import', 'tsx', join(dir, 'link.mts')], {
        ...ordinaryUser,
        encoding: 'utf8',
        env: { ...process.env, HOME: tests },
      })
    expect(run().stderr).toMatch('cannot be written: run npm install as the owner')
    symlinkSync('libpq.so.5.18', join(dir, 'native/lib/libpq.so.5'))
    expect(run().status).toBe(0)
  })
})
