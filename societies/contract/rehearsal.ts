import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { ofAssessment, organiserMay } from '../contract.ts'
import { ROLES } from '../roles.ts'
import { CROWD, CROWD_MINUTES, SIMULATION_ENDINGS } from '../simulation.ts'

const done = z.strictObject({ done: z.literal(true) })

/** What a device check found: codes of assessments/rehearsal.ts */
const checked = {
  checkedAt: z.nullable(z.iso.datetime()),
  findings: z.array(z.string()),
}
const tally = z.strictObject({ listed: z.number(), tried: z.number(), ready: z.number() })

export const readRehearsal = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/rehearsal',
  summary:
    'How many of the list, and of the helpers, have tried their computers, and with what trouble',
  access: organiserMay('see_assessments'),
  params: ofAssessment,
  response: z.strictObject({
    /** for everybody; null once nobody can rehearse any more */
    link: z.nullable(z.string()),
    candidates: tally,
    helpers: tally,
    /** of candidates, the most frequent first */
    findings: z.array(z.strictObject({ finding: z.string(), count: z.number() })),
  }),
})

export const listRehearsed = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/rehearsal/people',
  summary: 'Who has tried the computer, by name, with the link of each candidate',
  access: organiserMay('see_names'),
  params: ofAssessment,
  response: z.strictObject({
    candidates: z.array(
      z.strictObject({
        username: z.string(),
        name: z.nullable(z.string()),
        room: z.nullable(z.string()),
        link: z.string(),
        ...checked,
      }),
    ),
    helpers: z.array(
      z.strictObject({ email: z.string(), roles: z.array(z.enum(ROLES)), ...checked }),
    ),
  }),
})

export const readSimulation = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/simulation',
  summary:
    'The newest simulation of an assessment, and where its candidates are; nobody in it is real',
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
        people: z.array(
          z.strictObject({
            username: z.string(),
            where: z.enum(['absent', 'verified', 'running', 'submitted']),
            answered: z.number(),
            total: z.number(),
            strikes: z.number(),
            lastSavedAt: z.nullable(z.iso.datetime()),
            submittedAt: z.nullable(z.iso.datetime()),
            submitReason: z.nullable(z.string()),
          }),
        ),
      }),
    ),
    /** by the server's clock */
    now: z.iso.datetime(),
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
