import { type Api, answerJson } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { type MemberInTest, serveMembers } from '../../access/server/serve-members.ts'
import { act } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { getSimulation } from '../../setup/server/rehearsal/simulation-store.ts'
import * as contract from '../contract.ts'
import { liveCsv } from './csv.ts'
import { setSeen } from './seen.ts'
import { OF_SIMULATION, viewerOf, visibleTo } from './view.ts'
import { Watch } from './watch.ts'

/** Live: who is taking the test, and who needs help (product 7.14). */
export function serveLive(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)
  const watch = new Watch(dependencies)

  /** What a call is about, and how much of it the member sees. */
  async function watchedBy(organiser: MemberInTest, isSimulation: boolean) {
    const { code, db } = organiser
    if (!isSimulation) {
      return { whose: { code, demo: false }, viewer: viewerOf(organiser), simulation: null }
    }
    const found = await getSimulation(db.$client, organiser)
    if (!found) throw refuse(404, 'no_simulation', 'This test has no simulation to watch.')
    return {
      whose: { code: found.code, demo: true },
      viewer: OF_SIMULATION,
      simulation: { isOver: found.endedAt !== null, endsAt: found.endsAt },
    }
  }

  serve(contract.watchLive, async ({ organiser, query, context }) => {
    const { whose, viewer, simulation } = await watchedBy(organiser, query.simulation === '1')
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
    serve(endpoint, async ({ organiser, body }) => {
      const { whose, viewer } = await watchedBy(organiser, body.simulation === true)
      await setSeen(organiser, whose, viewer, body, isSeen)
      watch.forget(whose)
      return { done: true as const }
    })
  }

  serve(contract.exportLive, async ({ organiser, body }) => {
    const { whose, viewer } = await watchedBy(organiser, false)
    const visible = visibleTo(await watch.see(whose), viewer)
    const rows = body.candidates.flatMap((id) => visible.get(id) ?? [])
    // Taking data out is logged (product 7.1.2).
    return act(organiser, 'export-live', whose.code, async () => ({
      result: { csv: liveCsv(rows) },
      detail: { candidates: rows.length },
    }))
  })
}
