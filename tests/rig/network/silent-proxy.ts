import { connect, createServer, type Socket } from 'node:net'

interface SilentProxy {
  /** the same database's address through the proxy */
  url: string
  /** Stops forwarding data without closing connections; false continues. */
  silence(isSilent: boolean): void
  /** Cuts open connections and stops listening. */
  end(): void
}

/** A connection to the database that can become silent, like a machine without power. */
export async function startSilentProxy(databaseUrl: string): Promise<SilentProxy> {
  const url = new URL(databaseUrl)
  const port = Number(url.port)
  const sockets: Socket[] = []
  let isSilent = false
  const proxy = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    sockets.push(near, far)
    near.on('data', (bytes) => void (isSilent || far.write(bytes)))
    far.on('data', (bytes) => void (isSilent || near.write(bytes)))
    near.on('error', () => far.destroy()).on('close', () => far.destroy())
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
  })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  url.port = String((proxy.address() as { port: number }).port)
  return {
    url: url.href,
    silence: (now) => {
      isSilent = now
    },
    end: () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}
