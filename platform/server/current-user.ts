import type { OrganiserAccess } from '../endpoint.ts'

/** Who makes a call, read from the session's row, never from the token's claims alone. */
export interface CurrentUser {
  id: string
  sessionId: string
  email: string | null
  isAnonymous: boolean
  /** Rises when the content that nodes keep in memory has changed; read with the session. */
  contentVersion: number
}

/** Who a token was made for. */
export type TokenHolder = Pick<CurrentUser, 'id' | 'sessionId'>

/** Tells who makes a call. */
export interface Guard {
  /** Whose token a request has; nothing is read. Errors: 401 no_authorization, 401 bad_jwt. */
  requireToken(request: Request): Promise<TokenHolder>
  /**
   * The user of a request's bearer token.
   * Errors: 401 no_authorization without a token, 401 bad_jwt for a forged or expired one, 401
   * session_not_found when the session or the user is gone.
   * @param mayBeKnown whether a read of a moment ago will do (KnownUsers)
   */
  requireUser(request: Request, mayBeKnown?: boolean): Promise<CurrentUser>
  /** What is known here of a person may have changed by a call that is answered now. */
  forget(userId: string): void
}

/** What a member may do in the call that is being answered. */
export interface CurrentOrganiser {
  /** every query of the call names it */
  societyId: string
  society: string
  /** the assessment, where the call is about one */
  code: string | null
  /** 'all', or the limits of the member's roles, of which the endpoint named each */
  extent: 'all' | readonly string[]
  /** the member's roles in force that reach what the call is about, with the room of each; null: every room */
  roles: readonly { role: string; room: string | null; assessment: string | null }[]
  /** of a call about the society as a whole: the tests that the member sits, of which it says nothing */
  sits: readonly string[]
  /** whether the session may be told keys now (product 7.13.9) */
  areKeysOpen: boolean
}

/** Tells what a member may do. */
export interface OrganiserGuard {
  /**
   * The user of a token and the member's part in the society of a call, of the session's row and the roles at
   * this moment, in one read.
   * Errors: 404 no_society to whoever has no session any more, and to whoever has no role in it that allows the act, whether or not there is such a
   * society or assessment; 403 is_candidate to a member who sits the assessment; 403 second_factor_required,
   * organiser_session_over, fresh_proof_required where the session does not show who it is.
   * @param mayBeKnown whether a read of a moment ago will do, of whom it admits (product 7.14.13)
   */
  requireOrganiser(
    holder: TokenHolder,
    access: OrganiserAccess,
    params: { society: string; code?: string },
    mayBeKnown?: boolean,
  ): Promise<{ user: CurrentUser; organiser: CurrentOrganiser }>
  /** What is known here of members may have changed: what an organiser does ends roles, but nobody's session. */
  forgetMembers(): void
}
