import { type FormEvent, useRef, useState } from 'react'
import { ApiFailure, call } from '../../platform/web/api.ts'
import { saveAsFile } from '../../platform/web/save-file.ts'
import { useUser } from '../../platform/web/session.tsx'
import { Dialog } from '../../platform/web/ui/dialog.tsx'
import { HiddenUsername, PasswordField } from '../../platform/web/ui/field.tsx'
import { HubRow } from '../../platform/web/ui/section.tsx'
import { useSingleFlight } from '../../platform/web/ui/single-flight.ts'
import { toast } from '../../platform/web/ui/toast.tsx'
import { exportProfile } from '../contract.ts'
import { PASSWORD_MISSING, passwordRefusal } from './password-again.ts'
import { useAskForFactor } from './second-factor/ask-for-factor.ts'

/** Everything that is held on the person as a file; who has a password gives it once more. */
export function DownloadData() {
  const user = useUser()
  const [isAsking, setAsking] = useState(false)
  const [working, start] = useSingleFlight<'downloading'>()
  const [refusal, setRefusal] = useState<string>()
  const askForFactor = useAskForFactor()

  const download = (body: { password?: string }) =>
    start('downloading', async () => {
      try {
        const data = await call(exportProfile, { body }, { onlyAs: user.id })
        saveAsFile('superday-data.json', JSON.stringify(data, null, 2), 'application/json')
        setAsking(false)
      } catch (error) {
        const message = passwordRefusal(error)
        setRefusal(message)
        if (message || askForFactor(error)) return
        // One is under way, many are, or enough for today: the server says which, and when to come back.
        const saysWhen = error instanceof ApiFailure && error.retryAfterMs > 0
        toast.error(
          'Your data could not be downloaded',
          saysWhen ? error.message : 'Please try again.',
        )
      }
    })
  const ask = () => {
    setRefusal(undefined)
    if (user.is_anonymous) void download({})
    else setAsking(true)
  }

  return (
    <HubRow
      name="Download my data"
      hint="Everything we hold on you, as one JSON file. Of assessments: your answers and what was recorded, not the results."
    >
      <button
        type="button"
        className="btn btn-ghost"
        aria-disabled={working !== null}
        onClick={ask}
      >
        {working && !isAsking ? 'Preparing…' : 'Download my data'}
      </button>
      <Dialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Download my data"
        description="The file holds everything we hold on you. Please enter your password, so that nobody else takes it."
      >
        <PasswordForm
          email={user.email ?? ''}
          refusal={refusal}
          isWorking={working !== null}
          onPassword={(password) => {
            setRefusal(password ? undefined : PASSWORD_MISSING)
            if (password) void download({ password })
          }}
        />
      </Dialog>
    </HubRow>
  )
}

function PasswordForm(props: {
  email: string
  refusal: string | undefined
  isWorking: boolean
  onPassword: (password: string) => void
}) {
  const field = useRef<HTMLInputElement>(null)
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    props.onPassword(field.current?.value ?? '')
    // Back to where the password is typed, should it be refused.
    field.current?.focus()
  }
  return (
    <form onSubmit={onSubmit} noValidate name="download-data" className="flex flex-col gap-5">
      <HiddenUsername email={props.email} />
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        required
        ref={field}
        error={props.refusal}
      />
      <div>
        <button type="submit" className="btn" aria-disabled={props.isWorking}>
          {props.isWorking ? 'Preparing…' : 'Download'}
        </button>
      </div>
    </form>
  )
}
