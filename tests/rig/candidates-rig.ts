import { randomUUID } from 'node:crypto'
import type { Role } from '../../societies/kit/roles.ts'
import { DAY, makeAssessment } from './assessment-rig.ts'
import { type Rig, signUp } from './rig.ts'
import { makeMember, makeSociety } from './society-rig.ts'

/** A society's assessment that opens ten minutes later, and a member who calls for its candidates. */
export async function organising(rig: Rig, role: Role = 'owner') {
  rig.clock.now = DAY
  const society = await makeSociety(rig)
  const opensAt = new Date(DAY.getTime() + 10 * 60_000)
  const closesAt = new Date(opensAt.getTime() + 3_600_000)
  const { code, items } = await makeAssessment(rig, { societyId: society.id, opensAt, closesAt })
  const member = async (as: Role) => {
    const account = await signUp(rig, `o${randomUUID().slice(0, 8)}@example.com`)
    await makeMember(rig, society.id, account.userId, as)
    return (method: string, path = '', body?: unknown) =>
      rig.call(method, `/api/societies/${society.id}/assessments/${code}/candidates${path}`, {
        token: account.token,
        ...(body === undefined ? {} : { body }),
      })
  }
  return { society, code, items, opensAt, member, call: await member(role) }
}

/** A line of a list, as the page sends it. */
export const lineOf = (line: number, cells: Partial<Record<string, string>>) => ({
  line,
  ...{ name: '', email: '', room: '', extra: '', username: '', exempt: '', note: '' },
  ...cells,
})

/** The body of an addition. */
export const additionOf = (
  lines: Partial<Record<string, string>>[],
  more: { mail?: boolean } = {},
) => ({
  requestId: randomUUID(),
  hasNames: true,
  mail: more.mail ?? false,
  lines: lines.map((cells, index) => lineOf(index + 1, cells)),
})

/** So many people with addresses. */
export const crowd = (count: number) =>
  [...Array(count).keys()].map((n) => ({ name: `Ana Silva${n}`, email: `ana${n}@student.example` }))
