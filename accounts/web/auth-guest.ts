import { announce, authClient } from '../../platform/web/session.tsx'

/** Signs in as a guest unless a session exists. `proof`, sent as the captcha token, admits candidates at the limit. */
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
