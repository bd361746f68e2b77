import { spawn } from 'node:child_process'
import path from 'node:path'
import autocannon from 'autocannon'
import { freePort } from '../tools/free-port.mjs'
import { makeGuest, startProduct } from './product.ts'
import { compareRates, type Figure, ROUND_SECONDS, round2 } from './rounds.ts'

const CONNECTIONS = 50

/** questions: a test's questions ÷ a bare Hono route that returns the same bytes. */
export async function benchQuestions(): Promise<Figure[]> {
  const product = await startProduct()
  // Each connection has its own person, because one person's calls are queued.
  const tokens = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => (await makeGuest(product.url)).token),
  )
  const query = new URLSearchParams({
    category: 'Financial Markets & Instruments',
    difficulty: 'Intern',
    testNumber: '1',
  })
  const address = `${product.url}/api/questions?${query}`
  const headers = { authorization: `Bearer ${tokens[0]}` }
  const bytes = await (await fetch(address, { headers })).text()
  const bare = await startBareRoute(bytes)
  try {
    const { ratio, one, other } = await compareRates(
      () => requestRate(address, tokens),
      () => requestRate(`${bare.url}/api/questions?${query}`, tokens),
    )
    return [
      {
        name: 'questions',
        figure: round2(ratio),
        limit: '≥ 0.85',
        met: ratio >= 0.85,
        note: `${Math.round(one)} tests/s against ${Math.round(other)}/s for a bare route, ${bytes.length} bytes each`,
      },
    ]
  } finally {
    bare.stop()
    await product.stop()
  }
}

async function requestRate(url: string, tokens: readonly string[]): Promise<number> {
  let clients = 0
  const result = await autocannon({
    url,
    setupClient: (client) => {
      client.setHeaders({ authorization: `Bearer ${tokens[clients % tokens.length]}` })
      clients += 1
    },
    connections: CONNECTIONS,
    duration: ROUND_SECONDS,
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error('a request failed')
  return result['2xx'] / result.duration
}

/** Starts a Hono server with a single route in a separate process, like the product's. */
async function startBareRoute(bytes: string): Promise<{ url: string; stop(): void }> {
  const port = await freePort()
  const server = spawn(
    process.execPath,
    ['--import', 'tsx', path.join(import.meta.dirname, 'bare-route.ts'), String(port)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  server.stdin.end(bytes)
  await new Promise((resolve) => server.stdout.once('data', resolve))
  return { url: `http://127.0.0.1:${port}`, stop: () => void server.kill() }
}
