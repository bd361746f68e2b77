import type { Client } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type { ActedTo } from '../contract.ts'

export const notYourRoom = (room: string) =>
  refuse(
    403,
    'not_your_room',
    `Your role covers room ${room}. Ask an invigilator of the other room or an owner.`,
  )

/**
 * Errors: 403 not_your_room where a change is for candidates of another room.
 * @param room the member's only room; null: every room
 */
export async function requireInRoom(
  client: Client,
  code: string,
  to: ActedTo,
  room: string | null,
): Promise<void> {
  if (room === null) return
  if (to.candidates === null) {
    if (to.room !== room) throw notYourRoom(room)
    return
  }
  const { rowCount } = await client.query(
    `select from candidates where assessment = $1 and id = any ($2::uuid[])
       and room is distinct from $3 limit 1`,
    [code, to.candidates, room],
  )
  if (rowCount !== 0) throw notYourRoom(room)
}
