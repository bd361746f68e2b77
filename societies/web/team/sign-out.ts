import { useNavigate } from 'react-router'
import { signInUrl } from '../../../platform/urls.ts'
import { authClient, forgetSession } from '../../../platform/web/session.tsx'
import { useSingleFlight } from '../../../platform/web/ui/single-flight.ts'

/** How long the server's word is waited for; this browser forgets either way (product 2.5.1). */
const SIGN_OUT_LIMIT_MS = 1_000

/** Signs this device out, and leads to the sign-in. @returns whether it works on it, and the act */
export function useSignOut(): [boolean, () => Promise<void>] {
  const navigate = useNavigate()
  const [working, start] = useSingleFlight<'signing out'>()
  const signOut = () =>
    start('signing out', async () => {
      await Promise.race([
        authClient()
          .then((auth) => auth.signOut({ scope: 'local' }))
          .catch(() => {}),
        new Promise((resolve) => setTimeout(resolve, SIGN_OUT_LIMIT_MS)),
      ])
      await navigate(signInUrl, { replace: true })
      forgetSession()
      return 'leaving'
    })
  return [working !== null, signOut]
}
