import { setTimeout as wait } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { startThread } from '../../../platform/server/threads/start-thread.ts'
import { PULSE_MS } from '../pulse.ts'
import type { PulseWork } from './pulse-thread.ts'

/** Its connection and what it beats with take some 10 MB. */
const HEAP_MB = 64

/** Beats in a thread: a busy server is up, and must not give more time to candidates whose deadline comes meanwhile. */
export function startPulseThread(
  work: PulseWork,
  log: AppDependencies['log'],
): { stop(): Promise<void> } {
  let isStopped = false
  let thread: Worker | undefined
  const start = () => {
    thread = startThread(new URL('./pulse-thread.ts', import.meta.url), work, HEAP_MB)
    thread.unref()
    thread.once('error', (error) => log.error({ error: error.message }, 'the pulse ended'))
    thread.once('exit', async () => {
      await wait(PULSE_MS, undefined, { ref: false })
      if (!isStopped) start()
    })
  }
  start()
  return {
    async stop() {
      isStopped = true
      await thread?.terminate()
    },
  }
}
