import * as z from 'zod/mini'
import { inTest, organizerMay } from '../kit/contract.ts'
import { done } from './contract.ts'

/** The number of simulated candidates, and the duration in minutes (product 7.11.9). */
export const CROWD = { least: 10, most: 100 } as const
export const CROWD_MINUTES = { least: 1, most: 15, usual: 5 } as const

/** How a simulation ended. yielded: a real test was about to open; lost: its node stopped or failed. */
export type SimulationEnding = 'played' | 'stopped' | 'yielded' | 'lost'

const WATCH = organizerMay('watch_live', ['counts', 'own_room'], 'none')
const SIMULATE = organizerMay('simulate')

export const readSimulation = inTest('GET /simulation', WATCH, 'Whether a simulation can start', {
  response: z.strictObject({
    /** A sentence about why no simulation can start now; null if one can. */
    obstacle: z.nullable(z.string()),
    isRunning: z.boolean(),
  }),
})

export const startSimulation = inTest('POST /simulation', SIMULATE, 'Start a simulated crowd', {
  body: z.strictObject({
    candidates: z.int().check(z.minimum(CROWD.least), z.maximum(CROWD.most)),
    minutes: z.int().check(z.minimum(CROWD_MINUTES.least), z.maximum(CROWD_MINUTES.most)),
  }),
  response: done,
})

export const stopSimulation = inTest('POST /simulation/stop', SIMULATE, 'Stop a simulated crowd', {
  response: done,
})
