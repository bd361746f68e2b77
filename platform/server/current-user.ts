import type { OrganizerAccess } from '../endpoint.ts'

/** The caller, read from the session's row and not only from the token's claims. */
export interface CurrentUser {
  id: string
  sessionId: string
  email: string | null
  isAnonymous: boolean
  /** Increases when content that nodes cache changes. It is read with the session. */
  contentVersion: number
}

export type TokenHolder = Pick<CurrentUser, 'id' | 'sessionId'>

export interface Guard {
  /** Returns the token's user without reading the database. Errors: 401 no_authorization, 401 bad_jwt. */
  requireToken(request: Request): Promise<TokenHolder>
  /**
   * Returns the user of a request's bearer token, from the cache if `mayBeKnown`. Errors: 401 no_authorization; bad_jwt
   * when forged or expired; session_not_found when session or user is gone.
   */
  requireUser(request: Request, mayBeKnown?: boolean): Promise<CurrentUser>
  /** Drops the cached user, because the current call may change it. */
  forget(userId: string): void
}

/** What a member may do in the current call. */
export interface CurrentOrganizer {
  /** every query of the call filters by it */
  societyId: string
  society: string
  /** the assessment that the call is about, if any */
  code: string | null
  /** 'all', or the scopes of the member's roles, each of which the endpoint lists */
  extent: 'all' | readonly string[]
  /** the member's current roles for this call, each with its room; null means every room */
  roles: readonly { role: string; room: string | null; assessment: string | null }[]
  /** for a call about the whole society: tests that the member takes, which the response leaves out */
  sits: readonly string[]
  /** whether the session may see keys now (product 7.13.9) */
  areKeysOpen: boolean
}

export interface OrganizerGuard {
  /**
   * Reads the user and the member's roles together. Errors: 404 no_society without a session or an allowing role; 403
   * is_candidate; 403 second_factor_required, organiser_session_over, fresh_proof_required (product 7.14.13).
   */
  requireOrganizer(
    holder: TokenHolder,
    access: OrganizerAccess,
    params: { society: string; code?: string },
    mayBeKnown?: boolean,
  ): Promise<{ user: CurrentUser; organizer: CurrentOrganizer }>
  /** Drops cached members after an organizer's call, which may end roles but no session. */
  forgetMembers(): void
}
