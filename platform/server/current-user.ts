/** Who makes a call, read from the session's row, never from the token's claims alone. */
export interface CurrentUser {
  id: string
  sessionId: string
  email: string | null
  isAnonymous: boolean
  /**
   * Rises whenever the content that nodes keep in memory has changed. Read with the session, so that it
   * costs no read of its own and no node answers with what another one has replaced.
   */
  contentVersion: number
}

/** Tells who makes a call. */
export interface Guard {
  /**
   * The user of a request's bearer token.
   * Errors: 401 no_authorization without a token, 401 bad_jwt for a forged or expired one, 401
   * session_not_found when the session or the user is gone.
   */
  requireUser(request: Request): Promise<CurrentUser>
}
