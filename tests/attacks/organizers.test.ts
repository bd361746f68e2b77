import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint, OrganizerAccess } from '../../platform/endpoint.ts'
import * as access from '../../societies/access/contract.ts'
import * as acts from '../../societies/acts/contract.ts'
import * as candidates from '../../societies/candidates/contract.ts'
import * as incidents from '../../societies/incidents/contract.ts'
import * as contract from '../../societies/kit/contract.ts'
import { type Act, may, ROLES, type Role } from '../../societies/kit/roles.ts'
import * as live from '../../societies/live/contract.ts'
import * as log from '../../societies/log/contract.ts'
import * as questions from '../../societies/questions/contract.ts'
import * as exchange from '../../societies/questions/contract-exchange.ts'
import * as results from '../../societies/results/contract.ts'
import * as analysis from '../../societies/results/contract-analysis.ts'
import * as fairness from '../../societies/results/contract-fairness.ts'
import * as lifecycle from '../../societies/setup/contract.ts'
import * as overview from '../../societies/setup/contract-overview.ts'
import * as rehearsal from '../../societies/setup/contract-rehearsal.ts'
import { DAY, freshPulse, makeAssessment, makeCandidate, takeSeat } from '../rig/assessment-rig.ts'
import { exampleOf, fillPath, readDescription } from '../rig/attack-rig.ts'
import { watchLog } from '../rig/auth-rig.ts'
import { signUp, useRig } from '../rig/rig.ts'
import { makeMember, makeSociety } from '../rig/society-rig.ts'
import { sized } from '../setup/size.ts'

// Every organizer call with every kind of person: the permission table decides who is let in. All others get 404, as if
// the society didn't exist.
const rig = useRig()
watchLog(rig)

type OrganizerEndpoint = Endpoint & { access: OrganizerAccess }
const CALLS =
  // Sorted by room, because two rooms may use the same name.
  (
    [
      lifecycle,
      questions,
      exchange,
      candidates,
      rehearsal,
      live,
      acts,
      incidents,
      results,
      analysis,
      log,
      overview,
      fairness,
      // Last, because it contains the call that ends your own roles.
      contract,
      access,
    ].flatMap((room) => Object.values<unknown>(room)) as Endpoint[]
  )
    .filter((one): one is OrganizerEndpoint => typeof one.access === 'object')
    .map((one) => ({ name: `${one.method} ${one.path}`, ...one }))
    // A member who has left has no role for later calls.
    .sort((a, b) => Number(a.path.endsWith('/leave')) - Number(b.path.endsWith('/leave')))

/** One call for each line of the permission table, and each way in which the guard reads a call. */
const SAMPLE = CALLS.filter(
  (one, at) => CALLS.findIndex((other) => partOf(other) === partOf(one)) === at,
)

function partOf({ access, path, bodyBytes, knowsSession }: OrganizerEndpoint): string {
  const isLarge = bodyBytes !== undefined
  return JSON.stringify([access.organizer, path.includes(':code'), isLarge, knowsSession])
}

/** The caller, and the expected response to calls about a society and about an assessment. */
type Verdict = 'session' | 'not yours' | 'candidate' | 'by role'
interface Person {
  token?: string
  /** the role in the call's society and assessment */
  role?: Role
  /** for the call; otherwise the society and assessment in which all others have their roles */
  society?: string
  code?: string
  ofSociety: Verdict
  ofAssessment: Verdict
}

/** Texts for a call's body, each for the patterns that the earlier ones don't match: a code, a local time, a mark. */
const EXAMPLES = [
  // First, because a name must not be an address.
  'NEW_CODE',
  'someone@example.com',
  DAY.toISOString(),
  '2026-03-02 09:00',
  'second_strike:1',
]

const people: Record<string, Person> = {}
const NAMES = [
  'nobody',
  'a guest',
  'another account',
  'an owner of another society',
  'an owner of another society, there, with this code',
  'an owner, in another society',
  'an owner, with the code of another society',
  ...ROLES.map((role) => `the ${role}`),
  ...ROLES.map((role) => `the ${role} of another assessment`),
  ...ROLES.map((role) => `the ${role} whose role was ended`),
  ...ROLES.map((role) => `the ${role} of a deleted test`),
  'the invigilator of a test that is over',
  ...ROLES.map((role) => `the ${role} who sits the assessment`),
  ...ROLES.map((role) => `the ${role} whose address is in the list of candidates`),
  ...ROLES.map((role) => `the ${role} who tried a demo candidate`),
]
let society: string
let code: string

beforeAll(async () => {
  rig.clock.now = DAY
  society = (await makeSociety(rig)).id
  const other = (await makeSociety(rig)).id
  code = (await makeAssessment(rig, { societyId: society })).code
  const second = (await makeAssessment(rig, { societyId: society })).code
  const theirs = (await makeAssessment(rig, { societyId: other })).code
  const past = new Date(DAY.getTime() - 1)
  const over = (await makeAssessment(rig, { societyId: society, closesAt: past })).code
  const gone = (await makeAssessment(rig, { societyId: society })).code
  await rig.db.$client.query('update assessments set deleted_at = $2 where code = $1', [gone, DAY])
  // An active candidate prevents the calls below from deleting the test.
  await freshPulse(rig)
  await (await takeSeat(rig, code, (await makeCandidate(rig, code)).username)).start()
  const mail = () => `o${randomUUID().slice(0, 8)}@example.com`
  const hour = 3_600_000
  const both = (verdict: Verdict) => ({ ofSociety: verdict, ofAssessment: verdict })

  people.nobody = both('session')
  people['a guest'] = { ...(await signUp(rig)), ...both('not yours') }
  people['another account'] = { ...(await signUp(rig, mail())), ...both('not yours') }
  const stranger = await signUp(rig, mail())
  await makeMember(rig, other, stranger.userId, 'owner')
  people['an owner of another society'] = { ...stranger, ...both('not yours') }
  people['an owner of another society, there, with this code'] = {
    ...stranger,
    society: other,
    ...{ role: 'owner', ofSociety: 'by role', ofAssessment: 'not yours' },
  }
  const owner = await signUp(rig, mail())
  await makeMember(rig, society, owner.userId, 'owner')
  people['an owner, in another society'] = { ...owner, society: other, ...both('not yours') }
  people['an owner, with the code of another society'] = {
    ...owner,
    code: theirs,
    ...{ role: 'owner', ofSociety: 'by role', ofAssessment: 'not yours' },
  }
  for (const role of ROLES) {
    const member = async (more: Parameters<typeof makeMember>[4] = {}, email = mail()) => {
      const account = await signUp(rig, email)
      await makeMember(rig, society, account.userId, role, more)
      return account
    }
    people[`the ${role}`] = { ...(await member()), role, ...both('by role') }
    // An owner's role applies to the whole society.
    const isOwner = role === 'owner'
    people[`the ${role} of another assessment`] = {
      ...(await member(isOwner ? {} : { assessment: second })),
      role,
      ofSociety: 'by role',
      ofAssessment: isOwner ? 'by role' : 'not yours',
    }
    people[`the ${role} whose role was ended`] = {
      ...(await member({ endedAt: new Date(DAY.getTime() - hour) })),
      ...both('not yours'),
    }
    people[`the ${role} of a deleted test`] = isOwner
      ? { ...(await member()), code: gone, role, ofSociety: 'by role', ofAssessment: 'not yours' }
      : { ...(await member({ assessment: gone })), code: gone, ...both('not yours') }
    const sits = await member()
    const candidate = await makeCandidate(rig, code)
    await takeSeat(rig, code, candidate.username, sits)
    people[`the ${role} who sits the assessment`] = {
      ...sits,
      ...{ role, ofSociety: 'by role', ofAssessment: 'candidate' },
    }
    const listed = mail()
    await makeCandidate(rig, code, listed.toUpperCase())
    people[`the ${role} whose address is in the list of candidates`] = {
      ...(await member({}, listed)),
      ...{ role, ofSociety: 'by role', ofAssessment: 'candidate' },
    }
    const tries = await member()
    const demo = await makeCandidate(rig, code, `demo-${role}`, { isDemo: true })
    await takeSeat(rig, code, demo.username, tries)
    people[`the ${role} who tried a demo candidate`] = { ...tries, role, ...both('by role') }
  }
  const helper = await signUp(rig, mail())
  await makeMember(rig, society, helper.userId, 'invigilator', { assessment: over })
  people['the invigilator of a test that is over'] = {
    ...{ ...helper, code: over },
    ...both('not yours'),
  }
})

/** Whether the permission table lets a role in. The handler checks anything beyond that. */
function isLetIn(role: Role, { organizer, within = [] }: OrganizerAccess): boolean {
  const answer = may(role, organizer as Act)
  return answer === 'all' || (answer !== null && within.includes(answer))
}

async function call(endpoint: OrganizerEndpoint & { name: string }, person: Person) {
  const path = endpoint.path
    .replace(':society', person.society ?? society)
    .replace(':code', person.code ?? code)
  const { body, query = {}, needed = [] } = (await readDescription(rig)).get(endpoint.name) ?? {}
  const asked = new URLSearchParams(
    needed.map((name) => [name, String(exampleOf(query[name] ?? {}, name, EXAMPLES))]),
  )
  const search = asked.size > 0 ? `?${asked}` : ''
  const answer = await rig.call(endpoint.method, `${fillPath(path, randomUUID())}${search}`, {
    token: person.token,
    ...(body ? { body: exampleOf(body, '', EXAMPLES) } : {}),
  })
  return { status: answer.status, code: answer.body.code }
}

describe('the permission table of organizer calls', () => {
  it('covers every route of a society', async () => {
    const described = [...(await readDescription(rig)).keys()]
    const ofSocieties = described.filter((name) => name.includes(' /api/societies/:society'))
    expect(CALLS.map(({ name }) => name).sort()).toEqual(ofSocieties.sort())
  })

  it('covers every kind of person', () =>
    expect(Object.keys(people).sort()).toEqual([...NAMES].sort()))

  it.each(NAMES.filter((name, n) => sized(true, n % 3 === 0 || name.includes('over'))))(
    'holds for %s, one for each line of the permission table',
    (name) => judge(name, SAMPLE),
  )

  // Every call has a guard, and works for authorized members.
  const ALL = ['another account', 'the owner']
  it.each(ALL)('for %s, all of them', (name) => judge(name, CALLS))

  it.each(NAMES.filter((name) => !ALL.includes(name)))(
    'for %s, all of them',
    { tags: ['full'] },
    (name) => judge(name, CALLS),
  )

  async function judge(name: string, calls: typeof CALLS) {
    const person = people[name] as Person
    for (const endpoint of calls) {
      const verdict = endpoint.path.includes(':code') ? person.ofAssessment : person.ofSociety
      const answer = await call(endpoint, person)
      const seen = [endpoint.name, answer.status, answer.code]
      if (verdict === 'session') {
        expect(seen).toEqual([endpoint.name, 401, 'no_authorization'])
      } else if (
        verdict === 'not yours' ||
        !isLetIn(person.role as Role, endpoint.access as OrganizerAccess)
      ) {
        expect(seen).toEqual([endpoint.name, 404, 'no_society'])
      } else if (verdict === 'candidate') {
        expect(seen).toEqual([endpoint.name, 403, 'is_candidate'])
      } else {
        expect(['no_society', 'is_candidate', 'no_authorization', 'bad_request']).not.toContain(
          answer.code,
        )
        expect([endpoint.name, answer.status < 500]).toEqual([endpoint.name, true])
      }
    }
  }
})
