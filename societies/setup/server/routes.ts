import { setTimeout as sleep } from 'node:timers/promises'
import { Answer, type Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { describeError } from '../../../platform/server/log.ts'
import { serveMembers } from '../../access/server/serve-members.ts'
import { read } from '../../kit/server/action.ts'
import { createFileTurns } from '../../questions/server/exchange/read-apart.ts'
import * as contract from '../contract.ts'
import * as rehearsal from '../contract-rehearsal.ts'
import { copyAssessment, createEmpty, createFromFile } from './create.ts'
import { deleteTest, listDeleted, restoreTest } from './mark-deleted.ts'
import { playCrowd, type RequestInProcess } from './rehearsal/crowd.ts'
import {
  type Begun,
  beatSimulation,
  beginSimulation,
  endSimulation,
  findObstacle,
  getSimulation,
  stopSimulation,
} from './rehearsal/simulation-store.ts'
import { changeSettings, readSettings } from './settings.ts'

/** How often a simulation checks whether it can continue, in milliseconds of simulated time. */
const BEAT_MS = 5_000

/**
 * Serves an assessment's life cycle from draft to deletion, its settings (product 7.8), and the simulated crowd with
 * which organizers rehearse it (product 7.11.9).
 */
export function serveSetup(
  api: Api,
  dependencies: AppDependencies,
  request: RequestInProcess,
): void {
  const serve = serveMembers(api, dependencies)
  const inTurn = createFileTurns(dependencies)

  serve(
    contract.createAssessment,
    async ({ organizer, body }) => new Answer(201, await createEmpty(organizer, body)),
  )
  serve(
    contract.createAssessmentFromFile,
    async ({ organizer, body }) =>
      new Answer(201, await inTurn(organizer.userId, () => createFromFile(organizer, body))),
  )
  serve(
    contract.copyAssessment,
    async ({ organizer, body }) => new Answer(201, await copyAssessment(organizer, body)),
  )

  serve(contract.getSettings, ({ organizer }) => readSettings(organizer))
  serve(contract.changeSettings, ({ organizer, body }) =>
    changeSettings(organizer, body, 'nobody_started'),
  )
  serve(contract.changeSettingsAfterStart, ({ organizer, body }) => changeSettings(organizer, body))

  serve(contract.deleteAssessment, ({ organizer }) => deleteTest(organizer))
  serve(contract.listDeletedAssessments, ({ organizer }) => listDeleted(organizer))
  serve(contract.restoreAssessment, ({ organizer, body }) => restoreTest(organizer, body.code))

  serve(rehearsal.readSimulation, ({ organizer }) =>
    read(organizer, async (client) => {
      const obstacle = await findObstacle(client, organizer, organizer.now)
      const newest = await getSimulation(client, organizer)
      return { obstacle: obstacle?.message ?? null, isRunning: newest?.endedAt === null }
    }),
  )
  serve(rehearsal.startSimulation, async ({ organizer, body }) => {
    const begun = await beginSimulation(organizer, dependencies.secretKey, body)
    void play(dependencies, request, begun)
    return { done: true as const }
  })
  serve(rehearsal.stopSimulation, ({ organizer }) => stopSimulation(organizer))
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
