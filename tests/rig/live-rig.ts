import type { Role } from '../../societies/kit/roles.ts'
import {
  DAY,
  freshPulse,
  makeAssessment,
  makeCandidate,
  moveClock,
  takeSeat,
} from './assessment-rig.ts'
import type { Rig } from './rig.ts'
import { callerOf, makeSociety } from './society-rig.ts'

/** A society's assessment at DAY, and each role's calls to its live pages. */
export async function liveRoom(rig: Rig, { itemCount = 6 } = {}) {
  rig.clock.now = DAY
  await freshPulse(rig)
  const society = await makeSociety(rig)
  const { code, items } = await makeAssessment(rig, { societyId: society.id, itemCount })
  const member = async (role: Role, room?: string) => {
    const call = await callerOf(
      ...([rig, society.id, role, room ? { room } : {}] as const),
      `/assessments/${code}/live`,
    )
    const { token, userId, email, membership } = call
    return {
      token,
      userId,
      email,
      membership,
      call,
      look: async () => (await call('GET')).body.snapshot,
    }
  }
  /** A listed candidate, who has entered and started unless `stays` says otherwise. */
  const candidate = async (
    room: string | null = null,
    { starts = true, name = null as string | null } = {},
  ) => {
    const made = await makeCandidate(rig, code, undefined, { room, name })
    const seat = starts ? await takeSeat(rig, code, made.username) : null
    await seat?.start()
    let events = 0
    return {
      ...made,
      seat,
      answer: (index: number, revision = 1) =>
        seat?.save([{ questionId: items[index]?.id ?? 0, choice: 'B', revision }], events),
      tell: (kind: string) => {
        events += 1
        const at = rig.clock.now.getTime() - DAY.getTime()
        return seat?.report({ id: events, kind, at })
      },
    }
  }
  return {
    ...{ society, code, items, member, candidate },
    pass: (ms: number) => moveClock(rig, ms),
  }
}
