import { timingSafeEqual } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Hono } from 'hono'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AppDependencies } from './app.ts'

/**
 * What a load balancer and Prometheus ask: /healthz (the process lives), /readyz (the database answers
 * too) and /metrics (with METRICS_TOKEN as bearer token; 404 without that setting).
 */
export function serveOperations(app: Hono, { db, metricsToken }: AppDependencies): void {
  app.get('/healthz', (context) => context.json({ status: 'ok' }))
  app.get('/readyz', async (context) => {
    await db.execute(sql`select 1`)
    return context.json({ status: 'ok' })
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
      return context.json(
        { code: 'no_authorization', message: 'The metrics need their token.' },
        401,
      )
    }
    return context.body(await registry.metrics(), 200, { 'Content-Type': registry.contentType })
  })
}

function isSame(given: string, wanted: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(wanted)
  return a.length === b.length && timingSafeEqual(a, b)
}
