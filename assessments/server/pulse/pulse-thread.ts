import os from 'node:os'
import { workerData } from 'node:worker_threads'
import { openDatabase, SERVER_LIMITS } from '../../../platform/database/database.ts'
import { createClock } from '../../../platform/server/clock.ts'
import { createLogger } from '../../../platform/server/log.ts'
import { startPulse } from '../pulse.ts'

export interface PulseWork {
  databaseUrl: string
  logLevel: string
}

const { databaseUrl, logLevel } = workerData as PulseWork
// Waiting for the next heartbeat does not keep a thread alive, so this timer does, until its parent ends it.
setInterval(() => {}, 60_000)
startPulse({
  // The thread has its own connection, so that the service doesn't look down when all others are in use.
  db: openDatabase(databaseUrl, { max: 1, limits: SERVER_LIMITS }),
  now: createClock({
    wallMs: () => Date.now(),
    elapsedMs: () => performance.now(),
    uptimeMs: () => os.uptime() * 1000,
  }),
  log: createLogger(logLevel),
})
