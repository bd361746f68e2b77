import { createHash } from 'node:crypto'
import type { CurrentOrganiser, CurrentUser } from '../../../platform/server/current-user.ts'
import { mayWith, type Role } from '../../roles.ts'
import type { Client } from '../action.ts'
import { IN_FORCE, REACHES } from '../team/guard.ts'

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

/** What a member may see of an assessment, by the roles in force now. */
export async function readViewer(
  client: Client,
  user: Pick<CurrentUser, 'id'>,
  { societyId, extent }: Pick<CurrentOrganiser, 'societyId' | 'extent'>,
  code: string,
  now: Date,
): Promise<Viewer> {
  const { rows } = await client.query<{ role: Role; room: string | null }>({
    name: 'live-viewer',
    text: `select m.role, m.room from memberships m join assessments a on a.code = $4
      where m.user_id = $1 and m.society_id = $2 and ${IN_FORCE(3)} and ${REACHES}`,
    values: [user.id, societyId, now, code],
  })
  const roles = rows.map(({ role }) => role)
  const isInRoom = extent !== 'all' && extent.includes('own_room')
  return {
    userId: user.id,
    room: isInRoom ? (rows.find(({ role }) => role === 'invigilator')?.room ?? null) : null,
    isCountsAlone: extent !== 'all' && !isInRoom,
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
