import { randomUUID } from 'node:crypto'
import { coveredId } from '../../societies/access/server/reach.ts'
import type { Role } from '../../societies/kit/roles.ts'
import {
  DAY,
  freshPulse,
  makeAssessment,
  makeCandidate,
  moveClock,
  type Seat,
  takeSeat,
} from './assessment-rig.ts'
import type { Rig } from './rig.ts'
import { callerOf, makeSociety } from './society-rig.ts'

/** An incident as a call names it. */
export interface Named {
  candidate: string
  incident: string
  id?: string
  known?: string | null
}
interface Given {
  verdict?: string
  reason?: string
}

/** A society's assessment with members, and candidates in given rooms. */
export async function incidentsRoom(rig: Rig) {
  rig.clock.now = DAY
  await freshPulse(rig)
  const society = (await makeSociety(rig)).id
  const closesAt = new Date(DAY.getTime() + 60_000)
  const { code, items } = await makeAssessment(rig, { societyId: society, closesAt })
  const sit = async (inRoom: string | null, username?: string, name: string | null = null) => {
    const candidate = await makeCandidate(rig, code, username, { room: inRoom, name })
    const seat = await takeSeat(rig, code, candidate.username)
    await seat.start()
    await seat.report({ id: 1, kind: 'ready', at: 0 })
    // The page uses another id than the list.
    const id = coveredId(rig.dependencies.secretKey, candidate.id)
    return { seat, ...candidate, id, listed: candidate.id }
  }
  const member = async (role: Role, inRoom: string | null = null) => {
    const account = await callerOf(rig, society, role, inRoom === null ? {} : { room: inRoom })
    const call = (method: string, path: string, body?: unknown) =>
      account(method, `/assessments/${code}/incidents${path}`, body)
    const file = (candidate: string) => call('GET', `/by-candidate/${candidate}`)
    return {
      ...{ token: account.token, userId: account.userId, call, file },
      name: account.email?.split('@')[0] as string,
      /** a candidate's first incident */
      first: async (candidate: string) => {
        const { incidents } = (await file(candidate)).body
        return { candidate, incident: incidents[0].name as string }
      },
      decide: (
        incidents: Named | Named[],
        { verdict = 'cleared', reason = 'A reason.' }: Given = {},
      ) =>
        call('POST', '/verdicts', {
          incidents: [incidents].flat().map((one) => ({ id: randomUUID(), known: null, ...one })),
          ...{ verdict, reason },
        }),
      report: (of: Record<string, unknown>) =>
        call('POST', '/reports', {
          ...{ id: randomUUID(), candidate: null, listed: null, room: null },
          ...{ note: 'A phone on the table.', happenedAt: rig.clock.now.toISOString(), ...of },
        }),
    }
  }
  return { society, code, items, sit, member }
}

/** Leaves the page `at` after the start for `forMs`. Each event gets the next number. */
const leave = (seat: Seat, at: number, forMs: number) =>
  seat.report(
    { id: 2, kind: 'page_hidden', at },
    { id: 3, kind: 'page_visible', at: at + forMs, detail: { awayMs: forMs } },
  )

/** Three people of one room leave for an alarm, a fourth stays, and one of another room leaves later. */
export async function alarm(rig: Rig) {
  const place = await incidentsRoom(rig)
  const people = []
  for (let index = 0; index < 4; index += 1) people.push(await place.sit('2.11'))
  const other = await place.sit('1.04', 'b.sato', 'Berta Sato (invented)')
  await moveClock(rig, 400_000)
  for (const [index, { seat }] of people.slice(0, 3).entries()) {
    await leave(seat, 100_000 + index * 10_000, 200_000)
  }
  await leave(other.seat, 350_000, 41_000)
  const ids = people.map(({ id }) => id) as [string, string, string, string]
  return { ...place, ids, other }
}
