import { createServer } from 'node:net'
import pg from 'pg'
import { expect, it } from 'vitest'
import { useRig } from '../../tests/rig/rig.ts'
import { openDatabase } from './database.ts'
import { addressesOf, connectToPrimary } from './primary.ts'

const rig = useRig()

it.each([
  ['postgres://u:p@one/db', ['postgres://u:p@one/db']],
  [
    'postgres://u:p@one:1,two:2/db?a=b,c',
    ['postgres://u:p@one:1/db?a=b,c', 'postgres://u:p@two:2/db?a=b,c'],
  ],
  ['postgres://one,two/db', ['postgres://one/db', 'postgres://two/db']],
  [
    'postgresql://u:p,q@[::1]:1,[::2]/db',
    ['postgresql://u:p,q@[::1]:1/db', 'postgresql://u:p,q@[::2]/db'],
  ],
  ['postgres:///db?host=/var/run', ['postgres:///db?host=/var/run']],
])('a database URL has one address per server: %s', (url, addresses) => {
  expect(addressesOf(url)).toEqual(addresses)
})

/** Puts the test database behind two other servers: one doesn't exist, and one drops every connection. */
async function withOthers(act: (url: string) => Promise<void>): Promise<void> {
  const ending = createServer((socket) => socket.destroy())
  await new Promise<void>((listening) => ending.listen(0, '127.0.0.1', listening))
  const gone = createServer()
  await new Promise<void>((listening) => gone.listen(0, '127.0.0.1', listening))
  const ports = [gone, ending].map((server) => (server.address() as { port: number }).port)
  await new Promise((closed) => gone.close(closed))
  const url = rig.databaseUrl.replace(/@([^/]*)/, `@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]},$1`)
  try {
    await act(url)
  } finally {
    ending.close()
  }
}

it('a connection to several servers hides the errors of standbys while a primary answers', () =>
  withOthers(async (url) => {
    const db = openDatabase(url, { max: 5 })
    const asked = Array.from({ length: 20 }, () => db.$client.query('select 1 as one'))
    expect((await Promise.all(asked)).map(({ rows }) => rows[0].one)).toEqual(Array(20).fill(1))
    await db.$client.end()
    const client = await connectToPrimary(url)
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await client.end()
  }))

it('a wrong password fails at once and is not tried on every server', async () => {
  const url = new URL(rig.databaseUrl)
  url.password = 'wrong'
  const twice = url.href.replace(/@([^/]*)/, '@$1,127.0.0.1:1')
  const error = await connectToPrimary(twice).catch((caught) => caught)
  expect(error).toBeInstanceOf(pg.DatabaseError)
  expect(error.code).toBe('28P01')
})
