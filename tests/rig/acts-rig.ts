import { randomUUID } from 'node:crypto'
import type { TimeKind } from '../../societies/acts/contract.ts'
import { changeTime } from '../../societies/acts/server/change-time.ts'
import type { CandidateFacts } from '../../societies/candidates/contract.ts'
import type { Role } from '../../societies/kit/roles.ts'
import {
  type AssessmentOptions,
  DAY,
  freshPulse,
  makeAssessment,
  makeCandidate,
  takeSeat,
} from './assessment-rig.ts'
import { organizerOf } from './organizer-rig.ts'
import type { Rig } from './rig.ts'
import { callerOf, makeSociety } from './society-rig.ts'

export const EVERYBODY = { candidates: null, room: null }
export const toOne = (...ids: string[]) => ({ candidates: ids, room: null })

/** A society's running assessment, and calls by its members. */
export async function actsRig(rig: Rig, options: AssessmentOptions = {}) {
  rig.clock.now = DAY
  await freshPulse(rig)
  const society = await makeSociety(rig)
  const { code, items } = await makeAssessment(rig, { societyId: society.id, ...options })
  const member = (role: Role, room?: string) =>
    callerOf(rig, society.id, role, room ? { room } : {}, `/assessments/${code}/`)
  /** A candidate who has started. */
  const inside = async (name: string, more: Parameters<typeof makeCandidate>[3] = {}) => {
    const candidate = await makeCandidate(rig, code, name, more)
    const seat = await takeSeat(rig, code, candidate.username)
    await seat.start()
    return { ...candidate, seat }
  }
  return { society, code, items, member, inside }
}

/** An owner who acts, and Ana, who has started. */
export async function withAna(rig: Rig, more: { room?: string } = {}) {
  const room = await actsRig(rig)
  const ana = await room.inside('ana', { name: 'Ana', ...more })
  return { ...room, ana, owner: await room.member('owner') }
}

type Call = Awaited<ReturnType<Awaited<ReturnType<typeof actsRig>>['member']>>

/** Previews a change of time, then makes it. */
export async function doTime(
  call: Call,
  asked: Record<string, unknown>,
  more: Record<string, unknown> = {},
) {
  const given = { to: EVERYBODY, reopens: false, ...asked }
  const preview = await call('POST', 'time/preview', given)
  const body = { ...given, requestId: randomUUID(), reason: 'fire alarm', ...more }
  const { to, requestId, reason } = body
  const done =
    asked.kind === 'end_now'
      ? await call('POST', 'time/end-now', { to, requestId, reason })
      : await call('POST', 'time', body)
  return { preview, body, done }
}

/** Changes time without an HTTP call: for everyone, including closed attempts, or for one candidate. */
export const changeTimeOf = (
  rig: Rig,
  code: string,
  kind: TimeKind,
  seconds: number,
  candidateId?: string,
) =>
  changeTime(
    { ...organizerOf(rig), code },
    {
      to: candidateId === undefined ? EVERYBODY : toOne(candidateId),
      ...{ kind, seconds, reopens: kind === 'give', reason: 'power cut' },
    },
  )

/** A society's assessment that opens ten minutes later, and a member's calls about its candidates. */
export async function organizing(rig: Rig, role: Role = 'owner') {
  rig.clock.now = DAY
  const society = await makeSociety(rig)
  const opensAt = new Date(DAY.getTime() + 10 * 60_000)
  const closesAt = new Date(opensAt.getTime() + 3_600_000)
  const { code, items } = await makeAssessment(rig, { societyId: society.id, opensAt, closesAt })
  const member = (as: Role) => callerOf(rig, society.id, as, {}, `/assessments/${code}/candidates`)
  return { society, code, items, opensAt, member, call: await member(role) }
}

/** A line of a list, as the page sends it. */
const lineOf = (line: number, cells: Partial<Record<string, string>>) => ({
  line,
  ...{ name: '', email: '', room: '', extra: '', username: '', exempt: '', note: '' },
  ...cells,
})

/** The body of a call that adds candidates. */
export const additionOf = (
  lines: Partial<Record<string, string>>[],
  more: { mail?: boolean } = {},
) => ({
  requestId: randomUUID(),
  hasNames: true,
  mail: more.mail ?? false,
  lines: lines.map((cells, index) => lineOf(index + 1, cells)),
})

export const crowd = (count: number) =>
  [...Array(count).keys()].map((n) => ({ name: `Ana Silva${n}`, email: `ana${n}@student.example` }))

/** The list as a member reads it. */
export const listOf = async (
  call: Awaited<ReturnType<typeof organizing>>['call'],
): Promise<CandidateFacts[]> => (await call('GET')).body.candidates

/** A test with `count` listed candidates, and its owner. */
export async function listed(rig: Rig, count: number) {
  const organizer = await organizing(rig)
  await organizer.call('POST', '', additionOf(crowd(count)))
  return { ...organizer, candidates: (await listOf(organizer.call)).map(({ id }) => id) }
}
