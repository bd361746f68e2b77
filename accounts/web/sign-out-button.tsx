import { useState } from 'react'
import { useNavigate } from 'react-router'
import { createAccountUrl, URLS } from '../../platform/urls.ts'
import { useSession } from '../../platform/web/session.tsx'
import { signOutHere } from '../../platform/web/sign-out.ts'
import { Question } from '../../platform/web/ui/dialog.tsx'
import { useSingleFlight } from '../../platform/web/ui/single-flight.ts'
import { toast } from '../../platform/web/ui/toast.tsx'

export function saySignedOut(): void {
  toast.success('Signed out', "You've been successfully signed out.")
}

/** Sign Out. Guests are asked first, because they would lose their progress (product 2.5.3). */
export function SignOutButton({ className }: { className: string }) {
  const session = useSession()
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const [working, start] = useSingleFlight<'signing out'>()

  const signOut = () =>
    start('signing out', async () => {
      await signOutHere()
      saySignedOut()
      navigate(URLS.auth, { replace: true })
      return 'leaving'
    })
  const createAccount = () => {
    setIsAsking(false)
    navigate(createAccountUrl)
  }

  return (
    <>
      <button
        type="button"
        className={className}
        disabled={working !== null}
        onClick={() => (session.user?.is_anonymous ? setIsAsking(true) : signOut())}
      >
        Sign Out
      </button>
      <Question
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Keep your progress?"
        description="You are here as a guest. If you sign out, you lose your results, your streak and your progress. An account keeps them."
      >
        <button type="button" className="btn" onClick={createAccount}>
          Create an account
        </button>
        <button type="button" className="btn btn-ghost" onClick={() => setIsAsking(false)}>
          Stay signed in
        </button>
        <button
          type="button"
          className="btn btn-quiet"
          disabled={working !== null}
          onClick={signOut}
        >
          Sign out anyway
        </button>
      </Question>
    </>
  )
}
