import pg from 'pg'
import { readOrMakeSecretKey } from '../platform/database/secret-key.ts'
import type { CrowdPlan, CrowdReport } from './crowd.ts'
import { playScript, type RunningProduct, startProduct } from './product.ts'
import { startNginx } from './proxies/nginx.ts'
import {
  CODE,
  compareRoom,
  ITEMS,
  PASSWORD,
  prepareRoom,
  signUpAll,
  untilAllClosed,
} from './room.ts'
import { type Figure, percentile } from './rounds.ts'

/** The schedule of product 10.7.5. */
const VERIFY_MS = 60_000
const START_MS = 10_000
const SAVES_PER_SECOND = 1_000
const SUBMIT_MS = 10_000
const SUBMIT_LIMIT_MS = 500
/** What is left of the time when the last one submits; who has left is closed then. */
const REST_MS = 20_000

/**
 * day-candidates, day-lost, day-double, day-submit-p99-ms: an assessment day of so many candidates, whose
 * sessions exist before the clock starts. A crowd in a process of its own verifies, starts, saves every
 * answer and submits; 5 % reload, 2 % of the saves lose their connection, 3 % break rules, 5 % leave
 * without submitting. Every acknowledged answer is compared with the stored one, every result with an
 * independent tally.
 */
export async function benchDay(candidates: number, nodes = 1): Promise<Figure[]> {
  const publicUrl = 'http://localhost:3000'
  const product = await startProduct({ PUBLIC_URL: publicUrl })
  const others = await startOthers(product, nodes - 1, publicUrl)
  const urls = [product, ...others].map(({ url }) => url)
  const nginx = nodes > 1 ? await startNginx(urls) : undefined
  const db = new pg.Client({ connectionString: product.databaseUrl })
  await db.connect()
  try {
    const thinkMs = (candidates / SAVES_PER_SECOND) * 1000
    const durationMs = START_MS + thinkMs * ITEMS + SUBMIT_MS + REST_MS
    const secretKey = await readOrMakeSecretKey(product.dataDir)
    const keys = await prepareRoom(db, secretKey, candidates, durationMs)
    const people = await signUpAll(product.url, candidates)
    let highestMb = 0
    const watch = setInterval(() => {
      highestMb = Math.max(highestMb, product.residentMb())
    }, 250)
    const report = await playScript<CrowdReport>('crowd.ts', {
      urls: [nginx?.url ?? product.url],
      code: CODE,
      password: PASSWORD,
      people,
      verifyMs: VERIFY_MS,
      startMs: START_MS,
      thinkMs,
      submitMs: SUBMIT_MS,
    } satisfies CrowdPlan)
    await untilAllClosed(db, durationMs)
    clearInterval(watch)
    const { lost, double, wrong, first } = await compareRoom(db, report, keys)
    for (const error of [...report.errors, ...first].slice(0, 10)) console.error(error)
    const done = report.people.filter(({ outcome }) => outcome !== 'failed').length
    const p99 = percentile(report.submitMs, 0.99)
    const note = `${report.acknowledgedSaves} saves (p99 ${Math.round(percentile(report.saveMs, 0.99))} ms), starts p99 ${Math.round(percentile(report.startMs, 0.99))} ms, ${highestMb} MB, tries again ${JSON.stringify(report.retries)}, ${report.errors.length} errors`
    return [
      figure('day-candidates', done, `≥ ${candidates}`, done >= candidates, note),
      figure(
        'day-lost',
        lost + wrong,
        '0',
        lost + wrong === 0,
        `${lost} answers, ${wrong} results`,
      ),
      figure('day-double', double, '0', double === 0, 'attempts, or closings told twice'),
      figure(
        'day-submit-p99-ms',
        Math.round(p99),
        `< ${SUBMIT_LIMIT_MS}`,
        p99 < SUBMIT_LIMIT_MS,
        `median ${Math.round(percentile(report.submitMs, 0.5))} ms of ${report.submitMs.length} submits`,
      ),
    ]
  } finally {
    await db.end()
    await nginx?.stop()
    for (const node of [...others, product]) await node.stop()
  }
}

/** Further nodes over the product's database. */
async function startOthers(
  { databaseUrl, dataDir }: RunningProduct,
  count: number,
  publicUrl: string,
): Promise<RunningProduct[]> {
  const secretKey = await readOrMakeSecretKey(dataDir)
  return Promise.all(
    Array.from({ length: count }, () =>
      startProduct({
        DATABASE_URL: databaseUrl,
        SECRET_KEY: secretKey.toString('base64'),
        PUBLIC_URL: publicUrl,
      }),
    ),
  )
}

function figure(name: string, value: number, limit: string, met: boolean, note: string): Figure {
  return { name, figure: value, limit, met, note }
}
