import type * as http from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import { addressOfRequest, networkOf } from '../../platform/server/address.ts'

/** Milliseconds that running requests may take after the server is told to stop. */
const DRAIN_LIMIT_MS = 10_000
/** Milliseconds without a new request before idle connections are closed on shutdown. */
const QUIET_MS = 500
/** Milliseconds between those checks. */
const DRAIN_SWEEP_MS = 100
/**
 * Connections that may wait to be accepted. In a start rush, 2,000 arrive within half a second. Beyond Node's default
 * of 511, the system drops them and the client retries a second later, so proxies consider the node dead.
 */
const WAITING_CONNECTIONS = 4_096

interface ListenOptions {
  fetch: (request: Request) => Response | Promise<Response>
  port: number
  host: string
  /** seconds for a request's headers and body to arrive, and for which a reader may take nothing of a response */
  requestSeconds: number
  /** whether a proxy reports the caller's address */
  trustProxy?: boolean
}

/** Unread bytes of large responses, per network and in total. Beyond this, the slowest reader is cut off. */
const UNREAD_BYTES = { ofNetwork: 32_000_000, inAll: 128_000_000 }
/** Responses from this size count as large. When a room starts, hundreds of small ones are on their way. */
const LARGE_BYTES = 256_000
const READERS_SWEEP_MS = 250

/** Rejects with the system's error if the address can't be used. @returns the server and its actual port */
export function listen(options: ListenOptions): Promise<{ server: http.Server; port: number }> {
  return new Promise((resolve, reject) => {
    const server = createAdaptorServer({
      fetch: options.fetch,
      hostname: options.host,
      serverOptions: limitsOf(options.requestSeconds),
    }) as http.Server
    cutSlowReaders(server, options)
    server.on('error', reject)
    server.listen({ port: options.port, host: options.host, backlog: WAITING_CONNECTIONS }, () => {
      const address = server.address()
      resolve({
        server,
        port: typeof address === 'object' && address ? address.port : options.port,
      })
    })
  })
}

/** Ends responses that aren't being read, because each stays in memory until it is. */
function cutSlowReaders(
  server: http.Server,
  { requestSeconds, trustProxy = false }: ListenOptions,
) {
  const open = new Map<http.ServerResponse, http.IncomingMessage>()
  server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
    open.set(response, request)
    response.once('close', () => open.delete(response))
  })
  const idleMs = requestSeconds * 1000
  const sweep = () => {
    const unread = [...open].filter(([response]) => response.writableLength > 0)
    let inAll = 0
    const ofNetwork = new Map<string, number>()
    // The newest comes first, so that the one that has waited longest is cut off.
    for (const [response, request] of unread.reverse()) {
      // Set only once. Node then ends the connection if nothing moves until the response is sent.
      if (request.socket.timeout !== idleMs) request.socket.setTimeout(idleMs)
      const bytes = response.writableLength
      if (bytes < LARGE_BYTES) continue
      const network = networkOf(addressOfRequest(request, trustProxy), 48)
      const own = (ofNetwork.get(network) ?? 0) + bytes
      if (own > UNREAD_BYTES.ofNetwork || inAll + bytes > UNREAD_BYTES.inAll) {
        response.destroy()
        continue
      }
      ofNetwork.set(network, own)
      inAll += bytes
    }
  }
  const sweeping = setInterval(sweep, READERS_SWEEP_MS).unref()
  server.on('close', () => clearInterval(sweeping))
}

/** When a request is cut off. Node's own limits would let a slow sender hold a connection for five minutes. */
function limitsOf(requestSeconds: number): http.ServerOptions {
  return {
    // For the request line and headers. The body gets the rest.
    headersTimeout: requestSeconds * 500,
    requestTimeout: requestSeconds * 1000,
    connectionsCheckingInterval: requestSeconds * 100,
    // Longer than the 60 s for which proxies keep a connection. Otherwise they may use one that is just closing.
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16_384,
  }
}

/**
 * Accepts no new connections and lets requests finish, for at most DRAIN_LIMIT_MS. Each response tells its client to
 * reconnect, so that the load balancer picks another node. An idle connection is closed after QUIET_MS without a
 * request: one may be arriving, and a POST on a closed connection isn't repeated.
 */
export async function drain(server: http.Server): Promise<void> {
  let lastAt = performance.now()
  server.prependListener('request', (_, response) => {
    response.shouldKeepAlive = false
    lastAt = performance.now()
  })
  // Stops right after a poll, which accepted all waiting connections. Any that still wait are cut off.
  await nextTurn()
  // The HTTP server's close() would cut idle connections immediately.
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
  const sweeping = setInterval(() => {
    if (performance.now() - lastAt >= QUIET_MS) server.closeIdleConnections()
  }, DRAIN_SWEEP_MS)
  await Promise.race([closed, sleep(DRAIN_LIMIT_MS, undefined, { ref: false })])
  clearInterval(sweeping)
}
