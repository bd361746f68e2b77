import { spawn } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SERVER_LIMITS, sessionSettings } from '../../platform/database/database.ts'
import { buildServer } from '../../tools/build-server.mjs'
import { makeSecretKey, Stage, until } from '../faults/full-length/stage.ts'
import { describeMissing, findProgram } from './packages.ts'

// `npm run serve` behind PgBouncer either works or says why it can't start.

const PORT = 4350
const NODE_PORT = 4342
const missing = describeMissing(['pgbouncer', 'setpriv'])
if (missing) process.stdout.write(`cluster: ${missing}\n`)

describe.skipIf(missing)('a node behind PgBouncer', () => {
  let stage: Stage
  let direct: string
  beforeAll(buildServer)
  beforeEach(async () => {
    stage = await Stage.open()
    direct = (await stage.startPostgres()).url
  })
  afterEach(() => stage.close())

  it.each([
    ['in transaction mode', 'transaction', '', 'unsupported startup parameter'],
    [
      'in transaction mode, with discarded settings',
      'transaction',
      'options',
      'shared one session',
    ],
    ['in session mode, with discarded settings', 'session', 'options', 'instead of'],
  ])('%s does not start, and says why', async (_, mode, ignored, reason) => {
    await startPooler(mode, ignored)
    const begunAt = performance.now()
    const words = await start().then(
      () => 'it started',
      (error: Error) => error.message,
    )
    expect(words).toContain('DATABASE_URL leads through a connection pooler')
    expect(words).toContain(reason)
    expect(words).not.toContain('    at ')
    // It fails immediately and doesn't wait a minute for the database.
    expect(performance.now() - begunAt).toBeLessThan(30_000)
  })

  it('in session mode starts where the role has the settings', async () => {
    const client = new pg.Client(direct)
    await client.connect()
    for (const [name, value] of Object.entries(sessionSettings(SERVER_LIMITS))) {
      await client.query(`alter role superday set ${name} = '${value}'`)
    }
    await client.end()
    await startPooler('session', 'options')
    const node = await start()
    expect((await fetch(`${node.url}/readyz`)).status).toBe(200)
  })

  const start = () =>
    stage.startNode(`postgres://superday@127.0.0.1:${PORT}/superday`, makeSecretKey(), {
      port: NODE_PORT,
    })

  /** PgBouncer refuses to run as root. */
  async function startPooler(mode: string, ignored: string): Promise<void> {
    const { hostname, port, username, password } = new URL(direct)
    const file = path.join(stage.folder, 'pgbouncer.ini')
    await chmod(stage.folder, 0o755)
    await writeFile(
      file,
      `[databases]
superday = host=${hostname} port=${port} dbname=superday user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${PORT}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 40
ignore_startup_parameters = ${ignored}
`,
    )
    const account =
      process.getuid?.() === 0
        ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', '--']
        : []
    const program = findProgram('pgbouncer') as string
    const [command = program, ...args] = [...account, program, file]
    const child = spawn(command, args, { stdio: 'ignore' })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    stage.atEnd(() => {
      child.kill('SIGKILL')
      return ended
    })
    await until(async () => {
      if (child.exitCode !== null) throw new Error('PgBouncer did not start')
      const client = new pg.Client(`postgres://superday@127.0.0.1:${PORT}/superday`)
      return client.connect().then(
        () => client.end().then(() => true),
        () => false,
      )
    }, 10_000)
  }
})
