import { type ComponentType, type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { URLS } from '../../platform/urls.ts'
import { ApiFailure, call } from '../../platform/web/api.ts'
import { saveAsFile } from '../../platform/web/save-file.ts'
import { authClient, forgetSession, useUser } from '../../platform/web/session.tsx'
import { Dialog, Question } from '../../platform/web/ui/dialog.tsx'
import { Field, HiddenUsername, PasswordField } from '../../platform/web/ui/field.tsx'
import { openedOnDemand } from '../../platform/web/ui/on-demand.ts'
import { HubRow, HubSection } from '../../platform/web/ui/section.tsx'
import { useSingleFlight } from '../../platform/web/ui/single-flight.ts'
import { toast } from '../../platform/web/ui/toast.tsx'
import { deleteProfile, exportProfile } from '../contract.ts'
import { messageOf } from './auth-words.ts'
import { noteDeletion } from './deletion-note.tsx'
import { PASSWORD_MISSING, proofRefusal, useAskForFactor } from './second-factor/ask-for-factor.ts'
import { useOneField } from './second-factor/fresh-proof.tsx'
import { saySignedOut } from './sign-out-button.tsx'

/** Address, password, sessions and data of the account. A guest has only this session and no password. */
export function YourAccount({ forgetPerson }: { forgetPerson: ForgetPerson }) {
  const user = useUser()
  return (
    <HubSection title="Your account">
      {!user.is_anonymous && (
        <>
          <DialogRow
            name="Email"
            hint={`You sign in with ${user.email} and get emails there.`}
            button="Change email"
            Opened={EmailDialog}
          />
          <DialogRow
            name="Password"
            hint="A new password signs out every other device."
            button="Change password"
            Opened={PasswordDialog}
          />
          <SignOutEverywhere />
        </>
      )}
      <DownloadData />
      <DeleteAccount forgetPerson={forgetPerson} />
    </HubSection>
  )
}

// Few users change it, so the form is loaded at the first touch or key, like dialogs.
const PasswordDialog = openedOnDemand(
  async () => (await import('./personal-hub-password.tsx')).PasswordDialog,
)

const EmailDialog = openedOnDemand(
  async () => (await import('./address/change-email.tsx')).EmailDialog,
)

function DialogRow(props: {
  name: string
  hint: string
  button: string
  Opened: ComponentType<{ open: boolean; onOpenChange: (open: boolean) => void }>
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <HubRow name={props.name} hint={props.hint}>
      <button type="button" className="btn btn-ghost" onClick={() => setOpen(true)}>
        {props.button}
      </button>
      <props.Opened open={isOpen} onOpenChange={setOpen} />
    </HubRow>
  )
}

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

/** Downloads everything stored about the person. Users with a password enter it again. */
function DownloadData() {
  const user = useUser()
  const [isAsking, setAsking] = useState(false)
  const [working, start] = useSingleFlight<'downloading'>()
  const { field, isChecking, onSubmit, refuse } = useOneField(PASSWORD_MISSING, (password) =>
    download({ password }),
  )
  const askForFactor = useAskForFactor()

  async function download(body: { password?: string }): Promise<void> {
    try {
      const data = await call(exportProfile, { body }, { onlyAs: user.id })
      saveAsFile('superday-data.json', JSON.stringify(data, null, 2), 'application/json')
      setAsking(false)
    } catch (error) {
      const message = proofRefusal(error)
      refuse(message)
      if (message || askForFactor(error)) return
      // The server says why and when to retry: an export is running, many are, or today's limit is used up.
      const saysWhen = error instanceof ApiFailure && error.retryAfterMs > 0
      toast.error(
        'Your data could not be downloaded',
        saysWhen ? error.message : 'Please try again.',
      )
    }
  }
  const ask = () => {
    refuse(undefined)
    if (user.is_anonymous) void start('downloading', () => download({}))
    else setAsking(true)
  }

  return (
    <HubRow
      name="Download my data"
      hint="Everything we store about you, as one JSON file. For assessments: your answers and what was recorded, not the results."
    >
      <button
        type="button"
        className="btn btn-ghost"
        aria-disabled={working !== null}
        onClick={ask}
      >
        {working ? 'Preparing…' : 'Download my data'}
      </button>
      <Dialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Download my data"
        description="The file contains everything we store about you. Please enter your password to confirm that it's you."
      >
        <form onSubmit={onSubmit} noValidate name="download-data" className="flex flex-col gap-5">
          <HiddenUsername email={user.email ?? ''} />
          <PasswordField
            label="Your password"
            autoComplete="current-password"
            required
            {...field}
          />
          <div>
            <button type="submit" className="btn" aria-disabled={isChecking}>
              {isChecking ? 'Preparing…' : 'Download'}
            </button>
          </div>
        </form>
      </Dialog>
    </HubRow>
  )
}

type ForgetPerson = (userId: string) => void

const CONFIRMATION = 'DELETE'

function DeleteAccount({ forgetPerson }: { forgetPerson: ForgetPerson }) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <HubRow
      name="Delete my account"
      hint="Deletes your account, results, streak and daily answers for good."
    >
      <button type="button" className="btn btn-ghost" onClick={() => setIsAsking(true)}>
        Delete my account
      </button>
      <Question
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Delete your account?"
        description="Your account is closed immediately, on every device. Your results, your streak and your daily answers are removed within minutes. This can't be undone. Assessment attempts stay with the society that ran the assessment, without the link to your account."
      >
        <Confirmation forgetPerson={forgetPerson} onCancel={() => setIsAsking(false)} />
      </Question>
    </HubRow>
  )
}

function Confirmation(props: { forgetPerson: ForgetPerson; onCancel: () => void }) {
  const { forgetPerson, onCancel } = props
  const user = useUser()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const [errors, setErrors] = useState<{ typed?: string; password?: string }>({})
  const [working, start] = useSingleFlight<'deleting'>()
  const askForFactor = useAskForFactor()

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    const found = {
      ...(typed.trim() !== CONFIRMATION && {
        typed: `Please type ${CONFIRMATION}, in capital letters.`,
      }),
      ...(!user.is_anonymous && !password && { password: PASSWORD_MISSING }),
    }
    setErrors(found)
    if (found.typed || found.password) return
    void start('deleting', async () => {
      try {
        // The id is sent in case another tab has signed in as a different user.
        const body = user.is_anonymous ? {} : { password }
        await call(deleteProfile, { body }, { onlyAs: user.id })
      } catch (error) {
        const message = proofRefusal(error)
        if (message) setErrors({ password: message })
        else if (!askForFactor(error))
          toast.error('Your account was not deleted', 'Please try again.')
        return
      }
      forgetPerson(user.id)
      noteDeletion()
      // No sign-out call is needed, because the session was deleted with the account.
      forgetSession()
      toast.success('Account deleted', 'Your data is being removed now.')
      navigate(URLS.auth, { replace: true })
      return 'leaving'
    })
  }

  return (
    <form onSubmit={onSubmit} noValidate name="delete-account" className="w-full">
      <Field
        label={`Type ${CONFIRMATION} to confirm`}
        type="text"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={errors.typed}
      />
      {!user.is_anonymous && (
        <div className="mt-4">
          <HiddenUsername email={user.email ?? ''} />
          <PasswordField
            label="Your password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            error={errors.password}
          />
        </div>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        <button type="button" className="btn btn-ghost" onClick={onCancel}>
          Keep my account
        </button>
        <button type="submit" className="btn btn-danger" aria-disabled={working !== null}>
          {working ? 'Deleting…' : 'Delete my account'}
        </button>
      </div>
    </form>
  )
}
