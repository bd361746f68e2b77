import type { Endpoint, OrganiserAccess, ParamsOf, ResponseOf } from '../../../platform/endpoint.ts'
import {
  type Answer,
  type Api,
  type Call,
  isGone,
  type Sendable,
} from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import type { HeldRole } from '../../kit/roles.ts'
import { memberOf, type Organiser } from '../../kit/server/action.ts'

/** A member of a society who makes a call in the browser, with the roles that reach what it is about. */
export interface Member extends Organiser {
  userId: string
  societyId: string
  society: string
  /** 'all', or the limits to which the call keeps */
  extent: 'all' | readonly string[]
  roles: readonly HeldRole[]
}

/** The same in a call about one test. */
export type MemberInTest = Member & { code: string }

/** Who does something with one test, in the browser or at the command line. */
export type OrganiserInTest = Organiser & { code: string }

type MemberEndpoint = Endpoint & { access: OrganiserAccess }

export interface MemberCall<E extends MemberEndpoint> extends Omit<Call<E>, 'organiser' | 'user'> {
  organiser: ParamsOf<E> extends { code: string } ? MemberInTest : Member
}

/**
 * Serves members' calls: the guard has decided who may (roles.ts), and each handler gets the member ready-made, with
 * society, test, roles and the id of the request.
 */
export function serveMembers(api: Api, dependencies: Pick<AppDependencies, 'db' | 'now'>) {
  const organiserOf = memberOf(dependencies)
  return <E extends MemberEndpoint>(
    endpoint: E,
    handler: (
      call: MemberCall<E>,
    ) => Promise<Sendable<ResponseOf<E>> | Answer<Sendable<ResponseOf<E>>> | Response>,
  ): void =>
    api.serve(endpoint, ({ user, organiser, ...call }: Call<MemberEndpoint>) => {
      const { requestId } = (call.body ?? {}) as { requestId?: string }
      const hungUp = { isGone: () => isGone(call.context) }
      const member = { ...organiserOf(user, requestId), ...organiser, ...hungUp }
      return handler({ ...call, organiser: member } as unknown as MemberCall<E>)
    })
}
