import { createHash } from 'node:crypto'
import type { CurrentOrganiser, CurrentUser } from '../../../platform/server/current-user.ts'
import { type HeldRole, mayWith, roomOf } from '../../roles.ts'

/** How much of a picture a member sees (product 7.14.3). */
export interface Viewer {
  userId: string
  /** null: every room */
  room: string | null
  /** nobody's row */
  isCountsAlone: boolean
  hasNames: boolean
  /** what is no act of the day too */
  hasLog: boolean
}

/** What a member may see of the assessment of a call, by the roles in force. */
export function viewerOf(
  user: Pick<CurrentUser, 'id'>,
  organiser: Pick<CurrentOrganiser, 'extent' | 'roles'>,
): Viewer {
  const { extent } = organiser
  const held = organiser.roles as readonly HeldRole[]
  const roles = held.map(({ role }) => role)
  return {
    userId: user.id,
    room: roomOf(held, 'watch_live'),
    isCountsAlone: extent !== 'all' && !extent.includes('own_room'),
    hasNames: mayWith(roles, 'see_names') === 'all',
    hasLog: mayWith(roles, 'read_log') === 'all',
  }
}

/** Of a simulated crowd everybody who may watch sees everything: nobody in it is real. */
export const ofSimulation = ({ userId }: Viewer): Viewer => ({
  ...{ userId, room: null, isCountsAlone: false, hasNames: true, hasLog: false },
})

/** Another role, or another room, is another view: a cursor of the old one holds no longer. */
export const viewOf = (viewer: Viewer): string =>
  createHash('sha256').update(JSON.stringify(viewer)).digest('hex').slice(0, 8)

/** How a candidate is called where names are not seen: the same at each look, and telling nothing. */
export const coveredName = (id: string): string => `candidate ${id.slice(0, 6)}`
