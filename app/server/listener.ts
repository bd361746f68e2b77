import type * as http from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import { addressOfRequest, networkOf } from '../../platform/server/address.ts'

/** Milliseconds that requests under way may take when the server is told to stop. */
const DRAIN_LIMIT_MS = 10_000
/** How long no request may have come in before connections that are idle are closed then. */
const QUIET_MS = 500
/** How often that is looked at. */
const DRAIN_SWEEP_MS = 100
/**
 * Connections that may wait to be accepted. In a start rush 2,000 come within half a second; beyond Node's own 511 the
 * system drops them and retries a second later, which proxies take for a dead node.
 */
const WAITING_CONNECTIONS = 4_096

interface ListenOptions {
  fetch: (request: Request) => Response | Promise<Response>
  port: number
  host: string
  /** within which a request, headers and body, has to arrive, and the longest time in which a reader may take nothing of an answer */
  requestSeconds: number
  /** whether a proxy says where a call comes from */
  trustProxy?: boolean
}

/** Bytes of large answers that wait for their readers, of one network and in all. Beyond it the slowest reader is cut. */
const UNREAD_BYTES = { ofNetwork: 32_000_000, inAll: 128_000_000 }
/** An answer that counts: a room that starts at once has hundreds of small ones on their way. */
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

/** Ends answers that nobody reads: each stays in memory whole until its reader has it. */
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
    // The newest first, so that the one that has waited longest is cut.
    for (const [response, request] of unread.reverse()) {
      // Set once: then Node ends the connection if nothing moves, until the answer is out.
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

/** When a request is cut: Node's own limits would let a slow sender hold a connection for five minutes. */
function limitsOf(requestSeconds: number): http.ServerOptions {
  return {
    // Line and headers; the rest of the time is the body's.
    headersTimeout: requestSeconds * 500,
    requestTimeout: requestSeconds * 1000,
    connectionsCheckingInterval: requestSeconds * 100,
    // Longer than the 60 s for which proxies keep a connection, else they use one that is just closed.
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16_384,
  }
}

/**
 * Takes no new connection and lets requests end, DRAIN_LIMIT_MS at most. Each answer tells its client to open another
 * connection, which the load balancer leads to another node. An idle connection is closed after QUIET_MS without a
 * request: one may be coming in, and a POST on a closed connection is not sent again.
 */
export async function drain(server: http.Server): Promise<void> {
  let lastAt = performance.now()
  server.prependListener('request', (_, response) => {
    response.shouldKeepAlive = false
    lastAt = performance.now()
  })
  // Right after a poll, in which all connections that waited were accepted: who still waits is cut.
  await nextTurn()
  // Not the close of HTTP: that one cuts idle connections at once.
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
  const sweeping = setInterval(() => {
    if (performance.now() - lastAt >= QUIET_MS) server.closeIdleConnections()
  }, DRAIN_SWEEP_MS)
  await Promise.race([closed, sleep(DRAIN_LIMIT_MS, undefined, { ref: false })])
  clearInterval(sweeping)
}
