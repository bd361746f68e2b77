import { inTransaction } from '../../../platform/database/transaction.ts'
import { ApiError } from '../../../platform/server/api.ts'
import { act, type Client, type Organiser } from '../action.ts'
import type { Whose } from './read-room.ts'
import type { Viewer } from './viewer.ts'

/** A line of 'To look at', as the page names it. */
interface Line {
  candidate: string
  mark: string
}

/**
 * Notes that somebody has looked at a line, or takes that back (product 7.14.5).
 * Errors: 404 for a candidate who is not on the list, or in another room than the member's; 409 where
 * somebody was first.
 */
export function setSeen(
  organiser: Organiser,
  whose: Whose,
  viewer: Viewer,
  line: Line,
  isSeen: boolean,
): Promise<void> {
  const set = (client: Client) =>
    isSeen
      ? addMark(client, organiser, whose, viewer, line)
      : removeMark(client, whose, viewer, line)
  // What is done in a simulation is no act: nobody in it is real, and its log goes with it.
  if (whose.demo) return inTransaction(organiser.db, (client) => set(client).then(() => undefined))
  return act(organiser, isSeen ? 'seen' : 'unseen', whose.code, async (client) => {
    const username = await set(client)
    return { result: undefined, detail: { username, trouble: line.mark.replace(/:.*/, '') } }
  })
}

/** @returns the candidate's username */
async function addMark(
  client: Client,
  { now, actor }: Organiser,
  whose: Whose,
  viewer: Viewer,
  { candidate, mark }: Line,
): Promise<string> {
  const username = await requireVisible(client, whose, viewer, candidate)
  const { rowCount } = await client.query(
    `insert into seen_marks (candidate_id, mark, seen_at, seen_by) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [candidate, mark, now, actor],
  )
  if (rowCount === 1) return username
  throw new ApiError(409, 'already_seen', 'Somebody else has seen it already.')
}

async function removeMark(
  client: Client,
  whose: Whose,
  viewer: Viewer,
  { candidate, mark }: Line,
): Promise<string> {
  const username = await requireVisible(client, whose, viewer, candidate)
  const { rowCount } = await client.query(
    'delete from seen_marks where candidate_id = $1 and mark = $2',
    [candidate, mark],
  )
  if (rowCount === 1) return username
  throw new ApiError(409, 'not_seen', 'This line stands already.')
}

async function requireVisible(
  client: Client,
  { code, demo }: Whose,
  { room }: Viewer,
  candidate: string,
): Promise<string> {
  const { rows } = await client.query<{ username: string }>(
    `select username from candidates
     where id = $1 and assessment = $2 and is_demo = $3 and ($4::text is null or room = $4)`,
    [candidate, code, demo, room],
  )
  if (rows[0]) return rows[0].username
  throw new ApiError(404, 'not_found', 'This candidate is not on the list any more.')
}
