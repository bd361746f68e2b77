import type { GoTrueClient, User } from '@supabase/auth-js'
import { whileReplacing } from '../../platform/web/replaced-session.ts'
import { type SessionTokens, storeSession } from '../../platform/web/session.tsx'
import { createForgetfulAuth } from './auth-clients.ts'
import { isUnfetched } from './auth-words.ts'

/**
 * Sets a password and continues in the session that replaces all others (product 2.6.11). Without a response, a sign-in
 * with the new password shows whether it was set. Returns the client's error, or null.
 */
export function setPassword(
  clientOf: () => Promise<GoTrueClient>,
  userId: string,
  change: {
    email: string
    password: string
    /** for a guest who creates an account: address and metadata */
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
    return isUnanswered(error) && (await signInAgain(userId, email, password)) ? null : error
  })
}

/** Whether a sign-in leads to this same account. If so, this browser is signed in. */
async function signInAgain(userId: string, email: string, password: string): Promise<boolean> {
  // The session isn't stored: a guest's address may belong to another account, which must not replace the guest.
  const { data } = await createForgetfulAuth()
    .then((client) => client.signInWithPassword({ email, password }))
    .catch(() => ({ data: { session: null } }))
  if (data.session?.user.id !== userId) return false
  const { user, expires_at: _, ...tokens } = data.session
  storeSession(tokens, user)
  return true
}

/** The message when the connection was lost before the response. The password may have been set. */
export const MAYBE_SET =
  'We got no response. If you’re asked to sign in, use the password you just chose. Nothing is lost.'

/** Whether a call got no response although it may have succeeded. */
export const isUnanswered = (error: unknown): boolean => isUnfetched(error) && error.status !== 503
