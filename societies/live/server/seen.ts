import { inTransaction } from '../../../platform/database/transaction.ts'
import { act, type Client, type Organiser } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type { Whose } from './read-room.ts'
import type { Viewer } from './view.ts'

/**
 * Marks an alert as seen, or shows it again (product 7.14.5).
 * Errors: 404 not_found for a candidate that the member doesn't see; 409 already_seen, not_seen.
 */
export async function setSeen(
  organiser: Organiser,
  whose: Whose,
  viewer: Viewer,
  { candidate, mark }: { candidate: string; mark: string },
  isSeen: boolean,
): Promise<void> {
  /** @returns the candidate's username */
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
          [candidate, mark, organiser.now, organiser.actor],
        )
      : await client.query('delete from seen_marks where candidate_id = $1 and mark = $2', [
          candidate,
          mark,
        ])
    if (rowCount === 1) return rows[0].username
    throw isSeen
      ? refuse(409, 'already_seen', 'Someone else has already seen this.')
      : refuse(409, 'not_seen', 'This alert is already shown.')
  }
  // A simulation has no log of its own: its candidates aren't real.
  if (whose.demo) await inTransaction(organiser.db, set)
  else {
    await act(organiser, isSeen ? 'seen' : 'unseen', whose.code, async (client) => {
      const username = await set(client)
      return { result: undefined, detail: { username, trouble: mark.replace(/:.*/, '') } }
    })
  }
}
