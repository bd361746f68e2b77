import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { ofAssessment, organiserMay } from '../contract.ts'
import { CROWD, CROWD_MINUTES, SIMULATION_ENDINGS } from '../simulation.ts'

const done = z.strictObject({ done: z.literal(true) })

export const readSimulation = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/simulation',
  summary: 'The newest simulation of an assessment, or why none can begin now',
  access: organiserMay('watch_live', ['counts', 'own_room']),
  params: ofAssessment,
  response: z.strictObject({
    /** why none can begin now, in a sentence */
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

export const startSimulation = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/simulation',
  summary: 'Let a simulated crowd play a copy of the assessment',
  access: organiserMay('simulate'),
  params: ofAssessment,
  body: z.strictObject({
    candidates: z.int().check(z.minimum(CROWD.least), z.maximum(CROWD.most)),
    minutes: z.int().check(z.minimum(CROWD_MINUTES.least), z.maximum(CROWD_MINUTES.most)),
  }),
  response: done,
})

export const stopSimulation = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/simulation/stop',
  summary: 'End the simulation that goes on',
  access: organiserMay('simulate'),
  params: ofAssessment,
  response: done,
})
