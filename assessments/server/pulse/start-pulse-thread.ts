import { setTimeout as wait } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { startThread } from '../../../platform/server/threads/start-thread.ts'
import { PULSE_MS } from '../pulse.ts'
import type { PulseWork } from './pulse-thread.ts'

/** The thread's connection and code need about 10 MB. */
const HEAP_MB = 64

/** Sends heartbeats from a thread: a busy server is not down, so deadlines must not move while it is busy. */
export function startPulseThread(
  work: PulseWork,
  log: AppDependencies['log'],
): { stop(): Promise<void> } {
  let isStopped = false
  let thread: Worker | undefined
  const start = () => {
    thread = startThread(new URL('./pulse-thread.ts', import.meta.url), work, HEAP_MB)
    thread.unref()
    thread.once('error', (error) => log.error({ error: error.message }, 'heartbeat ended'))
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
