import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { findBrowser } from '../tools/browser.mjs'
import { freePort } from '../tools/free-port.mjs'
import { startProduct } from './product.ts'
import type { Figure } from './rounds.ts'

/** Minimum scores of product 10.7.12, in percent. */
const LIMITS = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 } as const
type Category = keyof typeof LIMITS

/** Downloaded at the first call, because it has more packages than the rest of the tools together. */
const LIGHTHOUSE = 'lighthouse@12.8.2'

/** The parts of a report that we read. */
interface Report {
  categories: Record<string, { score: number | null }>
  audits: Record<string, { displayValue?: string }>
}

/** The median of these runs counts, because a single run's scores vary with other load. */
const RUNS = 3

/** lighthouse-*: the running product's landing page on Lighthouse's slow phone. */
export async function benchLighthouse(): Promise<Figure[]> {
  const product = await startProduct()
  const debuggingPort = await freePort()
  const browser = await chromium.launch({
    executablePath: findBrowser() ?? undefined,
    args: [
      `--remote-debugging-port=${debuggingPort}`,
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  })
  try {
    const runs: Record<Category, number>[] = []
    const notes: string[] = []
    for (let run = 0; run < RUNS; run += 1) {
      const { categories, audits } = await runLighthouse(product.url, debuggingPort)
      const score = (category: Category) => Math.round((categories[category]?.score ?? 0) * 100)
      runs.push({
        performance: score('performance'),
        accessibility: score('accessibility'),
        'best-practices': score('best-practices'),
        seo: score('seo'),
      })
      const shown = (audit: string) => audits[audit]?.displayValue ?? '?'
      notes.push(
        `LCP ${shown('largest-contentful-paint')}, CLS ${shown('cumulative-layout-shift')}, TBT ${shown('total-blocking-time')}`,
      )
    }
    return (Object.keys(LIMITS) as Category[]).map((category) => {
      const scores = runs.map((run) => run[category]).sort((a, b) => a - b)
      const figure = scores[Math.floor(RUNS / 2)] ?? 0
      return {
        name: `lighthouse-${category}`,
        figure,
        limit: LIMITS[category] === 100 ? '100' : `≥ ${LIMITS[category]}`,
        met: figure >= LIMITS[category],
        note: category === 'performance' ? notes.join(' · ') : scores.join(', '),
      }
    })
  } finally {
    await browser.close()
    await product.stop()
  }
}

async function runLighthouse(url: string, port: number): Promise<Report> {
  const { stdout } = await promisify(execFile)(
    'npx',
    [
      ...['-y', LIGHTHOUSE, url, `--port=${port}`, '--output=json', '--quiet'],
      `--only-categories=${Object.keys(LIMITS).join(',')}`,
    ],
    { maxBuffer: 64 * 2 ** 20, timeout: 180_000 },
  )
  return JSON.parse(stdout)
}
