import { useState } from 'react'
import { useNavigate } from 'react-router'
import { URLS } from '../../platform/urls.ts'
import { authClient, useUser } from '../../platform/web/session.tsx'
import { Question } from '../../platform/web/ui/dialog.tsx'
import { createPart, usePart } from '../../platform/web/ui/on-demand.ts'
import { HubRow, HubSection } from '../../platform/web/ui/section.tsx'
import { useSingleFlight } from '../../platform/web/ui/single-flight.ts'
import { toast } from '../../platform/web/ui/toast.tsx'
import { messageOf } from './auth-words.ts'
import { DeleteAccount, type ForgetPerson } from './personal-hub-delete.tsx'
import { DownloadData } from './personal-hub-download.tsx'
import { saySignedOut } from './sign-out-button.tsx'

/** Address, password, sessions and data of the account; a guest has no password, and this one session. */
export function YourAccount({ forgetPerson }: { forgetPerson: ForgetPerson }) {
  const user = useUser()
  return (
    <HubSection title="Your account">
      {!user.is_anonymous && (
        <>
          <ChangeEmail />
          <ChangePassword />
          <SignOutEverywhere />
        </>
      )}
      <DownloadData />
      <DeleteAccount forgetPerson={forgetPerson} />
    </HubSection>
  )
}

// Few change it: the form comes at the first touch or key, as dialogs do.
const passwordPart = createPart(
  async () => (await import('./personal-hub-password.tsx')).PasswordDialog,
)

const emailPart = createPart(async () => (await import('./address/change-email.tsx')).EmailDialog)

function ChangeEmail() {
  const { email } = useUser()
  const [isOpen, setOpen] = useState(false)
  const EmailDialog = usePart(emailPart, { open: isOpen, onOpenChange: setOpen })
  return (
    <HubRow name="E-mail" hint={`You sign in with ${email}, and mails go there.`}>
      <button type="button" className="btn btn-ghost" onClick={() => setOpen(true)}>
        Change e-mail
      </button>
      {EmailDialog && <EmailDialog open={isOpen} onOpenChange={setOpen} />}
    </HubRow>
  )
}

function ChangePassword() {
  const [isOpen, setOpen] = useState(false)
  const PasswordDialog = usePart(passwordPart, { open: isOpen, onOpenChange: setOpen })
  return (
    <HubRow name="Password" hint="A new one signs out every other device.">
      <button type="button" className="btn btn-ghost" onClick={() => setOpen(true)}>
        Change password
      </button>
      {PasswordDialog && <PasswordDialog open={isOpen} onOpenChange={setOpen} />}
    </HubRow>
  )
}

/** Ends every session of the account, after a question. */
function SignOutEverywhere() {
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const [working, start] = useSingleFlight<'signing out'>()

  const signOut = () =>
    start('signing out', async () => {
      const { error } = await authClient()
        .then((auth) => auth.signOut({ scope: 'global' }))
        .catch((error) => ({ error }))
      if (error) {
        setIsAsking(false)
        toast.error('You are still signed in', messageOf(error))
        return
      }
      saySignedOut()
      navigate(URLS.auth, { replace: true })
      return 'leaving'
    })

  return (
    <HubRow
      name="Sign out everywhere"
      hint="On this device and every other one where you are signed in."
    >
      <button type="button" className="btn btn-ghost" onClick={() => setIsAsking(true)}>
        Sign out everywhere
      </button>
      <Question
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Sign out everywhere?"
        description="Every device where you are signed in asks for your password again. Your progress is kept."
      >
        <button type="button" className="btn btn-ghost" onClick={() => setIsAsking(false)}>
          Stay signed in
        </button>
        <button type="button" className="btn" disabled={working !== null} onClick={signOut}>
          {working ? 'Signing out…' : 'Sign out everywhere'}
        </button>
      </Question>
    </HubRow>
  )
}
