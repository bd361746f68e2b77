import pg from 'pg'
import { readOrMakeSecretKey } from '../platform/database/secret-key.ts'
import type { CrowdPlan, CrowdReport } from './crowd.ts'
import { playScript, startProduct } from './product.ts'
import { CODE, PASSWORD, prepareRoom, signUpAll } from './room.ts'
import { type Figure, round2 } from './rounds.ts'

const ITEMS = 20
/** Both crowds take the same time, so the product's idle load cancels out. */
const CROWDS = [300, 1_300] as const
const SCHEDULE = { verifyMs: 20_000, startMs: 10_000, thinkMs: 2_000, submitMs: 10_000 }
const LIMIT_MS = 12

/**
 * attempt-cpu-ms: processor time of server and PostgreSQL for one candidate who verifies, starts, saves 20 answers and
 * submits. It is the difference between two crowds, divided by their difference in people.
 */
export async function benchAttemptCpu(): Promise<Figure[]> {
  const [few, many] = [await measureCrowd(CROWDS[0]), await measureCrowd(CROWDS[1])]
  const people = CROWDS[1] - CROWDS[0]
  const server = (many.serverMs - few.serverMs) / people
  const postgres = (many.postgresMs - few.postgresMs) / people
  const sum = round2(server + postgres)
  return [
    {
      name: 'attempt-cpu-ms',
      figure: sum,
      limit: `≤ ${LIMIT_MS}`,
      met: sum <= LIMIT_MS,
      note: `server ${round2(server)}, PostgreSQL ${round2(postgres)}; crowds of ${CROWDS.join(' and ')}`,
    },
  ]
}

async function measureCrowd(candidates: number): Promise<{ serverMs: number; postgresMs: number }> {
  const product = await startProduct({ PUBLIC_URL: 'http://localhost:3000' })
  const db = new pg.Client({ connectionString: product.databaseUrl })
  await db.connect()
  try {
    const { verifyMs, startMs, thinkMs, submitMs } = SCHEDULE
    const durationMs = verifyMs + startMs + thinkMs * ITEMS + submitMs
    const secretKey = await readOrMakeSecretKey(product.dataDir)
    await prepareRoom(db, secretKey, candidates, 2 * durationMs, ITEMS)
    const people = await signUpAll(product.url, candidates)
    const before = product.cpuMs()
    const report = await playScript<CrowdReport>('crowd.ts', {
      ...{ urls: [product.url], code: CODE, password: PASSWORD, people },
      ...SCHEDULE,
    } satisfies CrowdPlan)
    const after = product.cpuMs()
    if (report.errors.length > 0) throw new Error(report.errors[0])
    return {
      serverMs: after.server - before.server,
      postgresMs: after.postgres - before.postgres,
    }
  } finally {
    await db.end()
    await product.stop()
  }
}
