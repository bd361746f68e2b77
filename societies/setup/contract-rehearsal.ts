import * as z from 'zod/mini'
import { inTest, organizerMay } from '../kit/contract.ts'
import { done } from './contract.ts'

/** How many simulated candidates play, and for how long (product 7.11.9). */
export const CROWD = { least: 10, most: 100 } as const
export const CROWD_MINUTES = { least: 1, most: 15, usual: 5 } as const

/** Why a simulation ended. yielded: a real test came near; lost: its node went away, or could not go on. */
export type SimulationEnding = 'played' | 'stopped' | 'yielded' | 'lost'

const WATCH = organizerMay('watch_live', ['counts', 'own_room'], 'none')
const SIMULATE = organizerMay('simulate')

export const readSimulation = inTest('GET /simulation', WATCH, 'Whether a simulation can start', {
  response: z.strictObject({
    /** why none can start now, as a sentence */
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
