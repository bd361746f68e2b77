import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../tools/free-port.mjs'

/** The network between a browser and the product. It can be cut or slowed down. */
export interface Wire {
  /** the address for the browser, given the product's port */
  urlTo(port: number): string
  /** Ends all connections and rejects new ones. */
  cut(): Promise<void>
  restore(): Promise<void>
  /** Delays data to the product by `ms` milliseconds from now on; 0 for no delay. */
  slow(ms: number): void
  end(): Promise<void>
}

export async function openWire(): Promise<Wire> {
  const port = await freePort()
  const open = new Set<Socket>()
  let target = 0
  let delayMs = 0
  let server: Server | null = null

  const join = (near: Socket) => {
    const far = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
    far.pipe(near)
    // Sends chunks one after the other to keep their order.
    let before = Promise.resolve()
    near.on('data', (chunk) => {
      before = before.then(async () => {
        if (delayMs > 0) await wait(delayMs)
        if (!far.destroyed) far.write(chunk)
      })
    })
  }
  const wire: Wire = {
    urlTo: (to) => {
      target = to
      return `http://localhost:${port}`
    },
    restore: () =>
      new Promise((resolve) => {
        if (server) resolve()
        else server = createServer(join).listen(port, '127.0.0.1', resolve)
      }),
    cut: () =>
      new Promise((resolve) => {
        if (!server) return resolve()
        server.close(() => resolve())
        server = null
        for (const socket of open) socket.destroy()
      }),
    slow: (ms) => {
      delayMs = ms
    },
    end: () => wire.cut(),
  }
  await wire.restore()
  return wire
}
