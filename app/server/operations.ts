import { timingSafeEqual } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Hono } from 'hono'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { ApiError, answerJson, COMMON_HEADERS } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'

const ALIVE = JSON.stringify({ status: 'ok' })

/** /healthz (the process is alive), /readyz (the database responds too), /metrics (with METRICS_TOKEN, else 404). */
export function serveOperations(app: Hono, { db, metricsToken }: AppDependencies): void {
  app.get('/healthz', () => answerJson(ALIVE))
  // Concurrent callers share the response. Otherwise strangers could fill the connection queue.
  let asking: Promise<unknown> | null = null
  app.get('/readyz', async () => {
    asking ??= db.execute(sql`select 1`).finally(() => {
      asking = null
    })
    await asking
    return answerJson(ALIVE)
  })
  if (!metricsToken) return

  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took',
    labelNames: ['method', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  const unavailable = new Counter({
    name: 'http_unavailable_total',
    help: 'Requests answered 503',
    registers: [registry],
  })
  new Gauge({
    name: 'database_connections_waiting',
    help: 'Requests that wait for a database connection',
    registers: [registry],
    collect() {
      this.set(db.$client.waitingCount)
    },
  })
  app.use(async (context, next) => {
    const end = durations.startTimer({ method: context.req.method })
    await next()
    end({ status: String(context.res.status) })
    if (context.res.status === 503) unavailable.inc()
  })
  app.get('/metrics', async (context) => {
    if (!isSame(context.req.header('authorization') ?? '', `Bearer ${metricsToken}`)) {
      throw new ApiError(401, 'no_authorization', 'This endpoint needs the metrics token.')
    }
    return context.body(await registry.metrics(), 200, {
      ...COMMON_HEADERS,
      'Content-Type': registry.contentType,
      'Cache-Control': 'no-store',
    })
  })
}

function isSame(given: string, wanted: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(wanted)
  return a.length === b.length && timingSafeEqual(a, b)
}
