import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServer } from '../../tools/build-server.mjs'
import { useRig } from '../rig/rig.ts'
import { makeSecretKey, type Node, Stage } from './full-length/stage.ts'

// One of several nodes is told to stop while it works. Both nodes and a whole crowd: tests/faults.
const rig = useRig()
let stage: Stage
let node: Node

beforeAll(async () => {
  await buildServer()
  stage = await Stage.open()
  node = await stage.startNode(rig.databaseUrl, makeSecretKey())
})
afterAll(() => stage.close())

/** A call over an agent's connections, as a proxy makes it. */
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

it('a node that is told to stop ends what is under way, sends busy connections on, and goes soon', async () => {
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

  // A proxy whose connection is never idle: it sends the next call as soon as it has an answer.
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
  // Not until the limit of ten seconds: nothing was left to wait for.
  expect(performance.now() - freedAt).toBeLessThan(3_000)
  const { rowCount } = await rig.db.$client.query('select from error_practices where id = $1', [
    body.id,
  ])
  expect(rowCount).toBe(1)
  for (const agent of agents) agent.destroy()
}, 30_000)
