import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { buildServer } from '../../tools/build-server.mjs'
import { useRig } from '../rig/rig.ts'
import { makeSecretKey, type Node, Stage } from './full-length/stage.ts'

// One of several nodes is told to stop while it works. tests/faults has both nodes and a crowd.
const rig = useRig()
let stage: Stage
let node: Node
const secretKey = makeSecretKey()

beforeAll(buildServer)
beforeEach(async () => {
  stage = await Stage.open()
  node = await stage.startNode(rig.databaseUrl, secretKey)
})
afterEach(() => stage.close())

/** A call over an agent's connections, like a proxy's. */
function call(
  agent: Agent,
  route: string,
  { token, body }: { token?: string; body?: unknown } = {},
) {
  const { hostname, port } = new URL(node.url)
  return new Promise<{ status: number; connection: string; body: never }>((resolve, reject) => {
    const sent = request(
      {
        ...{ agent, host: hostname, port, path: route },
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(token ? { Authorization: `Bearer ${token}` } : {}),
        },
      },
      async (answer) => {
        let text = ''
        for await (const chunk of answer) text += chunk
        const { statusCode: status = 0, headers } = answer
        resolve({ status, connection: headers.connection ?? '', body: JSON.parse(text) as never })
      },
    )
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

it('a stopping node finishes running calls, closes busy connections after a response, and exits soon', {
  tags: ['full'],
  timeout: 30_000,
}, async () => {
  const agents = Array.from({ length: 3 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  const [slow, busy, idle] = agents as [Agent, Agent, Agent]
  const { access_token: token } = (await call(slow, '/auth/v1/signup', { body: { data: {} } }))
    .body as { access_token: string }
  await call(idle, '/healthz')
  const holder = await rig.db.$client.connect()
  await holder.query('begin')
  await holder.query('lock table error_practices in exclusive mode')
  const body = { id: randomUUID(), timeZone: 'Europe/Lisbon' }
  const underWay = call(slow, '/api/streak', { token, body })
  const isWaiting = async () =>
    (
      await rig.db.$client.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rowCount
  await expect.poll(isWaiting, { interval: 10 }).toBe(1)

  // A proxy whose connection is never idle: it sends the next call after each response.
  const seen: string[] = []
  const goingOn = (async () => {
    for (;;) seen.push((await call(busy, '/healthz')).connection)
  })().catch((error: NodeJS.ErrnoException) => error.code)
  await expect.poll(() => seen.length, { interval: 5 }).toBeGreaterThan(3)

  const ended = node.end('SIGTERM')
  const lastWord = await goingOn
  await holder.query('rollback')
  holder.release()
  expect([lastWord, seen.at(-1)]).toEqual(['ECONNREFUSED', 'close'])
  expect((await underWay).status).toBe(200)
  const freedAt = performance.now()
  expect(await ended).toBe(0)
  // It doesn't wait for the ten-second limit, because nothing was left.
  expect(performance.now() - freedAt).toBeLessThan(3_000)
  const { rowCount } = await rig.db.$client.query('select from error_practices where id = $1', [
    body.id,
  ])
  expect(rowCount).toBe(1)
  for (const agent of agents) agent.destroy()
})

it('a stopping node keeps idle connections open while calls arrive on others', {
  tags: ['full'],
  timeout: 30_000,
}, async () => {
  const agent = new Agent({ keepAlive: true })
  const connections = 20
  await Promise.all(Array.from({ length: connections }, () => call(agent, '/healthz')))
  expect(Object.values(agent.freeSockets).flat()).toHaveLength(connections)
  const ended = node.end('SIGTERM')
  const seen: string[] = []
  // Uses the connections one by one for a second and a half, like a proxy.
  for (let calls = 0; calls < connections - 5; calls += 1) {
    await sleep(100)
    seen.push((await call(agent, '/healthz')).connection)
  }
  expect(seen.slice(1)).toEqual(seen.slice(1).map(() => 'close'))
  const lastAt = performance.now()
  expect(await ended).toBe(0)
  // The other five are closed when no request arrives, and not at the ten-second limit.
  expect(performance.now() - lastAt).toBeLessThan(5_000)
  agent.destroy()
})

const QUEUE_FILE = '/proc/sys/net/core/somaxconn'
const WAITING = 1_500
const isQueueLong = existsSync(QUEUE_FILE) && Number(readFileSync(QUEUE_FILE, 'utf8')) >= WAITING

it.skipIf(!isQueueLong)(
  'a briefly busy node queues a rush of connections',
  { tags: ['full'], timeout: 30_000 },
  async () => {
    const { hostname, port } = new URL(node.url)
    node.process.kill('SIGSTOP')
    const sockets: Socket[] = []
    try {
      const connected = Array.from(
        { length: WAITING },
        () =>
          new Promise<boolean>((resolve) => {
            const socket = connect(Number(port), hostname, () => resolve(true))
            socket.once('error', () => resolve(false))
            sockets.push(socket)
            // A dropped connection is retried after one second, and then three.
            setTimeout(() => resolve(false), 5_000).unref()
          }),
      )
      const refused = (await Promise.all(connected)).filter((isConnected) => !isConnected)
      expect(refused).toEqual([])
    } finally {
      for (const socket of sockets) socket.destroy()
      node.process.kill('SIGCONT')
    }
  },
)
