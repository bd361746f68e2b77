import { hash } from 'node:crypto'
import type { Endpoint, OrganizerAccess, ParamsOf, ResponseOf } from '../../../platform/endpoint.ts'
import {
  type Answer,
  type Api,
  type Call,
  isGone,
  type Sendable,
} from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { createQuota } from '../../../platform/server/quota.ts'
import { type Act, type HeldRole, roomOf } from '../../kit/roles.ts'
import { memberOf, type Organizer } from '../../kit/server/action.ts'
import { coveredId, requireReached, uncoverNamed } from './reach.ts'

/** A member of a society who makes a request in the browser, with the roles that apply to it. */
export interface Member extends Organizer {
  userId: string
  societyId: string
  society: string
  /** 'all', or the limits that the request has to enforce. */
  extent: 'all' | readonly string[]
  roles: readonly HeldRole[]
  /** Tests to leave out, because the member takes them or one with the same questions (product 7.7.6). */
  sits: readonly string[]
  /** The only room whose candidates the request can reach; null means every room (product 7.12.7). */
  room: string | null
  /** Whether keys may be shown (product 7.13.9). */
  areKeysOpen: boolean
  /** Returns a candidate's id for views without names. */
  cover: (candidateId: string) => string
}

export type MemberInTest = Member & { code: string }

/** The actor on one test, in the browser or on the command line. */
export type OrganizerInTest = Organizer & Partial<Pick<Member, 'roles'>> & { code: string }

type MemberEndpoint = Endpoint & { access: OrganizerAccess }

interface MemberCall<E extends MemberEndpoint> extends Omit<Call<E>, 'organizer' | 'user'> {
  organizer: ParamsOf<E> extends { code: string } ? MemberInTest : Member
}

/** Serves members' requests. The guard checks permissions, and that named candidates are in the member's room. */
export function serveMembers(api: Api, dependencies: AppDependencies) {
  const { db, secretKey } = dependencies
  const organizerOf = memberOf(dependencies)
  const cover = (candidateId: string) => coveredId(secretKey, candidateId)
  // Counts characters, because everything members write is stored.
  const written = createQuota(dependencies, {
    name: 'organizerCalls',
    limit: 10_000_000,
    sentence: 'You have made too many changes today.',
  })
  return <E extends MemberEndpoint>(
    endpoint: E,
    handler: (
      call: MemberCall<E>,
    ) => Promise<Sendable<ResponseOf<E>> | Answer<Sendable<ResponseOf<E>>> | Response>,
  ): void =>
    api.serve(endpoint, async ({ user, organizer, ...asked }: Call<MemberEndpoint>) => {
      const { organizer: act, candidates } = endpoint.access
      const body = JSON.stringify(asked.body ?? '')
      if (endpoint.method !== 'GET') {
        await written.take(user.id, (endpoint.costs ?? 200) + body.length)
      }
      const { requestId } = (asked.body ?? {}) as { requestId?: string }
      const room = roomOf(organizer.roles as HeldRole[], act as Act)
      const hungUp = { isGone: () => isGone(asked.context) }
      const charge: Organizer['charge'] = (client, characters) =>
        written.take(user.id, characters, client)
      const same = requestId && hash('sha256', JSON.stringify([asked.params, asked.query]) + body)
      const member = {
        ...organizerOf(user, requestId),
        ...{ ...organizer, ...hungUp, charge, room, cover, asked: same },
      }
      const reaching = { code: organizer.code ?? '', room, cover }
      const call =
        candidates === 'covered' ? await uncoverNamed(db.$client, reaching, asked) : asked
      if (candidates === 'named' || candidates === 'covered') {
        await requireReached(db.$client, reaching, call)
      }
      return handler({ ...call, organizer: member } as unknown as MemberCall<E>)
    })
}
