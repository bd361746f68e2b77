import { useId } from 'react'
import { useConfirmsAnswers, useKeysEnabled, useMuted } from '../../platform/web/preferences.ts'
import { HubRow, HubSection } from '../../platform/web/ui/section.tsx'
import { ThemeSwitch } from '../../platform/web/ui/theme-switch.tsx'
import { APPLE_HINT, INSTALL_HINT } from './offline/install-hints.ts'
import { isAppleTouch, isInstalled, useInstall } from './offline/install-prompt.ts'

/** Theme, sound, keys and confirming on this device. */
export function Settings() {
  const [isMuted, setMuted] = useMuted()
  const [areKeysEnabled, setKeysEnabled] = useKeysEnabled()
  const [confirms, setConfirms] = useConfirmsAnswers()
  return (
    <HubSection title="Settings" note="For this device">
      <HubRow name="Theme" hint="Light, dark, or as your device says.">
        <ThemeSwitch />
      </HubRow>
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
      <SwitchSetting
        name="Confirm answers"
        hint="Where an answer is judged at once, it counts after Enter or Check. Off: choosing is answering."
        isOn={confirms}
        onChange={setConfirms}
      />
      <Install />
    </HubSection>
  )
}

/** Where the browser can install the product, or its owner by hand (product 3.17.9). */
function Install() {
  const install = useInstall()
  if (isInstalled()) return null
  if (install) {
    return (
      <HubRow name="Install Superday" hint={INSTALL_HINT}>
        <button type="button" className="btn btn-ghost" onClick={() => void install()}>
          Install
        </button>
      </HubRow>
    )
  }
  return isAppleTouch() ? (
    <HubRow name="Install Superday" hint={APPLE_HINT}>
      {null}
    </HubRow>
  ) : null
}

function SwitchSetting(props: {
  name: string
  hint: string
  isOn: boolean
  onChange: (on: boolean) => void
}) {
  const id = useId()
  return (
    <HubRow
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
    </HubRow>
  )
}
