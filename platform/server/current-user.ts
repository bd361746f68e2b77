import type { OrganizerAccess } from '../endpoint.ts'

/** Who makes a call, read from the session's row, never from the token's claims alone. */
export interface CurrentUser {
  id: string
  sessionId: string
  email: string | null
  isAnonymous: boolean
  /** Rises when the content that nodes keep in memory has changed; read with the session. */
  contentVersion: number
}

export type TokenHolder = Pick<CurrentUser, 'id' | 'sessionId'>

export interface Guard {
  /** Whose token a request has; nothing is read. Errors: 401 no_authorization, 401 bad_jwt. */
  requireToken(request: Request): Promise<TokenHolder>
  /**
   * The user of a request's bearer token; a recent read will do where `mayBeKnown`.
   * Errors: 401 no_authorization; bad_jwt when forged or expired; session_not_found when session or user is gone.
   */
  requireUser(request: Request, mayBeKnown?: boolean): Promise<CurrentUser>
  /** What is known here of a person may have changed by a call that is answered now. */
  forget(userId: string): void
}

/** What a member may do in the call that is being answered. */
export interface CurrentOrganizer {
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

export interface OrganizerGuard {
  /**
   * The user and the member's part in the society, in one read. Errors: 404 no_society without a session or an allowing
   * role; 403 is_candidate; 403 second_factor_required, organiser_session_over, fresh_proof_required (product 7.14.13).
   */
  requireOrganizer(
    holder: TokenHolder,
    access: OrganizerAccess,
    params: { society: string; code?: string },
    mayBeKnown?: boolean,
  ): Promise<{ user: CurrentUser; organizer: CurrentOrganizer }>
  /** What is known here of members may have changed: what an organizer does ends roles, but nobody's session. */
  forgetMembers(): void
}
