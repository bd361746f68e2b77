import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../../../../platform/server/api.ts'
import type { AppDependencies } from '../../../../platform/server/dependencies.ts'
import { describeError } from '../../../../platform/server/log.ts'
import { serveMembers } from '../../../access/server/serve-members.ts'
import { read } from '../../../kit/server/action.ts'
import * as contract from '../../contract-rehearsal.ts'
import { playCrowd, type RequestInProcess } from './crowd.ts'
import {
  type Begun,
  beatSimulation,
  beginSimulation,
  endSimulation,
  findObstacle,
  getSimulation,
  stopSimulation,
} from './simulation-store.ts'

/** How often a simulation checks whether it can continue, in milliseconds of simulated time. */
const BEAT_MS = 5_000

/** Serves the simulated crowd with which organizers rehearse a test (product 7.11.9). */
export function serveRehearsal(
  api: Api,
  dependencies: AppDependencies,
  request: RequestInProcess,
): void {
  const serve = serveMembers(api, dependencies)

  serve(contract.readSimulation, ({ organizer }) =>
    read(organizer, async (client) => {
      const obstacle = await findObstacle(client, organizer, organizer.now)
      const newest = await getSimulation(client, organizer)
      return { obstacle: obstacle?.message ?? null, isRunning: newest?.endedAt === null }
    }),
  )
  serve(contract.startSimulation, async ({ organizer, body }) => {
    const begun = await beginSimulation(organizer, dependencies.secretKey, body)
    void play(dependencies, request, begun)
    return { done: true as const }
  })
  serve(contract.stopSimulation, ({ organizer }) => stopSimulation(organizer))
}

/** Runs a simulation to its end. If its node dies, another node notices (sweepSimulations). */
async function play(
  { db, log, now, random, simulationSpeed: speed = 1 }: AppDependencies,
  request: RequestInProcess,
  begun: Begun,
): Promise<void> {
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
      log.info({ error: describeError(error) }, 'a simulation failed')
      await endSimulation(db.$client, begun.code, 'lost', now()).catch(() => {})
    }
  } finally {
    over.abort()
    await Promise.allSettled([playing, watching])
  }
}
