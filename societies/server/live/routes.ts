import { type Api, ApiError, answerJson } from '../../../platform/server/api.ts'
import type { CurrentOrganiser } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import * as contract from '../../contract/live.ts'
import { act, memberOf } from '../action.ts'
import { getSimulation } from '../rehearsal/simulation-store.ts'
import { liveCsv } from './csv.ts'
import type { Whose } from './read-room.ts'
import { setSeen } from './seen.ts'
import { visibleTo } from './snapshot.ts'
import { OF_SIMULATION, type Viewer, viewerOf } from './viewer.ts'
import { Watch } from './watch.ts'

/** The day: who is inside, and who needs somebody (product 7.14). */
export function serveLive(api: Api, dependencies: AppDependencies): void {
  const { db, now } = dependencies
  const watch = new Watch(dependencies)
  const organiserOf = memberOf({ db, now })

  /** What a call is about, and how much of it the member sees. */
  async function placeOf(
    call: { organiser: CurrentOrganiser; params: { code: string } },
    isSimulation: boolean,
  ): Promise<{ whose: Whose; viewer: Viewer; simulation: contract.SimulationWatched | null }> {
    const { organiser, params } = call
    const { code } = params
    if (!isSimulation) {
      return { whose: { code, demo: false }, viewer: viewerOf(organiser), simulation: null }
    }
    const found = await getSimulation(db.$client, { societyId: organiser.societyId, code })
    if (!found) {
      throw new ApiError(404, 'no_simulation', 'There is no simulation of this test any more.')
    }
    return {
      whose: { code: found.code, demo: true },
      viewer: OF_SIMULATION,
      simulation: { isOver: found.endedAt !== null, endsAt: found.endsAt.toISOString() },
    }
  }

  api.serve(contract.watchLive, async (call) => {
    const { query, context } = call
    const { whose, viewer, simulation } = await placeOf(call, query.simulation === '1')
    const { tag, takenMs, json, zipped } = await watch.answer(whose, viewer, simulation)
    if (query.have === tag) return { tag, takenMs, snapshot: null }
    const accepted = context.req.header('accept-encoding') ?? ''
    if (!/\bgzip\b(?!;q=0(,|$))/.test(accepted)) return answerJson(json)
    return answerJson(await zipped(), 200, { 'Content-Encoding': 'gzip' })
  })

  for (const [endpoint, isSeen] of [
    [contract.markSeen, true],
    [contract.markUnseen, false],
  ] as const) {
    api.serve(endpoint, async (call) => {
      const { whose, viewer } = await placeOf(call, call.body.simulation === true)
      const { candidate, mark } = call.body
      await setSeen(organiserOf(call.user), whose, viewer, { candidate, mark }, isSeen)
      watch.forget(whose)
      return { done: true as const }
    })
  }

  api.serve(contract.exportLive, async (call) => {
    const { whose, viewer } = await placeOf(call, false)
    const visible = visibleTo(await watch.see(whose), viewer)
    const rows = call.body.candidates.flatMap((id) => visible.get(id) ?? [])
    // Data that is taken out: an act (product 7.1.2).
    return act(organiserOf(call.user), 'export-live', whose.code, async () => ({
      result: { csv: liveCsv(rows) },
      detail: { candidates: rows.length },
    }))
  })
}
