import type { GoTrueClient, User } from '@supabase/auth-js'
import { whileReplacing } from '../../platform/web/replaced-session.ts'
import { type SessionTokens, storeSession } from '../../platform/web/session.tsx'
import { createForgetfulAuth } from './auth-clients.ts'
import { isUnfetched } from './auth-words.ts'

/**
 * Sets a password and goes on in the session that replaces all others (product 2.6.11). Without an answer a sign-in
 * with the new password tells whether it was set. Returns the client's error, or null.
 */
export function setPassword(
  clientOf: () => Promise<GoTrueClient>,
  userId: string,
  change: {
    email: string
    password: string
    /** a guest's, which becomes an account: address and metadata */
    account?: { data: Record<string, unknown> }
    currentPassword?: string
  },
): Promise<unknown> {
  const { email, password, account, currentPassword } = change
  return whileReplacing(async () => {
    const { data, error } = await clientOf()
      .then((client) =>
        client.updateUser({
          password,
          ...(account && { email, data: account.data }),
          ...(currentPassword !== undefined && { current_password: currentPassword }),
        }),
      )
      .catch((error) => ({ data: { user: null }, error }))
    if (data.user) {
      const { session, ...user } = data.user as User & { session: SessionTokens }
      storeSession(session, user)
      return null
    }
    return isUnanswered(error) && (await signInAnew(userId, email, password)) ? null : error
  })
}

/** Whether a sign-in leads to this very account; then this browser is signed in to it. */
async function signInAnew(userId: string, email: string, password: string): Promise<boolean> {
  // Without storing it: a guest's address may be that of another account, which must not replace the guest.
  const { data } = await createForgetfulAuth()
    .then((client) => client.signInWithPassword({ email, password }))
    .catch(() => ({ data: { session: null } }))
  if (data.session?.user.id !== userId) return false
  const { user, expires_at: _, ...tokens } = data.session
  storeSession(tokens, user)
  return true
}

/** Said when nobody knows whether the password was set: the answer was lost with the connection. */
export const MAYBE_SET =
  'We got no response. If you’re asked to sign in, use the password you just chose. Nothing is lost.'

/** Whether no answer came to a call that may have been done. */
export const isUnanswered = (error: unknown): boolean => isUnfetched(error) && error.status !== 503
