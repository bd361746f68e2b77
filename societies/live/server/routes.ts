import { noteHelpRead } from '../../../assessments/server/event-store.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { type Api, answerJson } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { type MemberInTest, serveMembers } from '../../access/server/serve-members.ts'
import { act, type Client, type Organizer } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { getSimulation } from '../../setup/server/rehearsal/simulation-store.ts'
import * as contract from '../contract.ts'
import type { Whose } from './read-room.ts'
import { OF_SIMULATION, type Viewer, viewerOf } from './view.ts'
import { Watch } from './watch.ts'

/** Serves Live: who is taking the test, and who needs help (product 7.14). */
export function serveLive(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)
  const watch = new Watch(dependencies)

  /** Finds the test or simulation of a call, and what the member can see of it. */
  async function watchedBy(organizer: MemberInTest, isSimulation: boolean) {
    const { code, societyId, db } = organizer
    if (!isSimulation) {
      return {
        whose: { code, societyId, demo: false },
        viewer: viewerOf(organizer),
        simulation: null,
      }
    }
    const found = await getSimulation(db.$client, organizer)
    if (!found) throw refuse(404, 'no_simulation', 'This test has no simulation to watch.')
    return {
      whose: { code: found.code, societyId, demo: true },
      viewer: OF_SIMULATION,
      simulation: { isOver: found.endedAt !== null, endsAt: found.endsAt },
    }
  }

  serve(contract.watchLive, async ({ organizer, query, context }) => {
    const { whose, viewer, simulation } = await watchedBy(organizer, query.simulation === '1')
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
    serve(endpoint, async ({ organizer, body }) => {
      const { whose, viewer } = await watchedBy(organizer, body.simulation === true)
      // This runs before the transaction, which must not wait for a second connection.
      const isShown = isSeen && (await watch.shows(whose, body))
      await setSeen(organizer, whose, viewer, body, { isSeen, isShown })
      watch.forget(whose)
      return { done: true as const }
    })
  }
}

/** Marks an alert as seen or unseen (product 7.14.5). Errors: 404 not_found; 409 already_seen, not_shown, not_seen. */
async function setSeen(
  organizer: Organizer,
  whose: Whose,
  viewer: Viewer,
  { candidate, mark }: { candidate: string; mark: string },
  { isSeen, isShown }: { isSeen: boolean; isShown: boolean },
): Promise<void> {
  const set = async (client: Client) => {
    const { rows } = await client.query<{ username: string }>(
      `select username from candidates
       where id = $1 and assessment = $2 and is_demo = $3 and ($4::text is null or room = $4)`,
      [candidate, whose.code, whose.demo, viewer.room],
    )
    if (!rows[0]) throw refuse(404, 'not_found', 'This candidate is no longer on the list.')
    const { rowCount } = isSeen
      ? await client.query(
          `insert into seen_marks (candidate_id, mark, seen_at, seen_by) values ($1, $2, $3, $4)
           on conflict do nothing`,
          [candidate, mark, organizer.now, organizer.actor],
        )
      : await client.query('delete from seen_marks where candidate_id = $1 and mark = $2', [
          candidate,
          mark,
        ])
    if (rowCount !== 1) {
      throw isSeen
        ? refuse(409, 'already_seen', 'Someone else has already seen this.')
        : refuse(409, 'not_seen', 'This alert is already shown.')
    }
    if (isSeen && !isShown) throw refuse(409, 'not_shown', 'This alert is no longer shown.')
    const [trouble, event] = mark.split(':')
    if (isSeen && trouble === 'help') {
      await noteHelpRead(client, candidate, Number(event), organizer.now)
    }
    const { username } = rows[0]
    return { result: undefined, detail: { username, trouble } }
  }
  // Simulations aren't logged, because their candidates aren't real.
  if (whose.demo) await inTransaction(organizer.db, set)
  else await act(organizer, isSeen ? 'seen' : 'unseen', whose.code, set)
}
