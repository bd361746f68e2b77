import type { Client } from '../action.ts'
import { OrganiserRefusal } from '../refusal.ts'

/** Whom an act is for. */
export interface To {
  candidates: readonly string[] | null
  room: string | null
}

/** Errors: OrganiserRefusal not_your_room where somebody of another room than `room` is meant. */
export async function requireInRoom(
  client: Client,
  code: string,
  to: To,
  room: string | null,
): Promise<void> {
  if (room === null) return
  const refused = () => new OrganiserRefusal('not_your_room', { room })
  if (to.candidates === null) {
    if (to.room !== room) throw refused()
    return
  }
  const { rowCount } = await client.query(
    `select from candidates where assessment = $1 and id = any ($2::uuid[])
       and room is distinct from $3 limit 1`,
    [code, to.candidates, room],
  )
  if (rowCount !== 0) throw refused()
}
