import { expect, it } from 'vitest'
import { ApiFailure } from '../../../platform/web/api-failure.ts'
import { createServer, offline } from '../../../tests/rig/attempt-rig.ts'
import { createTestEnvironment } from '../../../tests/rig/test-environment.ts'
import { Connection } from './connection.ts'

function setUp() {
  const environment = createTestEnvironment()
  const server = createServer(environment)
  const tried: number[] = []
  const connection: Connection = new Connection(environment, () => {
    tried.push(environment.now() - 1_000)
    api.status().catch(() => {})
  })
  const api = connection.watch(server.apiOf('w1'))
  const told: boolean[] = []
  connection.subscribe(() => told.push(connection.isLost()))
  return { environment, server, connection, api, tried, told }
}

it('the connection is lost when a call fails and back when one succeeds, each reported once', async () => {
  const { server, connection, api, told } = setUp()
  await api.start()
  server.failures.all = offline()
  await expect(api.save([], 0)).rejects.toThrow()
  await expect(api.status()).rejects.toThrow()
  expect(connection.isLost()).toBe(true)
  server.failures.all = null
  await api.status()
  expect(told).toEqual([true, false])
})

it.each([
  ['an error response', new ApiFailure(409, { code: 'taken_over', message: '' })],
  ['a busy server', new ApiFailure(503, { code: 'unavailable', message: '' })],
])('the connection counts as up after %s', async (_, failure) => {
  const { server, connection, api } = setUp()
  server.failures.all = offline()
  await expect(api.start()).rejects.toThrow()
  server.failures.all = failure
  await expect(api.start()).rejects.toThrow()
  expect(connection.isLost()).toBe(false)
})

it('the connection is retried while lost, even with nothing to save', async () => {
  const { environment, server, connection, api, tried } = setUp()
  server.failures.all = offline()
  await expect(api.start()).rejects.toThrow()
  await environment.advance(20_000)
  expect(tried).toEqual([1_000, 3_000, 8_000, 18_000])
  server.failures.all = null
  await environment.advance(9_000)
  expect(connection.isLost()).toBe(false)
  await environment.advance(60_000)
  expect(tried).toHaveLength(5)
})

it('the connection is not retried after the screen closes', async () => {
  const { environment, server, connection, api, tried } = setUp()
  server.failures.all = offline()
  await expect(api.start()).rejects.toThrow()
  connection.stop()
  await environment.advance(60_000)
  expect(tried).toEqual([])
})
