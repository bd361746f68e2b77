import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import {
  apps,
  copyDataDir,
  endWatchdog,
  isLinux,
  killApp,
  newDataDir,
  query,
  readGroup,
  serverLog,
  serverPid,
  start,
  startApp,
  startSleeper,
  useEmbedded,
  waitFor,
} from '../../../tests/rig/embedded-rig.ts'
import { readStartTime } from './processes.ts'
import { findRunningPostgres } from './start.ts'

useEmbedded()

describe('when the embedded PostgreSQL is killed', () => {
  test('it restarts on the same port, although an old query still runs', {
    tags: ['full'],
  }, async () => {
    const database = await start(copyDataDir())
    await query(database.url, 'create table kept as select 1 as n')
    const busy = new pg.Client({ connectionString: database.url })
    busy.on('error', () => {})
    await busy.connect()
    // This query never checks for interrupts, so it outlives its postmaster and keeps the memory in use.
    const counted = busy.query('select count(*) from generate_series(1, 10000000000)')
    counted.catch(() => {})
    await sleep(100)
    const pid = serverPid(database.clusterDir)
    process.kill(pid, 'SIGKILL')
    await waitFor(() => query(database.url, 'select n from kept'))
    expect(serverPid(database.clusterDir)).not.toBe(pid)
    expect(database.lines.slice(1).join('\n')).toMatch(
      /^PostgreSQL ended \(SIGKILL\); restarting it on port \d+\.\nPostgreSQL is running again/,
    )
    await expect(counted).rejects.toThrow()
  })

  test("it recovers by itself when only one connection's process was killed", {
    tags: ['full'],
  }, async () => {
    const database = await start(copyDataDir())
    await query(database.url, 'create table kept as select 1 as n')
    const victim = new pg.Client({ connectionString: database.url })
    victim.on('error', () => {})
    await victim.connect()
    const { rows } = await victim.query('select pg_backend_pid() as pid')
    process.kill(rows[0].pid, 'SIGKILL')
    await waitFor(() => query(database.url, 'select n from kept'))
  })

  test('it does not restart after a stop or in a folder with another owner', {
    tags: ['full'],
  }, async () => {
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
    await waitFor(() => lost.lines.at(-1)?.includes('removed'))
  })
})

describe('when the app is killed', { tags: ['full'] }, () => {
  test('the database server stops soon after it', async () => {
    const app = await startApp(copyDataDir())
    const pid = serverPid(app.database.clusterDir)
    await killApp(app)
    await waitFor(() => readStartTime(pid) === null, 3_000)
  })

  test('the next start stops a leftover server and has every commit', async () => {
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

  test.skipIf(!isLinux)('the next start stops a hung server', async () => {
    const dataDir = copyDataDir()
    const app = await startApp(dataDir)
    const pid = serverPid(app.database.clusterDir)
    process.kill(pid, 'SIGSTOP')
    await killApp(app)
    await start(dataDir)
    expect(readStartTime(pid)).toBeNull()
  })

  test("another process that got the old server's pid is neither stopped nor an obstacle", async () => {
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

  test('during initdb, the next start repeats it', async () => {
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

describe('Ctrl-C in the app', () => {
  test('stops the database cleanly and loses no commit', { tags: ['full'] }, async () => {
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
    process.kill(-(app.process.pid ?? 0), 'SIGINT') // signals the whole group, as a terminal does
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
