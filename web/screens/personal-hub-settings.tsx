import { type ReactNode, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { URLS } from '../../shared/urls.ts'
import { useKeysEnabled, useMuted } from '../preferences.ts'
import { auth, useUser } from '../session.tsx'
import { saySignedOut } from '../sign-out.tsx'
import { Question } from '../ui/dialog.tsx'
import { useSingleFlight } from '../ui/single-flight.ts'
import { ThemeSwitch } from '../ui/theme-switch.tsx'
import { toast } from '../ui/toast.tsx'
import { messageOf } from './auth-words.ts'
import { HubSection } from './personal-hub-section.tsx'

/** Theme, sound and keys of this device, and signing out of all of them. */
export function Settings() {
  const user = useUser()
  const [isMuted, setMuted] = useMuted()
  const [areKeysEnabled, setKeysEnabled] = useKeysEnabled()
  return (
    <HubSection title="Settings" note="For this device">
      <Setting name="Theme" hint="Light, dark, or as your device says.">
        <ThemeSwitch />
      </Setting>
      <SwitchSetting
        name="Sound"
        hint="A short beep when you press something in a test."
        isOn={!isMuted}
        onChange={(on) => setMuted(!on)}
      />
      <SwitchSetting
        name="Single-key shortcuts"
        hint="In a test, A to D or 1 to 4 choose an answer."
        isOn={areKeysEnabled}
        onChange={setKeysEnabled}
      />
      {/* A guest has this one session, and nothing leads back to it. */}
      {!user.is_anonymous && <SignOutEverywhere />}
    </HubSection>
  )
}

function Setting(props: { name: ReactNode; hint: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-b py-4">
      <div>
        <div>{props.name}</div>
        <div className="hint">{props.hint}</div>
      </div>
      {props.children}
    </div>
  )
}

function SwitchSetting(props: {
  name: string
  hint: string
  isOn: boolean
  onChange: (on: boolean) => void
}) {
  const id = useId()
  return (
    <Setting
      name={<label htmlFor={id}>{props.name}</label>}
      hint={<span id={`${id}-hint`}>{props.hint}</span>}
    >
      <span className="flex items-center gap-3">
        <span aria-hidden className="hint w-6 text-end">
          {props.isOn ? 'On' : 'Off'}
        </span>
        <input
          id={id}
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox says its state itself
          role="switch"
          aria-describedby={`${id}-hint`}
          checked={props.isOn}
          onChange={(event) => props.onChange(event.target.checked)}
          className="switch"
        />
      </span>
    </Setting>
  )
}

/** Ends every session of the account, after a question. */
function SignOutEverywhere() {
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const [working, start] = useSingleFlight<'signing out'>()

  const signOut = () =>
    start('signing out', async () => {
      const { error } = await auth.signOut({ scope: 'global' }).catch((error) => ({ error }))
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
    <Setting
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
    </Setting>
  )
}
