import { setTimeout as sleep } from 'node:timers/promises'
import { type Api, ApiError } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { describeError } from '../../../platform/server/log.ts'
import * as contract from '../../contract/rehearsal.ts'
import { memberOf, read } from '../action.ts'
import { playCrowd, type RequestInProcess } from './crowd.ts'
import {
  type Begun,
  beatSimulation,
  beginSimulation,
  endSimulation,
  findObstacle,
  getSimulation,
  OBSTACLES,
  stopSimulation,
} from './simulation-store.ts'

/** How often a simulation asks whether it may go on, milliseconds of its own time. */
const BEAT_MS = 5_000

const DONE = { done: true } as const

/** The simulated crowd with which organisers see the day before it comes (product 7.11.9). */
export function serveRehearsal(
  api: Api,
  dependencies: AppDependencies,
  request: RequestInProcess,
): void {
  const { db, now } = dependencies
  const organiserOf = memberOf({ db, now })

  api.serve(contract.readSimulation, async ({ organiser, params }) => {
    const of = { societyId: organiser.societyId, code: params.code }
    return read({ db }, async (client) => {
      const obstacle = await findObstacle(client, of, now())
      const found = await getSimulation(client, of)
      return {
        obstacle: obstacle && OBSTACLES[obstacle],
        simulation: found && {
          startedBy: found.startedBy,
          startedAt: found.startedAt.toISOString(),
          endsAt: found.endsAt.toISOString(),
          endedAt: found.endedAt?.toISOString() ?? null,
          ending: found.ending,
        },
      }
    })
  })

  api.serve(contract.startSimulation, async ({ user, organiser, params, body }) => {
    const of = { societyId: organiser.societyId, code: params.code }
    const begun = await found(beginSimulation(organiserOf(user), dependencies.secretKey, of, body))
    void play(dependencies, request, begun)
    return DONE
  })

  api.serve(contract.stopSimulation, async ({ user, organiser, params }) => {
    await stopSimulation(organiserOf(user), { societyId: organiser.societyId, code: params.code })
    return DONE
  })
}

/** Plays a simulation to its end, whatever comes; its node's end is noticed by the others (sweepSimulations). */
async function play(
  dependencies: AppDependencies,
  request: RequestInProcess,
  begun: Begun,
): Promise<void> {
  const { db, log, now, random, simulationSpeed: speed = 1 } = dependencies
  const over = new AbortController()
  const { signal } = over
  const playing = playCrowd({ ...begun, request, speed, random, signal })
  const watching = (async () => {
    while (!signal.aborted) {
      await sleep(BEAT_MS / speed, undefined, { signal, ref: false })
      if (!(await beatSimulation(db.$client, begun.code, now()))) over.abort()
    }
  })()
  try {
    await Promise.race([playing, watching])
    await endSimulation(db.$client, begun.code, 'played', now())
  } catch (error) {
    if (!signal.aborted) {
      log.info({ error: describeError(error) }, 'a simulation could not go on')
      await endSimulation(db.$client, begun.code, 'lost', now()).catch(() => {})
    }
  } finally {
    over.abort()
    await Promise.allSettled([playing, watching])
  }
}

/** Errors: 404 for an assessment that was deleted since the guard looked. */
async function found<T>(acting: Promise<T>): Promise<T> {
  try {
    return await acting
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'no_such_assessment') throw error
    throw new ApiError(404, 'not_found', 'There is no such assessment any more.')
  }
}
