import { useSyncExternalStore } from 'react'
import { Changing } from './changing.ts'
import { deviceStore } from './storage.ts'
import { applyTheme, storeTheme, type Theme, themeNow } from './theme.ts'

// This device's settings: theme (theme.ts), sound, single-key shortcuts, confirmation.

const changing = new Changing()

function changed(): void {
  applyTheme()
  changing.changed()
}

// The unit tests run in Node, which has no window.
if (typeof window !== 'undefined') {
  // The system's theme or another tab's choice may change while this page is open.
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme)
  window.addEventListener('storage', (event) => {
    // A null key means that the whole storage was cleared.
    if (event.key === null || event.key.startsWith('superday-')) changed()
  })
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [
    // The landing page is prerendered with the defaults.
    useSyncExternalStore(changing.subscribe, themeNow, () => 'system'),
    (theme) => {
      storeTheme(theme)
      changed()
    },
  ]
}

/** A boolean setting of this device, and the function that changes it. */
function useSwitch(key: string, standard: boolean): [boolean, (isOn: boolean) => void] {
  const read = () => (standard ? deviceStore.get(key) !== 'false' : deviceStore.get(key) === 'true')
  return [
    // A prerendered page has the defaults.
    useSyncExternalStore(changing.subscribe, read, () => standard),
    (isOn) => {
      deviceStore.set(key, String(isOn))
      changed()
    },
  ]
}

/** Whether the beep is muted, and the function that changes it. */
export const useMuted = () => useSwitch('superday-muted', false)

/** The storage key of 'check answers as I go'. */
export const checkKeyOf = (userId: string): string => `superday-check:${userId}`

/** Whether each answer of a test is checked immediately (product 3.3.16), and the function that changes it. */
export const useChecksAsIGo = (userId: string) => useSwitch(checkKeyOf(userId), false)

/** Whether single keys (A to D, 1 to 4) answer in the quiz (WCAG 2.1.4), and the function that changes it. */
export const useKeysEnabled = () => useSwitch('superday-keys', true)

/** Whether an answer that is checked immediately needs confirmation (product 3.10.7). */
export const useConfirmsAnswers = () => useSwitch('superday-confirm', true)
