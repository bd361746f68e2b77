import { act, type Organiser } from '../action.ts'
import { type Place, requireAssessment } from '../assessments.ts'
import { parseLocalTime } from '../local-time.ts'
import { OrganiserRefusal } from '../refusal.ts'

/**
 * Says when the rooms are given back; it cuts nobody's time, it is only told (product 7.15.4).
 * Errors: OrganiserRefusal, stale_rooms where another moment stands than was read; AdminError for a time that
 * the zone's clocks skip or repeat.
 * @param given.at on the clocks of the assessment's zone; null: nobody says
 */
export function setRoomsUntil(
  organiser: Organiser,
  place: Place,
  given: { was: string | null; at: string | null },
): Promise<Date | null> {
  return act(organiser, 'rooms-until', place.code, async (client) => {
    const { code, roomsUntil, timeZone } = await requireAssessment(client, place, 'change')
    if ((roomsUntil?.getTime() ?? null) !== (given.was === null ? null : Date.parse(given.was))) {
      throw new OrganiserRefusal('stale_rooms', { roomsUntil })
    }
    const at = given.at === null ? null : parseLocalTime(given.at, timeZone)
    await client.query('update assessments set rooms_until = $2 where code = $1', [code, at])
    return { result: at, detail: { before: roomsUntil, after: at } }
  })
}
