import { readFileSync } from 'node:fs'
import pg from 'pg'
import { readOrMakeSecretKey } from '../platform/database/secret-key.ts'
import type { CrowdPlan, CrowdReport } from './crowd.ts'
import { playScript, type RunningProduct, startProduct } from './product.ts'
import { startNginx } from './proxies/proxy.ts'
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
/** Milliseconds at the 99th percentile that still feel fast. */
const LIMIT_MS = { starts: 1_000, saves: 200, submits: 100 }
const LIMIT_MB = 300
/** Milliseconds left when the last one submits. Candidates who left are closed after that. */
const REST_MS = 20_000

/** Answers per save on the short day: a minute of saves with 10,000 candidates, which is the critical load. */
const TOGETHER = 4

/**
 * day-candidates, day-lost, day-double, day-start-p99-ms, day-save-p99-ms, day-submit-p99-ms, day-mb: an assessment day
 * whose candidates are signed in before the clock starts. A crowd in its own process verifies, starts, saves every
 * answer and submits; 5 % reload, 2 % of the saves lose their connection, 3 % break rules, 5 % leave without
 * submitting. Every acknowledged answer is compared with the stored one, every result with an independent tally.
 */
export async function benchDay(
  candidates: number,
  nodes = 1,
  { name = 'day', together = 1 } = {},
): Promise<Figure[]> {
  const publicUrl = 'http://localhost:3000'
  const product = await startProduct({ PUBLIC_URL: publicUrl })
  const others = await startOthers(product, nodes - 1, publicUrl)
  const urls = [product, ...others].map(({ url }) => url)
  const nginx = nodes > 1 ? await startNginx(urls) : undefined
  const db = new pg.Client({ connectionString: product.databaseUrl })
  await db.connect()
  try {
    const thinkMs = (candidates / SAVES_PER_SECOND) * 1000
    const durationMs = START_MS + (thinkMs * ITEMS) / together + SUBMIT_MS + REST_MS
    const secretKey = await readOrMakeSecretKey(product.dataDir)
    const keys = await prepareRoom(db, secretKey, candidates, durationMs, ITEMS)
    const people = await signUpAll(product.url, candidates)
    let highestMb = 0
    const watch = setInterval(() => {
      highestMb = Math.max(highestMb, product.residentMb())
    }, 250)
    const before = readMachineTime()
    const paces = [timeSum()]
    const pacing = setInterval(() => paces.push(timeSum()), 1_000)
    const report = await playScript<CrowdReport>('crowd.ts', {
      urls: [nginx?.url ?? product.url],
      code: CODE,
      password: PASSWORD,
      people,
      verifyMs: VERIFY_MS,
      startMs: START_MS,
      thinkMs,
      submitMs: SUBMIT_MS,
      together,
    } satisfies CrowdPlan)
    await untilAllClosed(db, durationMs)
    clearInterval(watch)
    clearInterval(pacing)
    const after = readMachineTime()
    const stolen = (100 * (after.stolen - before.stolen)) / (after.all - before.all)
    const { lost, double, wrong, first } = await compareRoom(db, report, keys)
    for (const error of [...report.errors, ...first].slice(0, 10)) console.error(error)
    const done = report.people.filter(({ outcome }) => outcome !== 'failed').length
    const quick = (what: keyof typeof LIMIT_MS, ms: readonly number[], note = '') => {
      const p99 = Math.round(percentile(ms, 0.99))
      const limit = LIMIT_MS[what]
      const median = `median ${Math.round(percentile(ms, 0.5))} ms of ${ms.length} ${what}`
      const figureName = `${name}-${what.slice(0, -1)}-p99-ms`
      return figure(figureName, p99, `< ${limit}`, p99 < limit, median + note)
    }
    const cut = `, without ${report.cutSaveMs.length} cut on purpose (p99 ${Math.round(percentile(report.cutSaveMs, 0.99))} ms)`
    return [
      figure(
        `${name}-candidates`,
        done,
        `≥ ${candidates}`,
        done >= candidates,
        `${report.acknowledgedSaves} saves, retries ${JSON.stringify(report.retries)}, ${report.errors.length} errors; the host kept ${stolen.toFixed(1)}% of the machine's time; a fixed sum took ${percentile(paces, 0.1).toFixed(2)} to ${percentile(paces, 0.9).toFixed(2)} ms`,
      ),
      figure(
        `${name}-lost`,
        lost + wrong,
        '0',
        lost + wrong === 0,
        `${lost} answers, ${wrong} results`,
      ),
      figure(`${name}-double`, double, '0', double === 0, 'attempts, or duplicate closings'),
      quick('starts', report.startMs),
      quick('saves', report.saveMs, cut),
      quick('submits', report.submitMs),
      figure(`${name}-mb`, highestMb, `≤ ${LIMIT_MB}`, highestMb <= LIMIT_MB, "the server's peak"),
    ]
  } finally {
    await db.end()
    await nginx?.stop()
    for (const node of [...others, product]) await node.stop()
  }
}

/** The same for a minute of saves. In two minutes it shows what gets slower with the number of people. */
export const benchShortDay = (): Promise<Figure[]> =>
  benchDay(10_000, 1, { name: 'short-day', together: TOGETHER })

/** All cores since boot, in ticks: total time, and time that the host gave to other machines (proc(5)). */
function readMachineTime(): { all: number; stolen: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  // The last two columns are guests, which the first two contain.
  const ticks = line.split(/\s+/).slice(1, 9).map(Number)
  return { all: ticks.reduce((sum, ms) => sum + ms, 0), stolen: ticks[7] ?? 0 }
}

/** Milliseconds for a fixed sum. A busy host shows only in this. */
function timeSum(): number {
  const begun = performance.now()
  let sum = 0
  for (let n = 0; n < 1_000_000; n += 1) sum += n % 7
  return sum > 0 ? performance.now() - begun : 0
}

/** Starts more nodes on the product's database. */
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
