import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '../tools/free-port.mjs'
import { untilReady } from './product.ts'
import { type Figure, ROUNDS } from './rounds.ts'

const ROOT = path.join(import.meta.dirname, '..')

/** second-start-ms: from typing `npm start` the second time to serving, median. */
export async function benchStart(): Promise<Figure[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'superday-bench-'))
  try {
    const first = await startOnce(dataDir)
    const later: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) later.push(await startOnce(dataDir))
    later.sort((a, b) => a - b)
    const median = later[Math.floor(ROUNDS / 2)] ?? Number.POSITIVE_INFINITY
    return [
      {
        name: 'second-start-ms',
        figure: median,
        limit: '< 3000',
        met: median < 3000,
        note: `${later.join(', ')} ms; the first, with a new database, ${first} ms`,
      },
    ]
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Milliseconds until `npm start` serves. Then it is stopped as with Ctrl-C. */
async function startOnce(dataDir: string): Promise<number> {
  const started = performance.now()
  const port = String(await freePort())
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...process.env, PORT: port, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  await untilReady(npm)
  const took = Math.round(performance.now() - started)
  process.kill(-(npm.pid ?? 0), 'SIGINT')
  await new Promise((resolve) => npm.once('exit', resolve))
  return took
}
