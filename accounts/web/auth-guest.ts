import { announce, auth } from '../../platform/web/session.tsx'

/**
 * Goes on as a guest (anonymous sign-in). A session that already exists is never replaced: a guest has no
 * other way back to it. Throws the client's error, also when it can't be known whether there is one.
 */
export async function signInAsGuest(): Promise<void> {
  const { data, error } = await auth.getSession()
  if (error) throw error
  if (data.session) {
    announce(data.session)
    return
  }
  const guest = await auth.signInAnonymously()
  if (guest.error) throw guest.error
}
