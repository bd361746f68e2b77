import type { CurrentOrganiser } from '../../../platform/server/current-user.ts'
import { type HeldRole, mayWith, roomOf } from '../../roles.ts'

/** How much of a snapshot a member sees (product 7.14.3). */
export interface Viewer {
  /** null: every room */
  room: string | null
  /** nobody's row */
  isCountsAlone: boolean
  hasNames: boolean
  /** what is no act of the day too */
  hasLog: boolean
}

/** What a member may see of the assessment of a call, by the roles in force. */
export function viewerOf(organiser: Pick<CurrentOrganiser, 'extent' | 'roles'>): Viewer {
  const { extent } = organiser
  const held = organiser.roles as readonly HeldRole[]
  const roles = held.map(({ role }) => role)
  return {
    room: roomOf(held, 'watch_live'),
    isCountsAlone: extent !== 'all' && !extent.includes('own_room'),
    hasNames: mayWith(roles, 'see_names') === 'all',
    hasLog: mayWith(roles, 'read_log') === 'all',
  }
}

/** Of a simulated crowd everybody who may watch sees everything: nobody in it is real. */
export const OF_SIMULATION: Viewer = {
  ...{ room: null, isCountsAlone: false, hasNames: true, hasLog: false },
}

/** How a candidate is called where names are not seen: the same at each look, and telling nothing. */
export const coveredName = (id: string): string => `candidate ${id.slice(0, 6)}`
