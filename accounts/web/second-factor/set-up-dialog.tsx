import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { makeRecoveryCodes } from '../../contract.ts'
import { secondFactorQuery } from '../queries.ts'
import { showAppCode } from './ask-for-factor.ts'
import { CODE_MISSING, CodeField, useOneField } from './fresh-proof.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

export interface NewApp {
  id: string
  secret: string
  uri: string
  picture: string
}

/** Sets up an app in two steps: scan and enter the first code, then save the recovery codes. */
export function SetUpDialog({ app, onClose }: { app: NewApp; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [codes, setCodes] = useState<string[] | null>(null)

  const close = () => {
    onClose()
    void queryClient.invalidateQueries(secondFactorQuery)
  }
  const finish = async () => {
    try {
      setCodes((await call(makeRecoveryCodes, {})).codes)
    } catch {
      toast.error('The app is set up, without recovery codes', 'Please create them in a moment.')
      close()
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) close()
      }}
      title={codes ? 'Keep your recovery codes' : 'Set up your app'}
    >
      {codes ? <RecoveryCodes codes={codes} onKept={close} /> : <Scan app={app} onDone={finish} />}
    </Dialog>
  )
}

function Scan({ app, onDone }: { app: NewApp; onDone: () => Promise<void> }) {
  const { field, isChecking, onSubmit, refuse } = useOneField(CODE_MISSING.app, async (typed) => {
    const shown = await showAppCode(typed.trim(), app.id)
    if (shown.refusal !== null) return refuse(shown.refusal)
    toast.success('Your app is set up.', 'Every other device is signed out.')
    await onDone()
  })

  return (
    <form onSubmit={onSubmit} noValidate name="set-up" className="flex flex-col gap-5">
      <p className="text-ink-2">
        Scan this with an authenticator app, such as your phone’s or your password manager’s.
      </p>
      <img
        src={app.picture}
        alt="QR code for the authenticator app"
        className="size-44 self-center rounded-md border border-line bg-white"
      />
      <p className="text-[15px] text-ink-2">
        No camera? Open{' '}
        <a href={app.uri} className="link">
          the app on this device
        </a>
        , or enter this key:
        <code className="mt-1.5 block break-all font-mono text-ink">
          {(app.secret.match(/.{1,4}/g) ?? []).join(' ')}
        </code>
      </p>
      <CodeField kind="app" onKind={null} refuse={refuse} {...field} />
      <div>
        <button type="submit" className="btn" aria-disabled={isChecking}>
          {isChecking ? 'Checking…' : 'Turn on'}
        </button>
      </div>
    </form>
  )
}
