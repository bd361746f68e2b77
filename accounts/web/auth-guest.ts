import { announce, authClient } from '../../platform/web/session.tsx'

/**
 * Goes on as a guest (anonymous sign-in). A session that already exists is never replaced: a guest has no
 * other way back to it. Throws the client's error, also when it can't be known whether there is one.
 * @param proof lets in who has one where guests are too many; it goes where the protocol has a captcha's
 * token, and is stored nowhere
 */
export async function signInAsGuest(proof?: string): Promise<void> {
  const client = await authClient()
  const { data, error } = await client.getSession()
  if (error) throw error
  if (data.session) {
    announce(data.session)
    return
  }
  const guest = await client.signInAnonymously(
    proof === undefined ? undefined : { options: { captchaToken: proof } },
  )
  if (guest.error) throw guest.error
}
