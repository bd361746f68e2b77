import { type ChildProcess, spawn } from 'node:child_process'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DatabaseStartError, waitForDatabase } from '../../platform/database/pooler.ts'
import { PROJECT_DIR } from '../../platform/server/project-folder.ts'
import { buildServer, SERVER_FILE } from '../../tools/build-server.mjs'
import { freePort } from '../../tools/free-port.mjs'
import { useRig } from '../rig/rig.ts'
import { sized } from '../setup/size.ts'
import { makeSecretKey, Stage } from './full-length/stage.ts'

// A node that starts before its database, or with the wrong address.
const rig = useRig()
let stage: Stage

beforeAll(async () => {
  await buildServer()
  stage = await Stage.open()
})
afterAll(() => stage.close())

/** The built server, immediately after its start. It may never become ready. */
async function startNode(databaseUrl: string) {
  const port = await freePort()
  const child: ChildProcess = spawn(process.execPath, [SERVER_FILE, 'serve'], {
    cwd: PROJECT_DIR,
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      DATA_DIR: stage.folder,
      SECRET_KEY: makeSecretKey().toString('base64'),
      PORT: String(port),
      PUBLIC_URL: 'http://localhost:3000',
      SMTP_URL: 'smtp://127.0.0.1:1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  stage.atEnd(() => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    return ended
  })
  return { child, ended, output: () => output, url: `http://127.0.0.1:${port}` }
}

const nowhere = async () => `postgres://superday:x@127.0.0.1:${await freePort()}/superday`

describe('a node that starts while its database is down', () => {
  it('says so, waits, and is ready when PostgreSQL is', {
    tags: ['full'],
    timeout: 60_000,
  }, async () => {
    const first = await stage.startPostgres()
    await first.stop()
    const node = await startNode(first.url)
    await expect.poll(node.output, { timeout: 10_000 }).toContain('waiting for the database')
    expect(node.output()).toContain('ECONNREFUSED')
    await expect(fetch(`${node.url}/readyz`)).rejects.toThrow()

    const second = await stage.startPostgres()
    expect(second.url).toBe(first.url)
    await expect.poll(node.output, { timeout: 20_000 }).toContain('Superday is ready')
    expect((await fetch(`${node.url}/readyz`)).status).toBe(200)
    node.child.kill('SIGTERM')
    expect(await node.ended).toBe(0)
  })

  it('ends immediately when told to stop', { tags: ['full'] }, async () => {
    const node = await startNode(await nowhere())
    await expect.poll(node.output, { timeout: 10_000 }).toContain('waiting for the database')
    node.child.kill('SIGTERM')
    expect(await node.ended).toBe(0)
  })

  it('gives up after a while with a message that names the reason', async () => {
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => void lines.push(line) })
    const url = await nowhere()
    const begunAt = performance.now()
    const error = await waitForDatabase(url, log, 1_200).catch((caught) => caught)
    expect(error).toBeInstanceOf(DatabaseStartError)
    expect(error.message).toMatch(
      /^The database of DATABASE_URL has not responded for 1.2 seconds: connect ECONNREFUSED 127\.0\.0\.1:\d+\./,
    )
    expect(performance.now() - begunAt).toBeGreaterThan(600)
    // It is logged at the first failure, then every five seconds.
    expect(lines).toHaveLength(1)
  })
})

describe('a node with a wrong DATABASE_URL', () => {
  it.each<[string, string, RegExp]>(
    sized(
      [
        ['password', 'wrong', /password authentication failed/],
        ['username', 'nobody', /password authentication failed/],
        ['pathname', '/none', /database "none" does not exist/],
      ],
      [['password', 'wrong', /password authentication failed/]],
    ),
  )('(another %s) ends immediately with a message', async (part, value, reason) => {
    const url = new URL(rig.databaseUrl)
    Object.assign(url, { [part]: value })
    const node = await startNode(url.href)
    expect(await node.ended).toBe(1)
    expect(node.output()).toMatch(/^DATABASE_URL does not work: .+\.\n$/)
    expect(node.output()).toMatch(reason)
  })
})
