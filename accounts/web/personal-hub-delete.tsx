import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { URLS } from '../../platform/urls.ts'
import { call } from '../../platform/web/api.ts'
import { forgetSession, useUser } from '../../platform/web/session.tsx'
import { Question } from '../../platform/web/ui/dialog.tsx'
import { Field, HiddenUsername, PasswordField } from '../../platform/web/ui/field.tsx'
import { HubRow } from '../../platform/web/ui/section.tsx'
import { useSingleFlight } from '../../platform/web/ui/single-flight.ts'
import { toast } from '../../platform/web/ui/toast.tsx'
import { deleteProfile } from '../contract.ts'
import { noteDeletion } from './deletion-note.tsx'
import { PASSWORD_MISSING, passwordRefusal } from './password-again.ts'
import { useAskForFactor } from './second-factor/ask-for-factor.ts'

/** Clears what the rooms keep of a person on this device. */
export type ForgetPerson = (userId: string) => void

/** What is typed to confirm. */
const CONFIRMATION = 'DELETE'

/** Deletes the account and all that is kept of it, here and on the server, after a typed confirmation. */
export function DeleteAccount({ forgetPerson }: { forgetPerson: ForgetPerson }) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <HubRow
      name="Delete my account"
      hint="Your account, results, streak and daily answers, for good."
    >
      <button type="button" className="btn btn-ghost" onClick={() => setIsAsking(true)}>
        Delete my account
      </button>
      <Question
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Delete your account?"
        description="Your account is closed at once, on every device. Your results, your streak and your daily answers are then removed, within minutes. This can't be undone. Assessment attempts stay with the society that ran the assessment, without the link to your account."
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
        // Named, in case another tab has signed in as somebody else.
        const body = user.is_anonymous ? {} : { password }
        await call(deleteProfile, { body }, { onlyAs: user.id })
      } catch (error) {
        const message = passwordRefusal(error)
        if (message) setErrors({ password: message })
        else if (!askForFactor(error))
          toast.error('Your account was not deleted', 'Please try again.')
        return
      }
      forgetPerson(user.id)
      noteDeletion()
      // No call to sign out: the session is gone with the account.
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
