import { setTimeout as sleep } from 'node:timers/promises'
import { isReady } from '../../../assessments/rehearsal.ts'
import {
  getRehearsed,
  openRehearsalLink,
  rehearsalLink,
} from '../../../assessments/server/rehearsal-store.ts'
import { type Api, ApiError } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { describeError } from '../../../platform/server/log.ts'
import * as contract from '../../contract/rehearsal.ts'
import { memberOf, read } from '../action.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { playCrowd, type RequestInProcess } from './crowd.ts'
import { listCheckedCandidates, listCheckedHelpers } from './device-checks.ts'
import { type Inside, readInside } from './inside.ts'
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

/** What candidates and organisers try before the day (product 7.11). */
export function serveRehearsal(
  api: Api,
  dependencies: AppDependencies,
  request: RequestInProcess,
): void {
  const { db, now } = dependencies
  const organiserOf = memberOf({ db, now })

  api.serve(contract.readRehearsal, async ({ organiser, params }) => {
    const at = now()
    const { societyId } = organiser
    return read({ db }, async (client) => {
      const of = { societyId, code: params.code }
      const candidates = await listCheckedCandidates(client, of)
      const helpers = await listCheckedHelpers(client, of, at)
      // Helpers may rehearse a draft; for everybody else its link opens nothing yet.
      const rehearsed = await getRehearsed(client, params.code, { drafts: true }, at)
      return {
        link: rehearsed ? openRehearsalLink(dependencies, params.code) : null,
        candidates: tallyOf(candidates),
        helpers: tallyOf(helpers),
        findings: countFindings(candidates),
      }
    })
  })

  api.serve(contract.listRehearsed, async ({ organiser, params }) => {
    const at = now()
    const { societyId } = organiser
    return read({ db }, async (client) => {
      const of = { societyId, code: params.code }
      const candidates = await listCheckedCandidates(client, of)
      const helpers = await listCheckedHelpers(client, of, at)
      return {
        candidates: candidates.map(({ id, username, name, room, ...one }) => ({
          ...{ username, name, room, link: rehearsalLink(dependencies, id) },
          ...checkShown(one),
        })),
        helpers: helpers.map(({ email, roles, ...one }) => ({ email, roles, ...checkShown(one) })),
      }
    })
  })

  api.serve(contract.readSimulation, async ({ organiser, params }) => {
    const at = now()
    const of = { societyId: organiser.societyId, code: params.code }
    return read({ db }, async (client) => {
      const obstacle = await findObstacle(client, of, at)
      const found = await getSimulation(client, of)
      return {
        now: at.toISOString(),
        obstacle: obstacle && OBSTACLES[obstacle],
        simulation: found && {
          startedBy: found.startedBy,
          startedAt: found.startedAt.toISOString(),
          endsAt: found.endsAt.toISOString(),
          endedAt: found.endedAt?.toISOString() ?? null,
          ending: found.ending,
          people: (await readInside(client, found.code, 'demo')).map(insideShown),
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
    if (!(error instanceof OrganiserRefusal) || error.code !== 'no_such_assessment') throw error
    throw new ApiError(404, 'not_found', 'There is no such assessment any more.')
  }
}

interface Checked {
  checkedAt: Date | null
  findings: string[]
}

function tallyOf(people: readonly Checked[]) {
  const tried = people.filter(({ checkedAt }) => checkedAt !== null)
  const ready = tried.filter(({ findings }) => isReady(findings)).length
  return { listed: people.length, tried: tried.length, ready }
}

function countFindings(people: readonly Checked[]) {
  const counts = new Map<string, number>()
  for (const { findings } of people) {
    for (const finding of findings) counts.set(finding, (counts.get(finding) ?? 0) + 1)
  }
  return [...counts]
    .map(([finding, count]) => ({ finding, count }))
    .sort((a, b) => b.count - a.count || a.finding.localeCompare(b.finding))
}

const checkShown = ({ checkedAt, findings }: Checked) => ({
  checkedAt: checkedAt?.toISOString() ?? null,
  findings,
})

function insideShown(one: Inside) {
  const { username, where, answered, total, strikes, submitReason } = one
  return {
    ...{ username, where, answered, total, strikes, submitReason },
    lastSavedAt: one.lastSavedAt?.toISOString() ?? null,
    submittedAt: one.submittedAt?.toISOString() ?? null,
  }
}
