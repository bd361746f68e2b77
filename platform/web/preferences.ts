import { useSyncExternalStore } from 'react'
import { Changing } from './changing.ts'
import { deviceStore } from './storage.ts'
import { applyTheme, storeTheme, type Theme, themeNow } from './theme.ts'

// What a person chose for this device: theme (theme.ts), sound, single-key shortcuts, confirming.

const changing = new Changing()

function changed(): void {
  applyTheme()
  changing.changed()
}

// Node (the unit tests) has no window, and needs none of this.
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
    // The landing page is prerendered for who has chosen nothing.
    useSyncExternalStore(changing.subscribe, themeNow, () => 'system'),
    (theme) => {
      storeTheme(theme)
      changed()
    },
  ]
}

/** What is kept on this device under a key, on or off, and the function that changes it. */
function useSwitch(key: string, standard: boolean): [boolean, (isOn: boolean) => void] {
  const read = () => (standard ? deviceStore.get(key) !== 'false' : deviceStore.get(key) === 'true')
  return [
    // Where a page is prerendered, nothing was chosen.
    useSyncExternalStore(changing.subscribe, read, () => standard),
    (isOn) => {
      deviceStore.set(key, String(isOn))
      changed()
    },
  ]
}

/** Whether the beep is muted, and the function that changes it. */
export const useMuted = () => useSwitch('superday-muted', false)

/** Where it is kept whether a person checks answers as they go. */
export const checkKeyOf = (userId: string): string => `superday-check:${userId}`

/** Whether this person wants each answer of a test judged at once (product 3.3.16), and the function that changes it. */
export const useChecksAsIGo = (userId: string) => useSwitch(checkKeyOf(userId), false)

/** Whether single keys (A to D, 1 to 4) answer in the quiz (WCAG 2.1.4), and the function that changes it. */
export const useKeysEnabled = () => useSwitch('superday-keys', true)

/** Whether a choice that is judged at once counts only when it is confirmed (product 3.10.7). */
export const useConfirmsAnswers = () => useSwitch('superday-confirm', true)
