import { randomUUID } from 'node:crypto'
import { request, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { listen } from '../../app/server/listener.ts'
import { createFileTurns, readApart } from '../../societies/questions/server/exchange/read-apart.ts'
import { writeDocument } from '../../societies/results/server/file-response.ts'
import { useRig } from '../rig/rig.ts'

// What one society or network can take from all others by reading and writing files and by large responses.
const rig = useRig()
const FILE = Buffer.from('question,a,b,c,d,correct\nWhat is 2 + 2?,4,5,6,7,A\n')

describe('files that are uploaded slowly', () => {
  it('hold no slot for reading files', async () => {
    const inTurn = createFileTurns(rig.dependencies)
    let end = () => {}
    const coming = new Promise<void>((resolve) => {
      end = resolve
    })
    const slow = Array.from({ length: 30 }, () => inTurn(randomUUID(), () => coming))
    const { questions } = await inTurn(randomUUID(), () => readApart(FILE))
    expect(questions).toHaveLength(1)
    end()
    await Promise.all(slow)
  })
})

describe('files of one society', () => {
  it('leave a slot for reading another society’s file', async () => {
    const order: string[] = []
    const read = (society: string) => readApart(FILE, { society }).then(() => order.push(society))
    const all = ['a', 'a', 'a', 'a', 'b'].map(read)
    await Promise.all(all)
    expect(order.indexOf('b')).toBeLessThan(3)
  })

  it('take turns with those of another society, and are limited', async () => {
    const order: string[] = []
    const madeAt = new Date('2026-03-02T10:00:00Z')
    const write = (societyId: string) =>
      writeDocument({ societyId }, { as: 'workbook', sheets: [], madeAt })
        .then(() => order.push(societyId))
        .catch(({ code }) => order.push(code))
    await Promise.all(['a', 'a', 'a', 'a', 'a', 'a', 'a', 'b'].map(write))
    expect(order.filter((one) => one === 'writing_busy')).toHaveLength(1)
    expect(order.indexOf('b')).toBeLessThan(4)
  })
})

describe('large responses that are not read', () => {
  const ANSWER = JSON.stringify('x'.repeat(12_000_000))
  async function serve(requestSeconds: number) {
    const { server, port } = await listen({
      ...{ fetch: async () => new Response(ANSWER), port: 0, host: '127.0.0.1', requestSeconds },
    })
    const open = new Set<ServerResponse>()
    server.on('request', (_, response) => {
      open.add(response)
      response.on('close', () => open.delete(response))
    })
    const ask = () => request({ port, host: '127.0.0.1', path: '/%61pi/large', agent: false })
    const calls = Array.from({ length: 12 }, () => ask().on('error', () => {}))
    for (const call of calls) call.on('response', (answer) => answer.pause()).end()
    const countUnread = () => [...open].reduce((sum, { writableLength }) => sum + writableLength, 0)
    const end = () => {
      for (const call of calls) call.destroy()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    }
    return { ask, open, countUnread, end }
  }

  it('are cut off beyond 32 MB per network, and a normal reader still gets theirs', async () => {
    const { ask, countUnread, end } = await serve(20)
    await vi.waitFor(() => expect(countUnread()).toBeGreaterThan(20_000_000), 10_000)
    const length = new Promise<number>((resolve) => {
      ask()
        .on('response', async (answer) => resolve((await answer.toArray()).join('').length))
        .end()
    })
    expect(await length).toBe(ANSWER.length)
    await wait(1_000)
    expect(countUnread()).toBeLessThanOrEqual(32_000_000)
    await end()
  })

  it('are cut off if nothing is read for as long as a request may take', async () => {
    const { open, countUnread, end } = await serve(1)
    await vi.waitFor(() => expect(countUnread()).toBeGreaterThan(0), 10_000)
    await vi.waitFor(() => expect(open.size).toBe(0), 10_000)
    await end()
  })
})
