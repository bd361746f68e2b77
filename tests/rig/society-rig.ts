import { randomUUID } from 'node:crypto'
import { beforeEach } from 'vitest'
import { findOrMakeSociety } from '../../societies/access/server/societies.ts'
import type { Role } from '../../societies/kit/roles.ts'
import { memberships, societyInvitations } from '../../societies/server/tables.ts'
import { type Rig, signUp } from './rig.ts'

const DAY_MS = 24 * 3600 * 1000

/** A society with an unused name, or with this one. */
export async function makeSociety(rig: Rig, name = `Society ${randomUUID().slice(0, 8)}`) {
  return { id: await findOrMakeSociety(rig.db.$client, name, rig.clock.now), name }
}

/**
 * Gives an account a role, by SQL.
 * @param more `assessment`: default: all
 * @returns the membership's id
 */
export async function makeMember(
  rig: Rig,
  societyId: string,
  userId: string,
  role: Role,
  more: { assessment?: string; room?: string; endedAt?: Date } = {},
): Promise<string> {
  const id = randomUUID()
  await rig.db.insert(memberships).values({
    ...{ id, societyId, userId, role, ...more },
    createdAt: rig.clock.now,
  })
  return id
}

/**
 * A new member's account, and their calls below the society's address.
 * @param under what all routes begin with: '/assessments/CODE'
 */
export async function callerOf(
  rig: Rig,
  societyId: string,
  role: Role,
  more: Parameters<typeof makeMember>[4] = {},
  under = '',
) {
  const account = await signUp(rig, `o${randomUUID().slice(0, 8)}@example.com`)
  const membership = await makeMember(rig, societyId, account.userId, role, more)
  const call = (method: string, rest = '', body?: unknown) =>
    rig.call(method, `/api/societies/${societyId}${under}${rest}`, { token: account.token, body })
  return Object.assign(call, { ...account, membership })
}

/** Creates an invitation by the server's operator, by SQL and without a mail. @returns its id */
export async function makeInvitation(
  rig: Rig,
  societyId: string,
  email: string,
  roles: Role[],
  assessment?: string,
): Promise<string> {
  const id = randomUUID()
  await rig.db.insert(societyInvitations).values({
    ...{ id, societyId, email, roles, assessment, expiresInDays: 7 },
    via: 'command',
    invitedByName: 'tester',
    createdAt: rig.clock.now,
    expiresAt: new Date(rig.clock.now.getTime() + 7 * DAY_MS),
  })
  return id
}

/** Re-authenticates everyone, because an organizer's session ends after half an hour without calls. */
export async function proveAgain(rig: Rig): Promise<void> {
  await rig.db.$client.query('update sessions set proven_at = $1, organiser_at = null', [
    rig.clock.now,
  ])
}

interface TestMember {
  token: string
  userId: string
  email: string
  /** the role's id; '' for none */
  membership: string
}

/** A new society with an owner before each test, and calls to it: the owner's, unless a token says otherwise. */
export function useSociety(rig: Rig) {
  const here = {} as { id: string; name: string; owner: TestMember }
  const path = (rest: string) => `/api/societies/${here.id}${rest}`
  /** A new account with a role in this society or another one; null: with none. */
  async function member(
    role: Role | null,
    more: { of?: string; assessment?: string; room?: string } = {},
  ): Promise<TestMember> {
    const { of = here.id, ...scope } = more
    const email = `p${randomUUID().slice(0, 8)}@example.com`
    const { token, userId } = await signUp(rig, email)
    const membership = role ? await makeMember(rig, of, userId, role, scope) : ''
    return { token, userId, email, membership }
  }
  beforeEach(async () => {
    Object.assign(here, await makeSociety(rig))
    here.owner = await member('owner')
  })
  return {
    here,
    path,
    member,
    call: (method: string, rest: string, body?: object, token = here.owner.token) =>
      rig.call(method, path(rest), { token, body }),
    /** The societies of an account. */
    mine: async ({ token }: { token: string }) =>
      (await rig.call('GET', '/api/societies', { token })).body.societies,
    log: async () => {
      const { rows } = await rig.db.$client.query(
        'select action, actor, user_id, detail from admin_actions where society_id = $1 order by id',
        [here.id],
      )
      return rows
    },
  }
}
