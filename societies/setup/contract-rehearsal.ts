import * as z from 'zod/mini'
import { inTest, organiserMay } from '../kit/contract.ts'
import { CROWD, CROWD_MINUTES, SIMULATION_ENDINGS } from './simulation.ts'

const WATCH = organiserMay('watch_live', ['counts', 'own_room'])
const SIMULATE = organiserMay('simulate')
const done = z.strictObject({ done: z.literal(true) })

export const readSimulation = inTest('GET /simulation', WATCH, 'The newest simulation', {
  response: z.strictObject({
    /** why none can start now, as a sentence */
    obstacle: z.nullable(z.string()),
    simulation: z.nullable(
      z.strictObject({
        startedBy: z.string(),
        startedAt: z.iso.datetime(),
        endsAt: z.iso.datetime(),
        endedAt: z.nullable(z.iso.datetime()),
        ending: z.nullable(z.enum(SIMULATION_ENDINGS)),
      }),
    ),
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
